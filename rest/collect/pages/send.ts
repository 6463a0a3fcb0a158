import { html, type Html } from '../../../src/values/html.ts';
import { layout, privacy, type View } from '../layout.ts';
import type { CollectionForm } from '../operations.ts';
import { isGiven, stepsOf, type StepName } from '../steps.ts';
import { progress, stepTitle } from './progress.ts';
import { reviewOf } from './review.ts';

/** One step's answers, masked, and the way back to change them. */
function part({ texts, links, language }: View, form: CollectionForm, step: StepName): Html {
  const given = isGiven(form, step);
  const title = stepTitle(texts, form, step);
  const review = given ? reviewOf(form, step, language, texts) : null;
  const state = given ? texts.send.ready : texts.send.missing;
  const action = given ? texts.send.change : texts.send.give;
  return html`<section class="${given ? 'ready' : 'missing'}">
    <div class="part">
      <h2>${title}</h2>
      <a href="${links.page(step)}">${action}<span class="hidden">: ${title}</span></a>
    </div>
    ${review ?? html`<p>${state}</p>`}
  </section>`;
}

/** The last page: what was given, shown in part, and the button that sends it. */
export function sendPage(view: View, form: CollectionForm, visit: string): string {
  const { texts, links } = view;
  const parts = stepsOf(form).filter((step) => step !== 'send');
  const complete = parts.every((step) => isGiven(form, step));
  const content = html`${progress(view, form, 'send')}
    <h1>${texts.send.title}</h1>
    <p class="lead">${texts.send.lead({ business: form.businessName })}</p>
    <div class="card">
      <div class="overview">${parts.map((step) => part(view, form, step))}</div>
      <p class="note">${texts.send.hidden}</p>
      ${
        complete
          ? html`<form id="answers" method="post" action="${links.page('send', { visit })}">
              <p>${texts.send.confirm}</p>
              <p class="actions">
                <button type="submit">${texts.send.button({ business: form.businessName })}</button>
              </p>
            </form>`
          : null
      }
      ${privacy(view, form.businessName)}
    </div>`;
  return layout(view, { title: texts.send.title, content, asker: form });
}

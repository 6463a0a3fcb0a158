import { html } from '../../../src/values/html.ts';
import { layout, privacy, type View } from '../layout.ts';
import type { CollectionForm } from '../operations.ts';
import { isGiven, stepsOf } from '../steps.ts';
import { progress, stepTitle } from './progress.ts';

/** The last page: what was given, without showing it, and the button that sends it. */
export function sendPage(view: View, form: CollectionForm, visit: string): string {
  const { texts, links } = view;
  const parts = stepsOf(form).filter((step) => step !== 'send');
  const complete = parts.every((step) => isGiven(form, step));
  const entries = parts.map((step) => {
    const given = isGiven(form, step);
    const title = stepTitle(texts, form, step);
    const [state, action] = given
      ? [texts.send.ready, texts.send.change]
      : [texts.send.missing, texts.send.give];
    return html`<div class="${given ? 'ready' : 'missing'}">
      <dt>${title}</dt>
      <dd>${state}</dd>
      <dd>
        <a href="${links.page(step)}">${action}<span class="hidden">: ${title}</span></a>
      </dd>
    </div>`;
  });
  const content = html`${progress(view, form, 'send')}
    <h1>${texts.send.title}</h1>
    <p class="lead">${texts.send.lead(form.businessName)}</p>
    <div class="card">
      <dl class="overview">${entries}</dl>
      <p class="note">${texts.send.hidden}</p>
      ${
        complete
          ? html`<form id="answers" method="post" action="${links.page('send', { visit })}">
              <p>${texts.send.confirm}</p>
              <p class="actions">
                <button type="submit">${texts.send.button(form.businessName)}</button>
              </p>
            </form>`
          : null
      }
      ${privacy(view, form.businessName)}
    </div>`;
  return layout(view, { title: texts.send.title, content, asker: form });
}

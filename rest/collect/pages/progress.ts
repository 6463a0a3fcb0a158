import { html, type Html } from '../../../src/values/html.ts';
import { attributes } from '../../look/attributes.ts';
import type { View } from '../layout.ts';
import type { CollectionForm } from '../operations.ts';
import { isGiven, stepsOf, type StepName } from '../steps.ts';
import type { Texts } from '../texts/texts.gen.ts';

/** The name of a step in the list of steps. */
export function stepTitle(texts: Texts, form: CollectionForm, step: StepName): string {
  if (step === 'about' && form.beneficiaryType === 'business') return texts.steps.aboutBusiness;
  return texts.steps[step];
}

/** Where the reader is; nothing where there is one step only. */
export function progress({ texts, links }: View, form: CollectionForm, at: StepName): Html | null {
  const steps = stepsOf(form);
  if (steps.length < 2) return null;
  const entries = steps.map((step) => {
    const title = stepTitle(texts, form, step);
    const given = isGiven(form, step);
    const done = given ? html` <span class="hidden">(${texts.steps.done})</span>` : null;
    const label =
      given && step !== at
        ? html`<a href="${links.page(step)}">${title}${done}</a>`
        : html`<span>${title}${done}</span>`;
    const look = { class: given ? 'done' : null, 'aria-current': step === at ? 'step' : null };
    return html`<li ${attributes(look)}>${label}</li>`;
  });
  return html`<nav class="progress" aria-label="${texts.steps.navigation}">
    <p>${texts.steps.progress({ step: steps.indexOf(at) + 1, of: steps.length })}</p>
    <ol>
      ${entries}
    </ol>
  </nav>`;
}

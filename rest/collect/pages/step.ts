import { html, type Html } from '../../../src/values/html.ts';
import { attributes } from '../../look/attributes.ts';
import { control, faultSummary, type FormState } from '../controls.ts';
import type { Field } from '../fields.ts';
import { layout, privacy, type View } from '../layout.ts';
import type { CollectionForm } from '../operations.ts';
import { isGiven, stepAfter, stepsOf, type StepName } from '../steps.ts';
import { progress } from './progress.ts';

/** A step as it is drawn. */
export interface StepPage {
  readonly form: CollectionForm;
  readonly step: StepName;
  readonly state: FormState;
  /** Every field that the page may complain about. */
  readonly fields: readonly Field[];
  /** What stands between the heading and the form. */
  readonly before?: Html | null;
  /** The form's content, without its button; the fields one after another where it is not given. */
  readonly body?: Html;
  /** Whether the form is there but not yet shown, because something has to be chosen first. */
  readonly waiting?: boolean;
  /** Names this drawing of a page that ends the link, so that a double click is one submission. */
  readonly visit?: string;
}

interface Heading {
  readonly title: string;
  readonly lead: string;
}

function heading({ texts }: View, { form, step }: StepPage): Heading {
  const business = form.beneficiaryType === 'business';
  if (step === 'about' || step === 'address') {
    const { title, titleBusiness, lead, leadBusiness } = texts[step];
    return { title: business ? titleBusiness : title, lead: business ? leadBusiness : lead };
  }
  if (step === 'send')
    return { title: texts.send.title, lead: texts.send.lead({ business: form.businessName }) };
  return texts[step];
}

function givenNote({ texts, links }: View, { form, step }: StepPage): Html | null {
  if (!isGiven(form, step)) return null;
  return html`<div class="given">
    <p><strong>${texts.steps.given}</strong> ${texts.steps.givenMeaning}</p>
    <p><a href="${links.page(stepAfter(form, step))}">${texts.steps.keep}</a></p>
  </div>`;
}

function backLink({ texts, links }: View, { form, step }: StepPage): Html {
  const steps = stepsOf(form);
  const previous = steps[steps.indexOf(step) - 1];
  return html`<a class="back" href="${links.page(previous)}">${texts.steps.back}</a>`;
}

/** The page of one step: its questions, what is wrong with the answers, and the way on. */
export function stepPage(view: View, page: StepPage): string {
  const { texts, links } = view;
  const { form, step, state, fields } = page;
  const { title, lead } = heading(view, page);
  const isFile = step === 'document';
  const body = page.body ?? html`${fields.map((field) => control(field, state))}`;
  const content = html`${progress(view, form, step)}
    <h1>${title}</h1>
    <p class="lead">${lead}</p>
    ${faultSummary(fields, state)}
    <div class="card">
      ${givenNote(view, page)} ${page.before}
      <form
        ${attributes({
          id: 'answers',
          method: 'post',
          action: links.page(step, page.visit === undefined ? {} : { visit: page.visit }),
          enctype: isFile ? 'multipart/form-data' : null,
          novalidate: true,
          hidden: page.waiting === true,
        })}
      >
        ${body}
        <p class="actions">
          <button type="submit">${isFile ? texts.document.send : texts.steps.continue}</button>
          ${backLink(view, page)}
        </p>
      </form>
      ${privacy(view, form.businessName)}
    </div>`;
  return layout(view, { title, content, asker: form, faulty: state.faults.size > 0 });
}

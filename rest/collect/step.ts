import { addressGroup } from '../../src/net/client-address.ts';
import { facts } from '../route/handler.ts';
import { accountForm } from './bank.ts';
import { readForm, readUpload } from './body.ts';
import { faultsOf } from './faults.ts';
import { documentFields, type Faults, type Field, type Values } from './fields.ts';
import type { CollectionForm, Corridor, Outcome } from './operations.ts';
import { bankPage } from './pages/bank.ts';
import { endedPage } from './pages/ended.ts';
import { sendPage } from './pages/send.ts';
import { stepPage } from './pages/step.ts';
import { prefilled } from './prefill.ts';
import {
  goTo,
  openForm,
  sendPageText,
  throwIfFailed,
  type PageParts,
  type PageRequest,
} from './request.ts';
import { fieldsOf, inputOf, nextMissing, stepAfter, type StepName } from './steps.ts';
import { newVisit, type Submissions } from './submissions.ts';
import type { UploadSlots } from './upload-slots.ts';

const noFaults: Faults = new Map();

/**
 * What one submission led to. `values` is what the form held, to be shown again after a fault. A
 * submission that succeeded is remembered without its values.
 */
export interface Attempt {
  readonly outcome: Outcome;
  readonly values: Values;
}

/** What submissions of all pages share. */
export interface Sending {
  readonly submissions: Submissions<Attempt>;
  readonly uploads: UploadSlots;
}

/** A step with what was entered and what is wrong with it. */
async function draw(
  parts: PageParts,
  page: PageRequest,
  form: CollectionForm,
  step: StepName,
  values: Values,
  faults: Faults,
): Promise<string> {
  const { view } = page;
  const state = { language: view.language, texts: view.texts, values, faults };
  if (step === 'send') return sendPage(view, form, newVisit());
  if (step === 'bank') {
    const corridors = await parts.operations.corridors(page.token, facts(page.response));
    return bankPage(view, { form, corridors, country: values['country'] ?? '', state });
  }
  const fields = fieldsOf(form, step, null);
  const visit = step === 'document' ? { visit: newVisit() } : {};
  return stepPage(view, { form, step, state, fields, ...visit });
}

/** The values with the country that the address names. Another country has another currency. */
function withCountry(values: Values, asked: unknown): Values {
  if (typeof asked !== 'string' || asked === values['country']) return values;
  const { currency: _, ...others } = values;
  return { ...others, country: asked };
}

/** Shows a step. The country of the bank account is in the address, so that it needs no script. */
export async function showStep(
  parts: PageParts,
  page: PageRequest,
  form: CollectionForm,
  step: StepName,
): Promise<void> {
  // What is missing comes first, however the reader got here.
  const missing = nextMissing(form);
  if (step === 'send' && missing !== 'send') {
    goTo(page, page.view.links.page(missing));
    return;
  }
  const values = withCountry(prefilled(form, step), page.request.query['country']);
  sendPageText(page, await draw(parts, page, form, step, values, noFaults));
}

/** Answers a form that was not taken: its faults, or the page of a link that has ended meanwhile. */
async function answerFailed(
  parts: PageParts,
  page: PageRequest,
  step: StepName,
  { outcome, values }: Attempt,
  fields: readonly Field[],
): Promise<void> {
  const details = throwIfFailed(outcome).failure?.details ?? [];
  const form = await openForm(parts, page);
  if (form.state !== 'live') {
    sendPageText(page, endedPage(page.view, form), 410);
    return;
  }
  // Something is missing in an earlier step: another window may have changed it.
  const missing = nextMissing(form);
  if (step === 'send' && missing !== 'send') {
    goTo(page, page.view.links.page(missing));
    return;
  }
  const faults = faultsOf(details, fields);
  sendPageText(page, await draw(parts, page, form, step, values, faults), 422);
}

function corridorOf(corridors: readonly Corridor[], country: string | undefined) {
  const corridor = corridors.find((entry) => entry.country === country);
  return corridor === undefined ? null : accountForm(corridor);
}

/** The part of the input that a step's answers are. */
function partOf(step: StepName, fields: readonly Field[], values: Values): object {
  if (step === 'about') return { identity: inputOf(fields, values) };
  if (step === 'address') return { identity: { postalAddress: inputOf(fields, values) } };
  const country = values['country'] ?? '';
  return { bankAccount: { ...inputOf(fields, values), country: country === '' ? null : country } };
}

/** Takes the answers of a step that is stored until the end. */
export async function answerDraft(
  parts: PageParts,
  page: PageRequest,
  form: CollectionForm,
  step: StepName,
): Promise<void> {
  const values = await readForm(page.request);
  const known = facts(page.response);
  const corridors = step === 'bank' ? await parts.operations.corridors(page.token, known) : [];
  const fields = fieldsOf(form, step, corridorOf(corridors, values['country']));
  if (step === 'bank' && fields.length === 0) {
    const faults = new Map([['country', 'required']]);
    sendPageText(page, await draw(parts, page, form, step, {}, faults), 422);
    return;
  }
  const outcome = await parts.operations.save(page.token, partOf(step, fields, values), known);
  if (outcome.failure === undefined) {
    goTo(page, page.view.links.page(stepAfter(outcome.form, step)));
    return;
  }
  await answerFailed(parts, page, step, { outcome, values }, fields);
}

async function submitDocument(
  parts: PageParts,
  page: PageRequest,
  uploads: UploadSlots,
): Promise<Attempt> {
  const { clientAddress } = facts(page.response);
  const { values, file } = await readUpload(
    page.request,
    parts.services.config.TAX_DOCUMENT_MAX_MB,
    (task) => uploads.run(page.token, addressGroup(clientAddress), task),
  );
  const formType = values['form_type'] ?? '';
  const known = documentFields.some((field) => field.values?.includes(formType) === true);
  const taxDocument = {
    taxId: values['tax_id'] ?? null,
    formType: known ? formType : null,
    file,
  };
  const outcome = await parts.operations.submit(page.token, { taxDocument }, facts(page.response));
  return { outcome, values: outcome.failure === undefined ? {} : values };
}

async function submitDraft(parts: PageParts, page: PageRequest): Promise<Attempt> {
  await readForm(page.request);
  const outcome = await parts.operations.submit(page.token, null, facts(page.response));
  return { outcome, values: {} };
}

/** Takes the submission that ends the link. */
export async function answerSubmission(
  parts: PageParts,
  page: PageRequest,
  form: CollectionForm,
  step: 'send' | 'document',
  { submissions, uploads }: Sending,
): Promise<void> {
  const visit = page.request.query['visit'];
  const submit = () =>
    step === 'document' ? submitDocument(parts, page, uploads) : submitDraft(parts, page);
  let attempt = submissions.known(page.token, visit);
  if (attempt === undefined) {
    if (form.state !== 'live') {
      sendPageText(page, endedPage(page.view, form), 410);
      return;
    }
    attempt = submissions.run(page.token, visit, submit);
  }
  const done = await attempt;
  if (done.outcome.failure === undefined) goTo(page, page.view.links.page('thanks'));
  else await answerFailed(parts, page, step, done, fieldsOf(form, step, null));
}

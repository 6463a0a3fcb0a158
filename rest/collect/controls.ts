import { html, type Html } from '../../src/values/html.ts';
import { attributes } from '../look/attributes.ts';
import { countriesIn, currenciesIn, type NamedCode } from './countries.ts';
import { dateParts, type Faults, type Field, type Values } from './fields.ts';
import type { Language } from './languages.ts';
import type { Texts } from './texts/texts.gen.ts';

/** What a form is drawn with. */
export interface FormState {
  readonly language: Language;
  readonly texts: Texts;
  readonly values: Values;
  readonly faults: Faults;
}

/** The sentence for what is wrong with a field. */
export function faultText(texts: Texts, field: Field, code: string): string {
  const own = texts.fields[field.text];
  if (code === 'required') return field.alternative ? texts.bank.either : `${own.missing}.`;
  if (field.kind === 'date') return texts.faults.date;
  const known: Readonly<Record<string, string>> = texts.faults;
  return known[code] ?? texts.faults.other;
}

/** The id that a link to a faulty field leads to: the first control of it. */
function targetOf(field: Field): string {
  if (field.kind === 'date') return `${field.name}_day`;
  if (field.kind === 'choice') return `${field.name}_${field.values?.[0] ?? ''}`;
  return field.name;
}

interface Parts {
  readonly hint: Html | null;
  readonly fault: Html | null;
  readonly describedBy: string;
}

function partsOf(field: Field, state: FormState): Parts {
  const { texts } = state;
  const { hint } = texts.fields[field.text];
  const code = state.faults.get(field.name);
  const ids = [hint === '' ? '' : `${field.name}-hint`, code ? `${field.name}-fault` : ''];
  return {
    hint: hint === '' ? null : html`<p class="hint" id="${field.name}-hint">${hint}</p>`,
    fault:
      code === undefined
        ? null
        : html`<p class="fault" id="${field.name}-fault">
            <span class="hidden">${texts.frame.errorPrefix}:</span> ${faultText(texts, field, code)}
          </p>`,
    describedBy: ids.filter((id) => id !== '').join(' '),
  };
}

const optionalMark = (field: Field, texts: Texts): Html | null =>
  field.optional ? html` <span class="optional">(${texts.frame.optional})</span>` : null;

const isRequired = (field: Field): boolean => !field.optional && !field.alternative;

/** What the script needs to say the same as the server about a field. */
function checks(field: Field, texts: Texts): Record<string, string> {
  const own = texts.fields[field.text];
  return {
    ...(isRequired(field) ? { 'data-missing': `${own.missing}.` } : {}),
    ...(field.check === 'iban' ? { 'data-iban': texts.faults.iban_checksum_failed } : {}),
    ...(field.check === 'aba'
      ? {
          'data-aba': texts.faults.aba_checksum_failed,
          'data-aba-form': texts.faults.aba_format_invalid,
        }
      : {}),
  };
}

function common(field: Field, state: FormState, describedBy: string) {
  return {
    'aria-describedby': describedBy,
    'aria-invalid': state.faults.has(field.name) ? 'true' : null,
    required: isRequired(field),
    ...checks(field, state.texts),
  };
}

/** An IBAN has up to 34 characters, which a phone shows on two lines. It is secret, so the field begins empty. */
function ibanInput(field: Field, state: FormState, describedBy: string): Html {
  return html`<textarea
    ${attributes({
      id: field.name,
      name: field.name,
      rows: 1,
      autocomplete: field.autocomplete ?? 'off',
      autocapitalize: 'characters',
      spellcheck: 'false',
      maxlength: 255,
      class: 'precise',
      ...common(field, state, describedBy),
    })}
  ></textarea>`;
}

function textInput(field: Field, state: FormState, describedBy: string): Html {
  return html`<input
    ${attributes({
      id: field.name,
      name: field.name,
      type: field.kind === 'file' ? 'file' : 'text',
      accept:
        field.kind === 'file' ? '.pdf,.png,.jpg,.jpeg,application/pdf,image/png,image/jpeg' : null,
      value: field.secret ? null : state.values[field.name],
      autocomplete: field.kind === 'file' ? null : (field.autocomplete ?? 'off'),
      inputmode: field.digits ? 'numeric' : null,
      spellcheck: field.kind === 'file' ? null : 'false',
      maxlength: field.kind === 'file' ? null : 255,
      class: field.secret ? 'precise' : null,
      ...common(field, state, describedBy),
    })}
  />`;
}

/** A list of codes by name to choose from; nothing is chosen before the reader does. */
export function select(
  names: Readonly<Record<string, string | number | boolean | null | undefined>>,
  codes: readonly NamedCode[],
  chosen: string,
  choose: string,
  more: (code: string) => Readonly<Record<string, string | undefined>> = () => ({}),
): Html {
  return html`<select ${attributes(names)}>
    <option value="">${choose}</option>
    ${codes.map(
      ({ code, name }) =>
        html`<option ${attributes({ value: code, selected: code === chosen, ...more(code) })}>
          ${name}
        </option>`,
    )}
  </select>`;
}

/** A currency by its name and its code, by which banks call it; young ones may have no name yet. */
const withCode = ({ code, name }: NamedCode): NamedCode => ({
  code,
  name: name === code ? code : `${name} (${code})`,
});

function listOf(field: Field, state: FormState, describedBy: string): Html {
  const { language, values } = state;
  const codes =
    field.kind === 'country' ? countriesIn(language) : currenciesIn(language).map(withCode);
  const names = {
    id: field.name,
    name: field.name,
    autocomplete: field.autocomplete ?? 'off',
    ...common(field, state, describedBy),
  };
  return select(names, codes, values[field.name] ?? '', state.texts.choose);
}

function labelled(field: Field, state: FormState): Html {
  const { texts } = state;
  const { hint, fault, describedBy } = partsOf(field, state);
  const isList = field.kind === 'country' || field.kind === 'currency';
  const control = isList ? listOf : field.check === 'iban' ? ibanInput : textInput;
  return html`<div class="field">
    <label for="${field.name}"
      >${texts.fields[field.text].label}${optionalMark(field, texts)}</label
    >
    ${hint} ${fault} ${control(field, state, describedBy)}
  </div>`;
}

function group(field: Field, state: FormState, controls: Html): Html {
  const { hint, fault, describedBy } = partsOf(field, state);
  return html`<fieldset class="field" ${attributes({ 'aria-describedby': describedBy })}>
    <legend>${state.texts.fields[field.text].label}</legend>
    ${hint} ${fault} ${controls}
  </fieldset>`;
}

/** Three inputs, since a picker that opens on today's month is a long way from a year of birth. */
function date(field: Field, state: FormState): Html {
  const { texts } = state;
  const parts = dateParts.map((part) => {
    const id = `${field.name}_${part}`;
    return html`<div class="${part}">
      <label for="${id}">${texts.fields[part].label}</label>
      <input
        ${attributes({
          id,
          name: id,
          type: 'text',
          value: state.values[id],
          inputmode: 'numeric',
          autocomplete: `bday-${part}`,
          maxlength: part === 'year' ? 4 : 2,
          'aria-invalid': state.faults.has(field.name) ? 'true' : null,
          required: true,
          'data-missing': `${texts.fields[field.text].missing}.`,
        })}
      />
    </div>`;
  });
  return group(field, state, html`<div class="date">${parts}</div>`);
}

/** The labels of a choice's values. */
function labelsOf(field: Field, texts: Texts): Readonly<Record<string, string>> {
  return field.name === 'form_type' ? texts.document.formType : texts.bank.accountType;
}

function choice(field: Field, state: FormState): Html {
  const { texts } = state;
  const labels = labelsOf(field, texts);
  const options = (field.values ?? []).map((value) => {
    const id = `${field.name}_${value}`;
    return html`<div class="option">
      <input
        ${attributes({
          id,
          name: field.name,
          type: 'radio',
          value,
          checked: state.values[field.name] === value,
          required: true,
          'data-missing': `${texts.fields[field.text].missing}.`,
        })}
      />
      <label for="${id}">${labels[value]}</label>
    </div>`;
  });
  return group(field, state, html`<div class="options">${options}</div>`);
}

/** One question with its label, hint, fault and control. */
export function control(field: Field, state: FormState): Html {
  if (field.kind === 'date') return date(field, state);
  if (field.kind === 'choice') return choice(field, state);
  return labelled(field, state);
}

/** What is wrong, at the top of the page and with the focus, each entry a link to its field. */
export function faultSummary(fields: readonly Field[], state: FormState): Html | null {
  if (state.faults.size === 0) return null;
  const { texts } = state;
  const known = fields.filter((field) => state.faults.has(field.name));
  const entries = known.map((field) => {
    const text = faultText(texts, field, state.faults.get(field.name) ?? 'other');
    return html`<li><a href="#${targetOf(field)}">${text}</a></li>`;
  });
  const general = entries.length === 0 ? html`<li>${texts.faultGeneral}</li>` : null;
  return html`<div class="summary" role="alert" tabindex="-1" autofocus>
    <h2>${texts.faultSummary}</h2>
    <ul>
      ${entries} ${general}
    </ul>
    ${fields.some(({ secret }) => secret) ? html`<p>${texts.steps.notKept}</p>` : null}
  </div>`;
}

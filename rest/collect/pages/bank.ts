import { html, type Html } from '../../../src/values/html.ts';
import { attributes } from '../../look/attributes.ts';
import { accountForm, type AccountForm } from '../bank.ts';
import { control, faultText, select, type FormState } from '../controls.ts';
import { countriesIn, suggestedCurrency } from '../countries.ts';
import { accountFields, currencyField, type Field } from '../fields.ts';
import type { View } from '../layout.ts';
import type { CollectionForm, Corridor } from '../operations.ts';
import { fieldsOf } from '../steps.ts';
import type { Texts } from '../texts/texts.gen.ts';
import { stepPage } from './step.ts';

const countryField: Field = { name: 'country', text: 'bankCountry', kind: 'country' };

/** What is chosen before the reader does. */
const usual = { account_type: 'checking' };

interface BankPage {
  readonly form: CollectionForm;
  readonly corridors: readonly Corridor[];
  /** The country of the account, or an empty text while none is chosen. */
  readonly country: string;
  readonly state: FormState;
}

/** For who looks for a field of the numbers on their card or cheque. */
function ibanHelp(bank: Texts['bank']): Html {
  return html`<details class="other-way">
    <summary>${bank.otherWay}</summary>
    <div><p>${bank.otherWayMeaning}</p></div>
  </details>`;
}

/** The questions that depend on the country. */
function identifiers(
  view: View,
  form: CollectionForm,
  account: AccountForm,
  state: FormState,
): Html {
  const { bank } = view.texts;
  return html`${account.checked ? null : html`<p class="notice">${bank.notChecked({ business: form.businessName })}</p>`}
  ${account.either ? html`<p>${bank.either}</p>` : null}
  ${account.main.map((field) => control(field, state))} ${account.ibanOnly ? ibanHelp(bank) : null}`;
}

/** Each kind of questions once, by the key of the countries that share it. */
function kinds(corridors: readonly Corridor[]): ReadonlyMap<string, [string, AccountForm]> {
  const found = new Map<string, [string, AccountForm]>();
  for (const corridor of corridors) {
    const account = accountForm(corridor);
    if (!found.has(account.key)) found.set(account.key, [`kind-${found.size}`, account]);
  }
  return found;
}

/**
 * The country comes first, since the questions follow from it. Without a script the form below asks
 * the server for them; with one they are in the page already, as templates, and change at once.
 */
function countryChoice(view: View, page: BankPage): Html {
  const { texts, links, language } = view;
  const { corridors, country, state } = page;
  const found = kinds(corridors);
  const kindOf = new Map(
    corridors.map((corridor) => [
      corridor.country,
      found.get(accountForm(corridor).key)?.[0] ?? '',
    ]),
  );
  const fault = state.faults.get('country');
  const names = {
    id: 'country',
    name: 'country',
    required: true,
    'data-missing': `${texts.fields.bankCountry.missing}.`,
    'aria-describedby': fault === undefined ? null : 'country-fault',
    'aria-invalid': fault === undefined ? null : 'true',
  };
  const more = (code: string) => ({
    'data-kind': kindOf.get(code),
    'data-currency': suggestedCurrency(code),
  });
  const untouched = { ...state, values: usual, faults: new Map<string, string>() };
  return html`<form id="country-choice" method="get" action="${links.page('bank')}">
      ${languageOf(view)}
      <div class="field">
        <label for="country">${texts.fields.bankCountry.label}</label>
        ${
          fault === undefined
            ? null
            : html`<p class="fault" id="country-fault">
                <span class="hidden">${texts.frame.errorPrefix}:</span>
                ${faultText(texts, countryField, fault)}
              </p>`
        }
        ${select(names, countriesIn(language), country, texts.choose, more)}
      </div>
      <p class="without-script">
        <button type="submit" class="second">${texts.bank.showFields}</button>
      </p>
    </form>
    ${[...found.values()].map(
      ([id, account]) =>
        html`<template id="${id}">${identifiers(view, page.form, account, untouched)}</template>`,
    )}`;
}

/** A GET form replaces the query of its address, so the chosen language goes along as a field. */
function languageOf({ links }: View): Html | null {
  const lang = new URLSearchParams(links.page('bank').split('?')[1]).get('lang');
  return lang === null ? null : html`<input type="hidden" name="lang" value="${lang}" />`;
}

/** The page that asks for the bank account. */
export function bankPage(view: View, page: BankPage): string {
  const { form, corridors, country, state } = page;
  const corridor = corridors.find((entry) => entry.country === country);
  const account = corridor === undefined ? null : accountForm(corridor);
  const kind = account === null ? null : kinds(corridors).get(account.key)?.[0];
  const currency = state.values['currency'] ?? suggestedCurrency(country);
  const chosen = { ...state, values: { ...usual, ...state.values, currency } };
  const body = html`<input type="hidden" name="country" value="${country}" />
    ${accountFields.map((field) => control(field, chosen))}
    <div id="identifiers" ${attributes({ 'data-kind': kind })}>
      ${account === null ? null : identifiers(view, form, account, chosen)}
    </div>
    ${control(currencyField, chosen)}`;
  return stepPage(view, {
    form,
    step: 'bank',
    state,
    fields: [countryField, ...fieldsOf(form, 'bank', account)],
    before: countryChoice(view, page),
    body,
    waiting: account === null,
  });
}

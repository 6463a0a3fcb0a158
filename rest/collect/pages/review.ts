import { html, type Html } from '../../../src/values/html.ts';
import { countriesIn, currenciesIn } from '../countries.ts';
import type { Language } from '../languages.ts';
import type { CollectionForm, Review } from '../operations.ts';
import type { StepName } from '../steps.ts';
import type { FieldText } from '../fields.ts';
import type { Texts } from '../texts/texts.gen.ts';

/** One line of what was given. */
interface Line {
  readonly label: FieldText;
  readonly value: Html | string | null;
}

/** The question by which the identifier of an account was asked. */
const questions: Readonly<Record<string, FieldText>> = {
  iban: 'iban',
  clabe: 'clabe',
  pixKey: 'pixKey',
  swiftBic: 'bic',
};

function countryName(code: string, language: Language): string {
  return countriesIn(language).find((entry) => entry.code === code)?.name ?? code;
}

function currencyName(code: string, language: Language): string {
  const name = currenciesIn(language).find((entry) => entry.code === code)?.name ?? code;
  return name === code ? code : `${name} (${code})`;
}

/** The end of a number. Dots are read aloud one by one, so the sentence stands in their place. */
function ending(end: string, texts: Texts): Html {
  return html`<span aria-hidden="true">•••• ${end}</span
    ><span class="hidden">${texts.send.ending({ end })}</span>`;
}

function identityLines(
  { identity }: Review,
  type: CollectionForm['beneficiaryType'],
  language: Language,
  texts: Texts,
): Line[] {
  if (identity === null) return [];
  const { birthYear, registrationNumberEnd: end, country } = identity;
  const place = country === null ? null : countryName(country, language);
  if (type === 'business') {
    return [
      { label: 'businessName', value: identity.businessName },
      { label: 'registrationNumber', value: end === null ? null : ending(end, texts) },
      { label: 'countryOfIncorporation', value: place },
    ];
  }
  return [
    { label: 'firstName', value: identity.firstName },
    { label: 'lastName', value: identity.lastName },
    { label: 'dateOfBirth', value: birthYear === null ? null : ending(birthYear, texts) },
    { label: 'countryOfResidence', value: place },
  ];
}

function addressLines({ address }: Review, language: Language): Line[] {
  if (address === null) return [];
  return [
    { label: 'line1', value: address.line1 },
    { label: 'city', value: address.city },
    { label: 'country', value: countryName(address.country, language) },
  ];
}

function accountLines({ bankAccount }: Review, language: Language, texts: Texts): Line[] {
  if (bankAccount === null) return [];
  const { accountHolderName, country, currency, identifier, last4 } = bankAccount;
  return [
    { label: 'accountHolderName', value: accountHolderName },
    { label: 'bankCountry', value: countryName(country, language) },
    { label: questions[identifier] ?? 'accountNumber', value: ending(last4, texts) },
    { label: 'currency', value: currencyName(currency, language) },
  ];
}

/** What was given in a step, line by line; null where nothing of it may be shown. */
export function reviewOf(
  form: CollectionForm,
  step: StepName,
  language: Language,
  texts: Texts,
): Html | null {
  const { review, beneficiaryType } = form;
  const lines: Readonly<Partial<Record<StepName, Line[]>>> = {
    about: identityLines(review, beneficiaryType, language, texts),
    address: addressLines(review, language),
    bank: accountLines(review, language, texts),
  };
  const shown = (lines[step] ?? []).filter(({ value }) => value !== null && value !== '');
  if (shown.length === 0) return null;
  return html`<dl class="review">
    ${shown.map(
      ({ label, value }) =>
        html`<div>
          <dt>${texts.fields[label].label}</dt>
          <dd><bdi>${value}</bdi></dd>
        </div>`,
    )}
  </dl>`;
}

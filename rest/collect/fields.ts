import type { Texts } from './texts/texts.gen.ts';

/** The key of a field's label, hint and message. */
export type FieldText = keyof Texts['fields'];

/** One question of a form. */
export interface Field {
  /** Name and id of the control; the last part of the field's path in an error's details. */
  readonly name: string;
  readonly text: FieldText;
  readonly kind: 'text' | 'country' | 'currency' | 'date' | 'choice' | 'file';
  readonly optional?: true;
  /**
   * One of several answers of which one is enough: so it is neither required nor marked as optional.
   */
  readonly alternative?: true;
  /**
   * An identifier (account number, tax number): a page that shows errors does not show it again, so
   * that nobody reads it from a screen, a cache or a history. A date of birth comes back: three
   * fields to fill in again for a typing error in a name cost more people the form.
   */
  readonly secret?: true;
  /** The token of the `autocomplete` attribute (HTML, section 4.10.18.7). */
  readonly autocomplete?: string;
  readonly digits?: true;
  /** What the script in the browser may check while typing; the server decides. */
  readonly check?: 'iban' | 'aba';
  /** The values of a choice. */
  readonly values?: readonly string[];
}

/** What a form sent, by name of the control. Absent and empty are the same. */
export type Values = Readonly<Record<string, string>>;

/** What is wrong, by name of the control: the detail code, or `required`. */
export type Faults = ReadonlyMap<string, string>;

const text = (name: string, key: FieldText, more: Partial<Field> = {}): Field => ({
  name,
  text: key,
  kind: 'text',
  ...more,
});

export const personFields: readonly Field[] = [
  text('first_name', 'firstName', { autocomplete: 'given-name' }),
  text('last_name', 'lastName', { autocomplete: 'family-name' }),
  text('date_of_birth', 'dateOfBirth', { kind: 'date' }),
  text('country_of_residence', 'countryOfResidence', { kind: 'country', autocomplete: 'country' }),
];

export const businessFields: readonly Field[] = [
  text('business_name', 'businessName', { autocomplete: 'organization' }),
  text('registration_number', 'registrationNumber'),
  text('country_of_incorporation', 'countryOfIncorporation', { kind: 'country' }),
];

export const addressFields: readonly Field[] = [
  text('line1', 'line1', { autocomplete: 'address-line1' }),
  text('line2', 'line2', { autocomplete: 'address-line2', optional: true }),
  text('postal_code', 'postalCode', { autocomplete: 'postal-code', optional: true }),
  text('city', 'city', { autocomplete: 'address-level2' }),
  text('state', 'state', { autocomplete: 'address-level1', optional: true }),
  text('country', 'country', { kind: 'country', autocomplete: 'country' }),
];

/** What every bank account has; the country is chosen before. */
export const accountFields: readonly Field[] = [
  text('account_holder_name', 'accountHolderName', { autocomplete: 'name' }),
];

export const currencyField: Field = text('currency', 'currency', { kind: 'currency' });

export const documentFields: readonly Field[] = [
  text('form_type', 'formType', { kind: 'choice', values: ['w9', 'w8ben', 'w8bene', 'other'] }),
  text('tax_id', 'taxId', { secret: true }),
  text('file', 'file', { kind: 'file' }),
];

/** The fields of a bank identifier; all of them are secret. */
export function identifierField(name: string, key: FieldText, more: Partial<Field> = {}): Field {
  return text(name, key, { secret: true, ...more });
}

/** The parts of a date, in the order of the day of birth on most documents. */
export const dateParts = ['day', 'month', 'year'] as const;

/**
 * The date `YYYY-MM-DD` of three answers. Whether there is such a day the service judges; what is
 * no number is passed on as it was, and refused there. Empty when nothing was given.
 */
function dateOf(values: Values, name: string): string {
  const [day = '', month = '', year = ''] = dateParts.map(
    (part) => values[`${name}_${part}`] ?? '',
  );
  if (day === '' && month === '' && year === '') return '';
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** What a form gave for a field; empty when nothing. */
export function valueOf(field: Field, values: Values): string {
  return field.kind === 'date' ? dateOf(values, field.name) : (values[field.name] ?? '');
}

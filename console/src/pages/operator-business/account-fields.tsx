import { CodeField } from '../../parts/code-field.tsx';
import type { FormValues } from '../../parts/form-dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.operatorBusiness.connect;

type Name = Exclude<keyof typeof words, 'otherKinds'>;

interface LineProps {
  readonly name: Name;
  readonly required?: boolean;
}

const Line = ({ name, required = false }: LineProps) => (
  <TextField label={words[name]} name={name} required={required} />
);

/** What is given, without what is left empty. */
const givenOf = <Key extends string>(given: FormValues, names: readonly Key[]) =>
  Object.fromEntries(
    names.flatMap((name) => (given(name) === '' ? [] : [[name, given(name)]])),
  ) as { readonly [Each in Key]?: string };

/** Who pays, with the structured address that files hold. */
export function AddressFields() {
  return (
    <fieldset className="route">
      <legend>{words.who}</legend>
      <TextField
        label={texts.banks.connection.debtor}
        name="debtorName"
        hint={texts.banks.connect.debtorHint}
        maxLength={70}
        required
      />
      <div className="columns">
        <Line name="street" />
        <Line name="buildingNumber" />
        <Line name="postalCode" />
        <Line name="town" required />
        <Line name="region" />
        <CodeField
          of="country"
          name="debtorCountry"
          label={words.country}
          none={words.chooseCountry}
          required
        />
      </div>
    </fieldset>
  );
}

export const addressOf = (given: FormValues) => ({
  ...givenOf(given, ['street', 'buildingNumber', 'postalCode', 'region']),
  town: given('town'),
  country: given('debtorCountry'),
});

/** The account that is debited; the service says what its country needs. */
export function AccountFields() {
  return (
    <fieldset className="route">
      <legend>{words.account}</legend>
      <div className="columns">
        <CodeField
          of="country"
          name="accountCountry"
          label={texts.banks.connection.country}
          none={words.chooseCountry}
          required
        />
        <CodeField
          of="currency"
          name="accountCurrency"
          label={texts.operatorBusiness.funding.currency}
          none={texts.operatorBusiness.funding.chooseCurrency}
          required
        />
        <Line name="iban" />
        <Line name="number" />
        <Line name="bic" />
        <Line name="sortCode" />
        <Line name="abaNumber" />
      </div>
    </fieldset>
  );
}

export const accountOf = (given: FormValues) => ({
  country: given('accountCountry'),
  currency: given('accountCurrency'),
  ...givenOf(given, ['iban', 'number', 'bic', 'sortCode', 'abaNumber']),
});

const achNames = [
  'destinationName',
  'originId',
  'originName',
  'companyId',
  'companyName',
  'entryDescription',
] as const;

/** What the head of an ACH file names; the bank gives these out. */
export function AchFields() {
  return (
    <fieldset className="route">
      <legend>{words.ach}</legend>
      <div className="columns">
        {achNames.map((name) => (
          <Line key={name} name={name} required />
        ))}
      </div>
      <label className="check">
        <input type="checkbox" name="balanced" value="yes" />
        <span>{words.balanced}</span>
      </label>
    </fieldset>
  );
}

export const achOf = (given: FormValues) => ({
  destinationName: given('destinationName'),
  originId: given('originId'),
  originName: given('originName'),
  companyId: given('companyId'),
  companyName: given('companyName'),
  entryDescription: given('entryDescription'),
  balanced: given('balanced') === 'yes',
});

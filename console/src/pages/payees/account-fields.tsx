import { useState } from 'react';
import { accountCorridorDocument } from '../../../../generated/console-types/pages/payees/payee-forms.ts';
import type {
  AccountCorridorQuery,
  AccountOwnerQuery,
} from '../../../../generated/console-types/graphql.ts';
import { useFresh } from '../../app/fresh.ts';
import { Choice } from '../../parts/choice.tsx';
import { CodeField } from '../../parts/code-field.tsx';
import type { FormValues } from '../../parts/form-dialog.tsx';
import { Note } from '../../parts/note.tsx';
import { Pending } from '../../parts/pending.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { textFor, texts } from '../../texts/texts.ts';
import { usualCurrency } from '../../values/places.ts';

const words = texts.payees.forms;

export type AccountOwner = NonNullable<AccountOwnerQuery['beneficiary']>;
export type OwnedAccount = AccountOwner['bankAccounts'][number];
type Corridor = NonNullable<AccountCorridorQuery['corridor']>;
type Option = Corridor['options'][number];

interface AccountFieldsProps {
  readonly owner: AccountOwner;
  /** The account that is corrected; absent for one that is added. */
  readonly account?: OwnedAccount;
}

/** Where somebody is paid: the fields of the country, as the service judges them, and as the form for payees asks. */
export function AccountFields({ owner, account }: AccountFieldsProps) {
  const home = owner.countryOfResidence ?? owner.countryOfIncorporation ?? '';
  const [country, setCountry] = useState(account?.country ?? home);
  const [currency, setCurrency] = useState(account?.currency ?? usualCurrency(home));
  return (
    <>
      <div className="columns">
        <CodeField
          of="country"
          name="country"
          label={words.country}
          none={texts.payees.chooseCountry}
          required
          value={country}
          onChange={(code) => {
            setCountry(code);
            setCurrency(usualCurrency(code));
          }}
        />
        <CodeField
          of="currency"
          name="currency"
          label={words.currency}
          none={texts.payees.chooseCountry}
          required
          value={currency}
          onChange={setCurrency}
        />
      </div>
      <TextField
        name="accountHolderName"
        label={words.holder}
        required
        autoComplete="off"
        defaultValue={account?.accountHolderName ?? owner.name}
      />
      {country !== '' && <CountryFields key={country} country={country} account={account} />}
      <TextField
        name="bankName"
        label={words.bankName}
        autoComplete="off"
        defaultValue={account?.bankName ?? ''}
      />
      <TextField
        name="externalRef"
        label={texts.payees.reference}
        autoComplete="off"
        defaultValue={account?.externalRef ?? ''}
      />
    </>
  );
}

interface CountryFieldsProps {
  readonly country: string;
  readonly account: OwnedAccount | undefined;
}

function CountryFields({ country, account }: CountryFieldsProps) {
  const fresh = useFresh(accountCorridorDocument, { country }, { everyMs: null });
  const corridor = fresh.data?.corridor ?? null;
  if (corridor === null) return <Pending of={fresh} lines={2} />;
  return (
    <>
      {!corridor.payoutUsable && <Note tone="wait">{words.unpaid}</Note>}
      <Ways corridor={corridor} />
      {country === 'US' && (
        <Choice
          name="accountType"
          label={words.accountType}
          options={words.types}
          value={account?.accountType ?? 'checking'}
        />
      )}
    </>
  );
}

/** What is asked for, by the name of a way. */
const nameOfWay = ({ fields }: Option): string => fields.map(({ field }) => field).join('+');

/** What an identifier is called in a country. */
function labelOf(country: string, field: string): string {
  const national = textFor(country === 'US' ? words.us : country === 'GB' ? words.gb : {}, field);
  const general: Readonly<Record<string, string>> = words.identifiers;
  return national ?? general[field] ?? field;
}

/** The identifiers of one way to name an account; where a country has several, the reader chooses. */
function Ways({ corridor: { country, options, payoutUsable } }: { readonly corridor: Corridor }) {
  const [first] = options;
  const [chosen, setChosen] = useState(first === undefined ? '' : nameOfWay(first));
  const way = options.find((option) => nameOfWay(option) === chosen);
  const names = Object.fromEntries(
    options.map((option) => [
      nameOfWay(option),
      option.fields.map(({ field }) => labelOf(country, field)).join(', '),
    ]),
  );
  return (
    <>
      {options.length > 1 && (
        <Choice
          label={words.by}
          options={names}
          value={chosen}
          onChange={(name) => setChosen(name ?? chosen)}
        />
      )}
      {payoutUsable && way?.validated === false && <Note tone="wait">{words.unpaidWay}</Note>}
      {way?.fields.map(({ field, description }) => (
        <TextField
          key={field}
          name={field}
          label={labelOf(country, field)}
          hint={description}
          required
          autoComplete="off"
          spellCheck={false}
        />
      ))}
    </>
  );
}

const identifiers = [
  'iban',
  'accountNumber',
  'routingCode',
  'swiftBic',
  'clabe',
  'pixKey',
] as const;

const accountTypes = ['checking', 'savings'] as const;

/** What the fields hold, as the service takes it; what was not asked for is left out. */
export function accountOf(given: FormValues) {
  const accountType = accountTypes.find((type) => type === given('accountType'));
  const named = identifiers
    .map((field) => [field, given(field)] as const)
    .filter(([, value]) => value !== '');
  return {
    accountHolderName: given('accountHolderName'),
    country: given('country'),
    currency: given('currency'),
    bankName: given('bankName') === '' ? null : given('bankName'),
    externalRef: given('externalRef') === '' ? null : given('externalRef'),
    ...(accountType === undefined ? {} : { accountType }),
    ...Object.fromEntries(named),
  };
}

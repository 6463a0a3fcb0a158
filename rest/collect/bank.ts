import { identifierField, type Field } from './fields.ts';
import type { Corridor } from './operations.ts';

/** The identifiers that are asked for in a country. */
export interface AccountForm {
  readonly main: readonly Field[];
  /** Whether people there mostly know their account by numbers from which nothing can be paid. */
  readonly ibanOnly: boolean;
  /** Whether one of several identifiers is enough, so that none is required alone. */
  readonly either: boolean;
  /** Whether accounts there can be checked, and so become a destination of payouts. */
  readonly checked: boolean;
  /** Equal for countries whose forms are equal. */
  readonly key: string;
}

const iban = identifierField('iban', 'iban', { check: 'iban' });
const bic = identifierField('swift_bic', 'bic', { optional: true });
const bankName: Field = { name: 'bank_name', text: 'bankName', kind: 'text', optional: true };

/** How an identifier is asked for where it has a name of its own. */
const national: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  GB: { iban: identifierField('iban', 'ukIban', { check: 'iban' }) },
  US: {
    routingCode: identifierField('routing_code', 'usRouting', { digits: true, check: 'aba' }),
    accountNumber: identifierField('account_number', 'usAccount', { digits: true }),
  },
};

const general: Readonly<Record<string, Field>> = {
  iban,
  routingCode: identifierField('routing_code', 'bankCode', { optional: true }),
  accountNumber: identifierField('account_number', 'accountNumber'),
  clabe: identifierField('clabe', 'clabe', { digits: true }),
  pixKey: identifierField('pix_key', 'pixKey'),
  swiftBic: bic,
};

/** Where the rules leave the choice, what people there know their account by. */
const customary: Readonly<Record<string, string>> = { MX: 'clabe', BR: 'pixKey' };

/**
 * The account type is no identifier. It is asked for in the US, the one country where a payment depends
 * on it. `checking` is preselected, because an account without a type is paid as one.
 */
const accountType: Field = {
  name: 'account_type',
  text: 'accountType',
  kind: 'choice',
  values: ['checking', 'savings'],
};

function fieldFor(country: string, name: string): Field {
  const field = national[country]?.[name] ?? general[name];
  if (field === undefined) throw new Error(`there is no question for ${name}`);
  return field;
}

const alternative = (field: Field): Field => ({ ...field, alternative: true });

function mainFields(corridor: Corridor): readonly Field[] {
  const { country } = corridor;
  const usual = customary[country];
  if (usual !== undefined) return [fieldFor(country, usual), bankName];
  const fields = (corridor.options[0]?.fields ?? []).map(({ field }) => fieldFor(country, field));
  return country === 'US' ? [...fields, accountType] : fields;
}

function partsOf(corridor: Corridor): Pick<AccountForm, 'main' | 'either' | 'ibanOnly'> {
  const { country, options, payoutUsable } = corridor;
  if (!payoutUsable && options.length > 1 && customary[country] === undefined) {
    const main = [iban, fieldFor(country, 'accountNumber')].map(alternative);
    const more = [fieldFor(country, 'routingCode'), bic, bankName];
    return { main: [...main, ...more], either: true, ibanOnly: false };
  }
  // A way that does not validate the account leads to one that is never paid, so it is not offered.
  const ibanOnly = payoutUsable && options.some(({ validated }) => !validated);
  return { main: mainFields(corridor), either: false, ibanOnly };
}

/**
 * The questions about an account, from the rules of its country (`Corridor`): all fields of the
 * preferred alternative, or what people there know their account by.
 */
export function accountForm(corridor: Corridor): AccountForm {
  const parts = partsOf(corridor);
  const names = parts.main.map(({ name, text }) => `${name}.${text}`);
  const checked = corridor.payoutUsable;
  return { ...parts, checked, key: `${names.join(' ')} ${checked} ${parts.ibanOnly}` };
}

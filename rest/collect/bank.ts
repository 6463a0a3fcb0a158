import { identifierField, type Field } from './fields.ts';
import type { Corridor } from './operations.ts';

/** The identifiers that are asked for in a country. */
export interface AccountForm {
  readonly main: readonly Field[];
  /** Another way to name the account, for who cannot give the first. */
  readonly otherWay: readonly Field[];
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
  US: {
    routingCode: identifierField('routing_code', 'usRouting', { digits: true, check: 'aba' }),
    accountNumber: identifierField('account_number', 'usAccount', { digits: true }),
  },
  GB: {
    routingCode: identifierField('routing_code', 'sortCode', { digits: true }),
    accountNumber: identifierField('account_number', 'ukAccount', { digits: true }),
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

function fieldsFor({ country, options }: Corridor, option: number): Field[] {
  return (options[option]?.fields ?? []).map(({ field }) => fieldFor(country, field));
}

const alternative = (field: Field): Field => ({ ...field, alternative: true });

function partsOf(corridor: Corridor): Pick<AccountForm, 'main' | 'otherWay' | 'either'> {
  const { country, options } = corridor;
  const usual = customary[country];
  if (usual !== undefined) {
    return { main: [fieldFor(country, usual), bankName], otherWay: [], either: false };
  }
  if (!corridor.payoutUsable && options.length > 1) {
    const main = [iban, fieldFor(country, 'accountNumber')].map(alternative);
    const named = fieldFor(country, 'routingCode');
    return { main: [...main, named, bic, bankName], otherWay: [], either: true };
  }
  const main = fieldsFor(corridor, 0);
  const otherWay = fieldsFor(corridor, 1).map(alternative);
  if (otherWay.length > 0) return { main: main.map(alternative), otherWay, either: false };
  return { main: country === 'US' ? [...main, accountType] : main, otherWay, either: false };
}

/**
 * The questions about an account, from the rules of its country (`Corridor`): all fields of the
 * preferred alternative, and the second one where the country has two that can be told apart.
 */
export function accountForm(corridor: Corridor): AccountForm {
  const parts = partsOf(corridor);
  const names = [...parts.main, ...parts.otherWay].map(({ name, text }) => `${name}.${text}`);
  const checked = corridor.payoutUsable;
  return { ...parts, checked, key: `${names.join(' ')} ${checked}` };
}

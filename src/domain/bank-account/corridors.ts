import { isSepaCountry } from '../../reference/sepa.ts';
import { abaPattern } from '../../values/aba.ts';
import { abaFault, compactNumber } from './aba.ts';
import type { Fault, IdentifierField } from './bank-details.ts';
import { bicFault, bicPattern, compactBic } from './bic.ts';
import { clabeFault, clabePattern } from './clabe.ts';
import { electronicIban, ibanFault, ibanPattern } from './iban.ts';
import { compactPixKey, pixKeyFault } from './pix.ts';

/** How one identifier is written, normalised and judged in a country. */
export interface FieldRule {
  readonly field: IdentifierField;
  readonly description: string;
  /** Regular expression of the normalised form, or null where any text is taken. */
  readonly pattern: string | null;
  readonly normalise: (value: string) => string;
  /** Judges the normalised form. */
  readonly fault: (value: string) => Fault | null;
}

/** One way to name an account: all its fields together. */
interface Route {
  readonly rules: readonly FieldRule[];
  /** Whether passing its checks makes an account `validated`, the condition for being paid. */
  readonly validates: boolean;
}

export interface Corridor {
  /** In order of preference; never empty. */
  readonly routes: readonly [Route, ...Route[]];
  /** Judged when given, though no route needs them. */
  readonly alsoJudged: readonly FieldRule[];
}

function matches(pattern: string, fault: Fault): (value: string) => Fault | null {
  const expression = new RegExp(pattern);
  return (value) => (expression.test(value) ? null : fault);
}

function freeText(field: IdentifierField, description: string): FieldRule {
  return { field, description, pattern: null, normalise: (value) => value, fault: () => null };
}

const usRoutingNumber: FieldRule = {
  field: 'routingCode',
  description: 'ABA routing number, nine digits with a valid checksum',
  pattern: abaPattern,
  normalise: compactNumber,
  fault: abaFault,
};

const usAccountPattern = '^[0-9A-Za-z]{4,17}$';
const usAccountNumber: FieldRule = {
  field: 'accountNumber',
  description: 'US account number, 4 to 17 letters or digits (Nacha)',
  pattern: usAccountPattern,
  normalise: compactNumber,
  fault: matches(usAccountPattern, {
    code: 'account_number_format_invalid',
    message: 'A US account number has 4 to 17 letters or digits.',
  }),
};

const sortCodePattern = '^[0-9]{6}$';
const sortCode: FieldRule = {
  field: 'routingCode',
  description: 'UK sort code, six digits',
  pattern: sortCodePattern,
  normalise: compactNumber,
  fault: matches(sortCodePattern, {
    code: 'sort_code_format_invalid',
    message: 'A UK sort code has six digits.',
  }),
};

const ukAccountPattern = '^[0-9]{8}$';
const ukAccountNumber: FieldRule = {
  field: 'accountNumber',
  description: 'UK account number, eight digits',
  pattern: ukAccountPattern,
  normalise: compactNumber,
  fault: matches(ukAccountPattern, {
    code: 'account_number_format_invalid',
    message: 'A UK account number has eight digits.',
  }),
};

const bic: FieldRule = {
  field: 'swiftBic',
  description: 'BIC of the bank, 8 or 11 characters (ISO 9362)',
  pattern: bicPattern,
  normalise: compactBic,
  fault: bicFault,
};

const clabe: FieldRule = {
  field: 'clabe',
  description: 'Mexican CLABE, 18 digits with a valid check digit',
  pattern: clabePattern,
  normalise: compactNumber,
  fault: clabeFault,
};

const pixKey: FieldRule = {
  field: 'pixKey',
  description: 'Brazilian PIX key: CPF, CNPJ, phone number, e-mail address or random key',
  pattern: null,
  normalise: compactPixKey,
  fault: pixKeyFault,
};

const everywhere: readonly FieldRule[] = [clabe, pixKey, bic];

function ibanOf(country: string, pattern: string | null): FieldRule {
  return {
    field: 'iban',
    description: `IBAN of an account in ${country} (ISO 13616)`,
    pattern,
    normalise: electronicIban,
    fault: (value) => ibanFault(value, country),
  };
}

/**
 * Countries without a check: any one identifier is accepted, and the account always stays
 * `unvalidated`. An IBAN is still normalised.
 */
const unchecked: Corridor = {
  routes: [
    { rules: [{ ...freeText('iban', 'IBAN'), normalise: electronicIban }], validates: false },
    { rules: [freeText('accountNumber', 'Domestic account number')], validates: false },
    { rules: [clabe], validates: false },
    { rules: [pixKey], validates: false },
    { rules: [bic], validates: false },
  ],
  alsoJudged: everywhere,
};

/** The rules of a country's bank accounts: checks and descriptions are made from this one list. */
export function corridorOf(country: string): Corridor {
  if (country === 'US') {
    // The US has no IBANs, so one that is given cannot be of the named country.
    const alsoJudged = [ibanOf(country, null), ...everywhere];
    return {
      routes: [{ rules: [usRoutingNumber, usAccountNumber], validates: true }],
      alsoJudged,
    };
  }
  if (!isSepaCountry(country)) return unchecked;
  const iban: Route = { rules: [ibanOf(country, ibanPattern(country))], validates: true };
  if (country !== 'GB') return { routes: [iban], alsoJudged: everywhere };
  const domestic: Route = { rules: [sortCode, ukAccountNumber], validates: false };
  return { routes: [iban, domestic], alsoJudged: everywhere };
}

export interface CorridorRequirements {
  readonly country: string;
  /** Whether an account there can ever become a payout destination. */
  readonly payoutUsable: boolean;
  /** Needed always. */
  readonly required: readonly ['accountHolderName', 'country', 'currency'];
  /** Alternatives: an account needs all fields of one of them. */
  readonly options: readonly {
    readonly validated: boolean;
    readonly fields: readonly {
      readonly field: IdentifierField;
      readonly description: string;
      readonly pattern: string | null;
    }[];
  }[];
}

/** What a bank account in `country` (alpha-2) needs, for forms and documentation. */
export function corridorRequirements(country: string): CorridorRequirements {
  const { routes } = corridorOf(country);
  return {
    country,
    payoutUsable: routes.some((route) => route.validates),
    required: ['accountHolderName', 'country', 'currency'],
    options: routes.map((route) => ({
      validated: route.validates,
      fields: route.rules.map(({ field, description, pattern }) => ({
        field,
        description,
        pattern,
      })),
    })),
  };
}

import { DomainError, type FieldError } from '../../errors/domain-error.ts';
import type { BankDetails, IdentifierField } from './bank-details.ts';
import { corridorOf, type Corridor, type FieldRule } from './corridors.ts';
import { lastFour } from './mask.ts';

export interface CheckedBankDetails {
  readonly validationStatus: 'validated' | 'unvalidated';
  /** As it is to be stored: identifiers in their electronic form, blank fields left out. */
  readonly normalized: BankDetails;
  /** For display; never the whole identifier. */
  readonly last4: string;
}

/** Identifiers in the order in which they name the account that is paid. A routing code names a bank only. */
const payingFields = ['iban', 'accountNumber', 'clabe', 'pixKey', 'swiftBic'] as const;

/**
 * Checks and normalises the details of a bank account by the rules of its country.
 * Throws `BANK_ACCOUNT_MISSING_ROUTING` when nothing names an account, and
 * `BANK_ACCOUNT_VALIDATION_FAILED` with every fault in the domain's field names when something is
 * missing or malformed for the country.
 */
export function checkBankDetails(details: BankDetails): CheckedBankDetails {
  const corridor = corridorOf(details.country.trim());
  const normalized = normalise(details, rulesOf(corridor));
  if (payingFields.every((field) => normalized[field] === undefined)) {
    throw new DomainError('BANK_ACCOUNT_MISSING_ROUTING');
  }
  const route = routeFor(corridor, normalized);
  const missing = route.rules.filter((rule) => normalized[rule.field] === undefined);
  const faults = [...missing.map(requiredError), ...faultsOf(normalized, rulesOf(corridor))];
  if (faults.length > 0) {
    throw new DomainError('BANK_ACCOUNT_VALIDATION_FAILED', { details: faults });
  }
  return {
    validationStatus: route.validates ? 'validated' : 'unvalidated',
    normalized,
    last4: lastFour(payingIdentifier(normalized)),
  };
}

/** The field of the identifier that payouts go to. Takes checked details; throws RangeError when there is none. */
export function payingField(details: BankDetails): (typeof payingFields)[number] {
  const named = payingFields.find((field) => details[field] !== undefined);
  if (named === undefined) throw new RangeError('the bank details hold no identifier');
  return named;
}

/** The identifier that payouts go to. Takes checked details; throws RangeError when there is none. */
export function payingIdentifier(details: BankDetails): string {
  return details[payingField(details)] ?? '';
}

/** Every rule that applies to a field in the corridor; a route's own comes before the general one. */
function rulesOf(corridor: Corridor): ReadonlyMap<IdentifierField, FieldRule> {
  const rules = [...corridor.routes.flatMap((route) => route.rules), ...corridor.alsoJudged];
  return new Map(rules.toReversed().map((rule) => [rule.field, rule]));
}

/** The first alternative that the caller began to fill in, else the preferred one. */
function routeFor(corridor: Corridor, details: BankDetails): Corridor['routes'][number] {
  const begun = corridor.routes.find((route) =>
    route.rules.some((rule) => details[rule.field] !== undefined),
  );
  return begun ?? corridor.routes[0];
}

function normalise(
  details: BankDetails,
  rules: ReadonlyMap<IdentifierField, FieldRule>,
): BankDetails {
  function identifier<F extends IdentifierField>(field: F): { [K in F]?: string } {
    const raw = details[field]?.trim() ?? '';
    const value = rules.get(field)?.normalise(raw) ?? raw;
    // The computed key's type is widened to string by TypeScript.
    return (value === '' ? {} : { [field]: value }) as { [K in F]?: string };
  }
  const bankName = details.bankName?.trim() ?? '';
  return {
    accountHolderName: details.accountHolderName.trim(),
    country: details.country.trim(),
    currency: details.currency.trim(),
    ...identifier('accountNumber'),
    ...identifier('routingCode'),
    ...identifier('iban'),
    ...identifier('swiftBic'),
    ...identifier('clabe'),
    ...identifier('pixKey'),
    ...(bankName === '' ? {} : { bankName }),
    ...(details.accountType === undefined ? {} : { accountType: details.accountType }),
  };
}

function requiredError(rule: FieldRule): FieldError {
  return { field: rule.field, code: 'required', message: `Required: ${rule.description}.` };
}

function faultsOf(
  details: BankDetails,
  rules: ReadonlyMap<IdentifierField, FieldRule>,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [field, rule] of rules) {
    const value = details[field];
    const fault = value === undefined ? null : rule.fault(value);
    if (fault !== null) errors.push({ field, ...fault });
  }
  return errors;
}

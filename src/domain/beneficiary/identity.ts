export const beneficiaryTypes = ['person', 'business'] as const;
export type BeneficiaryType = (typeof beneficiaryTypes)[number];

/** The identity fields that belong to one type only. */
const fieldsOfType = {
  person: ['firstName', 'lastName', 'countryOfResidence', 'dateOfBirth'],
  business: ['businessName', 'countryOfIncorporation', 'registrationNumber'],
} as const;

export type IdentityField = (typeof fieldsOfType)[BeneficiaryType][number];

/**
 * The identity that a beneficiary must have before it can be acknowledged: all the fields of its
 * type. When the list grows, `identity_complete` of stored beneficiaries reads false until the new
 * fields are supplied, and nothing else changes for them.
 */
const requiredIdentity: Record<BeneficiaryType, readonly IdentityField[]> = fieldsOfType;

/** The fields that make the legal name, needed from the first moment, in the order of display. */
const legalNameFields = {
  person: ['firstName', 'lastName'],
  business: ['businessName'],
} as const satisfies Record<BeneficiaryType, readonly IdentityField[]>;

/**
 * What is known of a beneficiary. Only presence counts for completeness, so an encrypted field
 * may be given as its ciphertext.
 */
export type IdentityFacts = { readonly beneficiaryType: BeneficiaryType } & {
  readonly [F in IdentityField]?: unknown;
};

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** The required identity fields that are not there yet; empty when the identity is complete. */
export function missingIdentityFields(facts: IdentityFacts): readonly IdentityField[] {
  return requiredIdentity[facts.beneficiaryType].filter((field) => !isPresent(facts[field]));
}

/** `identity_complete`: derived against the current list, never stored. */
export function identityComplete(facts: IdentityFacts): boolean {
  return missingIdentityFields(facts).length === 0;
}

/** The legal-name fields that are not there; any at creation is `BENEFICIARY_IDENTITY_INCOMPLETE`. */
export function missingLegalNameFields(facts: IdentityFacts): readonly IdentityField[] {
  const needed: readonly IdentityField[] = legalNameFields[facts.beneficiaryType];
  return needed.filter((field) => !isPresent(facts[field]));
}

/**
 * The fields given a value that belong to the other type (`BENEFICIARY_IDENTITY_INVALID`). Null is
 * no value: a client may send back what it read, where the other type's fields are null.
 */
export function fieldsOfOtherType(facts: IdentityFacts): readonly IdentityField[] {
  const other = facts.beneficiaryType === 'person' ? 'business' : 'person';
  const foreign: readonly IdentityField[] = fieldsOfType[other];
  return foreign.filter((field) => isPresent(facts[field]));
}

export interface LegalNameParts {
  readonly beneficiaryType: BeneficiaryType;
  readonly firstName?: string | null | undefined;
  readonly lastName?: string | null | undefined;
  readonly businessName?: string | null | undefined;
}

/** The legal display name: first and last name, or the business name. */
export function legalName(parts: LegalNameParts): string {
  const fields: readonly (keyof LegalNameParts)[] = legalNameFields[parts.beneficiaryType];
  return fields
    .map((field) => parts[field] ?? '')
    .filter((part) => part !== '')
    .join(' ');
}

/** A change of one of these after acknowledgment asks for another acknowledgment. */
export const triggerFields = [
  'firstName',
  'lastName',
  'businessName',
  'dateOfBirth',
  'countryOfResidence',
  'countryOfIncorporation',
  'registrationNumber',
  'taxId',
  'postalAddress',
] as const;

export type TriggerField = (typeof triggerFields)[number];

/** The trigger fields in plain text; a field that is absent counts as unset. */
export type TriggerFacts = { readonly [F in TriggerField]?: unknown };

/**
 * The trigger fields whose value differs between the beneficiary as it was and as it will be, both
 * whole. A write that repeats what is stored changes nothing.
 */
export function triggerFieldsChanged(
  before: TriggerFacts,
  after: TriggerFacts,
): readonly TriggerField[] {
  return triggerFields.filter((field) => canonical(before[field]) !== canonical(after[field]));
}

/** A text that is equal for equal values: unset parts of an address left out, its keys in order. */
function canonical(value: unknown): string {
  if (!isPresent(value)) return '';
  if (typeof value !== 'object') return JSON.stringify(value);
  const parts = Object.entries(value ?? {}).filter(([, part]) => isPresent(part));
  return JSON.stringify(parts.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

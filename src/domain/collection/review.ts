import { DomainError } from '../../errors/domain-error.ts';
import { toBankDetails } from '../bank-account/input.ts';
import { checkBankDetails, payingField } from '../bank-account/validate.ts';
import type { Draft } from './draft.ts';

/** Who the payee is. Fields that were not given, or are not of its type, are null. */
export interface ReviewedIdentity {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly businessName: string | null;
  /** ISO 3166-1 alpha-2 country of residence or of incorporation. */
  readonly country: string | null;
  /** Four digits. */
  readonly birthYear: string | null;
  /** The last characters of the registration number: four at most, and at most half of it. */
  readonly registrationNumberEnd: string | null;
}

export interface ReviewedAddress {
  /** The first line with the first character of each word alone: `1••• M••• S•••`. */
  readonly line1: string;
  readonly city: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

export interface ReviewedAccount {
  readonly accountHolderName: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO 4217. */
  readonly currency: string;
  /** The field that names the account: iban, accountNumber, clabe, pixKey or swiftBic. */
  readonly identifier: string;
  readonly last4: string;
}

/**
 * A draft as its payee may check it before it is sent. A link may fall into other hands, so it holds
 * what tells a person their own entry from a typing error, and no identifier, date or street by which
 * somebody else could act.
 */
export interface Review {
  readonly identity: ReviewedIdentity | null;
  readonly address: ReviewedAddress | null;
  readonly bankAccount: ReviewedAccount | null;
}

/** Dots of one length: their number would tell that of what they hide. */
const dots = '•••';

function initials(text: string): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.map((word) => `${[...word][0] ?? ''}${dots}`).join(' ');
}

function endOf(text: string): string {
  const characters = [...text];
  const shown = Math.min(4, Math.floor(characters.length / 2));
  return shown === 0 ? '' : characters.slice(-shown).join('');
}

function identityOf({ identity }: Draft): ReviewedIdentity | null {
  if (identity === undefined) return null;
  const { dateOfBirth, registrationNumber } = identity;
  const reviewed = {
    firstName: identity.firstName ?? null,
    lastName: identity.lastName ?? null,
    businessName: identity.businessName ?? null,
    country: identity.countryOfResidence ?? identity.countryOfIncorporation ?? null,
    birthYear: dateOfBirth?.slice(0, 4) ?? null,
    registrationNumberEnd: registrationNumber ? endOf(registrationNumber) : null,
  };
  return Object.values(reviewed).every((value) => value === null) ? null : reviewed;
}

function addressOf({ identity }: Draft): ReviewedAddress | null {
  const address = identity?.postalAddress ?? null;
  if (address === null) return null;
  return { line1: initials(address.line1), city: address.city, country: address.country };
}

function accountOf({ bankAccount }: Draft): ReviewedAccount | null {
  if (bankAccount === undefined) return null;
  try {
    const { normalized, last4 } = checkBankDetails(toBankDetails(bankAccount));
    const { accountHolderName, country, currency } = normalized;
    return { accountHolderName, country, currency, identifier: payingField(normalized), last4 };
  } catch (error) {
    // It was saved under rules that an upgrade has changed. The submit says what is wrong with it.
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** What of a draft may be shown. */
export function reviewOf(draft: Draft): Review {
  return {
    identity: identityOf(draft),
    address: addressOf(draft),
    bankAccount: accountOf(draft),
  };
}

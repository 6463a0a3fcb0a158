import type { BankDetails } from './bank-details.ts';

/**
 * What may be shown of an identifier: its last four characters, or fewer where four would be all of
 * it. Counted in characters, since half a surrogate pair cannot be stored.
 */
export function lastFour(identifier: string): string {
  const characters = [...identifier];
  return characters.slice(Math.max(characters.length - 4, 1)).join('');
}

/**
 * The last characters of an identifier that a text can mean: `1234`, or as pages show them, `****1234` and `•••• 1234`.
 * Null for a text that is longer.
 */
export function lastFourMeant(text: string): string | null {
  const [, end = ''] = /^[\s*•·.…]*(.*)$/su.exec(text.trim()) ?? [];
  const { length } = [...end];
  return length >= 1 && length <= 4 ? end : null;
}

function mask(identifier: string | undefined): string | null {
  return identifier === undefined ? null : `****${lastFour(identifier)}`;
}

/** The deprecated bank_details of a beneficiary as answers show it. */
export interface MaskedBankDetails {
  readonly accountHolderName: string;
  readonly country: string;
  readonly currency: string;
  readonly accountNumber: string | null;
  readonly iban: string | null;
  readonly routingCode: string | null;
  readonly swiftBic: string | null;
  readonly bankName: string | null;
}

/** Masks every identifier of checked details. */
export function maskBankDetails(details: BankDetails): MaskedBankDetails {
  return {
    accountHolderName: details.accountHolderName,
    country: details.country,
    currency: details.currency,
    accountNumber: mask(details.accountNumber),
    iban: mask(details.iban),
    routingCode: mask(details.routingCode),
    swiftBic: mask(details.swiftBic),
    bankName: details.bankName ?? null,
  };
}

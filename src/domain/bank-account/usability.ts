import type { BankAccount } from '../../../generated/prisma/client.ts';
import { corridorOf } from './corridors.ts';

/** Why no payout can go to an account; `corridors.ts` has what each country needs. */
export const unusableCodes = [
  'iban_required',
  'country_not_supported',
  'rail_rejected',
  'not_verified',
  'no_route',
] as const;

export type UnusableCode = (typeof unusableCodes)[number];

/** The first thing that stands between an account and payouts, and how it is removed. */
export interface UnusableReason {
  readonly code: UnusableCode;
  /** For people: what is wrong, and the next call. */
  readonly message: string;
}

type AccountFacts = Pick<
  BankAccount,
  'country' | 'status' | 'validationStatus' | 'railRejectionReason'
>;

/**
 * Why an account is no destination of payouts; null for one that is. What only other details can mend comes
 * first: a sort code stays unpayable however often its owner is acknowledged.
 */
export function unusableReason(account: AccountFacts): UnusableReason | null {
  if (account.validationStatus !== 'validated') return unvalidated(account.country);
  if (account.railRejectionReason !== null) {
    return {
      code: 'rail_rejected',
      message:
        'The payment rail refused the account; rail_rejection_reason says why. Correct the details with PUT /v1/beneficiaries/{id}/bank-accounts/{accountId}, then POST /v1/beneficiaries/{id}/enroll with bank_account_id.',
    };
  }
  if (account.status !== 'verified') {
    return {
      code: 'not_verified',
      message:
        'The account is verified when its owner is compliant: POST /v1/beneficiaries/{id}/compliance-acknowledgment.',
    };
  }
  return null;
}

/**
 * What stands beside an account that is in order where no route of the business pays its currency to its country.
 * Another route changes that, and nothing about the account.
 */
export function noRoute({
  country,
  currency,
}: Pick<BankAccount, 'country' | 'currency'>): UnusableReason {
  return {
    code: 'no_route',
    message: `Nothing pays ${currency} to ${country} for this business at the moment. Register the account in a currency that is paid there, or ask for a route.`,
  };
}

/** True only for an account that money can be sent to. */
export function isPayoutUsable(account: AccountFacts): boolean {
  return unusableReason(account) === null;
}

/** A US account is always checked, so what is unvalidated lacks an IBAN or lies where nothing is checked. */
function unvalidated(country: string): UnusableReason {
  if (corridorOf(country).routes.some((route) => route.validates)) {
    return {
      code: 'iban_required',
      message: `Accounts in ${country} are paid by their IBAN, which is missing. Send it in iban with PUT /v1/beneficiaries/{id}/bank-accounts/{accountId}.`,
    };
  }
  return {
    code: 'country_not_supported',
    message: `Accounts in ${country} cannot be checked, so payouts do not go there. Register an account in the United States or in a SEPA country with POST /v1/beneficiaries/{id}/bank-accounts.`,
  };
}

import type { BankAccount, NameCheck } from '../../../generated/prisma/client.ts';
import type { NameCheckResult } from '../../providers/name-check.ts';
import type { NameCheckEffect, NameCheckPolicy } from './policy-store.ts';

/** What stands on an account: `pending` while its bank is asked. */
export type NameCheckState = 'pending' | NameCheckResult;

/** What is shown of the check of an account's holder. */
export interface ShownNameCheck {
  readonly state: NameCheckState;
  /** What the business decided about such a result; null for a match, and while the bank is asked. */
  readonly effect: NameCheckEffect | null;
  /** The answer; null while the bank is asked. */
  readonly answer: NameCheck | null;
}

function effectOf(state: NameCheckState, policy: NameCheckPolicy): NameCheckEffect | null {
  switch (state) {
    case 'close_match':
      return policy.closeMatch;
    case 'no_match':
      return policy.noMatch;
    case 'not_possible':
      return policy.notPossible;
    case 'match':
    case 'pending':
      return null;
  }
}

/** The check of an account's holder, of an account whose bank was asked. */
export function shownNameCheck(
  { nameCheck }: Pick<BankAccount, 'nameCheck'>,
  policy: NameCheckPolicy,
  answer: NameCheck | null,
): ShownNameCheck | null {
  if (nameCheck === null) return null;
  const state = nameCheck as NameCheckState; // held by a CHECK constraint
  return { state, effect: effectOf(state, policy), answer: state === 'pending' ? null : answer };
}

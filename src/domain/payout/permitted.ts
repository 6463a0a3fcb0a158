import {
  payoutActions,
  statesBefore,
  statesBeforeSubmission,
  type PayoutAction,
  type PayoutState,
  type PayoutTrigger,
} from './machine.ts';

/*
 * May this payout be moved? The table of transitions (`machine.ts`) says from which states. This file
 * adds what else must hold, by who asks. "Handed over" means that an attempt is live: it may have moved
 * money, and `payout.live_attempt_id` names it.
 *
 *   cancel by a caller            pending_approval, compliance_hold; approved until it is handed over
 *   hold by the provider          pending_approval; approved until it is handed over, or when the
 *                                 attempt that was handed over took nothing
 *   hold by a suspension          pending_approval, approved; never once it is handed over
 *   hold by a screening           the same, and at the creation (screening-holds.sql)
 *   fail of the enrollment        approved; never once it is handed over
 *   what became of an attempt     only while that attempt is the live one
 *   release of a provider's hold  only while the hold is that attempt's
 *   release of a suspension       only while the hold is the suspension's
 *   release of a screening        only while the hold is the screening's
 */

/** The values that the CHECK constraint of `payout_transition.cause` permits. */
export type TransitionCause = 'beneficiary_suspended' | 'screening';

/**
 * What a move depends on besides the payout's state. A move that a caller asks for has no
 * circumstance.
 */
export type Circumstance =
  /** The move tells what became of this attempt. */
  | { readonly kind: 'live_attempt'; readonly attemptId: string }
  /** This attempt is live but the provider took nothing, so the payout counts as not handed over. */
  | { readonly kind: 'attempt_took_nothing'; readonly attemptId: string }
  /** The move needs a payout that is not handed over, from whichever state. */
  | { readonly kind: 'not_handed_over' }
  /** The latest record says that the payout is held because of this attempt. */
  | { readonly kind: 'held_by_attempt'; readonly attemptId: string }
  /** The latest record says that the payout is held for this cause. */
  | { readonly kind: 'held_for_cause'; readonly cause: TransitionCause };

/** What the statement that moves a payout (`transition.ts`) asks of its row; null asks nothing. */
export interface Precondition {
  readonly from: readonly PayoutState[];
  /** Further states, while no attempt is live. */
  readonly fromBeforeSubmission: readonly PayoutState[];
  readonly liveAttemptId: string | null;
  readonly heldByAttemptId: string | null;
  readonly heldForCause: TransitionCause | null;
}

/** From which states, and under which conditions, a trigger may move a payout. */
export function preconditionOf(
  trigger: Exclude<PayoutTrigger, 'create'>,
  when: Circumstance | null = null,
): Precondition {
  const always = statesBefore(trigger);
  const early = statesBeforeSubmission(trigger);
  const usual = {
    from: always,
    fromBeforeSubmission: early,
    liveAttemptId: null,
    heldByAttemptId: null,
    heldForCause: null,
  };
  switch (when?.kind) {
    case undefined:
      return usual;
    case 'live_attempt':
      return { ...usual, liveAttemptId: when.attemptId };
    case 'attempt_took_nothing':
      return { ...usual, from: [...always, ...early], liveAttemptId: when.attemptId };
    case 'not_handed_over':
      return { ...usual, from: [], fromBeforeSubmission: [...always, ...early] };
    case 'held_by_attempt':
      return { ...usual, heldByAttemptId: when.attemptId };
    case 'held_for_cause':
      return { ...usual, heldForCause: when.cause };
  }
}

/** Which of approve, reject and cancel a payout in this state permits. */
export function permittedActions(state: PayoutState, submitted: boolean): PayoutAction[] {
  return payoutActions.filter((action) => {
    const { from, fromBeforeSubmission } = preconditionOf(action);
    return from.includes(state) || (!submitted && fromBeforeSubmission.includes(state));
  });
}

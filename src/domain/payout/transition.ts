import type { Payout, PayoutDecision } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import type { Queryable } from '../../db/pool.ts';
import { wakeAfter } from '../../queue/outbox.ts';
import { eventFields, type EventDraft } from '../event/record.ts';
import { fundingInsufficient, shortageOf } from '../ledger/shortage.ts';
import { movePayout } from './commands.gen.ts';
import { wireDecision, type NewDecision } from './decision-store.ts';
import { stateAfter, type PayoutState, type PayoutTrigger } from './machine.ts';
import { preconditionOf, type Circumstance, type TransitionCause } from './permitted.ts';

export interface Move {
  readonly trigger: Exclude<PayoutTrigger, 'create'>;
  readonly reason?: string | null;
  readonly railRef?: string | null;
  readonly failure?: { readonly code: string; readonly message: string } | null;
  /** What it depends on beside the state; a live attempt is named in the record. */
  readonly when?: Circumstance;
  /** Why, for the code to know: noted in the record. `reason` is for people. */
  readonly cause?: TransitionCause;
  /** The user who approves; refused when they created the payout and it needs a distinct approver. */
  readonly approver?: string | null;
}

const eventOf: Partial<Record<PayoutState, EventDraft['type']>> = {
  disbursed: 'payout.disbursed',
  settled: 'payout.settled',
  failed: 'payout.failed',
  returned: 'payout.returned',
};

function eventFor(state: PayoutState, move: Move): EventDraft | null {
  const type = eventOf[state];
  if (type === undefined) return null;
  // The code alone: the provider's own words may name it, and subscribers must not learn who it is.
  const failure = move.failure ? { failure_code: move.failure.code } : {};
  return { type, tail: { status: state, ...failure } };
}

/** A payout that was moved, and the decision that moved it, if one did. */
export interface Moved {
  readonly payout: Payout;
  readonly decision: PayoutDecision | null;
}

/** What a move says of itself and of what it needs, as the parameters of `movePayout`. */
function partsOf(move: Move) {
  const state = stateAfter(move.trigger);
  const precondition = preconditionOf(move.trigger, move.when);
  return {
    state,
    from: precondition.from,
    fromBeforeHandOver: precondition.fromBeforeSubmission,
    reason: move.reason ?? null,
    railRef: move.railRef ?? null,
    failureCode: move.failure?.code ?? null,
    failureMessage: move.failure?.message ?? null,
    liveAttempt: precondition.liveAttemptId,
    heldByAttempt: precondition.heldByAttemptId,
    heldForCause: precondition.heldForCause,
    cause: move.cause ?? null,
    event: eventFor(state, move),
  };
}

/** A move that tells what became of a live attempt, as the commands take it that make several. */
export function wireMove(move: Move): Readonly<Record<string, unknown>> {
  const { state, from, railRef, failureCode, failureMessage, event } = partsOf(move);
  return {
    state,
    from_states: from,
    rail_ref: railRef,
    failure_code: failureCode,
    failure_message: failureMessage,
    event: eventFields(event),
  };
}

/**
 * Moves a payout by one transition, with its record, its event, the decision where one is given, and the
 * jobs: by itself over a pool, or in the transaction of a connection. Null when the payout's state, its live
 * attempt or its creator do not permit it; the caller finds out which. Throws a unique violation when the
 * decision's id is taken, and FUNDING_INSUFFICIENT when a tenant whose funds are enforced has less
 * available than the approval needs.
 */
export async function moveWithDecision(
  client: Queryable,
  scope: Scope,
  payoutId: string,
  move: Move,
  decision: NewDecision | null,
): Promise<Moved | null> {
  const parts = partsOf(move);
  const [moved] = await movePayout(client, scope.tenantId, {
    ...parts,
    event: eventFields(parts.event),
    payout: payoutId,
    actor: scope.actor,
    approver: move.approver ?? null,
    business: scope.businessId,
    decision: decision === null ? null : wireDecision(decision),
  }).catch((error: unknown) => {
    const shortage = shortageOf(error);
    throw shortage === null ? error : fundingInsufficient(shortage);
  });
  if (moved === undefined) return null;
  if (moved.addsJob) wakeAfter(client);
  return moved;
}

/** As `moveWithDecision`, for a move that no decision makes. */
export async function movePayoutTo(
  client: Queryable,
  scope: Scope,
  payoutId: string,
  move: Move,
): Promise<Payout | null> {
  const moved = await moveWithDecision(client, scope, payoutId, move, null);
  return moved?.payout ?? null;
}

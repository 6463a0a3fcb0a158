import type { PoolClient } from 'pg';
import { Prisma, type Payout } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow } from '../../db/pool.ts';
import {
  enqueueDelivery,
  eventCtes,
  eventParameters,
  eventValues,
  type EventDraft,
} from '../event/record.ts';
import { stateAfter, type PayoutState, type PayoutTrigger } from './machine.ts';
import { preconditionOf, type Circumstance, type TransitionCause } from './permitted.ts';

/**
 * The one statement that moves a payout, with its record, its event and the event's delivery. It names
 * the prior states and the preconditions of `permitted.ts`, so it does not touch a payout that does not
 * meet them.
 *
 * An approval needs the version of the bank account that the payout was created with: if the details
 * changed since, the approver would decide on others than the preparer gave. A change after the
 * approval redirects nothing. A replacement is not approved while its predecessor may have been paid
 * after all.
 *
 * `@approver` is the user who approves, whatever key or membership they use. They are refused when they
 * created the payout, and a distinct approver was demanded at its creation or their business demands
 * one at this moment. `@heldByAttempt` and `@heldForCause` must stand in the payout's latest record: the
 * hold is theirs.
 *
 * A provider has one rail reference for a disbursement. Should it name two, `greatest` chooses the same
 * one in whichever order they came.
 */
const movePayout = named(
  'move_payout',
  [
    'tenant',
    'payout',
    'state',
    'from',
    'fromBeforeHandOver',
    'actor',
    'reason',
    'railRef',
    'failureCode',
    'failureMessage',
    'liveAttempt',
    'approver',
    'business',
    'heldByAttempt',
    'heldForCause',
    'cause',
    ...eventParameters,
  ],
  `
    WITH moved AS (
      UPDATE payout p SET
        state = @state,
        transition_count = p.transition_count + 1,
        updated_at = clock_timestamp(),
        approved_at = CASE @state WHEN 'approved' THEN now() WHEN 'pending_approval' THEN NULL ELSE p.approved_at END,
        disbursed_at = CASE WHEN @state = 'disbursed' THEN now() ELSE p.disbursed_at END,
        settled_at = CASE WHEN @state = 'settled' THEN now() ELSE p.settled_at END,
        live_attempt_id = CASE WHEN @state IN ('compliance_hold', 'failed') THEN NULL ELSE p.live_attempt_id END,
        rail_ref = greatest(@railRef, p.rail_ref),
        failure_code = coalesce(@failureCode, p.failure_code),
        failure_message = coalesce(@failureMessage, p.failure_message)
      WHERE p.tenant_id = @tenant AND p.id = @payout
        AND (p.state = ANY (@from::text[]) OR (p.state = ANY (@fromBeforeHandOver::text[]) AND p.live_attempt_id IS NULL))
        AND (@liveAttempt::text IS NULL OR p.live_attempt_id = @liveAttempt)
        AND (@approver::text IS NULL OR p.created_by ->> 'user_id' IS DISTINCT FROM @approver
          OR NOT (p.distinct_approver OR EXISTS (
            SELECT FROM business b WHERE b.id = @business AND b.distinct_approver
          )))
        AND (@state <> 'approved' OR EXISTS (
          SELECT FROM bank_account a
          WHERE a.tenant_id = @tenant AND a.id = p.bank_account_id AND a.version = p.bank_account_version
        ))
        AND (@state <> 'approved' OR p.replaces_payout_id IS NULL OR NOT ops.is_contradicted(@tenant, p.replaces_payout_id))
        AND ((@heldByAttempt::text IS NULL AND @heldForCause::text IS NULL) OR EXISTS (
          SELECT FROM payout_transition t
          WHERE t.tenant_id = @tenant AND t.payout_id = p.id AND t.seq = p.transition_count
            AND (@heldByAttempt IS NULL OR t.attempt_id = @heldByAttempt) AND (@heldForCause IS NULL OR t.cause = @heldForCause)
        ))
      RETURNING old.state AS from_state, new.*
    ),
    record AS (
      INSERT INTO payout_transition (
        tenant_id, payout_id, seq, previous_seq, from_state, to_state, actor, reason, attempt_id, cause
      )
      SELECT m.tenant_id, m.id, m.transition_count, m.transition_count - 1, m.from_state, m.state, @actor::jsonb, @reason, @liveAttempt,
        @cause
      FROM moved m
    ),
    ${eventCtes('moved')}
    SELECT ${columns(Prisma.PayoutScalarFieldEnum, 'm')}, (SELECT id FROM planned_delivery) AS "deliveryId"
    FROM moved m`,
);

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

/**
 * Moves a payout by one transition, with its record, event and delivery job, in the transaction of
 * `client`. Null when the payout's state, its live attempt or its creator do not permit it; the
 * caller finds out which.
 */
export async function movePayoutTo(
  client: PoolClient,
  scope: Scope,
  payoutId: string,
  move: Move,
): Promise<Payout | null> {
  const state = stateAfter(move.trigger);
  const precondition = preconditionOf(move.trigger, move.when);
  const values = movePayout.of({
    tenant: scope.tenantId,
    payout: payoutId,
    state,
    from: precondition.from,
    fromBeforeHandOver: precondition.fromBeforeHandOver,
    actor: JSON.stringify(scope.actor),
    reason: move.reason ?? null,
    railRef: move.railRef ?? null,
    failureCode: move.failure?.code ?? null,
    failureMessage: move.failure?.message ?? null,
    liveAttempt: precondition.liveAttemptId,
    approver: move.approver ?? null,
    business: scope.businessId,
    heldByAttempt: precondition.heldByAttemptId,
    heldForCause: precondition.heldForCause,
    cause: move.cause ?? null,
    ...eventValues(eventFor(state, move)),
  });
  type Moved = Payout & { deliveryId: string | null };
  const moved = await firstRow<Moved>(client, movePayout, values);
  if (moved === null) return null;
  const { deliveryId, ...payout } = moved;
  await enqueueDelivery(client, scope.tenantId, deliveryId);
  return payout;
}

import type { PoolClient } from 'pg';
import { Prisma, type Payout } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { firstRow, type Statement } from '../../db/pool.ts';
import { enqueueDelivery, eventCtes, eventValues, type EventDraft } from '../event/record.ts';
import { stateAfter, type PayoutState, type PayoutTrigger } from './machine.ts';
import { preconditionOf, type Circumstance, type TransitionCause } from './permitted.ts';

/**
 * The one statement that moves a payout. It names the prior states and the circumstances that
 * `permitted.ts` permits, so a payout that is elsewhere is not touched; the record, the event and
 * its delivery go with it.
 * The destination is the version of the bank account that the payout was created with. A payout whose
 * account was changed since is not approved: the approver would decide on other details than the
 * preparer gave. After the approval a change redirects nothing.
 * A replacement is not approved while its predecessor may have been paid after all.
 * `$12` is the user who approves, whatever key or membership they use: they are refused when they
 * created the payout and it was created under the demand of a distinct approver, also if that was
 * given up since, or its business demands one now. `$14` and `$15` are an attempt and a cause that the latest record must
 * name: the payout is where it is because of them.
 * A provider has one reference for a disbursement; should it name two, the choice between them must
 * not depend on which came first.
 */
const movePayout: Statement = {
  name: 'move_payout',
  text: `
    WITH moved AS (
      UPDATE payout p SET
        state = $3,
        transition_count = p.transition_count + 1,
        updated_at = clock_timestamp(),
        approved_at = CASE $3 WHEN 'approved' THEN now() WHEN 'pending_approval' THEN NULL ELSE p.approved_at END,
        disbursed_at = CASE WHEN $3 = 'disbursed' THEN now() ELSE p.disbursed_at END,
        settled_at = CASE WHEN $3 = 'settled' THEN now() ELSE p.settled_at END,
        live_attempt_id = CASE WHEN $3 IN ('compliance_hold', 'failed') THEN NULL ELSE p.live_attempt_id END,
        rail_ref = greatest($8, p.rail_ref),
        failure_code = coalesce($9, p.failure_code),
        failure_message = coalesce($10, p.failure_message)
      WHERE p.tenant_id = $1 AND p.id = $2
        AND (p.state = ANY ($4::text[]) OR (p.state = ANY ($5::text[]) AND p.live_attempt_id IS NULL))
        AND ($11::text IS NULL OR p.live_attempt_id = $11)
        AND ($12::text IS NULL OR p.created_by ->> 'user_id' IS DISTINCT FROM $12
          OR NOT (p.distinct_approver OR EXISTS (
            SELECT FROM business b WHERE b.id = $13 AND b.distinct_approver
          )))
        AND ($3 <> 'approved' OR EXISTS (
          SELECT FROM bank_account a
          WHERE a.tenant_id = $1 AND a.id = p.bank_account_id AND a.version = p.bank_account_version
        ))
        AND ($3 <> 'approved' OR p.replaces_payout_id IS NULL OR NOT ops.is_contradicted($1, p.replaces_payout_id))
        AND (($14::text IS NULL AND $15::text IS NULL) OR EXISTS (
          SELECT FROM payout_transition t
          WHERE t.tenant_id = $1 AND t.payout_id = p.id AND t.seq = p.transition_count
            AND ($14 IS NULL OR t.attempt_id = $14) AND ($15 IS NULL OR t.cause = $15)
        ))
      RETURNING old.state AS from_state, new.*
    ),
    record AS (
      INSERT INTO payout_transition (
        tenant_id, payout_id, seq, previous_seq, from_state, to_state, actor, reason, attempt_id, cause
      )
      SELECT m.tenant_id, m.id, m.transition_count, m.transition_count - 1, m.from_state, m.state, $6::jsonb, $7, $11,
        $16
      FROM moved m
    ),
    ${eventCtes('moved', 17)}
    SELECT ${columns(Prisma.PayoutScalarFieldEnum, 'm')}, (SELECT id FROM planned_delivery) AS "deliveryId"
    FROM moved m`,
};

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
  const permitted = preconditionOf(move.trigger, move.when);
  const moved = await firstRow<Payout & { deliveryId: string | null }>(client, movePayout, [
    scope.tenantId,
    payoutId,
    state,
    permitted.from,
    permitted.fromBeforeHandOver,
    JSON.stringify(scope.actor),
    move.reason ?? null,
    move.railRef ?? null,
    move.failure?.code ?? null,
    move.failure?.message ?? null,
    permitted.liveAttemptId,
    move.approver ?? null,
    scope.businessId,
    permitted.heldByAttemptId,
    permitted.heldForCause,
    move.cause ?? null,
    ...eventValues(eventFor(state, move)),
  ]);
  if (moved === null) return null;
  const { deliveryId, ...payout } = moved;
  await enqueueDelivery(client, scope.tenantId, deliveryId);
  return payout;
}

import { Prisma, type Payout, type PayoutDecision } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { command } from '../../db/command.ts';
import { firstRow, type Queryable } from '../../db/pool.ts';
import { jobInsert, wakeAfter } from '../../queue/outbox.ts';
import { eventFields, eventSql, wireEvent, type EventDraft } from '../event/record.ts';
import { fundingInsufficient, shortageOf } from '../ledger/shortage.ts';
import { decisionInsert } from './decision-sql.ts';
import {
  decisionColumns,
  decisionOf,
  wireDecision,
  type DecisionRow,
  type NewDecision,
} from './decision-store.ts';
import { stateAfter, type PayoutState, type PayoutTrigger } from './machine.ts';
import { preconditionOf, type Circumstance, type TransitionCause } from './permitted.ts';

/**
 * SQL: what a move changes of a payout's row `p` beside the time of the change. A provider has one rail reference for
 * a disbursement. Should it name two, `greatest` chooses the same one in whichever order they came.
 *
 * @param move what stands before the names of the move's parts
 */
export const moveChanges = (move: '_' | 't.'): string => `
    state = ${move}state,
    transition_count = p.transition_count + 1,
    approved_at = CASE WHEN ${move}state = 'approved' THEN at WHEN ${move}state = 'pending_approval' THEN NULL ELSE p.approved_at END,
    disbursed_at = CASE WHEN ${move}state = 'disbursed' THEN at ELSE p.disbursed_at END,
    settled_at = CASE WHEN ${move}state = 'settled' THEN at ELSE p.settled_at END,
    live_attempt_id = CASE WHEN ${move}state IN ('compliance_hold', 'failed') THEN NULL ELSE p.live_attempt_id END,
    rail_ref = greatest(${move}rail_ref, p.rail_ref),
    failure_code = coalesce(${move}failure_code, p.failure_code),
    failure_message = coalesce(${move}failure_message, p.failure_message)`;

/**
 * The command that moves a payout, with its record, its event and the event's delivery, the decision
 * that moves it, and the jobs that follow. It names the prior states and the preconditions of
 * `permitted.ts`, so it does not touch a payout that does not meet them.
 *
 * An approval needs the version of the bank account that the payout was created with: if the details
 * changed since, the approver would decide on others than the preparer gave. A change after the
 * approval redirects nothing. A replacement is not approved while its predecessor may have been paid
 * after all.
 *
 * `_approver` is the user who approves, whatever key or membership they use. They are refused when they
 * created the payout, and a distinct approver was demanded at its creation or their business demands
 * one at this moment. `_held_by_attempt` and `_held_for_cause` must stand in the payout's latest record: the
 * hold is theirs.
 */
export const movePayout = command({
  name: 'move_payout',
  comment: `Moves a payout by one transition (src/domain/payout/transition.ts). No row when its state, its live attempt
-- or its creator do not permit it.`,
  parameters: {
    tenant: 'text',
    payout: 'text',
    state: 'text',
    from: 'text[]',
    fromBeforeHandOver: 'text[]',
    actor: 'jsonb',
    reason: 'text',
    railRef: 'text',
    failureCode: 'text',
    failureMessage: 'text',
    liveAttempt: 'text',
    approver: 'text',
    business: 'text',
    heldByAttempt: 'text',
    heldForCause: 'text',
    cause: 'text',
    decision: 'jsonb',
    event: 'jsonb',
  },
  returns: 'TABLE (payout public.payout, decision public.payout_decision, adds_job boolean)',
  select: `r.adds_job AS "addsJob", ${columns(Prisma.PayoutScalarFieldEnum, '(r.payout)')}, ${decisionColumns}`,
  declare: `
  at timestamptz := now();
  predecessor text;
  prior text;`,
  body: `
  IF _state = 'approved' THEN
    SELECT p.replaces_payout_id INTO predecessor FROM public.payout p
    WHERE p.tenant_id = _tenant AND p.id = _payout;
    IF predecessor IS NOT NULL AND ops.is_contradicted(_tenant, predecessor) THEN
      RETURN;
    END IF;
  END IF;
  UPDATE public.payout AS p SET updated_at = command.clock(),${moveChanges('_')}
  WHERE p.tenant_id = _tenant AND p.id = _payout
    AND (p.state = ANY (_from) OR (p.state = ANY (_from_before_hand_over) AND p.live_attempt_id IS NULL))
    AND (_live_attempt IS NULL OR p.live_attempt_id = _live_attempt)
    AND (_approver IS NULL OR p.created_by ->> 'user_id' IS DISTINCT FROM _approver
      OR NOT (p.distinct_approver OR EXISTS (
        SELECT 1 FROM public.business b WHERE b.id = _business AND b.distinct_approver
      )))
    AND (_state <> 'approved' OR EXISTS (
      SELECT 1 FROM public.bank_account a
      WHERE a.tenant_id = _tenant AND a.id = p.bank_account_id AND a.version = p.bank_account_version
    ))
    AND ((_held_by_attempt IS NULL AND _held_for_cause IS NULL) OR EXISTS (
      SELECT 1 FROM public.payout_transition t
      WHERE t.tenant_id = _tenant AND t.payout_id = p.id AND t.seq = p.transition_count
        AND (_held_by_attempt IS NULL OR t.attempt_id = _held_by_attempt)
        AND (_held_for_cause IS NULL OR t.cause = _held_for_cause)
    ))
  RETURNING p.* INTO payout;
  IF NOT FOUND THEN
    RETURN;
  END IF;

  SELECT t.to_state INTO prior FROM public.payout_transition t
  WHERE t.tenant_id = _tenant AND t.payout_id = _payout AND t.seq = payout.transition_count - 1;
  INSERT INTO public.payout_transition (
    tenant_id, payout_id, seq, previous_seq, from_state, to_state, actor, reason, attempt_id, cause
  ) VALUES (
    _tenant, _payout, payout.transition_count, payout.transition_count - 1, prior, _state, _actor, _reason,
    _live_attempt, _cause
  );
  adds_job := _event IS NOT NULL AND command.record_events(
    _tenant => _tenant, _events => ARRAY[${eventSql('payout', '_event')}]
  );
  IF _decision IS NOT NULL THEN
    ${decisionInsert({ json: '_decision', payout: '_payout', at: 'at' })}
    RETURNING d.* INTO decision;
  END IF;
  IF _state = 'approved' THEN
    ${jobInsert({
      task: 'disburse_payout',
      tenant: '_tenant',
      payload: { payoutId: '_payout' },
      trace: "_decision -> '_trace'",
    })}
    adds_job := true;
  END IF;
  PERFORM command.post_entries(
    _tenant => _tenant, _currency => payout.currency, _from => prior, _to => _state, _payouts => ARRAY[_payout],
    _seqs => ARRAY[payout.transition_count], _amounts => ARRAY[payout.amount_minor]
  );
  RETURN NEXT;`,
});

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
    fromBeforeHandOver: precondition.fromBeforeHandOver,
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
  const values = movePayout.of({
    ...parts,
    event: wireEvent(parts.event),
    tenant: scope.tenantId,
    payout: payoutId,
    actor: JSON.stringify(scope.actor),
    approver: move.approver ?? null,
    business: scope.businessId,
    decision: decision === null ? null : JSON.stringify(wireDecision(decision)),
  });
  const row = await firstRow<Payout & DecisionRow & { addsJob: boolean }>(
    client,
    movePayout,
    values,
  ).catch((error: unknown) => {
    const shortage = shortageOf(error);
    throw shortage === null ? error : fundingInsufficient(shortage);
  });
  if (row === null) return null;
  const { row: payout, decision: recorded } = decisionOf(row);
  const { addsJob, ...moved } = payout;
  if (addsJob) wakeAfter(client);
  return { payout: moved, decision: recorded };
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

import type { PoolClient } from 'pg';
import { Prisma, type DisbursementAttempt, type Payout } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, type Queryable, type Statement } from '../../db/pool.ts';
import { newId } from '../../values/ids.ts';
import {
  enqueueDelivery,
  eventCtes,
  eventParameters,
  eventValues,
  type EventDraft,
} from '../event/record.ts';

const attemptColumns = columns(Prisma.DisbursementAttemptScalarFieldEnum, 'a');

/**
 * Commits the attempt before the provider is called: amount and destination as approved, and the
 * key, which is the attempt's id. A cancel, a hold and a second attempt all change `live_attempt_id` or
 * `state` of the payout's row, so its lock excludes them. The lock of the beneficiary's row keeps a
 * suspension from coming between the check and the commit. A replacement waits while the payout that it
 * replaces may have been paid after all.
 */
const prepareAttempt = named(
  'prepare_attempt',
  ['tenant', 'payout', 'attempt', 'provider', 'recipient', 'windowMs', 'beneficiary'],
  `
    WITH ben AS (
      SELECT compliance_status FROM beneficiary WHERE tenant_id = @tenant AND id = @beneficiary FOR SHARE
    ),
    taken AS (
      UPDATE payout p SET live_attempt_id = @attempt, provider = @provider, updated_at = clock_timestamp()
      FROM ben
      WHERE p.tenant_id = @tenant AND p.id = @payout AND p.state = 'approved' AND p.live_attempt_id IS NULL
        AND p.beneficiary_id = @beneficiary AND ben.compliance_status <> 'suspended'
        AND (p.replaces_payout_id IS NULL OR NOT ops.is_contradicted(@tenant, p.replaces_payout_id))
      RETURNING p.*
    )
    INSERT INTO disbursement_attempt AS a (
      tenant_id, id, payout_id, number, provider, recipient_id, amount_minor, currency,
      bank_account_id, bank_account_version, status, key_expires_at, calls
    )
    SELECT t.tenant_id, @attempt, t.id,
      (SELECT count(*) + 1 FROM disbursement_attempt e WHERE e.tenant_id = @tenant AND e.payout_id = @payout),
      @provider, @recipient, t.amount_minor, t.currency, t.bank_account_id, t.bank_account_version, 'prepared',
      now() + make_interval(secs => @windowMs::double precision / 1000), 1
    FROM taken t
    RETURNING ${attemptColumns}`,
);

/** The new attempt, or null when the payout may not be disbursed. */
export function insertAttempt(
  client: Queryable,
  scope: Scope,
  attempt: {
    payoutId: string;
    beneficiaryId: string;
    provider: string;
    recipientId: string;
    idempotencyWindowMs: number;
  },
): Promise<DisbursementAttempt | null> {
  const values = prepareAttempt.of({
    tenant: scope.tenantId,
    payout: attempt.payoutId,
    attempt: newId('disbursementAttempt'),
    provider: attempt.provider,
    recipient: attempt.recipientId,
    windowMs: attempt.idempotencyWindowMs,
    beneficiary: attempt.beneficiaryId,
  });
  return firstRow<DisbursementAttempt>(client, prepareAttempt, values);
}

const attemptByIdLocked: Statement = {
  name: 'attempt_by_id_locked',
  text: `
    SELECT ${attemptColumns} FROM disbursement_attempt a
    WHERE a.tenant_id = $1 AND a.id = $2
    FOR NO KEY UPDATE`,
};

/** The attempt, locked until the transaction ends, so that answers and events are applied one by one. */
export function lockAttempt(
  client: PoolClient,
  scope: Scope,
  attemptId: string,
): Promise<DisbursementAttempt | null> {
  return firstRow<DisbursementAttempt>(client, attemptByIdLocked, [scope.tenantId, attemptId]);
}

/** `prepared` says that a call was begun and is not recorded: its run still works on it, or died. */
const openAttempt: Statement = {
  name: 'open_attempt',
  text: `
    SELECT ${attemptColumns}, a.called_at > now() - make_interval(secs => $3::double precision / 1000)
      AND a.status = 'prepared' AS "underWay"
    FROM disbursement_attempt a
    WHERE a.tenant_id = $1 AND a.id = $2 AND a.status IN ('prepared', 'unknown')`,
};

/**
 * An attempt whose outcome is not recorded, or null. `underWay`: a call of the last `callMs`
 * milliseconds may not have ended yet.
 */
export function findOpenAttempt(
  client: Queryable,
  scope: Scope,
  attemptId: string,
  callMs: number,
): Promise<(DisbursementAttempt & { underWay: boolean }) | null> {
  return firstRow(client, openAttempt, [scope.tenantId, attemptId, callMs]);
}

/**
 * Counts a further call, only while the key window is open by the database's clock and no person has to
 * look at the attempt. As for the first call, the beneficiary must not be suspended, and a payout that it
 * replaces must certainly not have been paid. The number of calls separates two runs of one job: a run whose
 * look-up came before the other's call finds a higher number.
 */
const countCall: Statement = {
  name: 'count_attempt_call',
  text: `
    WITH ben AS (
      SELECT b.compliance_status = 'suspended' OR EXISTS (
        SELECT FROM disbursement_attempt a JOIN payout p ON p.tenant_id = $1 AND p.id = a.payout_id
        WHERE a.tenant_id = $1 AND a.id = $2 AND p.replaces_payout_id IS NOT NULL
          AND ops.is_contradicted($1, p.replaces_payout_id)
      ) AS held
      FROM beneficiary b WHERE b.tenant_id = $1 AND b.id = $4 FOR SHARE
    ),
    counted AS (
      UPDATE disbursement_attempt a SET calls = a.calls + 1, status = 'prepared', called_at = now()
      FROM ben
      WHERE a.tenant_id = $1 AND a.id = $2 AND a.calls = $3 AND a.status IN ('prepared', 'unknown')
        AND a.key_expires_at > now() + interval '1 minute' AND NOT ben.held AND NOT a.needs_operator
      RETURNING a.*
    )
    SELECT $5::timestamptz > now() + interval '1 minute' AS "windowOpen", ben.held, ${attemptColumns}
    FROM ben LEFT JOIN counted a ON true`,
};

export type FurtherCall =
  | { readonly kind: 'counted'; readonly attempt: DisbursementAttempt }
  /** The beneficiary is suspended, or the replaced payout is being examined. The key window is open. */
  | { readonly kind: 'held' }
  /** Its outcome is known, it waits for a person, another run has called, or its key window has closed. */
  | { readonly kind: 'over'; readonly windowOpen: boolean };

/** Commits that the same key is sent again, if it may be. */
export async function insertCall(
  client: Queryable,
  scope: Scope,
  attempt: DisbursementAttempt,
  beneficiaryId: string,
): Promise<FurtherCall> {
  const row = await firstRow<DisbursementAttempt & { windowOpen: boolean; held: boolean }>(
    client,
    countCall,
    [scope.tenantId, attempt.id, attempt.calls, beneficiaryId, attempt.keyExpiresAt],
  );
  if (row === null) throw new Error(`no beneficiary ${beneficiaryId}`);
  const { windowOpen, held, ...counted } = row;
  // PostgreSQL returns null columns where nothing was counted, whatever the row type says.
  if ((counted.id as string | null) !== null) return { kind: 'counted', attempt: counted };
  return held && windowOpen ? { kind: 'held' } : { kind: 'over', windowOpen };
}

/**
 * Records once that the provider took the attempt, by its answer or by an event, whichever comes first.
 * A payment that belongs to another attempt is refused. An attempt with an open contradiction keeps
 * waiting for a person.
 */
const acceptAttempt = named(
  'accept_attempt',
  ['tenant', 'attempt', 'providerPayout', 'railRef', ...eventParameters],
  `
    WITH accepted AS (
      UPDATE disbursement_attempt SET
        status = 'submitted', submitted_at = now(), completed_at = now(), provider_payout_id = @providerPayout,
        needs_operator = EXISTS (
          SELECT FROM provider_contradiction c
          WHERE c.tenant_id = @tenant AND c.subject_id = @attempt AND c.finding IS NULL
        )
      WHERE tenant_id = @tenant AND id = @attempt AND status IN ('prepared', 'unknown') AND NOT EXISTS (
        SELECT FROM disbursement_attempt o
        WHERE o.tenant_id = @tenant AND o.provider = disbursement_attempt.provider
          AND o.provider_payout_id = @providerPayout AND o.id <> @attempt
      )
      RETURNING payout_id, id
    ),
    noted AS (
      UPDATE payout p SET provider_payout_id = @providerPayout, rail_ref = greatest(@railRef, p.rail_ref), updated_at = clock_timestamp()
      FROM accepted a
      WHERE p.tenant_id = @tenant AND p.id = a.payout_id AND p.live_attempt_id = a.id
      RETURNING p.*
    ),
    ${eventCtes('noted')}
    SELECT ${columns(Prisma.PayoutScalarFieldEnum, 'n')}, (SELECT id FROM planned_delivery) AS "deliveryId"
    FROM noted n`,
);

const submitted: EventDraft = {
  type: 'payout.disbursement_submitted',
  tail: { status: 'disbursement_submitted' },
};

/**
 * Records that the provider took an attempt, with the event for subscribers. Returns false where nothing
 * was to be done: it was known, the attempt has ended, or the payment belongs to another attempt.
 */
export async function recordAccepted(
  client: PoolClient,
  scope: Scope,
  attemptId: string,
  provider: { readonly payoutId: string; readonly railRef: string | null },
): Promise<boolean> {
  const values = acceptAttempt.of({
    tenant: scope.tenantId,
    attempt: attemptId,
    providerPayout: provider.payoutId,
    railRef: provider.railRef,
    ...eventValues(submitted),
  });
  type Noted = Payout & { deliveryId: string | null };
  const noted = await firstRow<Noted>(client, acceptAttempt, values);
  if (noted === null) return false;
  await enqueueDelivery(client, scope.tenantId, noted.deliveryId);
  return true;
}

/** Records what the latest call of an attempt learned: it was refused, or its outcome is unknown. */
const endCall = named(
  'end_attempt_call',
  ['tenant', 'attempt', 'status', 'code', 'message', 'needsOperator', 'calls'],
  `
    UPDATE disbursement_attempt a SET
      status = @status, failure_code = @code, failure_message = @message, needs_operator = @needsOperator,
      completed_at = CASE WHEN @status = 'rejected' THEN now() END
    WHERE a.tenant_id = @tenant AND a.id = @attempt AND a.calls = @calls AND a.status IN ('prepared', 'unknown')
    RETURNING ${attemptColumns}`,
);

/** Null when the outcome is known already, or a later call of the attempt decides it. */
export function recordNotAccepted(
  client: Queryable,
  scope: Scope,
  attempt: DisbursementAttempt,
  outcome: {
    readonly status: 'rejected' | 'unknown';
    readonly code: string;
    readonly message: string;
    readonly needsOperator: boolean;
  },
): Promise<DisbursementAttempt | null> {
  const values = endCall.of({
    tenant: scope.tenantId,
    attempt: attempt.id,
    status: outcome.status,
    code: outcome.code,
    message: outcome.message,
    needsOperator: outcome.needsOperator,
    calls: attempt.calls,
  });
  return firstRow<DisbursementAttempt>(client, endCall, values);
}

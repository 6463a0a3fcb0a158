import type { PoolClient } from 'pg';
import { Prisma, type DisbursementAttempt } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { command, givenRows } from '../../db/command.ts';
import { waitingBriefly } from '../../db/gather.ts';
import { firstRow, rows, type Queryable, type Statement } from '../../db/pool.ts';
import { newId } from '../../values/ids.ts';

const attemptColumns = columns(Prisma.DisbursementAttemptScalarFieldEnum, 'a');

/**
 * Commits attempts before the provider is called: amount and destination as approved, and the key, which is the
 * attempt's id. A cancel, a hold and a second attempt all change `live_attempt_id` or `state` of the payout's row, so
 * its lock excludes them. The lock of the beneficiary's row keeps a suspension from coming between the check and the
 * commit. A replacement waits while the payout that it replaces may have been paid after all. Rows are locked in the
 * order of the beneficiaries, then of the payouts, so that no two commands wait for each other.
 */
export const prepareAttempts = command({
  name: 'prepare_attempts',
  comment:
    'Commits attempts before the provider is called, of those that may be made (src/domain/disbursement/store.ts).',
  parameters: { tenant: 'text', attempts: 'jsonb' },
  returns: 'SETOF public.disbursement_attempt',
  select: columns(Prisma.DisbursementAttemptScalarFieldEnum, 'r'),
  declare: `
  at timestamptz := now();
  permitted text[];
  examined text[] := '{}';
  made jsonb := '[]';
  one record;`,
  body: `
  ${waitingBriefly('_attempts')}
  SELECT array_agg(b.id) INTO permitted
  FROM (
    SELECT DISTINCT g.beneficiary FROM jsonb_to_recordset(_attempts) AS g (beneficiary text)
    ORDER BY g.beneficiary OFFSET 0
  ) AS t
  CROSS JOIN LATERAL (
    SELECT b.id, b.compliance_status FROM public.beneficiary b
    WHERE b.tenant_id = _tenant AND b.id = t.beneficiary FOR SHARE
  ) AS b
  WHERE b.compliance_status <> 'suspended';
  FOR one IN
    SELECT t.payout, p.replaces_payout_id AS predecessor
    FROM (SELECT g.payout FROM jsonb_to_recordset(_attempts) AS g (payout text) OFFSET 0) AS t
    CROSS JOIN LATERAL (
      SELECT p.replaces_payout_id FROM public.payout p WHERE p.tenant_id = _tenant AND p.id = t.payout OFFSET 0
    ) AS p
    WHERE p.replaces_payout_id IS NOT NULL
  LOOP
    IF ops.is_contradicted(_tenant, one.predecessor) THEN
      examined := examined || one.payout;
    END IF;
  END LOOP;
  FOR one IN
    UPDATE public.payout AS p SET live_attempt_id = t.attempt, provider = t.provider, updated_at = command.clock()
    FROM ${givenRows('t', {
      json: '_attempts',
      columns:
        'payout text, attempt text, provider text, recipient text, window_ms double precision, beneficiary text',
      where: 'g.beneficiary = ANY (permitted) AND g.payout <> ALL (examined)',
      order: 'g.payout',
    })}
    WHERE p.tenant_id = _tenant AND t.tenant = _tenant AND p.id = t.payout AND p.state = 'approved'
      AND p.live_attempt_id IS NULL AND p.beneficiary_id = t.beneficiary
    RETURNING t.*, p.amount_minor, p.currency, p.bank_account_id, p.bank_account_version
  LOOP
    made := made || to_jsonb(one);
  END LOOP;
  RETURN QUERY
  INSERT INTO public.disbursement_attempt AS a (
    tenant_id, id, payout_id, number, provider, recipient_id, amount_minor, currency,
    bank_account_id, bank_account_version, status, key_expires_at, calls
  )
  SELECT _tenant, t.attempt, t.payout, e.earlier + 1, t.provider, t.recipient, t.amount_minor, t.currency,
    t.bank_account_id, t.bank_account_version, 'prepared', at + make_interval(secs => t.window_ms / 1000), 1
  FROM jsonb_to_recordset(made) AS t (
    attempt text, payout text, provider text, recipient text, window_ms double precision, amount_minor bigint,
    currency text, bank_account_id text, bank_account_version integer
  )
  CROSS JOIN LATERAL (
    SELECT count(*) AS earlier FROM public.disbursement_attempt o
    WHERE o.tenant_id = _tenant AND o.payout_id = t.payout
  ) AS e
  RETURNING a.*;`,
});

export interface NewAttempt {
  readonly payoutId: string;
  readonly beneficiaryId: string;
  readonly provider: string;
  readonly recipientId: string;
  readonly idempotencyWindowMs: number;
}

/** The new attempts, in the order of the payouts; null where the payout may not be disbursed. */
export async function insertAttempts(
  client: Queryable,
  scope: Scope,
  attempts: readonly NewAttempt[],
): Promise<(DisbursementAttempt | null)[]> {
  const wanted = attempts.map((attempt) => ({
    payout: attempt.payoutId,
    attempt: newId('disbursementAttempt'),
    provider: attempt.provider,
    recipient: attempt.recipientId,
    window_ms: attempt.idempotencyWindowMs,
    beneficiary: attempt.beneficiaryId,
  }));
  const values = prepareAttempts.of({ tenant: scope.tenantId, attempts: JSON.stringify(wanted) });
  const made = await rows<DisbursementAttempt>(client, prepareAttempts, values);
  const known = new Map(made.map((attempt) => [attempt.id, attempt]));
  return wanted.map(({ attempt }) => known.get(attempt) ?? null);
}

/** The new attempt, or null when the payout may not be disbursed. */
export async function insertAttempt(
  client: Queryable,
  scope: Scope,
  attempt: NewAttempt,
): Promise<DisbursementAttempt | null> {
  const [made = null] = await insertAttempts(client, scope, [attempt]);
  return made;
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

/**
 * Each by its own look into the index, in the order of their ids. For one condition on all ids PostgreSQL reads every
 * attempt of a tenant that its statistics do not know, since it expects to find none.
 */
export const lockAttemptsById = command({
  name: 'lock_attempts',
  comment: 'Locks attempts, those that exist (src/domain/disbursement/store.ts).',
  parameters: { tenant: 'text', attempts: 'text[]' },
  returns: 'SETOF public.disbursement_attempt',
  select: columns(Prisma.DisbursementAttemptScalarFieldEnum, 'r'),
  declare: `
  wanted text;
  held public.disbursement_attempt;`,
  body: `
  FOR wanted IN SELECT DISTINCT w.id FROM unnest(_attempts) AS w (id) ORDER BY w.id LOOP
    SELECT a.* INTO held FROM public.disbursement_attempt a
    WHERE a.tenant_id = _tenant AND a.id = wanted FOR NO KEY UPDATE;
    IF FOUND THEN
      RETURN NEXT held;
    END IF;
  END LOOP;`,
});

/** Those of the attempts that exist, by their ids, locked as `lockAttempt` does: in the order of their ids. */
export async function lockAttempts(
  client: PoolClient,
  scope: Scope,
  attemptIds: readonly string[],
): Promise<ReadonlyMap<string, DisbursementAttempt>> {
  const wanted = { tenant: scope.tenantId, attempts: [...attemptIds] };
  const values = lockAttemptsById.of(wanted);
  const found = await rows<DisbursementAttempt>(client, lockAttemptsById, values);
  return new Map(found.map((attempt) => [attempt.id, attempt]));
}

/** `prepared` says that a call was begun and is not recorded: its run still works on it, or died. */
const openAttempt: Statement = {
  name: 'open_attempt',
  text: `
    SELECT ${attemptColumns}, a.called_at > now() - make_interval(secs => $3::double precision / 1000)
      AND a.status = 'prepared' AS "underWay"
    FROM disbursement_attempt a
    WHERE a.tenant_id = $1 AND a.id = $2 AND a.status <> 'submitted'`,
};

/**
 * The live attempt of a payout, unless the provider took it; null then. `underWay`: a call of the last `callMs`
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
export const countCall = command({
  name: 'count_attempt_call',
  comment:
    'Counts a further call of an attempt, if it may be made (src/domain/disbursement/store.ts).',
  parameters: {
    tenant: 'text',
    attempt: 'text',
    calls: 'integer',
    beneficiary: 'text',
    keyExpiresAt: 'timestamptz',
  },
  returns: 'TABLE (window_open boolean, held boolean, attempt public.disbursement_attempt)',
  select: `r.window_open AS "windowOpen", r.held, ${columns(Prisma.DisbursementAttemptScalarFieldEnum, '(r.attempt)')}`,
  declare: `
  at timestamptz := now();
  last_moment timestamptz := at + interval '1 minute';
  predecessor text;`,
  body: `
  SELECT b.compliance_status = 'suspended' INTO held FROM public.beneficiary b
  WHERE b.tenant_id = _tenant AND b.id = _beneficiary FOR SHARE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT p.replaces_payout_id INTO predecessor
  FROM public.disbursement_attempt a JOIN public.payout p ON p.tenant_id = a.tenant_id AND p.id = a.payout_id
  WHERE a.tenant_id = _tenant AND a.id = _attempt;
  held := held OR (predecessor IS NOT NULL AND ops.is_contradicted(_tenant, predecessor));
  window_open := _key_expires_at > last_moment;
  IF NOT held THEN
    UPDATE public.disbursement_attempt AS a SET calls = a.calls + 1, status = 'prepared', called_at = at
    WHERE a.tenant_id = _tenant AND a.id = _attempt AND a.calls = _calls AND a.status IN ('prepared', 'unknown')
      AND a.key_expires_at > last_moment AND NOT a.needs_operator
    RETURNING a.* INTO attempt;
  END IF;
  RETURN NEXT;`,
});

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
    countCall.of({
      tenant: scope.tenantId,
      attempt: attempt.id,
      calls: attempt.calls,
      beneficiary: beneficiaryId,
      keyExpiresAt: attempt.keyExpiresAt,
    }),
  );
  if (row === null) throw new Error(`no beneficiary ${beneficiaryId}`);
  const { windowOpen, held, ...counted } = row;
  // PostgreSQL returns null columns where nothing was counted, whatever the row type says.
  if ((counted.id as string | null) !== null) return { kind: 'counted', attempt: counted };
  return held && windowOpen ? { kind: 'held' } : { kind: 'over', windowOpen };
}

/** Records what the latest call of an attempt learned: it was refused, or its outcome is unknown. */
export const endCall = command({
  name: 'end_attempt_call',
  comment:
    'Records that the latest call of an attempt was refused, or that its outcome is unknown (src/domain/disbursement/store.ts).',
  parameters: {
    tenant: 'text',
    attempt: 'text',
    status: 'text',
    code: 'text',
    message: 'text',
    needsOperator: 'boolean',
    calls: 'integer',
  },
  returns: 'SETOF public.disbursement_attempt',
  select: columns(Prisma.DisbursementAttemptScalarFieldEnum, 'r'),
  declare: `
  at timestamptz := now();
  ended public.disbursement_attempt;`,
  body: `
  UPDATE public.disbursement_attempt AS a SET
    status = _status, failure_code = _code, failure_message = _message,
    needs_operator = a.needs_operator OR _needs_operator,
    completed_at = CASE WHEN _status = 'rejected' THEN at END
  WHERE a.tenant_id = _tenant AND a.id = _attempt AND a.calls = _calls AND a.status IN ('prepared', 'unknown')
  RETURNING a.* INTO ended;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF ended.needs_operator AND NOT _needs_operator THEN
    ended.needs_operator := command.keep_operator_mark(_tenant => _tenant, _attempt => _attempt);
  END IF;
  RETURN NEXT ended;`,
});

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

import type { PoolClient } from 'pg';
import { Prisma, type DisbursementAttempt } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { firstRow, rows, type Queryable, type Statement } from '../../db/pool.ts';

/** The live attempt first, then the latest of those that need an operator. */
const attemptOf = (condition: string): string => `
    SELECT ${columns(Prisma.DisbursementAttemptScalarFieldEnum, 'a')}
    FROM disbursement_attempt a
    JOIN payout p ON p.tenant_id = $1 AND p.id = a.payout_id
    WHERE a.tenant_id = $1 AND a.payout_id = $2 AND (${condition})
    ORDER BY a.id IS NOT DISTINCT FROM p.live_attempt_id DESC, a.number DESC LIMIT 1`;

const attemptToAskFor: Statement = {
  name: 'attempt_to_ask_for',
  text: attemptOf('a.id = p.live_attempt_id OR a.needs_operator'),
};

/** The payout's live attempt, else the latest that needs an operator, or null. */
export function findAttemptToAskFor(
  client: Queryable,
  scope: Scope,
  payoutId: string,
): Promise<DisbursementAttempt | null> {
  return firstRow(client, attemptToAskFor, [scope.tenantId, payoutId]);
}

const liveAttempt: Statement = {
  name: 'live_attempt',
  text: attemptOf('a.id = p.live_attempt_id'),
};

const attemptToResolve: Statement = {
  name: 'attempt_to_resolve',
  text: attemptOf(`a.status = 'unknown' OR a.needs_operator`),
};

/** By itself: a function with statements of its own is called from no statement on a tenant's table. */
const debitMissing: Statement = {
  name: 'attempt_debit_missing',
  text: 'SELECT ops.debit_is_missing($1, $2) AS missing',
};

/** A bank that has a payment in a file cannot be asked by machine. */
async function isDebitMissing(
  client: Queryable,
  { tenantId }: Scope,
  attemptId: string,
): Promise<boolean> {
  const row = await firstRow<{ missing: boolean }>(client, debitMissing, [tenantId, attemptId]);
  return row?.missing === true;
}

/**
 * The payout's attempt whose outcome is unknown, that needs an operator or whose debit no statement has shown in time,
 * or null. Only the live attempt lacks a debit, and it comes first.
 */
export async function findAttemptToResolve(
  client: Queryable,
  scope: Scope,
  payoutId: string,
): Promise<DisbursementAttempt | null> {
  const values = [scope.tenantId, payoutId] as const;
  const live = await firstRow<DisbursementAttempt>(client, liveAttempt, values);
  if (live !== null && (await isDebitMissing(client, scope, live.id))) return live;
  return firstRow(client, attemptToResolve, values);
}

const stillToResolve: Statement = {
  name: 'attempt_still_to_resolve',
  text: `
    SELECT a.id FROM disbursement_attempt a
    WHERE a.tenant_id = $1 AND a.id = $2 AND (a.status = 'unknown' OR a.needs_operator)`,
};

/** Whether a locked attempt is one that `findAttemptToResolve` finds. */
export async function isToResolve(
  client: PoolClient,
  scope: Scope,
  attemptId: string,
): Promise<boolean> {
  const marked = await firstRow(client, stillToResolve, [scope.tenantId, attemptId]);
  return marked !== null || isDebitMissing(client, scope, attemptId);
}

const paymentOfAnother: Statement = {
  name: 'payment_of_another_attempt',
  text: `
    SELECT a.id FROM disbursement_attempt a
    WHERE a.tenant_id = $1 AND a.provider = $2 AND a.provider_payout_id = $3 AND a.id <> $4`,
};

/** Whether the provider's payment belongs to another attempt of the tenant. */
export async function isPaymentOfAnother(
  client: Queryable,
  scope: Scope,
  { id, provider }: Pick<DisbursementAttempt, 'id' | 'provider'>,
  providerPayoutId: string,
): Promise<boolean> {
  const values = [scope.tenantId, provider, providerPayoutId, id] as const;
  return (await firstRow(client, paymentOfAnother, values)) !== null;
}

const rejectByOperator: Statement = {
  name: 'reject_attempt_by_operator',
  text: `
    UPDATE disbursement_attempt SET
      status = 'rejected', failure_code = $3, failure_message = $4, needs_operator = false,
      completed_at = now()
    WHERE tenant_id = $1 AND id = $2`,
};

/** Ends a locked attempt that moved no money, as an operator says. */
export async function rejectAttempt(
  client: PoolClient,
  scope: Scope,
  attemptId: string,
  failure: { readonly code: string; readonly message: string },
): Promise<void> {
  await rows(client, rejectByOperator, [scope.tenantId, attemptId, failure.code, failure.message]);
}

const seenByOperator: Statement = {
  name: 'attempt_seen_by_operator',
  text: `
    UPDATE disbursement_attempt SET
      needs_operator = false, provider_payout_id = coalesce(provider_payout_id, $3)
    WHERE tenant_id = $1 AND id = $2`,
};

/** Removes the mark by which a locked attempt waits for an operator. */
export async function noteSeen(
  client: PoolClient,
  scope: Scope,
  attemptId: string,
  providerPayoutId: string | null,
): Promise<void> {
  await rows(client, seenByOperator, [scope.tenantId, attemptId, providerPayoutId]);
}

const namedByOperator: Statement = {
  name: 'attempt_named_by_operator',
  text: `
    UPDATE disbursement_attempt SET named_by = $3::uuid WHERE tenant_id = $1 AND id = $2`,
};

/** Notes that an operator names the payment of a locked attempt, until the provider names it itself. */
export async function noteNamed(
  client: PoolClient,
  scope: Scope,
  attemptId: string,
  actionId: string,
): Promise<void> {
  await rows(client, namedByOperator, [scope.tenantId, attemptId, actionId]);
}

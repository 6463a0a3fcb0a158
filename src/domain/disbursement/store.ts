import type { PoolClient } from 'pg';
import { Prisma, type DisbursementAttempt } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { firstRow, type Queryable, type Statement } from '../../db/pool.ts';
import { newId } from '../../values/ids.ts';
import {
  countAttemptCall,
  endAttemptCall,
  lockAttempts as lockEach,
  prepareAttempts,
} from './commands.gen.ts';

const attemptColumns = columns(Prisma.DisbursementAttemptScalarFieldEnum, 'a');

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
  const made = await prepareAttempts(client, scope.tenantId, { attempts: wanted });
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

/**
 * Those of the attempts that exist, by their ids, locked in the order of their ids until the transaction ends, so that
 * answers and events are applied one by one.
 */
export async function lockAttempts(
  client: PoolClient,
  scope: Scope,
  attemptIds: readonly string[],
): Promise<ReadonlyMap<string, DisbursementAttempt>> {
  const found = await lockEach(client, scope.tenantId, { attempts: attemptIds });
  return new Map(found.map((attempt) => [attempt.id, attempt]));
}

/** The attempt, locked in the same way. */
export async function lockAttempt(
  client: PoolClient,
  scope: Scope,
  attemptId: string,
): Promise<DisbursementAttempt | null> {
  return (await lockAttempts(client, scope, [attemptId])).get(attemptId) ?? null;
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
  const [row] = await countAttemptCall(client, scope.tenantId, {
    attempt: attempt.id,
    calls: attempt.calls,
    beneficiary: beneficiaryId,
    keyExpiresAt: attempt.keyExpiresAt,
  });
  if (row === undefined) throw new Error(`no beneficiary ${beneficiaryId}`);
  const { windowOpen, held, attempt: counted } = row;
  if (counted !== null) return { kind: 'counted', attempt: counted };
  return held && windowOpen ? { kind: 'held' } : { kind: 'over', windowOpen };
}

/** Records what the latest call learned. Null when the outcome is known already, or a later call of the attempt decides it. */
export async function recordNotAccepted(
  client: Queryable,
  scope: Scope,
  { id, calls }: DisbursementAttempt,
  outcome: {
    readonly status: 'rejected' | 'unknown';
    readonly code: string;
    readonly message: string;
    readonly needsOperator: boolean;
  },
): Promise<DisbursementAttempt | null> {
  const [ended] = await endAttemptCall(client, scope.tenantId, { attempt: id, calls, ...outcome });
  return ended ?? null;
}

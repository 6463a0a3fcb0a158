import type { PayoutBatch, PayoutBatchRow } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { mapInTurns } from '../../concurrency/event-loop.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { inBulk, type Call } from '../../process/services.ts';
import { createRows, type PreparedPayout } from '../payout/create-rows.ts';
import { prepareRow } from './prepare.ts';
import {
  noDraft,
  noteRows,
  readPayoutBatch,
  readRowsBehind,
  requireBatchId,
  type Found,
} from './store.ts';

/** Rows that are judged by one statement. */
const rowsAtATime = 500;

/** A row is judged and not made, which costs about a tenth; so many rows of a check count as one of a bulk. */
const rowsCountingAsOne = 10;

const finish = named(
  'finish_payout_batch_check',
  ['tenant', 'batch', 'revision'],
  `
    UPDATE payout_batch b SET checked_revision = @revision::integer, checked_at = now(), updated_at = command.clock()
    WHERE b.tenant_id = @tenant AND b.id = @batch AND b.state = 'draft' AND b.revision = @revision::integer
    RETURNING b.id`,
);

/**
 * Judges all rows of a draft by what refuses any payout at this moment, the rows that are left out too, and writes down
 * what was found of each. It makes nothing and reserves nothing. Throws forbidden, not_found, RATE_LIMITED and
 * too_many_requests; `conflict` for a batch that is no draft, or was changed while it was checked.
 */
export async function checkPayoutBatch(call: Call, batchId: string): Promise<PayoutBatch> {
  const { scope, services } = call;
  requirePermission(scope, 'payouts:write');
  requireBatchId(batchId);
  const batch = await readPayoutBatch(call, batchId);
  if (batch.state !== 'draft') throw noDraft(batch);
  await inBulk(call, Math.ceil(batch.rowCount / rowsCountingAsOne), () => judgeAll(call, batchId));
  const values = finish.of({ tenant: scope.tenantId, batch: batchId, revision: batch.revision });
  const [finished] = await rows(services.pool, finish, values);
  if (finished === undefined) {
    throw new DomainError('conflict', {
      message: 'The batch was changed while it was checked; check it again.',
    });
  }
  return readPayoutBatch(call, batchId);
}

async function judgeAll(call: Call, batchId: string): Promise<void> {
  for (let after = 0; ;) {
    const chunk = await readRowsBehind(call, batchId, after, rowsAtATime);
    const last = chunk.at(-1);
    if (last === undefined) return;
    await noteRows(call, batchId, await judge(call, chunk));
    after = last.n;
  }
}

async function judge(call: Call, chunk: readonly PayoutBatchRow[]): Promise<Found[]> {
  const prepared = await mapInTurns(chunk, (row) => prepareRow(call, row));
  const payouts = prepared.filter((one): one is PreparedPayout => !(one instanceof DomainError));
  const mode = { dryRun: true, atomic: false, funds: null };
  const results = payouts.length === 0 ? [] : await createRows(call, payouts, mode);
  const judged = new Map(payouts.map(({ id }, index) => [id, results[index]]));
  return prepared.map((one, index): Found => {
    const n = chunk[index]?.n ?? 0;
    if (one instanceof DomainError) return { n, status: 'wrong', error: one, provider: null };
    const result = judged.get(one.id);
    if (result?.kind === 'passed') {
      return { n, status: 'ready', error: null, provider: result.provider };
    }
    // Somebody paid under the key of the row.
    const error =
      result?.kind === 'failed' ? result.error : new DomainError('IDEMPOTENCY_KEY_REUSED');
    return { n, status: 'wrong', error, provider: null };
  });
}

import type { PayoutBatch } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { invalid } from '../../errors/domain-error.ts';
import { inBulk, type Call } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { leavePayoutBatchRows } from './commands.gen.ts';
import { requireFewRows } from './create.ts';
import { rowNumbers } from './input.ts';
import { noDraft, readPayoutBatch, requireBatchId } from './store.ts';

/**
 * Leaves rows of a draft out of what is paid, each named by its number, or takes them in again. Throws forbidden,
 * not_found, validation_failed, also for a number that the batch does not have, RATE_LIMITED and too_many_requests;
 * `conflict` for a batch that is no draft.
 */
export async function leaveOutRows(
  call: Call,
  batchId: string,
  given: { readonly rows: readonly number[]; readonly leftOut: boolean },
): Promise<PayoutBatch> {
  const { scope, services } = call;
  requirePermission(scope, 'payouts:write');
  requireBatchId(batchId);
  requireFewRows(call, given.rows.length);
  return inBulk(call, given.rows.length, async () => {
    const input = parseInput(rowNumbers, given);
    const change = { batch: batchId, ...input };
    const [changed] = await leavePayoutBatchRows(services.pool, scope.tenantId, change);
    if (changed !== undefined) return changed;
    const batch = await readPayoutBatch(call, batchId);
    if (batch.state !== 'draft') throw noDraft(batch);
    const message = `The batch has ${batch.rowCount} rows.`;
    throw invalid([{ field: 'rows', code: 'out_of_range', message }]);
  });
}

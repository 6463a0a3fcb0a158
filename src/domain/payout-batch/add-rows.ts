import type { PayoutBatch, PayoutBatchRow } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { contentHash } from '../../crypto/canonical.ts';
import { DomainError, invalid } from '../../errors/domain-error.ts';
import { inBulk, type Call } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { addPayoutBatchRows as add } from './commands.gen.ts';
import { requireFewRows } from './create.ts';
import { batchAddInput, wireRows, type BatchAddInput } from './input.ts';
import { noDraft, readPayoutBatch, readRowsBehind, requireBatchId } from './store.ts';

/**
 * Adds rows to a draft, up to PAYOUT_BULK_ROWS at once. `firstRow` is the number that the first of them gets, 1 more
 * than the draft has: so the same request, sent again, adds nothing, and of two at once one is refused. Throws
 * forbidden, not_found, validation_failed, RATE_LIMITED and too_many_requests; `conflict` for a batch that is no draft,
 * or has other rows there.
 */
export async function addPayoutBatchRows(
  call: Call,
  batchId: string,
  given: BatchAddInput,
): Promise<PayoutBatch> {
  const { scope, services } = call;
  requirePermission(scope, 'payouts:write');
  requireBatchId(batchId);
  requireFewRows(call, given.rows.length);
  return inBulk(call, given.rows.length, async () => {
    const { firstRow: first, rows } = parseInput(batchAddInput, given);
    const most = services.config.PAYOUT_BATCH_ROWS;
    const wire = wireRows(first, rows);
    const addition = { batch: batchId, first, most, actor: scope.actor, rows: wire };
    const [added] = await add(services.pool, scope.tenantId, addition);
    return added ?? replayOrRefuse(call, batchId, first, wire);
  });
}

/** Finds out why no row was added: the same ones are there already, or the batch is another than the caller knows. */
async function replayOrRefuse(
  call: Call,
  batchId: string,
  first: number,
  wire: readonly object[],
): Promise<PayoutBatch> {
  const batch = await readPayoutBatch(call, batchId);
  const most = call.services.config.PAYOUT_BATCH_ROWS;
  if (first - 1 + wire.length > most) {
    const message = `a batch has at most ${most} rows`;
    throw invalid([{ field: 'rows', code: 'too_long', message }]);
  }
  const there = await readRowsBehind(call, batchId, first - 1, wire.length);
  if (contentHash(there.map(asGiven)).equals(contentHash(wire))) return batch;
  if (batch.state !== 'draft') throw noDraft(batch);
  throw new DomainError('conflict', {
    message: `The batch has ${batch.rowCount} rows: first_row of further ones is ${batch.rowCount + 1}.`,
  });
}

/** A row as `wireRows` makes it of what was given. */
const asGiven = (row: PayoutBatchRow): object => ({
  n: row.n,
  beneficiary_id: row.beneficiaryId,
  bank_account_id: row.bankAccountId,
  amount_given: row.amountGiven,
  amount_minor: row.amountMinor,
  currency: row.currency,
  purpose_of_payment: row.purposeOfPayment,
  external_ref: row.externalRef,
  metadata: row.metadata,
});

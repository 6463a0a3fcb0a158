import type { PayoutBatch } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { contentHash } from '../../crypto/canonical.ts';
import { DomainError, invalid } from '../../errors/domain-error.ts';
import { inBulk, type Call } from '../../process/services.ts';
import { newId } from '../../values/ids.ts';
import { parseInput } from '../../values/validate.ts';
import { createPayoutBatch as create } from './commands.gen.ts';
import { batchCreateInput, wireRows, type BatchCreateInput } from './input.ts';

export interface PayoutBatchCreated {
  readonly batch: PayoutBatch;
  /** The key was used before with the same content; `batch` is the original. */
  readonly replayed: boolean;
}

/**
 * Makes the draft of a batch of payouts, with up to PAYOUT_BULK_ROWS rows at once; more can be added. The same
 * `idempotencyKey` of the tenant with the same content gives the same batch, for good. Throws forbidden,
 * validation_failed, IDEMPOTENCY_KEY_REUSED, RATE_LIMITED and too_many_requests.
 */
export async function createPayoutBatch(
  call: Call,
  given: BatchCreateInput,
): Promise<PayoutBatchCreated> {
  const { scope, services } = call;
  requirePermission(scope, 'payouts:write');
  requireFewRows(call, given.rows?.length ?? 0);
  return inBulk(call, given.rows?.length ?? 0, async () => {
    const input = parseInput(batchCreateInput, given);
    const requestHash = contentHash(input);
    const [made] = await create(services.pool, scope.tenantId, {
      batch: newId('payoutBatch'),
      name: input.name,
      key: input.idempotencyKey,
      requestHash,
      actor: scope.actor,
      rows: wireRows(1, input.rows),
    });
    if (made === undefined) throw new Error('the command gives the batch of the key');
    const { batch, created } = made;
    if (!created && !requestHash.equals(batch.requestHash)) {
      throw new DomainError('IDEMPOTENCY_KEY_REUSED');
    }
    return { batch, replayed: !created };
  });
}

/** Throws `validation_failed` for more rows than one request may give. */
export function requireFewRows({ services }: Call, count: number): void {
  const most = services.config.PAYOUT_BULK_ROWS;
  if (count <= most) return;
  const message = `must have at most ${most} rows; add the others with further requests`;
  throw invalid([{ field: 'rows', code: 'too_long', message }]);
}

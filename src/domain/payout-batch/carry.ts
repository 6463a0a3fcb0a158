import type { Actor } from '../../access/scope.ts';
import { onOrderOf } from '../../access/system.ts';
import { named } from '../../db/named.ts';
import { firstRow } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { wakeAfter } from '../../queue/outbox.ts';
import { statesBefore, unfinishedStates } from '../payout/machine.ts';
import { cancelPayoutsOf } from './cancel-payouts.ts';
import { followPayoutBatch } from './commands.gen.ts';
import { makePayouts } from './make.ts';
import { findPayoutBatch } from './store.ts';

const nextWork = named(
  'set_payout_batch_work',
  ['tenant', 'batch', 'done', 'next'],
  `
    UPDATE payout_batch b SET
      updated_at = command.clock(),
      work = @next,
      look_at = CASE WHEN @next::text IS NULL THEN NULL ELSE c.at END,
      made_at = CASE WHEN @done::text = 'make' THEN c.at ELSE b.made_at END
    FROM (SELECT now() AS at) c
    WHERE b.tenant_id = @tenant AND b.id = @batch AND b.work = @done
    RETURNING b.id`,
);

/** Writes down that work is done, and what is next; the batch may have been canceled meanwhile, which has work of its own. */
async function finish(
  { scope, services }: Call,
  batch: string,
  done: 'make' | 'cancel',
  next: 'follow' | null,
): Promise<void> {
  const values = nextWork.of({ tenant: scope.tenantId, batch, done, next });
  await firstRow(services.pool, nextWork, values);
}

/**
 * Does what a batch of payouts has to be done, as a job: makes its payouts, looks how far they are, or cancels those that
 * have not left. Safe to run twice at once and to be killed anywhere: a row has one payout, by an index of the database.
 */
export async function carryPayoutBatch(call: Call, batchId: string): Promise<void> {
  const batch = await findPayoutBatch(call, batchId);
  if (batch === null) return;
  if (batch.work === 'make') {
    if (!(await makePayouts(call, batchId))) return;
    await finish(call, batchId, 'make', 'follow');
  }
  if (batch.work === 'cancel') {
    // A JSON column; the command that canceled the batch wrote it.
    const scope = onOrderOf(call.scope, batch.canceledBy as unknown as Actor);
    await cancelPayoutsOf({ ...call, scope }, batchId);
    await finish(call, batchId, 'cancel', null);
    return;
  }
  const [followed] = await followPayoutBatch(call.services.pool, call.scope.tenantId, {
    batch: batchId,
    waiting: [...statesBefore('approve'), ...statesBefore('release')],
    unfinished: unfinishedStates,
  });
  if (followed?.addsJob === true) wakeAfter(call.services.pool);
}

import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import { crashPoint } from '../../process/crash-point.ts';
import type { Call } from '../../process/services.ts';
import { statesBefore, statesBeforeSubmission } from '../payout/machine.ts';
import { movePayoutTo } from '../payout/transition.ts';

const cancelable = named(
  'cancelable_payouts_of_batch',
  ['tenant', 'batch', 'states', 'statesBefore', 'after', 'take'],
  `
    SELECT p.id, p.batch_row AS row FROM payout p
    WHERE p.tenant_id = @tenant AND p.batch_id = @batch AND p.batch_row > @after
      AND (p.state = ANY (@states::text[]) OR (p.state = ANY (@statesBefore::text[]) AND p.live_attempt_id IS NULL))
    ORDER BY p.batch_row LIMIT @take`,
);

const payoutsAtATime = 500;

/** Cancels the payouts of a batch that are not handed over yet. Those that leave meanwhile end as their provider says. */
export async function cancelPayoutsOf(call: Call, batch: string): Promise<void> {
  const { scope, services } = call;
  for (let after = 0; ;) {
    const values = cancelable.of({
      tenant: scope.tenantId,
      batch,
      states: statesBefore('cancel'),
      statesBefore: statesBeforeSubmission('cancel'),
      after,
      take: payoutsAtATime,
    });
    const found = await rows<{ id: string; row: number }>(services.pool, cancelable, values);
    for (const { id, row } of found) {
      await movePayoutTo(services.pool, scope, id, { trigger: 'cancel', reason: 'batch canceled' });
      crashPoint('payout_batch_canceling');
      after = row;
    }
    if (found.length < payoutsAtATime) return;
  }
}

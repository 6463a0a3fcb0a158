import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../../../../src/db/pool.ts';
import { movePayoutTo } from '../../../../src/domain/payout/transition.ts';
import { deleteSubscription } from '../../../../src/domain/webhook/subscription/delete.ts';
import { redeliverWebhook } from '../../../../src/domain/webhook/delivery/redeliver.ts';
import { updateSubscription } from '../../../../src/domain/webhook/subscription/update.ts';
import type { Call } from '../../../../src/process/services.ts';
import { startDeliveryBench, type DeliveryBench } from './deliver-support.ts';

let bench: DeliveryBench;
let call: Call;

beforeAll(async () => {
  bench = await startDeliveryBench();
});
afterAll(() => bench.close());

beforeEach(async () => {
  bench.received.length = 0;
  call = await bench.makeCall();
  await bench.subscribe(call);
});

/**
 * A delivery that was planned for a subscription while that was being deleted: the deletion did not
 * see it, since its transaction had not ended.
 */
async function orphan(): Promise<string> {
  const { payoutId } = await bench.disburse(call);
  await inTransaction(bench.services.pool, async (client) => {
    await movePayoutTo(client, call.scope, payoutId, { trigger: 'settle' });
    await deleteSubscription(call);
  });
  const { rows } = await bench.database.pool.query<{ id: string }>(
    `SELECT d.id FROM webhook_delivery d JOIN event e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
     WHERE e.payout_id = $1 AND d.status = 'pending'`,
    [payoutId],
  );
  expect(rows).toHaveLength(1);
  return rows[0]?.id ?? '';
}

test.each([
  ['gone', () => Promise.resolve()],
  ['followed by another', () => bench.subscribe(call)],
  [
    'followed by another that is disabled',
    async () => {
      await bench.subscribe(call);
      await updateSubscription(call, { enabled: false });
    },
  ],
])('a delivery whose subscription is %s is canceled and sent to nobody', async (_case, follow) => {
  const id = await orphan();
  await follow();
  await bench.run(call, id);
  expect(bench.received).toEqual([]);
  expect(await bench.delivery(id)).toMatchObject({
    status: 'canceled',
    attempts: 0,
    next_attempt_at: null,
  });
});

test('enabling the next subscription makes no delivery of the former due', async () => {
  const id = await orphan();
  await bench.subscribe(call);
  await updateSubscription(call, { enabled: false });
  await bench.database.pool.query(
    `UPDATE webhook_delivery SET next_attempt_at = now() + interval '1 hour' WHERE id = $1`,
    [id],
  );
  await updateSubscription(call, { enabled: true });
  expect((await bench.delivery(id)).wait).toBeGreaterThan(60);
});

test('whoever asks for it sends it to the subscription of today', async () => {
  const id = await orphan();
  await bench.subscribe(call);
  await bench.run(call, id);
  await redeliverWebhook(call, id);
  await bench.run(call, id);
  expect(bench.received).toHaveLength(1);
  expect(await bench.delivery(id)).toMatchObject({ status: 'delivered', attempts: 1 });
});

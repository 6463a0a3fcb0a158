import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliverWebhook } from '../../../../src/domain/webhook/delivery/deliver.ts';
import {
  findDueDelivery,
  leaseDelivery,
} from '../../../../src/domain/webhook/delivery/delivery-store.ts';
import { createWebhookSender } from '../../../../src/domain/webhook/delivery/sender.ts';
import { sweepDeliveries } from '../../../../src/domain/webhook/schedule/sweep.ts';
import { eventually } from '../../../support/factory.ts';
import { patient, startDeliveryBench, type DeliveryBench } from './deliver-support.ts';

let bench: DeliveryBench;

beforeAll(async () => {
  bench = await startDeliveryBench();
});

afterAll(() => bench.close());

test('while an endpoint is silent, another tenant’s delivery arrives and its own backlog waits', async () => {
  const { config, log } = bench.services;
  const sender = createWebhookSender({ ...config, WORKER_CONCURRENCY: 4 }, log, patient);
  const silent = await bench.makeCall();
  const other = await bench.makeCall();
  await bench.subscribe(silent, `${bench.url}/silent`);
  await bench.subscribe(other);
  const [first, second, third] = [
    await bench.plan(silent),
    await bench.plan(silent),
    await bench.plan(other),
  ];
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  bench.answer = async (response, { headers }) => {
    if (headers['x-event-id'] === bench.received[0]?.headers['x-event-id']) {
      arrived.resolve();
      await released.promise;
    }
    response.end();
  };
  const hanging = deliverWebhook(silent, first, { sender });
  await arrived.promise;
  await deliverWebhook(silent, second, { sender });
  await deliverWebhook(other, third, { sender });
  expect((await bench.delivery(third)).status).toBe('delivered');
  // Not an attempt: it waits, and its job with it.
  const waiting = await bench.delivery(second);
  expect(waiting).toMatchObject({ status: 'pending', attempts: 0 });
  expect((await bench.job(second))?.run_at).toEqual(waiting.next_attempt_at);
  released.resolve();
  await hanging;
  await deliverWebhook(silent, second, { sender });
  expect((await bench.delivery(second)).status).toBe('delivered');
  await sender.close();
});

test('a delivery far back in the queue waits as a row alone, until it is called back', async () => {
  const call = await bench.makeCall();
  await bench.subscribe(call);
  const [first, tried, failed] = [
    await bench.plan(call),
    await bench.plan(call),
    await bench.plan(call),
  ];
  const { config, log } = bench.services;
  const sender = createWebhookSender(config, log, patient);
  const refusing = {
    ...sender,
    lanes: { enter: () => ({ granted: false as const, waitMs: 20 * 24 * 3_600_000 }) },
  };
  bench.answer = (response) => void response.writeHead(500).end();
  await bench.run(call, failed, sender);
  const retry = await bench.delivery(failed);
  await bench.run(call, tried, sender);
  for (const id of [first, tried]) await bench.run(call, id, refusing);
  for (const id of [first, tried]) {
    const far = await bench.delivery(id);
    expect(far.status).toBe('pending');
    expect(far.wait).toBeGreaterThan(19 * 24 * 3_600);
  }
  await bench.database.pool.query(
    'SELECT graphile_worker.remove_job(key) FROM graphile_worker.jobs',
  );
  // Not due: a job that comes too early neither sends it nor puts it off again.
  await deliverWebhook(call, first, { sender: refusing });
  expect(await bench.job(first)).toBeNull();

  bench.answer = (response) => void response.end();
  const quick = await bench.plan(call);
  await bench.run(call, quick, createWebhookSender(config, log, patient));
  expect((await bench.delivery(quick)).status).toBe('delivered');
  for (const id of [first, tried]) expect((await bench.delivery(id)).wait).toBeLessThan(60);
  // A failed delivery waits for its own retry.
  expect((await bench.delivery(failed)).next_attempt_at).toEqual(retry.next_attempt_at);
  await expect(sweepDeliveries(bench.services)).resolves.toBe(3);
  for (const id of [first, tried]) {
    // Their times are milliseconds apart; one that is overdue when it is swept counts from then.
    const runAt = (await bench.job(id))?.run_at.getTime() ?? 0;
    const turn = (await bench.delivery(id)).next_attempt_at?.getTime() ?? Number.NaN;
    expect(runAt).toBeGreaterThanOrEqual(turn);
  }
  await sender.close();
});

test('an attempt that takes long gives its slot back, and is recorded when it ends', async () => {
  const { config, log } = bench.services;
  const sender = createWebhookSender(config, log, { slotMs: 50 });
  const call = await bench.makeCall();
  await bench.subscribe(call);
  const deliveryId = await bench.plan(call);
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  bench.answer = async (response) => {
    arrived.resolve();
    await released.promise;
    response.end('late');
  };
  await bench.run(call, deliveryId, sender);
  // On a busy machine the job ends before its request has arrived.
  await arrived.promise;
  // Under way: its row keeps others from sending it, and says when it comes again after a crash.
  const leased = await bench.delivery(deliveryId);
  expect(leased).toMatchObject({ status: 'pending', attempts: 0 });
  expect(leased.wait).toBeGreaterThan(20);
  const before = bench.received.length;
  await deliverWebhook(call, deliveryId, { sender });
  expect(bench.received).toHaveLength(before);
  // The endpoint has one attempt at a time from now on, though this one has not ended.
  expect(sender.lanes.enter(call.scope.tenantId).granted).toBe(false);

  released.resolve();
  await eventually(async () => (await bench.delivery(deliveryId)).status === 'delivered');
  expect(await bench.attempts(deliveryId)).toMatchObject([{ number: 1, answer: 'late' }]);
  await sender.close();
});

test('closing waits for the attempts that have no job any more', async () => {
  const { config, log } = bench.services;
  const sender = createWebhookSender(config, log, { slotMs: 50 });
  const call = await bench.makeCall();
  await bench.subscribe(call);
  const deliveryId = await bench.plan(call);
  const released = Promise.withResolvers<void>();
  bench.answer = async (response) => {
    await released.promise;
    response.writeHead(500).end();
  };
  await bench.run(call, deliveryId, sender);
  const closed = sender.close();
  expect(await bench.delivery(deliveryId)).toMatchObject({ attempts: 0 });
  released.resolve();
  await closed;
  expect(await bench.delivery(deliveryId)).toMatchObject({ status: 'pending', attempts: 1 });
  expect((await bench.job(deliveryId))?.run_at).toEqual(
    (await bench.delivery(deliveryId)).next_attempt_at,
  );
});

test('a lease changes nothing of a delivery whose attempt has ended meanwhile', async () => {
  const call = await bench.makeCall();
  await bench.subscribe(call);
  const deliveryId = await bench.plan(call);
  const due = await findDueDelivery(bench.services.pool, call.scope, deliveryId);
  if (due === null) throw new Error('not due');
  bench.answer = (response) => void response.writeHead(500).end();
  await bench.run(call, deliveryId);
  await bench.database.pool.query(
    'UPDATE webhook_delivery SET next_attempt_at = now() WHERE id = $1',
    [deliveryId],
  );
  const ready = { deliveryId, delivery: due };
  await leaseDelivery(bench.services.pool, call.scope, ready, 15_000);
  expect((await bench.delivery(deliveryId)).wait).toBeLessThanOrEqual(0);
});

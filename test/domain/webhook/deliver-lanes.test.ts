import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliverWebhook } from '../../../src/domain/webhook/deliver.ts';
import { createLanes, type Entry, type Recall } from '../../../src/domain/webhook/lanes.ts';
import { createWebhookSender } from '../../../src/domain/webhook/sender.ts';
import { sweepDeliveries } from '../../../src/domain/webhook/sweep.ts';
import { startDeliveryBench, type DeliveryBench } from './deliver-support.ts';

const start = 1_800_000_000_000;

function lanesAt(slots: number) {
  let now = start;
  const lanes = createLanes(slots, () => now);
  return { enter: lanes.enter, pass: (ms: number) => void (now += ms) };
}

function granted(entry: Entry): (tookMs: number | null, delivered?: boolean) => Recall | null {
  if (!entry.granted) throw new Error('refused');
  return (tookMs, delivered = true) => entry.leave(tookMs === null ? null : { tookMs, delivered });
}

function waitOf(entry: Entry): number {
  if (entry.granted) throw new Error('granted');
  return entry.waitMs;
}

/** Makes a tenant known as slow. */
function slowDown(lanes: ReturnType<typeof lanesAt>, tenantId: string): void {
  granted(lanes.enter(tenantId))(15_000);
}

test('no tenant takes more than half of the slots', () => {
  const lanes = lanesAt(10);
  const taken = Array.from({ length: 5 }, () => granted(lanes.enter('a')));
  expect(lanes.enter('a').granted).toBe(false);
  expect(lanes.enter('b').granted).toBe(true);
  taken[0]?.(10);
  expect(lanes.enter('a').granted).toBe(true);
});

test('a slow tenant has one slot, and slow tenants together a third', () => {
  const lanes = lanesAt(10);
  for (const tenant of ['a', 'b', 'c', 'd']) slowDown(lanes, tenant);
  const leave = granted(lanes.enter('a'));
  expect(lanes.enter('a').granted).toBe(false);
  expect(lanes.enter('b').granted).toBe(true);
  expect(lanes.enter('c').granted).toBe(true);
  expect(lanes.enter('d').granted).toBe(false);
  expect(lanes.enter('fast').granted).toBe(true);
  leave(15_000);
  expect(lanes.enter('d').granted).toBe(true);
});

test('an endpoint that answers quickly again leaves the slow lane', () => {
  const lanes = lanesAt(10);
  slowDown(lanes, 'a');
  for (let attempt = 0; attempt < 4; attempt += 1) granted(lanes.enter('a'))(20);
  granted(lanes.enter('a'));
  expect(lanes.enter('a').granted).toBe(true);
});

test('what was not sent says nothing about the endpoint', () => {
  const lanes = lanesAt(10);
  slowDown(lanes, 'a');
  for (let attempt = 0; attempt < 10; attempt += 1) granted(lanes.enter('a'))(null);
  granted(lanes.enter('a'));
  expect(lanes.enter('a').granted).toBe(false);
});

test('who is refused comes again one after the other, however many there are', () => {
  const lanes = lanesAt(10);
  slowDown(lanes, 'a'); // 100 ms were assumed, 15 s are seen: 7,550 ms on average
  granted(lanes.enter('a'));
  const waits = Array.from({ length: 100_000 }, () => waitOf(lanes.enter('a')));
  expect(waits.slice(0, 3)).toEqual([200, 7_750, 15_300]);
  expect(waits.at(-1)).toBe(200 + 99_999 * 7_550);
  lanes.pass(60_000);
  expect(waitOf(lanes.enter('a'))).toBe(200 + 100_000 * 7_550 - 60_000);
  expect(lanes.enter('b').granted).toBe(true);
});

test('an endpoint that became fast has its old queue called back, at its new pace', () => {
  const lanes = lanesAt(10);
  slowDown(lanes, 'a');
  const leave = granted(lanes.enter('a'));
  for (let n = 0; n < 1_000; n += 1) lanes.enter('a');
  expect(leave(2_450)).toBeNull(); // 5,000 ms on average
  expect(granted(lanes.enter('a'))(1_000)).toBeNull();
  expect(granted(lanes.enter('a'))(1_000)).toBeNull();
  expect(granted(lanes.enter('a'))(0)).toEqual({ most: 300, paceMs: 200 }); // 1,000 ms, five slots
  expect(granted(lanes.enter('a'))(0)).toBeNull();
  lanes.pass(60_000);
  expect(granted(lanes.enter('a'))(0, false)).toBeNull();
  expect(granted(lanes.enter('a'))(0)).toEqual({ most: 2_400, paceMs: 25 });
});

test('nothing is called back into a queue that is longer than a minute', () => {
  const lanes = lanesAt(2);
  const leave = granted(lanes.enter('a'));
  for (let n = 0; n < 700; n += 1) lanes.enter('a'); // 100 ms each
  expect(leave(100)).toBeNull();
});

test('one worker with one slot still sends', () => {
  const lanes = lanesAt(1);
  slowDown(lanes, 'a');
  expect(lanes.enter('a').granted).toBe(true);
});

let bench: DeliveryBench;

beforeAll(async () => {
  bench = await startDeliveryBench();
});

afterAll(() => bench.close());

test('while an endpoint is silent, another tenant’s delivery arrives and its own backlog waits', async () => {
  const { config, log } = bench.services;
  const sender = createWebhookSender({ ...config, WORKER_CONCURRENCY: 2 }, log);
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
  const hanging = deliverWebhook(silent, first, sender);
  await arrived.promise;
  await deliverWebhook(silent, second, sender);
  await deliverWebhook(other, third, sender);
  expect((await bench.delivery(third)).status).toBe('delivered');
  // Not an attempt: it waits, and its job with it.
  const waiting = await bench.delivery(second);
  expect(waiting).toMatchObject({ status: 'pending', attempts: 0 });
  expect((await bench.job(second))?.run_at).toEqual(waiting.next_attempt_at);
  released.resolve();
  await hanging;
  await deliverWebhook(silent, second, sender);
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
  const sender = createWebhookSender(config, log);
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
  await deliverWebhook(call, first, refusing);
  expect(await bench.job(first)).toBeNull();

  bench.answer = (response) => void response.end();
  const quick = await bench.plan(call);
  await bench.run(call, quick, createWebhookSender(config, log));
  expect((await bench.delivery(quick)).status).toBe('delivered');
  for (const id of [first, tried]) expect((await bench.delivery(id)).wait).toBeLessThan(60);
  // A failed delivery waits for its own retry.
  expect((await bench.delivery(failed)).next_attempt_at).toEqual(retry.next_attempt_at);
  await expect(sweepDeliveries(bench.services)).resolves.toBe(3);
  for (const id of [first, tried]) {
    expect((await bench.job(id))?.run_at).toEqual((await bench.delivery(id)).next_attempt_at);
  }
  await sender.close();
});

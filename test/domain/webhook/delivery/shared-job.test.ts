import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { handlers } from '../../../../jobs/handlers.ts';
import { inTransaction, rows } from '../../../../src/db/pool.ts';
import { enqueueDelivery, eventFields } from '../../../../src/domain/event/record.ts';
import { deliverTogether } from '../../../../src/domain/webhook/delivery/deliver-together.ts';
import {
  createWebhookSender,
  type WebhookSender,
} from '../../../../src/domain/webhook/delivery/sender.ts';
import { sweepDeliveries } from '../../../../src/domain/webhook/schedule/sweep.ts';
import { registerSubscription } from '../../../../src/domain/webhook/subscription/register.ts';
import type { Call } from '../../../../src/process/services.ts';
import { conditionMs } from '../../../support/patience.ts';
import { openLanes, patient, startDeliveryBench, type DeliveryBench } from './deliver-support.ts';

let bench: DeliveryBench;
let call: Call;
let sender: WebhookSender;

beforeAll(async () => {
  bench = await startDeliveryBench();
  const { config, log } = bench.services;
  sender = { ...createWebhookSender(config, log, patient), lanes: openLanes };
});
afterAll(async () => {
  await sender.close();
  await bench.close();
});
beforeEach(async () => {
  await bench.database.reset();
  bench.received.length = 0;
  bench.answer = (response) => void response.end('ok');
  call = await bench.makeCall();
  await registerSubscription(call, { url: bench.url, enabledEvents: ['payout.settled'] });
});

const record = {
  name: 'record_events_of_test',
  text: `SELECT command.record_events(_tenant => $1, _events => $2::jsonb[]) FROM set_config('app.tenant', $1, true)`,
};

/** Records an event of each of so many payouts by one call of the command; the ids of their deliveries. */
async function settleTogether(
  count: number,
  traceOf: (n: number) => object | undefined = () => undefined,
): Promise<string[]> {
  const { tenantId } = call.scope;
  const events: object[] = [];
  for (let n = 0; n < count; n += 1) {
    const { payoutId } = await bench.disburse(call);
    const trace = traceOf(n);
    events.push({
      ...eventFields({ type: 'payout.settled', tail: {} }),
      ...(trace === undefined ? {} : { _trace: trace }),
      payout_id: payoutId,
      data: { payout_id: payoutId },
    });
  }
  await inTransaction(bench.services.pool, (client) =>
    rows(client, record, [tenantId, events.map((event) => JSON.stringify(event))]),
  );
  const planned = await sql<{ id: string }>('SELECT id FROM webhook_delivery ORDER BY id');
  return planned.map(({ id }) => id);
}

const sql = async <R extends object>(text: string, values: unknown[] = []): Promise<R[]> =>
  (await bench.database.pool.query<R>(text, values)).rows;

interface Job {
  readonly key: string;
  readonly ids: readonly string[];
}

/** The jobs of deliveries, each with the deliveries that it sends. */
async function jobs(): Promise<Job[]> {
  const found = await sql<{ key: string; payload: { deliveryId: string; others?: string[] } }>(
    `SELECT j.key, p.payload FROM graphile_worker.jobs j JOIN graphile_worker._private_jobs p USING (id)
     WHERE j.task_identifier = 'deliver_webhook' ORDER BY p.payload ->> 'deliveryId'`,
  );
  return found.map(({ key, payload: { deliveryId, others = [] } }) => ({
    key,
    ids: [deliveryId, ...others],
  }));
}

const statuses = async (): Promise<string[]> =>
  (await sql<{ status: string }>('SELECT status FROM webhook_delivery ORDER BY id')).map(
    ({ status }) => status,
  );

it('is that of the deliveries of one transaction, eight at most; one alone has its own', async () => {
  const ids = await settleTogether(17);
  const [first = '', ninth = '', last = ''] = [ids[0], ids[8], ids[16]];
  expect(await jobs()).toEqual([
    { key: `with ${first}`, ids: ids.slice(0, 8) },
    { key: `with ${ninth}`, ids: ids.slice(8, 16) },
    { key: last, ids: [last] },
  ]);
});

it('is not shared by deliveries of different traces', async () => {
  const traces = [{ traceparent: 'a' }, { traceparent: 'b' }];
  const ids = await settleTogether(4, (n) => traces[n % 2]);
  const [first = '', second = '', third = '', fourth = ''] = ids;
  expect(await jobs()).toEqual([
    { key: `with ${first}`, ids: [first, third] },
    { key: `with ${second}`, ids: [second, fourth] },
  ]);
});

it('sends each of them once, one after the other, and a repetition sends none', async () => {
  const ids = await settleTogether(3);
  let underWay = 0;
  let most = 0;
  bench.answer = async (response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setTimeout(resolve, 20));
    underWay -= 1;
    response.end('ok');
  };
  await deliverTogether(call, ids, sender, conditionMs);
  expect(bench.received).toHaveLength(3);
  expect(most).toBe(1);
  expect(await statuses()).toEqual(ids.map(() => 'delivered'));
  await deliverTogether(call, ids, sender, conditionMs);
  expect(bench.received).toHaveLength(3);
});

it('goes on after a delivery that is refused, which is tried again by itself', async () => {
  const ids = await settleTogether(3);
  bench.answer = (response) => {
    response.statusCode = bench.received.length === 1 ? 500 : 200;
    response.end();
  };
  await deliverTogether(call, ids, sender, conditionMs);
  expect(await statuses()).toEqual(['pending', 'delivered', 'delivered']);
  const own = (await jobs()).filter(({ key }) => key === ids[0]);
  expect(own).toEqual([{ key: ids[0], ids: [ids[0]] }]);
});

it('leaves those that it has no time for to jobs of their own', async () => {
  const ids = await settleTogether(3);
  let slow = true;
  bench.answer = async (response) => {
    if (slow) await new Promise((resolve) => setTimeout(resolve, 60));
    slow = false;
    response.end('ok');
  };
  await deliverTogether(call, ids, sender, 30);
  expect(bench.received).toHaveLength(1);
  const [, second = '', third = ''] = ids;
  expect((await jobs()).slice(1)).toEqual([
    { key: second, ids: [second] },
    { key: third, ids: [third] },
  ]);
});

it('leaves the job alone that one of them has, when it runs again', async () => {
  const ids = await settleTogether(3);
  const [first = '', second = '', third = ''] = ids;
  bench.answer = (response) => {
    response.statusCode = bench.received.length === 2 ? 500 : 200;
    response.end();
  };
  await deliverTogether(call, [first, second], sender, conditionMs);
  const retry = await bench.job(second);
  expect(retry?.run_at.getTime()).toBeGreaterThan(Date.now());
  await deliverTogether(call, ids, sender, -1);
  expect(await bench.job(second)).toEqual(retry);
  expect((await bench.job(third))?.run_at.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
});

it('leaves one that cannot be sent, and those after it, to jobs of their own, and says so', async () => {
  const ids = await settleTogether(3);
  const [, second = '', third = ''] = ids;
  const warned = vi.spyOn(bench.services.log, 'warn');
  const failing: WebhookSender = {
    ...sender,
    post: (url, headers, body) =>
      bench.received.length === 1
        ? Promise.reject(new Error('no post'))
        : sender.post(url, headers, body),
  };
  await deliverTogether(call, ids, failing, conditionMs);
  expect(await statuses()).toEqual(['delivered', 'pending', 'pending']);
  expect((await jobs()).slice(1)).toEqual([
    { key: second, ids: [second] },
    { key: third, ids: [third] },
  ]);
  expect(warned.mock.calls).toEqual([
    [
      { tenant_id: call.scope.tenantId, delivery_id: second, message: 'no post' },
      'a delivery failed and is tried again by itself',
    ],
  ]);
  warned.mockRestore();
});

it('fails where the database is away, and sends what is left when it runs again', async () => {
  const ids = await settleTogether(2);
  const payload = { tenantId: call.scope.tenantId, deliveryId: ids[0] ?? '', others: ids.slice(1) };
  const { pool } = bench.services;
  const [query, connect] = [vi.spyOn(pool, 'query'), vi.spyOn(pool, 'connect')];
  const away = () => Promise.reject(new Error('away'));
  query.mockImplementation(away);
  connect.mockImplementation(away);
  await expect(deliverTogether(call, ids, sender, conditionMs)).rejects.toThrow('away');
  query.mockRestore();
  connect.mockRestore();
  await handlers.deliver_webhook(payload, bench.services);
  expect(await statuses()).toEqual(['delivered', 'delivered']);
});

it('stays where one of them gets a job of its own', async () => {
  const [first = '', second = ''] = await settleTogether(2);
  await inTransaction(bench.services.pool, (client) =>
    enqueueDelivery(client, call.scope.tenantId, first),
  );
  expect(await jobs()).toEqual(
    expect.arrayContaining([
      { key: `with ${first}`, ids: [first, second] },
      { key: first, ids: [first] },
    ]),
  );
});

it('counts for the sweeper as a job of each of them, until it is gone', async () => {
  await settleTogether(3);
  expect(await sweepDeliveries(bench.services)).toBe(0);
  await sql('SELECT graphile_worker.complete_jobs(array_agg(id)) FROM graphile_worker.jobs');
  expect(await sweepDeliveries(bench.services)).toBe(3);
  expect(await sweepDeliveries(bench.services)).toBe(0);
});

it('counts no longer for a delivery that was given a time of its own', async () => {
  const [, second = ''] = await settleTogether(2);
  await sql(`UPDATE webhook_delivery SET next_attempt_at = now() WHERE id = $1`, [second]);
  expect(await sweepDeliveries(bench.services)).toBe(1);
  expect((await jobs()).map(({ key }) => key)).toContain(second);
});

it('is found by operators by each of its deliveries', async () => {
  const ids = await settleTogether(2);
  for (const id of ids) {
    const found = await sql('SELECT subject_id FROM ops.jobs_now(of_subject => $1)', [id]);
    expect(found).toEqual([{ subject_id: ids[0] }]);
  }
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../../../src/db/pool.ts';
import {
  recordAttemptMade,
  type AttemptMade,
} from '../../../../src/domain/webhook/delivery/delivery-store.ts';
import { eventually } from '../../../support/factory.ts';
import { sessionsWaiting } from '../../../support/waits.ts';
import { startDeliveryBench, type DeliveryBench } from './deliver-support.ts';

let bench: DeliveryBench;

beforeAll(async () => {
  bench = await startDeliveryBench();
});
afterAll(() => bench.close());

const made: AttemptMade = {
  delivered: true,
  waitsMs: [],
  startedAt: new Date(),
  latencyMs: 5,
  statusCode: 200,
  answer: 'ok',
  error: null,
};

it('records the other deliveries of the tenant while somebody keeps one locked', async () => {
  const call = await bench.makeCall();
  await bench.subscribe(call);
  const planned: string[] = [];
  for (let n = 0; n < 3; n += 1) planned.push(await bench.plan(call));
  const [locked = '', together = '', later = ''] = planned;
  const record = (id: string) => recordAttemptMade(bench.services.pool, call.scope, id, made);
  let recording: Promise<unknown> | undefined;
  await inTransaction(bench.database.pool, async (client) => {
    await client.query('SELECT FROM webhook_delivery WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [
      call.scope.tenantId,
      locked,
    ]);
    recording = record(locked);
    expect(await record(together)).toMatchObject({ status: 'delivered', attempts: 1 });
    await eventually(async () => (await sessionsWaiting(bench.database.pool)) === 1);
    expect(await record(later)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(await bench.delivery(locked)).toMatchObject({ status: 'pending', attempts: 0 });
  });
  expect(await recording).toMatchObject({ status: 'delivered', attempts: 1 });
});

it('records the others where one of them cannot be recorded', async () => {
  const call = await bench.makeCall();
  await bench.subscribe(call);
  const [first, second] = [await bench.plan(call), await bench.plan(call)];
  const results = await Promise.allSettled(
    [
      { id: first, answer: 'ok' },
      { id: second, answer: 'a \0 that no text of PostgreSQL has' },
      { id: first, answer: 'ok' },
    ].map(({ id, answer }) =>
      recordAttemptMade(bench.services.pool, call.scope, id, { ...made, answer }),
    ),
  );
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await bench.delivery(second)).toMatchObject({ status: 'pending', attempts: 0 });
  expect((await bench.attempts(first)).map(({ number }) => number)).toEqual([1, 2]);
});

it('numbers two attempts of one delivery that are recorded together, and ends the failing of its endpoint', async () => {
  const { pool } = bench.database;
  const call = await bench.makeCall();
  await bench.subscribe(call);
  const [twice, once] = [await bench.plan(call), await bench.plan(call)];
  await recordAttemptMade(bench.services.pool, call.scope, once, {
    ...made,
    delivered: false,
    waitsMs: [60_000],
    statusCode: 500,
  });
  await Promise.all(
    [twice, once, twice].map((id) => recordAttemptMade(bench.services.pool, call.scope, id, made)),
  );
  expect((await bench.attempts(twice)).map(({ number }) => number)).toEqual([1, 2]);
  expect((await bench.attempts(once)).map(({ number }) => number)).toEqual([1, 2]);
  const ended = await bench.delivery(twice);
  expect(ended).toMatchObject({ status: 'delivered', attempts: 2 });
  expect(await bench.delivery(once)).toMatchObject({ status: 'delivered', attempts: 2 });
  const { rowCount } = await pool.query(
    'SELECT FROM webhook_endpoint_failure WHERE tenant_id = $1',
    [call.scope.tenantId],
  );
  expect(rowCount).toBe(0);
  await recordAttemptMade(bench.services.pool, call.scope, twice, made);
  const again = await bench.delivery(twice);
  expect(again).toMatchObject({ attempts: 3 });
  expect(again['completed_at']).toEqual(ended['completed_at']);
});

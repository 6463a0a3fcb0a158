import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteSubscription } from '../../../../src/domain/webhook/subscription/delete.ts';
import { makeOperator, type Operator } from '../../../ops/support.ts';
import { startDeliveryBench, type DeliveryBench } from './deliver-support.ts';

let bench: DeliveryBench;
let operator: Operator;

beforeAll(async () => {
  bench = await startDeliveryBench();
  operator = await makeOperator(bench.database, 'ops_read');
});

afterAll(async () => {
  await operator.leave();
  await bench.close();
});

const answer = (status: number) => {
  bench.answer = (response) => void response.writeHead(status).end('no');
};

test('shows an endpoint from its first failed attempt until its next delivered one', async () => {
  const call = await bench.makeCall();
  await bench.subscribe(call);
  const health = () =>
    operator.sql('SELECT * FROM ops.endpoint_health WHERE tenant_id = $1', [call.scope.tenantId]);
  answer(200);
  await bench.run(call, await bench.plan(call));
  expect(await health()).toEqual([]);

  answer(503);
  const [first, second] = [await bench.plan(call), await bench.plan(call)];
  await bench.run(call, first);
  await bench.run(call, second);
  const [line] = await health();
  expect(line).toMatchObject({
    failures: 2,
    last_status_code: 503,
    last_error: null,
    waiting: 2,
    next_attempt_at: expect.any(Date),
    what: expect.stringMatching(
      /^Fails for \d+ (seconds|minutes): 2 attempts in a row, the last one answered 503\. 2 deliveries wait; the next attempt is (in \d+ seconds|due now)\.$/,
    ),
  });

  // Older deliveries still wait for their next attempt, but the endpoint answers.
  answer(200);
  await bench.run(call, await bench.plan(call));
  expect(await health()).toEqual([]);
});

test('says that there was no answer, and forgets the endpoint with its subscription', async () => {
  const call = await bench.makeCall();
  await bench.subscribe(call);
  bench.answer = (response) => void response.destroy();
  await bench.run(call, await bench.plan(call));
  const of = 'WHERE tenant_id = $1';
  const values = [call.scope.tenantId];
  expect(await operator.row(`SELECT * FROM ops.endpoint_health ${of}`, values)).toMatchObject({
    last_status_code: null,
    last_error: expect.stringMatching(/^connection: /),
    what: expect.stringContaining(': 1 attempt, the last one without an answer'),
  });
  await deleteSubscription(call);
  const { rows } = await bench.database.pool.query(
    `SELECT FROM webhook_endpoint_failure ${of}`,
    values,
  );
  expect(rows).toEqual([]);
});

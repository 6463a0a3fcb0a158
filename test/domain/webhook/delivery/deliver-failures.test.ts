import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordAttemptMade } from '../../../../src/domain/webhook/delivery/delivery-store.ts';
import { createWebhookSender } from '../../../../src/domain/webhook/delivery/sender.ts';
import type { Call } from '../../../../src/process/services.ts';
import { startHttpsServer } from '../../../support/https-server.ts';
import { createTestAuthority } from '../../../support/tls.ts';
import { patient, startDeliveryBench, type DeliveryBench } from './deliver-support.ts';

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

/** Runs one attempt that has to fail, and returns what was kept of it. */
async function failedAttempt(deadlineMs?: number) {
  const deliveryId = await bench.plan(call);
  const { config, log } = bench.services;
  const times = { ...patient, ...(deadlineMs === undefined ? {} : { deadlineMs }) };
  const sender = createWebhookSender(config, log, times);
  await bench.run(call, deliveryId, sender);
  await sender.close();
  const delivery = await bench.delivery(deliveryId);
  expect(delivery).toMatchObject({ status: 'pending', attempts: 1 });
  expect(await bench.job(deliveryId)).not.toBeNull();
  const [attempt] = await bench.attempts(deliveryId);
  if (attempt === undefined) throw new Error('no attempt was recorded');
  return { ...attempt, wait: delivery.wait };
}

test.each([300, 301, 302, 307, 308, 400, 401, 404, 410, 429, 500, 503])(
  'an answer with status %i is a failure, and is not followed',
  async (status) => {
    bench.answer = (response) =>
      void response.writeHead(status, { location: bench.url }).end(`status ${status}`);
    expect(await failedAttempt()).toMatchObject({
      number: 1,
      status_code: status,
      answer: `status ${status}`,
      error: null,
    });
    expect(bench.received).toHaveLength(1);
  },
);

test.each([201, 202, 204, 299])('an answer with status %i counts as delivered', async (status) => {
  bench.answer = (response) => void response.writeHead(status).end();
  const deliveryId = await bench.plan(call);
  await bench.run(call, deliveryId);
  expect((await bench.delivery(deliveryId)).status).toBe('delivered');
});

test('silence is a failure when the time is up', async () => {
  bench.answer = () => {};
  expect(await failedAttempt(300)).toMatchObject({
    status_code: null,
    answer: null,
    error: expect.stringMatching(/^timeout: /),
  });
});

test('a success that breaks off in its body is a failure', async () => {
  bench.answer = (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half');
    setImmediate(() => response.destroy());
  };
  expect(await failedAttempt()).toMatchObject({ error: expect.stringMatching(/^connection: /) });
});

test('a certificate of an unknown authority is a failure, and nothing is sent', async () => {
  const stranger = await createTestAuthority('Stranger');
  const server = await startHttpsServer(
    await stranger.issue(['localhost']),
    (_request, response) => {
      response.end();
    },
  );
  try {
    await bench.subscribe(call, `https://localhost:${server.port}/`);
    expect(await failedAttempt()).toMatchObject({ error: expect.stringMatching(/^tls: /) });
  } finally {
    await server.close();
  }
});

test.each(['127.0.0.1', '[::1]', '169.254.169.254', '10.0.0.1', '[::ffff:127.0.0.1]'])(
  'the target is judged again when connecting: %s',
  async (host) => {
    // As a DNS name that was public when it was registered and no longer is.
    await bench.database.pool.query(
      'UPDATE webhook_subscription SET url = $2 WHERE tenant_id = $1',
      [call.scope.tenantId, `https://${host}:${bench.server.port}/`],
    );
    expect(await failedAttempt()).toMatchObject({
      error: expect.stringMatching(/^refused_target: /),
    });
    expect(bench.received).toHaveLength(0);
  },
);

test('the first KiB of the answer is kept, as text that the database can hold', async () => {
  bench.answer = (response) => void response.writeHead(500).end(`a\0${'é'.repeat(4_000)}`);
  const { answer } = await failedAttempt();
  expect(answer).toMatch(/^a\ufffdé+$/);
  expect(Buffer.byteLength(answer ?? '')).toBeLessThanOrEqual(1_026);
});

describe('Retry-After', () => {
  test('is honoured up to twice the delay', async () => {
    bench.answer = (response) => void response.writeHead(503, { 'retry-after': '55' }).end();
    const { wait } = await failedAttempt();
    expect(wait).toBeGreaterThan(40);
    expect(wait).toBeLessThanOrEqual(55);
  });

  test('is ignored beyond it', async () => {
    bench.answer = (response) => void response.writeHead(503, { 'retry-after': '86400' }).end();
    const { wait } = await failedAttempt();
    expect(wait).toBeLessThanOrEqual(36);
  });
});

test('neither the secret nor its bytes are stored readably', async () => {
  const secret = await bench.subscribe(call);
  const { rows } = await bench.database.pool.query(
    'SELECT secret_ciphertext, to_jsonb(s) - $2 AS rest FROM webhook_subscription s WHERE tenant_id = $1',
    [call.scope.tenantId, 'secret_ciphertext'],
  );
  const [row] = rows;
  const [, , random = ''] = secret.split('_');
  expect(row.secret_ciphertext.includes(secret)).toBe(false);
  expect(row.secret_ciphertext.includes(Buffer.from(random, 'hex'))).toBe(false);
  expect(JSON.stringify(row.rest)).not.toContain(random);
});

test('a 2xx ends a delivery whatever was decided meanwhile, and at the time of the end', async () => {
  const call = await bench.makeCall();
  await bench.subscribe(call);
  const deliveryId = await bench.plan(call);
  bench.answer = async (response) => {
    await bench.database.pool.query(
      `UPDATE webhook_delivery SET status = 'dead', next_attempt_at = NULL,
         completed_at = now() - interval '1 hour' WHERE id = $1`,
      [deliveryId],
    );
    response.end();
  };
  await bench.run(call, deliveryId);
  const ended = await bench.delivery(deliveryId);
  expect(ended.status).toBe('delivered');
  // A late failure of what has ended neither begins it again nor ends it later.
  const { pool } = bench.services;
  const failed = { delivered: false, waitsMs: [60_000], startedAt: new Date(), latencyMs: 1 };
  const made = { ...failed, statusCode: 500, answer: null, error: null };
  expect(await recordAttemptMade(pool, call.scope, deliveryId, made)).toMatchObject({
    status: 'delivered',
    attempts: 2,
  });
  expect((await bench.delivery(deliveryId)).completed_at).toEqual(ended.completed_at);
});

test('an event that the subscription does not name is recorded and not sent', async () => {
  const call = await bench.makeCall();
  await bench.subscribe(call);
  await bench.database.pool.query(
    `UPDATE webhook_subscription SET enabled_events = ARRAY['payout.settled'] WHERE tenant_id = $1`,
    [call.scope.tenantId],
  );
  const { payoutId, deliveryId } = await bench.disburse(call);
  expect(deliveryId).toBeNull();
  const { rows } = await bench.database.pool.query('SELECT type FROM event WHERE payout_id = $1', [
    payoutId,
  ]);
  expect(rows).toEqual([{ type: 'payout.disbursed' }]);
});

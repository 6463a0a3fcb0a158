import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { currentApiVersion } from '../../../../src/values/api-version.ts';
import { verify } from '../../../../src/crypto/signature.ts';
import { deliverWebhook } from '../../../../src/domain/webhook/delivery/deliver.ts';
import { deleteSubscription } from '../../../../src/domain/webhook/subscription/delete.ts';
import { redeliverWebhook } from '../../../../src/domain/webhook/delivery/redeliver.ts';
import { registerSubscription } from '../../../../src/domain/webhook/subscription/register.ts';
import { testWebhook } from '../../../../src/domain/webhook/delivery/test-event.ts';
import { updateSubscription } from '../../../../src/domain/webhook/subscription/update.ts';
import { createWebhookSender } from '../../../../src/domain/webhook/delivery/sender.ts';
import { defaultDelays } from '../../../../src/domain/webhook/schedule/schedule.ts';
import {
  openLanes,
  patient,
  startDeliveryBench,
  type DeliveryBench,
  type Received,
} from './deliver-support.ts';

let bench: DeliveryBench;

beforeAll(async () => {
  bench = await startDeliveryBench();
});

afterAll(() => bench.close());

beforeEach(() => {
  bench.received.length = 0;
  bench.answer = (response) => void response.end('ok');
});

const seconds = (): number => Math.floor(Date.now() / 1_000);

function signatureOf(received: Received | undefined, secret: string): string {
  if (received === undefined) throw new Error('nothing was received');
  const header = received.headers['x-service-signature'];
  return verify(secret, typeof header === 'string' ? header : undefined, received.raw, seconds());
}

function fail(status: number, headers: Record<string, string> = {}) {
  bench.answer = (response) => void response.writeHead(status, headers).end('no');
}

test('posts the signed envelope of the event and records the delivery', async () => {
  const call = await bench.makeCall();
  const secret = await bench.subscribe(call);
  const { payoutId, deliveryId } = await bench.disburse(call);
  if (deliveryId === null) throw new Error('no delivery');
  await bench.run(call, deliveryId);

  const [received] = bench.received;
  expect(signatureOf(received, secret)).toBe('valid');
  const { rows } = await bench.database.pool.query(
    `SELECT e.id, e.sequence::float8 AS sequence, e.occurred_at, p.beneficiary_id
     FROM event e JOIN payout p ON p.tenant_id = e.tenant_id AND p.id = e.payout_id WHERE e.payout_id = $1`,
    [payoutId],
  );
  const [event] = rows;
  expect(received?.body).toEqual({
    id: event.id,
    type: 'payout.disbursed',
    api_version: currentApiVersion,
    occurred_at: event.occurred_at.toISOString(),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    sequence: event.sequence,
    data: {
      payout_id: payoutId,
      external_ref: 'ref-1',
      beneficiary_id: event.beneficiary_id,
      amount: '12.50',
      currency: 'EUR',
      rail_ref: 'rail-1',
      status: 'disbursed',
    },
  });
  expect(received?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-event-id': event.id,
    'x-event-type': 'payout.disbursed',
    'x-delivery-attempt': '1',
    'user-agent': expect.stringContaining('webhooks'),
  });
  expect(await bench.delivery(deliveryId)).toMatchObject({
    status: 'delivered',
    attempts: 1,
    next_attempt_at: null,
    completed_at: expect.any(Date),
  });
  expect(await bench.attempts(deliveryId)).toEqual([
    { number: 1, latency_ms: expect.any(Number), status_code: 200, answer: 'ok', error: null },
  ]);
});

test('sends nothing once delivered, before it is due, or for an id that is unknown', async () => {
  const call = await bench.makeCall();
  await bench.subscribe(call);
  const deliveryId = await bench.plan(call);
  await bench.run(call, deliveryId);
  await bench.run(call, deliveryId);
  const later = await bench.plan(call);
  await bench.database.pool.query(
    `UPDATE webhook_delivery SET next_attempt_at = now() + interval '1 minute' WHERE id = $1`,
    [later],
  );
  await deliverWebhook(call, later);
  await deliverWebhook(call, 'wdl_00000000000000000000000000');
  expect(bench.received).toHaveLength(1);
});

test('retries by the schedule with the same event, and the eighth failure is the last', async () => {
  const call = await bench.makeCall();
  await bench.subscribe(call);
  const deliveryId = await bench.plan(call);
  fail(500);
  for (const delay of defaultDelays) {
    await bench.run(call, deliveryId);
    const row = await bench.delivery(deliveryId);
    expect(row.status).toBe('pending');
    // ±20 % of the delay; the slack is for the time since the attempt was recorded.
    expect(row.wait).toBeGreaterThan(delay * 0.8 - 10);
    expect(row.wait).toBeLessThanOrEqual(delay * 1.2);
    expect((await bench.job(deliveryId))?.run_at).toEqual(row.next_attempt_at);
  }
  await bench.run(call, deliveryId);
  expect(await bench.delivery(deliveryId)).toMatchObject({
    status: 'dead',
    attempts: 8,
    next_attempt_at: null,
  });
  await bench.run(call, deliveryId);
  expect(bench.received).toHaveLength(8);
  for (const [index, { body, headers }] of bench.received.entries()) {
    const first = bench.received[0]?.body;
    expect(headers['x-delivery-attempt']).toBe(String(index + 1));
    expect({ ...body, created_at: null }).toEqual({ ...first, created_at: null });
  }
  const created = new Set(bench.received.map(({ body }) => body.created_at));
  expect(created.size).toBe(8);
  expect((await bench.attempts(deliveryId)).map((attempt) => attempt.number)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8,
  ]);
});

test('a rotated secret signs from the next attempt on', async () => {
  const call = await bench.makeCall();
  const before = await bench.subscribe(call);
  const deliveryId = await bench.plan(call);
  fail(503);
  await bench.run(call, deliveryId);
  const after = await bench.subscribe(call);
  bench.answer = (response) => void response.end();
  await bench.run(call, deliveryId);
  const [first, second] = bench.received;
  expect(signatureOf(first, before)).toBe('valid');
  expect(signatureOf(second, before)).toBe('mismatch');
  expect(signatureOf(second, after)).toBe('valid');
  expect((await bench.delivery(deliveryId)).status).toBe('delivered');
});

test('a secret that is rotated while an attempt is under way leaves that attempt as it was', async () => {
  const call = await bench.makeCall();
  const before = await bench.subscribe(call);
  const deliveryId = await bench.plan(call);
  bench.answer = async (response) => {
    await bench.subscribe(call);
    response.end();
  };
  await bench.run(call, deliveryId);
  expect(signatureOf(bench.received[0], before)).toBe('valid');
  expect((await bench.delivery(deliveryId)).status).toBe('delivered');
});

test('while disabled no delivery is planned, and planned ones wait until it is enabled', async () => {
  const call = await bench.makeCall();
  await bench.subscribe(call);
  const deliveryId = await bench.plan(call);
  await updateSubscription(call, { enabled: false });
  expect((await bench.disburse(call)).deliveryId).toBeNull();
  await bench.run(call, deliveryId);
  expect(bench.received).toHaveLength(0);
  expect(await bench.delivery(deliveryId)).toMatchObject({ status: 'pending', attempts: 0 });
  expect((await bench.delivery(deliveryId)).wait).toBeGreaterThan(3_000);

  await updateSubscription(call, { enabled: true });
  expect((await bench.delivery(deliveryId)).wait).toBeLessThanOrEqual(0);
  expect(await bench.job('sweep_webhooks')).not.toBeNull();
  await bench.run(call, deliveryId);
  expect(bench.received).toHaveLength(1);
  expect((await bench.delivery(deliveryId)).status).toBe('delivered');
});

test('deleting the subscription cancels what is on its way', async () => {
  const call = await bench.makeCall();
  await bench.subscribe(call);
  const deliveryId = await bench.plan(call);
  await deleteSubscription(call);
  expect(await bench.delivery(deliveryId)).toMatchObject({
    status: 'canceled',
    next_attempt_at: null,
  });
  await bench.run(call, deliveryId);
  expect(bench.received).toHaveLength(0);
});

test('a delivery that was planned while its subscription was deleted is canceled', async () => {
  const call = await bench.makeCall();
  await bench.subscribe(call);
  const deliveryId = await bench.plan(call);
  await bench.database.pool.query('DELETE FROM webhook_subscription WHERE tenant_id = $1', [
    call.scope.tenantId,
  ]);
  await bench.run(call, deliveryId);
  expect((await bench.delivery(deliveryId)).status).toBe('canceled');
  expect(bench.received).toHaveLength(0);
});

test('a redelivery has a fresh budget, the same event id, and goes on counting', async () => {
  const call = await bench.makeCall();
  await bench.subscribe(call);
  const deliveryId = await bench.plan(call);
  fail(500);
  for (let attempt = 1; attempt <= 8; attempt += 1) await bench.run(call, deliveryId);
  expect((await bench.delivery(deliveryId)).status).toBe('dead');

  await expect(redeliverWebhook(call, deliveryId)).resolves.toMatchObject({
    id: deliveryId,
    status: 'pending',
    attempts: 8,
  });
  await bench.run(call, deliveryId);
  const row = await bench.delivery(deliveryId);
  expect(row).toMatchObject({ status: 'pending', attempts: 9 });
  expect(row.wait).toBeLessThanOrEqual(36);
  bench.answer = (response) => void response.end();
  await bench.run(call, deliveryId);
  expect(await bench.delivery(deliveryId)).toMatchObject({ status: 'delivered', attempts: 10 });
  expect(new Set(bench.received.map(({ body }) => body.id)).size).toBe(1);
  expect(bench.received.at(-1)?.headers['x-delivery-attempt']).toBe('10');
});

test('a redelivery goes to the subscription of today', async () => {
  const call = await bench.makeCall();
  await bench.subscribe(call);
  const deliveryId = await bench.plan(call);
  await deleteSubscription(call);
  await expect(redeliverWebhook(call, deliveryId)).rejects.toMatchObject({ code: 'conflict' });
  const secret = await bench.subscribe(call);
  await redeliverWebhook(call, deliveryId);
  await bench.run(call, deliveryId);
  expect(signatureOf(bench.received[0], secret)).toBe('valid');
});

test('runs that cross each other are all recorded, and the 2xx wins', async () => {
  const call = await bench.makeCall();
  await bench.subscribe(call);
  const deliveryId = await bench.plan(call);
  const { config, log } = bench.services;
  const sender = { ...createWebhookSender(config, log, patient), lanes: openLanes };
  const allHere = Promise.withResolvers<void>();
  bench.answer = async (response) => {
    const succeeds = bench.received.length === 3;
    if (bench.received.length === 6) allHere.resolve();
    await allHere.promise;
    response.writeHead(succeeds ? 200 : 500).end();
  };
  await Promise.all(Array.from({ length: 6 }, () => deliverWebhook(call, deliveryId, { sender })));
  await sender.close();
  expect(await bench.delivery(deliveryId)).toMatchObject({
    status: 'delivered',
    attempts: 6,
    next_attempt_at: null,
  });
  const attempts = await bench.attempts(deliveryId);
  expect(attempts.map((attempt) => attempt.number)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(attempts.filter((attempt) => attempt.status_code === 200)).toHaveLength(1);
});

test('what dies between sending and recording is sent again with the same event id', async () => {
  const call = await bench.makeCall();
  await bench.subscribe(call);
  const deliveryId = await bench.plan(call);
  bench.answer = async (response) => {
    await bench.database.pool.query(
      'ALTER TABLE webhook_delivery_attempt ADD CONSTRAINT broken CHECK (false) NOT VALID',
    );
    response.end();
  };
  await expect(bench.run(call, deliveryId)).rejects.toThrow('broken');
  expect(await bench.delivery(deliveryId)).toMatchObject({ status: 'pending', attempts: 0 });
  await bench.database.pool.query('ALTER TABLE webhook_delivery_attempt DROP CONSTRAINT broken');

  bench.answer = (response) => void response.end();
  await bench.run(call, deliveryId);
  expect(bench.received).toHaveLength(2);
  expect(bench.received[1]?.body.id).toBe(bench.received[0]?.body.id);
  expect(await bench.delivery(deliveryId)).toMatchObject({ status: 'delivered', attempts: 1 });
});

test('a test event goes the same way, whichever types are enabled', async () => {
  const call = await bench.makeCall();
  const { secret } = await registerSubscription(call, {
    url: bench.url,
    enabledEvents: ['payout.failed'],
  });
  const delivery = await testWebhook(call);
  expect(await bench.job(delivery.id)).not.toBeNull();
  await bench.run(call, delivery.id);
  const [received] = bench.received;
  expect(signatureOf(received, secret)).toBe('valid');
  expect(received?.body).toMatchObject({
    id: delivery.eventId,
    type: 'webhook.test',
    data: { payout_id: expect.stringMatching(/^pay_/), amount: '10.00', currency: 'USD' },
  });
});

test('a test needs an enabled subscription', async () => {
  const call = await bench.makeCall();
  await expect(testWebhook(call)).rejects.toMatchObject({ code: 'not_found' });
  await bench.subscribe(call);
  await updateSubscription(call, { enabled: false });
  await expect(testWebhook(call)).rejects.toMatchObject({ code: 'conflict' });
});

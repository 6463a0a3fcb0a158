import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { verify } from '../../src/crypto/signature.ts';
import { newId } from '../../src/values/ids.ts';
import { eventually, makeTenant, type TestTenant } from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import { startHttpsServer, type TestHttpsServer } from '../support/https-server.ts';
import { createTestAuthority } from '../support/tls.ts';

const base = '/v1/webhook-subscriptions';

interface Received {
  readonly raw: Buffer;
  readonly signature: string;
}

let harness: Harness;
let server: TestHttpsServer;
let folder: string;
let tenant: TestTenant;
let url: string;
let status = 200;
const received: Received[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webhooks-'));
  const authority = await createTestAuthority();
  await writeFile(join(folder, 'ca.pem'), authority.pem);
  server = await startHttpsServer(await authority.issue(['localhost']), (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const signature = String(request.headers['x-service-signature']);
      received.push({ raw: Buffer.concat(chunks), signature });
      response.writeHead(status).end('seen');
    });
  });
  url = `https://localhost:${server.port}/hook`;
  harness = await startHarness({ env: { WEBHOOK_EXTRA_CA_FILE: join(folder, 'ca.pem') } });
});

afterAll(async () => {
  await harness.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  tenant = await makeTenant(harness);
  received.length = 0;
  status = 200;
});

const register = (key = tenant.key, enabled_events: unknown = ['payout.disbursed']) =>
  harness.rest('POST', base, { key, body: { url, enabled_events } });

/** Sends a test event and waits until its delivery has this status. */
async function deliverTest(key = tenant.key, until = 'delivered'): Promise<string> {
  const sent = await harness.rest('POST', `${base}/test`, { key });
  expect(sent.status).toBe(200);
  const { id } = sent.body.delivery;
  await eventually(async () => {
    const { body } = await harness.rest('GET', `${base}/deliveries/${id}`, { key });
    return body.delivery.status === until && body.delivery.attempt_count > 0;
  });
  return id;
}

test('POST creates with 201, and with 200 rotates the secret', async () => {
  const created = await register();
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    subscription: {
      id: expect.stringMatching(/^whs_/),
      environment: 'sandbox',
      url,
      pending_url: null,
      enabled_events: ['payout.disbursed'],
      enabled: true,
      api_version: '2026-11-01',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    },
    secret: expect.stringMatching(/^whsec_sandbox_/),
    standard_webhooks_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]+=*$/),
  });
  const rotated = await register(tenant.key, ['payout.settled']);
  expect(rotated.status).toBe(200);
  expect(rotated.body.subscription.id).toBe(created.body.subscription.id);
  expect(rotated.body.subscription.enabled_events).toEqual(['payout.settled']);
  expect(rotated.body.secret).not.toBe(created.body.secret);

  const read = await harness.rest('GET', base, { key: tenant.key });
  expect(read.status).toBe(200);
  expect(read.body).toEqual({ subscription: rotated.body.subscription });
  expect(read.text).not.toContain('whsec_');
});

test('PATCH changes what it names and does not answer the secret', async () => {
  await register();
  const patched = await harness.rest('PATCH', base, {
    key: tenant.key,
    body: { enabled: false, enabled_events: ['payout.failed'] },
  });
  expect(patched.status).toBe(200);
  expect(Object.keys(patched.body)).toEqual(['subscription']);
  expect(patched.body.subscription).toMatchObject({
    url,
    enabled: false,
    enabled_events: ['payout.failed'],
  });
});

test('DELETE answers 204; then GET, PATCH, DELETE and test answer 404', async () => {
  await register();
  const deleted = await harness.rest('DELETE', base, { key: tenant.key });
  expect(deleted.status).toBe(204);
  expect(deleted.text).toBe('');
  for (const [method, path, body] of [
    ['GET', base, undefined],
    ['PATCH', base, { enabled: true }],
    ['DELETE', base, undefined],
    ['POST', `${base}/test`, undefined],
  ] as const) {
    const answer = await harness.rest(method, path, { key: tenant.key, body });
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
  }
});

test.each([
  [{}, 'url', 'required'],
  [{ url: 'https://localhost/' }, 'enabled_events', 'required'],
  [{ url: 'https://localhost/', enabled_events: [] }, 'enabled_events', 'too_short'],
  [
    { url: 'https://localhost/', enabled_events: ['payout.unheard'] },
    'enabled_events[0]',
    'invalid_value',
  ],
  [{ url: 'http://localhost/', enabled_events: ['payout.failed'] }, 'url', 'https_required'],
  [{ url: 'https://10.0.0.1/', enabled_events: ['payout.failed'] }, 'url', 'target_not_public'],
  [
    { url: 'https://localhost/', enabled_events: ['payout.failed'], secret: 'mine' },
    'secret',
    'unknown_field',
  ],
])('POST %j is refused', async (body, field, code) => {
  const answer = await harness.rest('POST', base, { key: tenant.key, body });
  expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_failed']);
  expect(answer.body.error.details).toContainEqual(expect.objectContaining({ field, code }));
});

test('only those who may write webhooks change them; all may read', async () => {
  await register();
  const deliveryId = await deliverTest();
  for (const role of ['preparer', 'approver', 'viewer'] as const) {
    const key = await tenant.keyWithRole(role);
    const answers = [
      await register(key),
      await harness.rest('PATCH', base, { key, body: { enabled: false } }),
      await harness.rest('DELETE', base, { key }),
      await harness.rest('POST', `${base}/test`, { key }),
      await harness.rest('POST', `${base}/deliveries/${deliveryId}/redeliver`, { key }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([403, 403, 403, 403, 403]);
    expect((await harness.rest('GET', base, { key })).status).toBe(200);
    expect((await harness.rest('GET', `${base}/deliveries`, { key })).status).toBe(200);
  }
  expect((await register(await tenant.keyWithRole('developer'))).status).toBe(200);
  expect((await harness.rest('GET', base)).status).toBe(401);
});

test('a test event arrives signed, and its delivery can be read with its attempts', async () => {
  const { secret } = (await register()).body;
  const id = await deliverTest();
  const [event] = received;
  expect(verify(secret, event?.signature, event?.raw ?? Buffer.of(), Date.now() / 1_000)).toBe(
    'valid',
  );
  const { body } = await harness.rest('GET', `${base}/deliveries/${id}`, { key: tenant.key });
  expect(body.delivery).toEqual({
    id,
    event_id: JSON.parse(String(event?.raw)).id,
    event_type: 'webhook.test',
    payout_id: null,
    subject_id: null,
    subscription_id: expect.stringMatching(/^whs_/),
    status: 'delivered',
    attempt_count: 1,
    next_attempt_at: null,
    created_at: expect.any(String),
    completed_at: expect.any(String),
    attempts: [
      {
        number: 1,
        started_at: expect.any(String),
        latency_ms: expect.any(Number),
        status_code: 200,
        answer: 'seen',
        error: null,
      },
    ],
  });
});

test('redeliver sends the same event again', async () => {
  await register();
  const id = await deliverTest();
  const again = await harness.rest('POST', `${base}/deliveries/${id}/redeliver`, {
    key: tenant.key,
  });
  expect(again.status).toBe(200);
  expect(again.body.delivery).toMatchObject({ id, event_type: 'webhook.test' });
  await eventually(async () => received.length === 2);
  const ids = received.map(({ raw }) => JSON.parse(raw.toString()).id);
  expect(ids[1]).toBe(ids[0]);
  expect(again.body.delivery.event_id).toBe(ids[0]);
});

test('redeliver without a subscription is a conflict', async () => {
  await register();
  const id = await deliverTest();
  await harness.rest('DELETE', base, { key: tenant.key });
  const answer = await harness.rest('POST', `${base}/deliveries/${id}/redeliver`, {
    key: tenant.key,
  });
  expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict']);
});

test('deliveries are listed newest first, in pages and by filter', async () => {
  await register();
  const delivered = [await deliverTest(), await deliverTest()];
  status = 500;
  const failing = await deliverTest(tenant.key, 'pending');
  const list = (query: string) =>
    harness.rest('GET', `${base}/deliveries${query}`, { key: tenant.key });
  const ids = async (query: string): Promise<string[]> =>
    (await list(query)).body.deliveries.map((delivery: { id: string }) => delivery.id);

  const first = await list('?limit=2');
  expect(first.body.deliveries.map((delivery: { id: string }) => delivery.id)).toEqual([
    failing,
    delivered[1],
  ]);
  expect(first.body.deliveries[0]).not.toHaveProperty('attempts');
  const second = await list(`?limit=2&cursor=${first.body.next_cursor}`);
  expect(second.body).toMatchObject({ deliveries: [{ id: delivered[0] }], next_cursor: null });

  expect(await ids('?status=pending')).toEqual([failing]);
  expect(await ids('?status=delivered&event_type=webhook.test')).toEqual(delivered.toReversed());
  expect(await ids('?event_type=payout.failed')).toEqual([]);
  expect(await ids(`?payout_id=${newId('payout')}`)).toEqual([]);
  const middle = second.body.deliveries[0].created_at;
  expect(await ids(`?created_since=${middle}`)).toHaveLength(3);
  expect(await ids(`?created_before=${middle}`)).toEqual([]);

  for (const query of ['?status=lost', '?created_since=yesterday', '?limit=101', '?foo=1']) {
    const answer = await list(query);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_failed']);
  }
  const moved = await list(`?limit=2&status=pending&cursor=${first.body.next_cursor}`);
  expect(moved.status).toBe(400);
});

test("another tenant's delivery is answered like an unknown one", async () => {
  await register();
  const id = await deliverTest();
  const stranger = await makeTenant(harness);
  await register(stranger.key);
  for (const [method, path] of [
    ['GET', `${base}/deliveries/:id`],
    ['POST', `${base}/deliveries/:id/redeliver`],
  ] as const) {
    const answers = [];
    for (const one of [id, newId('webhookDelivery'), 'nonsense', newId('payout')]) {
      const answer = await harness.rest(method, path.replace(':id', one), { key: stranger.key });
      const { request_id, occurred_at, ...error } = answer.body.error;
      expect([request_id, occurred_at]).toEqual([expect.any(String), expect.any(String)]);
      answers.push({ status: answer.status, error });
    }
    expect(answers[0]).toMatchObject({ status: 404, error: { code: 'not_found' } });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  }
  const listed = await harness.rest('GET', `${base}/deliveries`, { key: stranger.key });
  expect(listed.body.deliveries).toEqual([]);
});

test('GraphQL does the same', async () => {
  const { key } = tenant;
  const upsert = await harness.graphql(
    key,
    `mutation ($input: WebhookSubscriptionUpsertInput!) {
      webhookSubscriptionUpsert(input: $input) { created secret subscription { id enabledEvents } }
    }`,
    { input: { url, enabledEvents: ['payout.failed'] } },
  );
  const { created, secret, subscription } = upsert.body.data.webhookSubscriptionUpsert;
  expect([created, secret.startsWith('whsec_sandbox_')]).toEqual([true, true]);

  const updated = await harness.graphql(
    key,
    'mutation { webhookSubscriptionUpdate(input: { enabled: true }) { id enabled } webhookTest { id event { type data } } }',
  );
  expect(updated.body.data.webhookSubscriptionUpdate).toEqual({
    id: subscription.id,
    enabled: true,
  });
  const { id, event } = updated.body.data.webhookTest;
  expect(event).toMatchObject({ type: 'webhook.test', data: { currency: 'USD' } });
  await eventually(async () => received.length === 1);

  const again = await harness.graphql(
    key,
    'mutation ($id: ID!) { webhookDeliveryRedeliver(id: $id) { id attempts { number } } }',
    { id },
  );
  expect(again.body.data.webhookDeliveryRedeliver.id).toBe(id);
  await eventually(async () => received.length === 2);

  const read = await harness.graphql(
    key,
    `query ($id: ID!) {
      webhookSubscription { id }
      webhookDelivery(id: $id) { id }
      delivery: node(id: $id) { id ... on WebhookDelivery { event { payoutId } } }
      webhookDeliveries(first: 1, filter: { status: pending, eventType: "payout.failed" }) { edges { node { id } } }
    }`,
    { id },
  );
  expect(read.body.data).toEqual({
    webhookSubscription: { id: subscription.id },
    webhookDelivery: { id },
    delivery: { id, event: { payoutId: null } },
    webhookDeliveries: { edges: [] },
  });
  const invalid = await harness.graphql(
    key,
    '{ webhookDeliveries(filter: { createdSince: "soon" }) { edges { cursor } } }',
  );
  expect(invalid.body.errors[0].extensions).toMatchObject({
    code: 'validation_failed',
    details: [{ field: 'createdSince', code: 'invalid_format' }],
  });
  const gone = await harness.graphql(key, 'mutation { webhookSubscriptionDelete }');
  expect(gone.body.data.webhookSubscriptionDelete).toBe(subscription.id);
});

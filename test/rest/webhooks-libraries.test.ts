import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually, makeTenant, type TestTenant } from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import { startReceiver, type ReceivedWebhook, type WebhookReceiver } from '../support/receiver.ts';

/*
 * docs/webhooks.md says that two published libraries verify a delivery as it comes. Here they do.
 */

let receiver: WebhookReceiver;
let harness: Harness;
let tenant: TestTenant;

beforeAll(async () => {
  receiver = await startReceiver();
  harness = await startHarness({ env: { WEBHOOK_EXTRA_CA_FILE: receiver.caFile } });
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
});
beforeEach(async () => {
  tenant = await makeTenant(harness);
  receiver.received.length = 0;
});

interface Secrets {
  readonly secret: string;
  readonly standard_webhooks_secret: string;
}

async function subscribe(): Promise<Secrets> {
  const { body } = await harness.rest('POST', '/v1/webhook-subscriptions', {
    key: tenant.key,
    body: { url: receiver.url, enabled_events: ['payout.disbursed'] },
  });
  return body;
}

/** Sends a test event and waits for it to come. */
async function receive(): Promise<ReceivedWebhook> {
  const before = receiver.received.length;
  await harness.rest('POST', '/v1/webhook-subscriptions/test', { key: tenant.key });
  return eventually(async () => receiver.received[before]);
}

function standardHeaders({ headers }: ReceivedWebhook): Record<string, string> {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]));
}

const standard = ({ standard_webhooks_secret: secret }: Secrets, delivery: ReceivedWebhook) =>
  new Webhook(secret).verify(delivery.rawBody, standardHeaders(delivery));

const stripe = ({ secret }: Secrets, { rawBody, signature = '' }: ReceivedWebhook) =>
  new Stripe('sk_test_none').webhooks.constructEvent(rawBody, signature, secret);

test('the library of Standard Webhooks verifies a delivery, whose id is that of the event', async () => {
  const secrets = await subscribe();
  const delivery = await receive();
  expect(standard(secrets, delivery)).toEqual(delivery.event);
  expect(delivery.headers['webhook-id']).toBe(delivery.event.id);
  expect(Math.abs(Number(delivery.headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(
    300,
  );
});

test("Stripe's library verifies our own header with our own secret", async () => {
  const secrets = await subscribe();
  const delivery = await receive();
  expect(stripe(secrets, delivery)).toEqual(delivery.event);
});

test.each([
  ['Standard Webhooks', standard],
  ["Stripe's library", stripe],
] as const)(
  '%s refuses another body and, after a rotation, the old secret',
  async (_name, read) => {
    const old = await subscribe();
    const first = await receive();
    const changed = { ...first, rawBody: Buffer.concat([first.rawBody, Buffer.from(' ')]) };
    expect(() => read(old, changed)).toThrow();
    const renewed = await subscribe();
    const second = await receive();
    expect(() => read(old, second)).toThrow();
    expect(() => read(renewed, second)).not.toThrow();
  },
);

test('both spellings hold one key, and GraphQL shows them when it rotates', async () => {
  const rest = await subscribe();
  const { body } = await harness.graphql(
    tenant.key,
    `mutation ($input: WebhookSubscriptionUpsertInput!) {
      webhookSubscriptionUpsert(input: $input) { secret standard_webhooks_secret: standardWebhooksSecret }
    }`,
    { input: { url: receiver.url, enabledEvents: ['payout.disbursed'] } },
  );
  const graphql = body.data.webhookSubscriptionUpsert as Secrets;
  for (const { secret, standard_webhooks_secret: spelled } of [rest, graphql]) {
    expect(Buffer.from(spelled.slice('whsec_'.length), 'base64').toString()).toBe(secret);
  }
  expect(graphql.secret).not.toBe(rest.secret);
  expect(standard(graphql, await receive())).toMatchObject({ type: 'webhook.test' });
});

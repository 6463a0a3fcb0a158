import { beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';

const path = '/v1/webhook-subscriptions/deliveries/redeliver';
let tenant: TestTenant;

const harness = useHarness({ worker: false });

beforeEach(async () => {
  tenant = await makeTenant(harness);
});

const window = {
  created_since: '2026-01-01T00:00:00Z',
  created_before: '2999-01-01T00:00:00+01:00',
};

const redeliver = (key = tenant.key, more: object = {}) =>
  harness.rest('POST', path, { key, body: { ...window, ...more } });

const subscribe = (key = tenant.key) =>
  harness.rest('POST', '/v1/webhook-subscriptions', {
    key,
    body: { url: 'https://localhost/hook', enabled_events: ['payout.disbursed'] },
  });

/** Deliveries of test events whose attempts all failed. */
async function dead(count: number, key = tenant.key): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { body } = await harness.rest('POST', '/v1/webhook-subscriptions/test', { key });
    ids.push(body.delivery.id);
  }
  await harness.database.pool.query(
    `UPDATE webhook_delivery SET status = 'dead', attempts = 8, next_attempt_at = NULL,
       completed_at = now() WHERE id = ANY ($1)`,
    [ids],
  );
  return ids;
}

const statuses = async (key = tenant.key): Promise<string[]> => {
  const { body } = await harness.rest('GET', '/v1/webhook-subscriptions/deliveries', { key });
  return body.deliveries.map((delivery: { status: string }) => delivery.status);
};

test('202 plans the dead deliveries of the window again, and says how many and until when', async () => {
  await subscribe();
  await dead(3);
  const answer = await redeliver();
  expect(answer.status).toBe(202);
  expect(answer.body).toEqual({
    redelivery: {
      count: 3,
      remaining: 0,
      starts_at: expect.stringMatching(/Z$/),
      ends_at: expect.stringMatching(/Z$/),
      dry_run: false,
    },
  });
  expect(await statuses()).toEqual(['pending', 'pending', 'pending']);
});

test('repeating the call sends nothing twice', async () => {
  await subscribe();
  await dead(2);
  const limited = await redeliver(tenant.key, { limit: 1 });
  expect(limited.body.redelivery).toMatchObject({ count: 1, remaining: 1 });
  expect((await redeliver()).body.redelivery).toMatchObject({ count: 1, remaining: 0 });
  const again = await redeliver();
  expect(again.status).toBe(202);
  expect(again.body.redelivery).toEqual({
    count: 0,
    remaining: 0,
    starts_at: null,
    ends_at: null,
    dry_run: false,
  });
});

test('200 for a dry run, which changes nothing', async () => {
  await subscribe();
  await dead(2);
  const answer = await redeliver(tenant.key, { dry_run: true });
  expect(answer.status).toBe(200);
  expect(answer.body.redelivery).toMatchObject({ count: 2, dry_run: true });
  expect(await statuses()).toEqual(['dead', 'dead']);
});

test('each condition counts', async () => {
  await subscribe();
  await dead(1);
  const count = async (more: object) =>
    (await redeliver(tenant.key, { ...more, dry_run: true })).body.redelivery.count;
  expect(await count({ event_type: 'webhook.test' })).toBe(1);
  expect(await count({ event_type: 'payout.failed' })).toBe(0);
  expect(await count({ status: 'delivered' })).toBe(0);
  expect(await count({ payout_id: newId('payout') })).toBe(0);
  expect(await count({ created_before: '2026-01-02T00:00:00Z' })).toBe(0);
});

test.each([
  [{ created_since: undefined }, 'created_since', 'required'],
  [{ created_before: undefined }, 'created_before', 'required'],
  [{ created_before: '2025-01-01T00:00:00Z' }, 'created_before', 'invalid_value'],
  [{ created_before: window.created_since }, 'created_before', 'invalid_value'],
  [{ created_since: 'yesterday' }, 'created_since', 'invalid_format'],
  [{ status: 'pending' }, 'status', 'invalid_value'],
  [{ event_type: 'payout.unheard' }, 'event_type', 'invalid_value'],
  [{ limit: 10_001 }, 'limit', 'too_large'],
  [{ limit: '5' }, 'limit', 'invalid_type'],
  [{ dry_run: 'yes' }, 'dry_run', 'invalid_type'],
  [{ since: '2026-01-01T00:00:00Z' }, 'since', 'unknown_field'],
])('400 for %j', async (more, field, code) => {
  await subscribe();
  const answer = await redeliver(tenant.key, more);
  expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_failed']);
  expect(answer.body.error.details).toContainEqual(expect.objectContaining({ field, code }));
});

test('401 without a key, 403 without the right, 409 without an enabled subscription', async () => {
  expect((await harness.rest('POST', path, { body: window })).status).toBe(401);
  const without = await redeliver();
  expect([without.status, without.body.error.code]).toEqual([409, 'conflict']);
  await subscribe();
  await dead(1);
  for (const role of ['preparer', 'approver', 'viewer'] as const) {
    const answer = await redeliver(await tenant.keyWithRole(role));
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
  }
  await harness.rest('PATCH', '/v1/webhook-subscriptions', {
    key: tenant.key,
    body: { enabled: false },
  });
  const disabled = await redeliver();
  expect([disabled.status, disabled.body.error.code]).toEqual([409, 'conflict']);
  await harness.rest('PATCH', '/v1/webhook-subscriptions', {
    key: tenant.key,
    body: { enabled: true },
  });
  expect((await redeliver(await tenant.keyWithRole('developer'))).status).toBe(202);
});

test('another tenant’s deliveries are not there', async () => {
  const other = await makeTenant(harness);
  await subscribe(other.key);
  await subscribe();
  await dead(1, other.key);
  expect((await redeliver()).body.redelivery.count).toBe(0);
  expect(await statuses(other.key)).toEqual(['dead']);
});

test('GraphQL has the same', async () => {
  await subscribe();
  await dead(2);
  const mutation = `mutation ($input: WebhookDeliveriesRedeliverInput!) {
    webhookDeliveriesRedeliver(input: $input) { count remaining startsAt endsAt dryRun }
  }`;
  const input = {
    createdSince: window.created_since,
    createdBefore: window.created_before,
    status: 'dead',
    eventType: 'webhook.test',
    limit: 1,
  };
  const answer = await harness.graphql(tenant.key, mutation, { input });
  expect(answer.body.data.webhookDeliveriesRedeliver).toEqual({
    count: 1,
    remaining: 1,
    startsAt: expect.any(String),
    endsAt: expect.any(String),
    dryRun: false,
  });
  const swapped = {
    ...input,
    createdSince: window.created_before,
    createdBefore: window.created_since,
  };
  const invalid = await harness.graphql(tenant.key, mutation, { input: swapped });
  expect(invalid.body.errors[0].extensions).toMatchObject({
    code: 'validation_failed',
    details: [{ field: 'createdBefore', code: 'invalid_value' }],
  });
});

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestTenant,
} from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import { startReceiver, type WebhookReceiver } from '../support/receiver.ts';

let harness: Harness;
let receiver: WebhookReceiver;
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
});

const get = (path: string, key = tenant.key) => harness.rest('GET', path, { key });

/** A payout that settles; gives its id once all of its events are there. */
async function settle(): Promise<string> {
  const payee = await makePayee(harness, tenant.key);
  const body = payoutBody(payee, { validator_strategy: 'auto' });
  const { payout } = (await harness.rest('POST', '/v1/payouts', { key: tenant.key, body })).body;
  await eventually(async () => {
    const { events } = (await get('/v1/events?type=payout.settled')).body;
    return events.some((event: { payout_id: string }) => event.payout_id === payout.id);
  });
  return payout.id;
}

interface Listed {
  readonly id: string;
  readonly type: string;
  readonly recorded_at: string;
  readonly deliveries: { readonly status: string; readonly subscription_id: string }[];
}

/** Every page of a list. */
async function pagesOf(query: string): Promise<Listed[]> {
  const all: Listed[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body, status, text } = await get(`/v1/events?limit=2&${query}${more}`);
    expect(status, text).toBe(200);
    all.push(...body.events);
    cursor = body.next_cursor;
  } while (cursor !== null);
  return all;
}

it('lists what was sent and what was not, in pages of either direction', async () => {
  await settle();
  const url = receiver.url;
  await harness.rest('POST', '/v1/webhook-subscriptions', {
    key: tenant.key,
    body: { url, enabled_events: ['payout.settled'] },
  });
  const { subscription } = (await get('/v1/webhook-subscriptions')).body;
  const payoutId = await settle();
  await eventually(async () => {
    const { deliveries } = (await get('/v1/webhook-subscriptions/deliveries?status=delivered'))
      .body;
    return deliveries.length > 0;
  });
  const newest = await pagesOf('');
  expect(newest.length).toBeGreaterThan(8);
  const times = newest.map(({ recorded_at }) => recorded_at);
  expect(times).toEqual(times.toSorted().toReversed());
  const settled = await pagesOf('type=payout.settled&type=payout.failed');
  expect(settled.map(({ deliveries }) => deliveries.map(({ status }) => status))).toEqual([
    ['delivered'],
    [],
  ]);
  expect(settled[0]?.deliveries[0]?.subscription_id).toBe(subscription.id);

  const since = newest.at(-1)?.recorded_at ?? '';
  await eventually(async () => {
    const fed = await pagesOf(`since=${encodeURIComponent(since)}`);
    return fed.length === newest.length && fed;
  });
  const fed = await pagesOf(`since=${encodeURIComponent(since)}`);
  expect(fed.map(({ id }) => id)).toEqual(newest.map(({ id }) => id).toReversed());
  expect(await pagesOf('since=2100-01-01T00:00:00Z')).toEqual([]);

  const one = await get(`/v1/events/${String(newest[0]?.id)}`);
  expect(one.body.event).toEqual((await get('/v1/events?limit=1')).body.events[0]);
  const { body } = await harness.graphql(
    tenant.key,
    `{ events(first: 1, filter: { type: ["payout.settled"] }) { totalCount edges { node { payoutId data deliveries { status } } } } }`,
  );
  expect(body.data.events.totalCount).toBe(2);
  expect(body.data.events.edges[0].node).toMatchObject({
    payoutId,
    data: { payout_id: payoutId, status: 'settled' },
    deliveries: [{ status: 'delivered' }],
  });
});

it('shows a tenant nothing of another, and refuses what it does not know', async () => {
  await settle();
  const other = await makeTenant(harness);
  expect((await get('/v1/events', other.key)).body).toEqual({ events: [], next_cursor: null });
  const [event] = (await get('/v1/events')).body.events;
  const foreign = await get(`/v1/events/${event.id}`, other.key);
  const unknown = await get(`/v1/events/${newId('event')}`, other.key);
  expect([foreign.status, unknown.status]).toEqual([404, 404]);
  expect((await get('/v1/events/nonsense')).status).toBe(404);
  const page = await get('/v1/events?limit=1');
  const cursor = encodeURIComponent(page.body.next_cursor);
  expect((await get(`/v1/events?cursor=${cursor}`, other.key)).status).toBe(400);
  expect((await get(`/v1/events?type=payout.failed&cursor=${cursor}`)).status).toBe(400);
  for (const query of ['type=payout.unheard', 'since=yesterday', 'limit=0', 'until=now']) {
    expect((await get(`/v1/events?${query}`)).status, query).toBe(400);
  }
  const viewer = await tenant.keyWithRole('viewer');
  expect((await get('/v1/events', viewer)).status).toBe(200);
});

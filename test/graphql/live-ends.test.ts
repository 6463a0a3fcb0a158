import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { roles } from '../../src/access/roles.ts';
import { openEvents, type EventReader } from '../support/event-stream.ts';
import { eventually, makeTenant, payoutBody } from '../support/factory.ts';
import {
  isTransition,
  pending,
  takeTransitions,
  transitionsQuery as query,
} from '../support/live.ts';
import { startNetwork, type Network } from '../support/network.ts';
import { startSecondApi, type SecondApi } from '../support/second-api.ts';
import { useHarness, usePayee, useTenant } from '../support/use-harness.ts';

const most = 3;
const harness = useHarness({
  worker: false,
  env: { TENANT_STREAMS: String(most), TENANT_REQUESTS_AT_ONCE: '1', LOG_LEVEL: 'silent' },
});
const tenant = useTenant(harness);
const payee = usePayee(harness, tenant);
const at = () => harness.baseUrl;

/** A process whose way to the database can be broken. */
let far: SecondApi;
let network: Network;
beforeAll(async () => {
  network = await startNetwork(harness.database.url);
  far = await startSecondApi({ ...harness.services.config, DATABASE_URL: network.url });
});
afterAll(async () => {
  await far.close();
  await network.close();
});

async function create(): Promise<string> {
  const body = payoutBody(payee);
  const answer = await harness.rest('POST', '/v1/payouts', { key: tenant.key, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.payout.id as string;
}

const codeOf = async (refused: EventReader): Promise<string> =>
  JSON.parse(await refused.text()).errors[0].extensions.code;

/** Opens a stream once the streams of before have left room for it. */
const openWhenFree = (open: () => Promise<EventReader>): Promise<EventReader> =>
  eventually(async () => {
    const reader = await open();
    return reader.status === 200 ? reader : null;
  });

test('every role may read a stream; nobody else may', async () => {
  for (const role of roles) {
    const key = await tenant.keyWithRole(role);
    const reader = await openWhenFree(() => openEvents(at(), { key, query }));
    const id = await create();
    expect(await takeTransitions(reader, 1)).toEqual([pending(id)]);
    await reader.close();
  }
  const keyless = await openEvents(at(), { key: undefined, query });
  expect(keyless.status).toBe(401);
  expect(await codeOf(keyless)).toBe('unauthorized');
  const operator = await issueOperatorKey(harness.database.pool, 'On call');
  const refused = await openEvents(at(), { key: operator.key, query });
  expect(refused.status).toBe(403);
  expect(await codeOf(refused)).toBe('forbidden');
});

test('a business has so many streams in a process, and they keep none of its requests waiting', async () => {
  const other = await makeTenant(harness);
  const open = () => openEvents(at(), { key: other.key, query });
  const readers = [await open(), await open(), await open()];
  expect(readers.map(({ status }) => status)).toEqual(Array(most).fill(200));
  const refused = await open();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await codeOf(refused)).toBe('too_many_requests');
  expect((await harness.rest('GET', '/v1/payouts', { key: other.key })).status).toBe(200);
  await readers[0]?.close();
  const again = await openWhenFree(open);
  for (const reader of [...readers.slice(1), again]) await reader.close();
});

const stops = {
  'a revoked key': (keyId: string) =>
    harness.database.pool.query('UPDATE api_key SET revoked_at = now() WHERE id = $1', [keyId]),
  'a key that waits for a confirmation': (keyId: string) =>
    harness.database.pool.query('UPDATE api_key SET held_at = now() WHERE id = $1', [keyId]),
  'a removed member': (keyId: string) =>
    harness.database.pool.query(
      `UPDATE membership SET removed_at = now()
       WHERE id = (SELECT membership_id FROM api_key WHERE id = $1)`,
      [keyId],
    ),
};

test.each(Object.entries(stops))('%s ends its streams, for good', async (_name, stop) => {
  const key = await tenant.keyWithRole('viewer');
  const { body } = await harness.graphql(key, '{ me { keyId } }');
  const reader = await openWhenFree(() => openEvents(at(), { key, query }));
  const stays = await openWhenFree(() => openEvents(at(), { key: tenant.key, query }));
  await stop(body.data.me.keyId);
  const last = await reader.next(isTransition);
  expect(last?.data.errors[0].extensions).toEqual({ code: 'unauthorized', details: [] });
  await reader.ended();
  expect(reader.seen.at(-1)?.event).toBe('complete');
  // A process knows a key for a second.
  await eventually(async () => {
    const refused = await openEvents(at(), { key, query });
    await refused.close();
    return refused.status === 401;
  });
  const id = await create();
  expect(await takeTransitions(stays, 1)).toEqual([pending(id)]);
  await stays.close();
});

test('a stream breaks off when the database goes away, and is resumed without a loss', async () => {
  const reader = await openEvents(far.url, { key: tenant.key, query });
  const first = await create();
  expect(await takeTransitions(reader, 1)).toEqual([pending(first)]);
  await network.refuse();
  await reader.ended();
  expect(reader.seen.at(-1)).toMatchObject({ comment: 'the database is away', event: null });
  const refused = await openEvents(far.url, { key: tenant.key, query });
  expect(refused.status).toBe(503);
  const missed = await create();
  await network.heal();
  const again = await openWhenFree(() =>
    openEvents(far.url, { key: tenant.key, query, lastId: reader.lastId() }),
  );
  expect(await takeTransitions(again, 1)).toEqual([pending(missed)]);
  await again.close();
});

test('a process that stops ends its streams, which are resumed at another', async () => {
  const reader = await openEvents(far.url, { key: tenant.key, query });
  const first = await create();
  expect(await takeTransitions(reader, 1)).toEqual([pending(first)]);
  await far.stop();
  await reader.ended();
  expect(reader.seen.at(-1)).toMatchObject({ comment: 'this server stops', event: null });
  expect((await openEvents(far.url, { key: tenant.key, query })).status).toBe(503);
  const missed = await create();
  const again = await openWhenFree(() =>
    openEvents(at(), { key: tenant.key, query, lastId: reader.lastId() }),
  );
  expect(await takeTransitions(again, 1)).toEqual([pending(missed)]);
  await again.close();
});

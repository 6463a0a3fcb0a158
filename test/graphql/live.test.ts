import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../rest/app.ts';
import { createHttpServer } from '../../rest/http/server.ts';
import { createGraphql } from '../../schema/server.ts';
import { createAuthenticate } from '../../src/access/authenticate.ts';
import { closeServices, createServices } from '../../src/process/services.ts';
import { roles } from '../../src/access/roles.ts';
import { openEvents, type EventReader, type SentEvent } from '../support/event-stream.ts';
import { makePayee, makeTenant, payoutBody, type TestPayee } from '../support/factory.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false, env: { TENANT_STREAMS: '3' } });
const tenant = useTenant(harness);
let payee: TestPayee;

/** A second API process on the database of the harness. */
let second: { readonly url: string; stop(): Promise<void>; close(): Promise<void> };

beforeAll(async () => {
  payee = await makePayee(harness, tenant.key);
  const services = createServices(harness.services.config, 'api');
  const graphql = createGraphql(services);
  const app = createApp(services, createAuthenticate(services.pool), graphql);
  const server = createHttpServer(app, 'http://127.0.0.1');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  second = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => graphql.stop(),
    async close() {
      await graphql.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await closeServices(services);
    },
  };
});
afterAll(() => second.close());

const query = `subscription ($after: String) { payoutTransitions(after: $after) {
  id transition { seq fromState toState actor } payout { id state beneficiary { id } }
} }`;

interface Seen {
  readonly payoutId: string;
  readonly seq: number;
  readonly toState: string;
}

const isEvent = ({ event }: SentEvent): boolean => event === 'next';
const seenOf = ({ data }: SentEvent): Seen => {
  const { transition, payout } = data.data.payoutTransitions;
  return { payoutId: payout.id, seq: transition.seq, toState: transition.toState };
};

async function take(reader: EventReader, count: number): Promise<Seen[]> {
  const found: Seen[] = [];
  while (found.length < count) {
    const sent = await reader.next(isEvent);
    if (sent === null) throw new Error('the stream ended');
    found.push(seenOf(sent));
  }
  return found;
}

async function create(key = tenant.key, to = payee): Promise<string> {
  const answer = await harness.rest('POST', '/v1/payouts', { key, body: payoutBody(to) });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.payout.id as string;
}

async function cancel(id: string): Promise<void> {
  const answer = await harness.rest('POST', `/v1/payouts/${id}/cancel`, {
    key: tenant.key,
    body: {},
  });
  expect(answer.status, answer.text).toBe(200);
}

const pending = (payoutId: string): Seen => ({ payoutId, seq: 1, toState: 'pending_approval' });
const canceled = (payoutId: string): Seen => ({ payoutId, seq: 2, toState: 'canceled' });

test('a stream of another process tells what is committed here, in the order of each payout', async () => {
  const reader = await openEvents(second.url, { key: tenant.key, query });
  expect(reader.status).toBe(200);
  expect(reader.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(reader.headers.get('cache-control')).toBe('no-store');
  expect(reader.headers.get('x-content-type-options')).toBe('nosniff');
  expect(reader.headers.get('content-encoding')).toBeNull();
  const id = await create();
  await cancel(id);
  expect(await take(reader, 2)).toEqual([pending(id), canceled(id)]);
  const [first] = reader.seen.filter(isEvent);
  expect(first?.id).toBe(first?.data.data.payoutTransitions.id);
  expect(first?.data.data.payoutTransitions.payout.beneficiary).toEqual({
    id: payee.beneficiaryId,
  });
  await reader.close();
});

test('a reader that comes back gets what it missed, once, by its last id', async () => {
  const reader = await openEvents(harness.baseUrl, { key: tenant.key, query });
  const first = await create();
  expect(await take(reader, 1)).toEqual([pending(first)]);
  await reader.close();
  const missed = [await create(), await create()];
  const again = await openEvents(second.url, { key: tenant.key, query, lastId: reader.lastId() });
  expect(await take(again, 2)).toEqual(missed.map(pending));
  const live = await create();
  expect(await take(again, 1)).toEqual([pending(live)]);
  await again.close();
  const byArgument = await openEvents(harness.baseUrl, {
    key: tenant.key,
    query,
    variables: { after: reader.lastId() },
  });
  expect(await take(byArgument, 3)).toEqual([...missed, live].map(pending));
  await byArgument.close();
});

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeKey } from '../../src/access/key.ts';
import { jobScope } from '../../src/access/system.ts';
import { inTransaction } from '../../src/db/pool.ts';
import { movePayoutTo } from '../../src/domain/payout/transition.ts';
import { newId } from '../../src/values/ids.ts';
import { openEvents } from '../support/event-stream.ts';
import { makePayee, makeTenant, payoutBody, type TestPayee } from '../support/factory.ts';
import {
  canceled,
  isTransition,
  pending,
  takeTransitions,
  transitionsQuery as query,
} from '../support/live.ts';
import { startSecondApi, type SecondApi } from '../support/second-api.ts';
import { useHarness, usePayee, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
const payee = usePayee(harness, tenant);

let second: SecondApi;
beforeAll(async () => {
  second = await startSecondApi(harness.services.config);
});
afterAll(() => second.close());

async function create(key = tenant.key, to: TestPayee = payee): Promise<string> {
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

test('a stream of another process tells what is committed here, in the order of each payout', async () => {
  const reader = await openEvents(second.url, { key: tenant.key, query });
  expect(reader.status).toBe(200);
  expect(reader.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(reader.headers.get('cache-control')).toBe('no-store');
  expect(reader.headers.get('x-content-type-options')).toBe('nosniff');
  expect(reader.headers.get('content-encoding')).toBeNull();
  const id = await create();
  await cancel(id);
  expect(await takeTransitions(reader, 2)).toEqual([pending(id), canceled(id)]);
  const [first] = reader.seen.filter(isTransition);
  expect(first?.id).toBe(first?.data.data.payoutTransitions.id);
  expect(first?.data.data.payoutTransitions.payout).toMatchObject({
    state: expect.stringMatching(/pending_approval|canceled/),
    beneficiary: { id: payee.beneficiaryId },
  });
  await reader.close();
});

test('a reader that comes back gets what it missed, once, by its last id', async () => {
  const reader = await openEvents(harness.baseUrl, { key: tenant.key, query });
  const first = await create();
  expect(await takeTransitions(reader, 1)).toEqual([pending(first)]);
  await reader.close();
  const missed = [await create(), await create()];
  const again = await openEvents(second.url, { key: tenant.key, query, lastId: reader.lastId() });
  expect(await takeTransitions(again, 2)).toEqual(missed.map(pending));
  const live = await create();
  expect(await takeTransitions(again, 1)).toEqual([pending(live)]);
  await again.close();
  const byArgument = await openEvents(harness.baseUrl, {
    key: tenant.key,
    query,
    variables: { after: reader.lastId() },
  });
  expect(await takeTransitions(byArgument, 3)).toEqual([...missed, live].map(pending));
  await byArgument.close();
});

test('a transition that is committed late is neither lost nor overtaken on a stream that resumes', async () => {
  const reader = await openEvents(second.url, { key: tenant.key, query });
  const late = await create();
  expect(await takeTransitions(reader, 1)).toEqual([pending(late)]);
  const { services } = harness;
  const scope = await jobScope(services.pool, tenant.tenantId, { type: 'system', name: 'test' });
  const held = Promise.withResolvers<void>();
  const moved = Promise.withResolvers<void>();
  const committed = inTransaction(services.pool, async (client) => {
    await movePayoutTo(client, scope, late, { trigger: 'cancel', reason: 'test' });
    moved.resolve();
    await held.promise;
  });
  await moved.promise;
  // Dated after the transition that is not committed, and committed before it.
  const early = await create();
  // A resumed stream reads for itself, up to the same horizon.
  const resumed = await openEvents(second.url, {
    key: tenant.key,
    query,
    lastId: reader.lastId(),
  });
  held.resolve();
  await committed;
  const both = [canceled(late), pending(early)];
  expect(await takeTransitions(reader, 2)).toEqual(both);
  expect(await takeTransitions(resumed, 2)).toEqual(both);
  const next = await create();
  for (const one of [reader, resumed]) {
    expect(await takeTransitions(one, 1)).toEqual([pending(next)]);
    await one.close();
  }
});

/** A key of the same member in the other environment. */
async function productionKey(): Promise<string> {
  const keyId = newId('apiKey');
  const { key, hash } = makeKey('production', keyId);
  await harness.database.pool.query(
    `INSERT INTO api_key (id, tenant_id, business_id, membership_id, role, secret_hash)
     SELECT $1, t.id, m.business_id, m.id, 'owner', $3 FROM membership m
     JOIN tenant t ON t.business_id = m.business_id AND t.environment = 'production'
     WHERE m.business_id = $2 LIMIT 1`,
    [keyId, tenant.businessId, hash],
  );
  return key;
}

test('another tenant and another environment see nothing of it, and its ids resume nothing of theirs', async () => {
  const reader = await openEvents(harness.baseUrl, { key: tenant.key, query });
  const other = await makeTenant(harness);
  const theirs = await makePayee(harness, other.key);
  const production = await openEvents(harness.baseUrl, { key: await productionKey(), query });
  const readers = await Promise.all([
    openEvents(harness.baseUrl, { key: other.key, query }),
    openEvents(second.url, { key: other.key, query }),
  ]);
  const mine = await create();
  const [seen] = await takeTransitions(reader, 1);
  expect(seen).toEqual(pending(mine));
  const foreign = await create(other.key, theirs);
  for (const one of readers) {
    expect(await takeTransitions(one, 1)).toEqual([pending(foreign)]);
    await one.close();
  }
  expect(production.status).toBe(200);
  expect(production.seen.filter(isTransition)).toEqual([]);
  await production.close();
  const refused = await openEvents(harness.baseUrl, {
    key: other.key,
    query,
    lastId: reader.lastId(),
  });
  expect(refused.status).toBe(400);
  expect(JSON.parse(await refused.text()).errors[0].extensions).toMatchObject({
    code: 'validation_failed',
    details: [{ field: 'after', code: 'invalid_cursor' }],
  });
  await reader.close();
});

/** So many that they neither wait for a stream in memory nor fit one page. */
const burst = 1_001;
const plainQuery =
  'subscription { payoutTransitions { transition { seq toState } payout { id } } }';

test('a burst that is more than may wait for a stream is read again, without a loss', async () => {
  const reader = await openEvents(harness.baseUrl, { key: tenant.key, query: plainQuery });
  const id = await create();
  expect(await takeTransitions(reader, 1)).toEqual([pending(id)]);
  const owner = new pg.Client({ connectionString: harness.database.ownerUrl });
  await owner.connect();
  // Rows without their relatives: foreign keys are switched off for the connection.
  await owner.query('SET session_replication_role = replica');
  await owner.query(
    `WITH locked AS (UPDATE payout SET updated_at = clock_timestamp() WHERE tenant_id = $1 AND id = $2 RETURNING 1)
     INSERT INTO payout_transition (tenant_id, payout_id, seq, previous_seq, from_state, to_state, actor)
     SELECT $1, $2, n, n - 1, s.states[1 + n % 2], s.states[2 - n % 2], '{"type": "system", "name": "test"}'
     FROM locked, generate_series(2, ${burst + 1}) AS n, (VALUES (ARRAY['pending_approval', 'compliance_hold'])) AS s (states)`,
    [tenant.tenantId, id],
  );
  await owner.end();
  const seen = await takeTransitions(reader, burst);
  expect(seen.map(({ seq }) => seq)).toEqual(Array.from({ length: burst }, (_, n) => n + 2));
  await reader.close();
});

test('however many streams are open, a look is the same statements', async () => {
  const looks = async (streams: number) => {
    const readers = await Promise.all(
      Array.from({ length: streams }, () =>
        openEvents(harness.baseUrl, { key: tenant.key, query }),
      ),
    );
    const { sent } = await harness.sql.during(async () => {
      const id = await create();
      for (const reader of readers) {
        expect(await takeTransitions(reader, 1)).toEqual([pending(id)]);
      }
    });
    for (const reader of readers) await reader.close();
    const count = (name: string) => sent.filter((one) => one.name === name).length;
    return { horizons: count('live_horizon'), reads: count('live_transitions') };
  };
  for (const streams of [1, 10]) {
    const { horizons, reads } = await looks(streams);
    // The second process has no stream open, and so it sends nothing.
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThanOrEqual(horizons);
    expect(horizons).toBeLessThan(200);
  }
});

test('a subscription needs a reader of events, and an operation that is none has one answer', async () => {
  const plain = await harness.graphql(tenant.key, query);
  expect(plain.status).toBe(406);
  expect(plain.body.errors[0].extensions.code).toBe('bad_request');
  const one = await openEvents(harness.baseUrl, { key: tenant.key, query: '{ me { role } }' });
  const answer = await one.next(isTransition);
  expect(answer?.data).toMatchObject({ data: { me: { role: 'owner' } } });
  await one.close();
  const wide = `subscription { payoutTransitions { id payout { ${Array.from(
    { length: 99 },
    (_, n) => `a${n}: beneficiary { payouts(first: 100) { edges { node { id } } } }`,
  ).join(' ')} } } }`;
  const refused = await openEvents(harness.baseUrl, { key: tenant.key, query: wide });
  expect(refused.status).toBe(400);
});

import { beforeAll, describe, expect, it } from 'vitest';
import { roles } from '../../src/access/roles.ts';
import { ledgerKinds } from '../../src/domain/ledger/names.ts';
import { newId } from '../../src/values/ids.ts';
import { at, bookPayouts, funding, postEntries, sampleEntries } from '../support/given-entries.ts';
import { makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });

const entriesPath = '/v1/funding/entries';

describe('GET /v1/funding/entries', () => {
  const tenant = useTenant(harness);
  const payoutId = newId('payout');
  const given = sampleEntries(payoutId);
  let ids: string[];

  beforeAll(async () => {
    const { pool } = harness.database;
    ids = await postEntries(pool, tenant.tenantId, given);
    await postEntries(pool, (await makeTenant(harness)).tenantId, [funding(1)]);
  });

  const list = async (query = '') => {
    const answer = await harness.rest('GET', `${entriesPath}?${query}`, { key: tenant.key });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const newest = (...places: number[]) => places.toReversed().map((place) => ids[place]);
  const idsOf = ({ entries }: { entries: { id: string }[] }) => entries.map(({ id }) => id);

  it('lists every entry, newest first, with what it says', async () => {
    const body = await list();
    expect(idsOf(body)).toEqual(newest(0, 1, 2, 3, 4));
    expect(body.next_cursor).toBeNull();
    expect(body.entries[0]).toEqual({
      id: ids[4],
      kind: 'fee',
      currency: 'USD',
      amount_minor: 1,
      debit_account: 'fees',
      credit_account: 'funds',
      payout_id: null,
      transition: null,
      source: 'line-1',
      recorded_at: at(3),
    });
  });

  it.each([
    [`payout_id=${payoutId}`, [2, 3]],
    [`payout_id=${payoutId}&kind=hold`, [2]],
    [`payout_id=${payoutId}&recorded_since=${at(2)}`, [3]],
    [`payout_id=${payoutId}&kind=hold&kind=fee&recorded_before=${at(3)}`, [2]],
    ['kind=funding', [0, 1]],
    ['kind=funding&kind=fee&kind=fee', [0, 1, 4]],
    [`kind=funding&recorded_since=${at(1)}`, [1]],
    [`recorded_since=${at(1)}`, [1, 2, 3, 4]],
    [`recorded_before=${at(2)}`, [0, 1, 2]],
    [`recorded_since=${at(1)}&recorded_before=${at(3)}`, [1, 2, 3]],
    [`recorded_since=${at(3)}&recorded_before=${at(1)}`, []],
    ['kind=withdrawal', []],
    [`payout_id=${newId('payout')}`, []],
    ['payout_id=nonsense', []],
  ])('finds by %s', async (query, places) => {
    expect(idsOf(await list(query))).toEqual(newest(...places));
    const pages: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await list(`${query}&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
      pages.push(...idsOf(page));
      cursor = page.next_cursor;
    }
    expect(pages).toEqual(newest(...places));
  });

  it('goes on where it was when entries come in meanwhile', async () => {
    const { pool } = harness.database;
    const { key, tenantId } = await makeTenant(harness);
    const made = await postEntries(
      pool,
      tenantId,
      [0, 1, 2, 3].map((minute) => funding(1, { recordedAt: at(minute) })),
    );
    const page = async (query: string) =>
      (await harness.rest('GET', `${entriesPath}?limit=2${query}`, { key })).body;
    const first = await page('');
    await postEntries(pool, tenantId, [funding(9)]);
    const next = await page(`&cursor=${first.next_cursor}`);
    expect([...idsOf(first), ...idsOf(next)]).toEqual(made.toReversed());
    expect(next.next_cursor).toBeNull();
  });

  it.each([
    ['kind=unknown', 'kind'],
    ['recorded_since=yesterday', 'recorded_since'],
    ['recorded_before=2026-03-01', 'recorded_before'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['state=settled', 'state'],
  ])('refuses %s', async (query, field) => {
    const answer = await harness.rest('GET', `${entriesPath}?${query}`, { key: tenant.key });
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('validation_failed');
    expect(answer.body.error.details[0].field).toMatch(new RegExp(`^${field}`));
  });

  it('refuses the cursor of another filter and of another tenant', async () => {
    const { next_cursor: cursor } = await list('limit=1');
    const other = await makeTenant(harness);
    for (const [key, query] of [
      [tenant.key, `kind=funding&cursor=${cursor}`],
      [other.key, `cursor=${cursor}`],
    ] as const) {
      const { status, body } = await harness.rest('GET', `${entriesPath}?${query}`, { key });
      expect([status, body.error.details[0].code]).toEqual([400, 'invalid_cursor']);
    }
  });

  it('pages in both directions on GraphQL, and counts', async () => {
    const query = `query ($first: Int, $after: String, $last: Int, $before: String) {
      ledgerEntries(first: $first, after: $after, last: $last, before: $before, filter: { kind: [funding, fee, hold] }) {
        totalCount totalCountIsExact
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        edges { node { id amountMinor } }
      }
    }`;
    const page = async (variables: object) =>
      (await harness.graphql(tenant.key, query, { ...variables })).body.data.ledgerEntries;
    const nodes = ({ edges }: { edges: { node: { id: string } }[] }) =>
      edges.map(({ node }) => node.id);
    const first = await page({ first: 2 });
    expect(first).toMatchObject({
      totalCount: 4,
      totalCountIsExact: true,
      pageInfo: { hasNextPage: true, hasPreviousPage: false },
    });
    expect(nodes(first)).toEqual(newest(2, 4));
    const second = await page({ first: 2, after: first.pageInfo.endCursor });
    expect(nodes(second)).toEqual(newest(0, 1));
    expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const back = await page({ last: 2, before: second.pageInfo.startCursor });
    expect(nodes(back)).toEqual(newest(2, 4));
    expect(nodes(await page({ last: 3 }))).toEqual(newest(0, 1, 2));
    const counted = await harness.graphql(
      tenant.key,
      'query ($id: ID) { ledgerEntries(filter: { payoutId: $id, recordedSince: null }) { totalCount } }',
      { id: payoutId },
    );
    expect(counted.body.data.ledgerEntries.totalCount).toBe(2);
  });

  it.each(roles)('may be read by a key of role %s, as the account may', async (role) => {
    const key = await tenant.keyWithRole(role);
    expect((await harness.rest('GET', entriesPath, { key })).body.entries).toHaveLength(5);
    expect((await harness.rest('GET', `${entriesPath}/export`, { key })).status).toBe(200);
  });

  it('is for nobody without a key', async () => {
    expect((await harness.rest('GET', entriesPath)).status).toBe(401);
    expect((await harness.rest('GET', `${entriesPath}/export`)).status).toBe(401);
  });

  it('is of one environment: the ids of the other answer like unknown ones', async () => {
    const production = await makeTenant(harness, { environment: 'production' });
    const ask = 'query ($id: ID!) { node(id: $id) { id } }';
    const seen = async (id: string) => (await harness.graphql(production.key, ask, { id })).text;
    expect(await seen(ids[0] ?? '')).toBe(await seen(newId('ledgerEntry')));
    const own = await harness.graphql(tenant.key, ask, { id: ids[0] });
    expect(own.body.data.node).toEqual({ id: ids[0] });
    const path = `${entriesPath}?payout_id=${payoutId}`;
    expect((await harness.rest('GET', path, { key: production.key })).body.entries).toEqual([]);
  });
});

describe('the entries of a payout', () => {
  it('are with it, oldest first, each with its transition', async () => {
    const { key, tenantId } = await makeTenant(harness);
    const payee = await makePayee(harness, key);
    const create = async (strategy: string): Promise<string> => {
      const body = payoutBody(payee, { validator_strategy: strategy });
      return (await harness.rest('POST', '/v1/payouts', { key, body })).body.payout.id;
    };
    const [waiting, canceled] = [await create('manual'), await create('auto')];
    await harness.rest('POST', `/v1/payouts/${canceled}/cancel`, { key });
    await bookPayouts(harness.database.pool, tenantId);
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Payout {
      ledgerEntries { kind amountMinor debitAccount creditAccount transition { seq fromState toState } }
    } } }`;
    const { result, sent } = await harness.sql.during(() =>
      harness.graphql(key, query, { ids: [waiting, canceled] }),
    );
    const accounts = {
      amountMinor: 125_000,
      debitAccount: 'in_transit',
      creditAccount: 'external',
    };
    expect(result.body.data.nodes).toEqual([
      { ledgerEntries: [] },
      {
        ledgerEntries: [
          {
            kind: 'hold',
            ...accounts,
            transition: { seq: 1, fromState: 'new', toState: 'approved' },
          },
          {
            kind: 'release',
            ...accounts,
            transition: { seq: 2, fromState: 'approved', toState: 'canceled' },
          },
        ],
      },
    ]);
    const names = sent.map(({ name }) => name).filter((name) => /ledger/.test(name ?? ''));
    expect(names).toEqual(['ledger_entries_of_payouts', 'transitions_of_ledger_entries']);
    const { body } = await harness.rest('GET', `${entriesPath}?payout_id=${canceled}`, { key });
    expect(body.entries.map((entry: { transition: object }) => entry.transition)).toEqual([
      { seq: 2, from_state: 'approved', to_state: 'canceled' },
      { seq: 1, from_state: 'new', to_state: 'approved' },
    ]);
  });
});

it('every kind is one of the schema', async () => {
  const { body } = await harness.graphql(
    undefined,
    '{ __type(name: "LedgerKind") { enumValues { name } } }',
  );
  const names = body.data?.__type?.enumValues?.map(({ name }: { name: string }) => name) ?? [];
  expect(names.toSorted()).toEqual(ledgerKinds.toSorted());
});

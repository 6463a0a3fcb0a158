import { beforeAll, describe, expect, it } from 'vitest';
import { roles } from '../../src/access/roles.ts';
import { ledgerKinds } from '../../src/domain/ledger/names.ts';
import { newId } from '../../src/values/ids.ts';
import { bookPayouts, postEntries, type GivenEntry } from '../support/given-entries.ts';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestTenant,
} from '../support/factory.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });

const accountPath = '/v1/funding/account';
const entriesPath = '/v1/funding/entries';

const setMode = (tenantId: string, mode: string) =>
  harness.database.pool.query(
    `INSERT INTO ledger_mode (tenant_id, mode) VALUES ($1, $2)
     ON CONFLICT (tenant_id) DO UPDATE SET mode = excluded.mode`,
    [tenantId, mode],
  );

const funding = (amount: number, more: Partial<GivenEntry> = {}): GivenEntry => ({
  kind: 'funding',
  debit: 'funds',
  credit: 'external',
  amount,
  source: newId('request'),
  ...more,
});

/** A payout with a hold; `paid`: with all that follows too. */
const payment = (amount: number, own: 'funds' | 'external', paid: boolean): GivenEntry[] => {
  const payoutId = newId('payout');
  const moves: GivenEntry[] = [
    { kind: 'hold', debit: 'in_transit', credit: own, amount, payoutId, seq: 2 },
    { kind: 'disburse', debit: 'in_transit', credit: own, amount, payoutId, seq: 3 },
    { kind: 'settle', debit: 'paid', credit: 'in_transit', amount, payoutId, seq: 4 },
  ];
  return paid ? moves : moves.slice(0, 1);
};

describe('GET /v1/funding/account', () => {
  const post = (tenant: TestTenant, entries: readonly GivenEntry[]) =>
    postEntries(harness.database.pool, tenant.tenantId, entries);
  const read = async (key: string) =>
    (await harness.rest('GET', accountPath, { key })).body.funding_account;
  const nothing = {
    posted_minor: 0,
    held_minor: 0,
    available_minor: 0,
    in_transit_minor: 0,
    paid_minor: 0,
    fees_minor: 0,
  };

  it('shows a line of zeros for a currency without entries', async () => {
    const { key } = await makeTenant(harness);
    expect(await read(key)).toMatchObject({
      mode: 'reported',
      available_balance_minor: 100_000_000,
      posted_minor: 0,
      held_minor: 0,
      in_transit_minor: 0,
      balances: [{ currency: 'USD', ...nothing }],
    });
  });

  it('keeps the reported balance, and shows posted less held when the mode is enforced', async () => {
    const tenant = await makeTenant(harness, { environment: 'production' });
    await post(tenant, [
      funding(10_000),
      ...payment(2_500, 'funds', false),
      ...payment(700, 'funds', true),
      { kind: 'fee', debit: 'fees', credit: 'funds', amount: 30, source: 'line-1' },
      funding(40, { currency: 'EUR' }),
    ]);
    const books = {
      posted_minor: 9_270,
      held_minor: 2_500,
      in_transit_minor: 0,
      balances: [
        { ...nothing, currency: 'EUR', posted_minor: 40, available_minor: 40 },
        {
          currency: 'USD',
          posted_minor: 9_270,
          held_minor: 2_500,
          available_minor: 6_770,
          in_transit_minor: 0,
          paid_minor: 700,
          fees_minor: 30,
        },
      ],
    };
    const reported = { mode: 'reported', available_balance_minor: 100_000_000 };
    expect(await read(tenant.key)).toMatchObject({ ...reported, ...books });
    await setMode(tenant.tenantId, 'enforced');
    const enforced = { mode: 'enforced', available_balance_minor: 6_770 };
    expect(await read(tenant.key)).toMatchObject({ ...enforced, ...books });
    await setMode(tenant.tenantId, 'reported');
    expect(await read(tenant.key)).toMatchObject(reported);
  });

  it('never draws a sandbox down', async () => {
    const tenant = await makeTenant(harness);
    await setMode(tenant.tenantId, 'enforced');
    await post(tenant, [
      funding(10_000),
      ...payment(2_500, 'external', false),
      ...payment(700, 'external', true),
    ]);
    expect(await read(tenant.key)).toMatchObject({
      available_balance_minor: 10_000,
      posted_minor: 10_000,
      held_minor: 2_500,
      balances: [{ available_minor: 10_000, paid_minor: 700 }],
    });
  });

  it('shows what was promised beyond the funds as less than nothing', async () => {
    const tenant = await makeTenant(harness, { environment: 'production' });
    await setMode(tenant.tenantId, 'enforced');
    await post(tenant, payment(2_500, 'funds', false));
    expect(await read(tenant.key)).toMatchObject({
      available_balance_minor: -2_500,
      balances: [{ posted_minor: 0, available_minor: -2_500 }],
    });
  });

  it('shows sums beyond 2^53 digit by digit, on GraphQL as text', async () => {
    const tenant = await makeTenant(harness);
    await harness.database.pool.query(
      `INSERT INTO ledger_balance (tenant_id, currency, slot, paid_minor, external_minor)
       VALUES ($1, 'USD', 0, 9007199254740993, -9007199254740993), ($1, 'USD', 1, 1, -1)`,
      [tenant.tenantId],
    );
    const { text } = await harness.rest('GET', accountPath, { key: tenant.key });
    expect(text).toContain('"paid_minor":9007199254740994,');
    const { body } = await harness.graphql(
      tenant.key,
      '{ fundingAccount { mode postedMinor balances { currency paidMinor } } }',
    );
    expect(body.data.fundingAccount).toEqual({
      mode: 'reported',
      postedMinor: '0',
      balances: [{ currency: 'USD', paidMinor: '9007199254740994' }],
    });
  });

  it("reads the books after each change of an operation, and no other tenant's", async () => {
    const [mine, other] = [await makeTenant(harness), await makeTenant(harness)];
    await post(other, [funding(7)]);
    const { body } = await harness.graphql(
      mine.key,
      `mutation {
        a: sandboxBalanceSet(input: { availableBalanceMinor: 1, currency: "USD" }) { availableBalanceMinor postedMinor }
        b: sandboxBalanceSet(input: { availableBalanceMinor: 2, currency: "USD" }) { availableBalanceMinor postedMinor }
      }`,
    );
    expect(body.data).toMatchObject({
      a: { availableBalanceMinor: 1 },
      b: { availableBalanceMinor: 2 },
    });
    expect((await read(other.key)).posted_minor).toBe(7);
    expect(body.data.b.postedMinor).not.toBe('7');
  });
});

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString();

describe('GET /v1/funding/entries', () => {
  const tenant = useTenant(harness);
  const payoutId = newId('payout');
  /** Oldest first: an entry a minute, but that the second and the third have one time. */
  const given: GivenEntry[] = [
    funding(100, { recordedAt: at(0), source: 'report-1' }),
    funding(200, { recordedAt: at(1), source: 'report-2', currency: 'EUR' }),
    {
      kind: 'hold',
      debit: 'in_transit',
      credit: 'external',
      amount: 5,
      payoutId,
      seq: 2,
      recordedAt: at(1),
    },
    {
      kind: 'disburse',
      debit: 'in_transit',
      credit: 'external',
      amount: 5,
      payoutId,
      seq: 3,
      recordedAt: at(2),
    },
    {
      kind: 'fee',
      debit: 'fees',
      credit: 'funds',
      amount: 1,
      payoutId,
      source: 'line-1',
      recordedAt: at(3),
    },
  ];
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
      payout_id: payoutId,
      transition: null,
      source: 'line-1',
      recorded_at: at(3),
    });
  });

  it.each([
    [`payout_id=${payoutId}`, [2, 3, 4]],
    [`payout_id=${payoutId}&kind=hold`, [2]],
    [`payout_id=${payoutId}&recorded_since=${at(2)}`, [3, 4]],
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
    expect(counted.body.data.ledgerEntries.totalCount).toBe(3);
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

  const header =
    'entry_id,kind,currency,amount_minor,debit_account,credit_account,payout_id,transition_seq,from_state,to_state,source,environment,recorded_at';
  const lines = (...places: number[]): string =>
    places
      .map((place) => {
        const one = given[place];
        const cells = [
          ids[place],
          one?.kind,
          one?.currency ?? 'USD',
          one?.amount,
          one?.debit,
          one?.credit,
          one?.payoutId,
          one?.seq,
          '',
          '',
          one?.source,
          'sandbox',
          one?.recordedAt,
        ];
        return `${cells.join(',')}\r\n`;
      })
      .join('');

  it('is exported as it is filtered, oldest first', async () => {
    const download = async (query: string) =>
      harness.rest('GET', `${entriesPath}/export?${query}`, { key: tenant.key });
    const all = await download('');
    expect(all.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(all.headers.get('content-disposition')).toMatch(
      /^attachment; filename="ledger-entries-sandbox-\d{8}T\d{6}Z\.csv"$/,
    );
    expect(all.text).toBe(`${header}\r\n${lines(0, 1, 2, 3, 4)}`);
    for (const [query, ...places] of [
      ['kind=fee&kind=funding', 0, 1, 4],
      [`payout_id=${payoutId}&recorded_before=${at(3)}`, 2, 3],
      [`recorded_since=${at(1)}&recorded_before=${at(2)}`, 1, 2],
      ['payout_id=nonsense'],
    ] as const) {
      expect((await download(query)).text).toBe(`${header}\r\n${lines(...places)}`);
    }
    expect((await download('kind=unknown')).status).toBe(400);
  });

  it('guards the source of an entry from being run as a formula', async () => {
    const other = await makeTenant(harness);
    await postEntries(harness.database.pool, other.tenantId, [funding(1, { source: '=1+1' })]);
    const { text } = await harness.rest('GET', `${entriesPath}/export`, { key: other.key });
    expect(text).toContain(",'=1+1,");
  });
});

describe('an export of entries by a job', () => {
  const written = useHarness();
  const tenant = useTenant(written);

  it('holds what was asked for, and says so', async () => {
    const { key, tenantId } = tenant;
    const ids = await postEntries(written.database.pool, tenantId, [
      funding(1, { recordedAt: at(0) }),
      ...payment(5, 'external', false),
    ]);
    const ordered = await written.rest(
      'GET',
      `${entriesPath}/export?kind=hold&recorded_since=${at(1)}`,
      {
        key,
        headers: { prefer: 'respond-async' },
      },
    );
    expect(ordered.status).toBe(202);
    expect(ordered.body.export).toMatchObject({
      kind: 'ledger_entries',
      filter: null,
      entries_filter: {
        payout_id: null,
        kind: ['hold'],
        recorded_since: at(1),
        recorded_before: null,
      },
    });
    const location = ordered.headers.get('location') ?? '';
    const file = await eventually(async () => {
      const answer = await written.rest('GET', location, { key });
      return answer.status === 200 && answer;
    });
    expect(
      file.text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0]),
    ).toEqual([ids[1]]);
    const { body } = await written.rest('GET', '/v1/exports?kind=ledger_entries', { key });
    expect(body.exports).toHaveLength(1);
  });

  it.each([
    ['ledger_entries', 'filter', { state: ['settled'] }],
    ['transactions', 'entriesFilter', { kind: ['hold'] }],
    ['beneficiaries', 'entriesFilter', { kind: ['hold'] }],
  ])('of %s takes no %s of another kind', async (kind, field, filter) => {
    const { body } = await written.graphql(
      tenant.key,
      'mutation ($input: ExportCreateInput!) { exportCreate(input: $input) { id } }',
      { input: { kind, [field]: filter } },
    );
    expect(body.errors[0].extensions).toMatchObject({
      code: 'validation_failed',
      details: [{ field, code: 'unknown_field' }],
    });
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

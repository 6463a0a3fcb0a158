import fc from 'fast-check';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { makeTenant } from '../support/factory.ts';
import { longTestMs } from '../support/patience.ts';
import { insertPayoutRows, payoutRow, type PayoutRow } from '../support/payout-rows.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
const day = 86_400_000;
const start = Date.parse('2026-01-01T00:00:00Z');
const at = (days: number): string => new Date(start + Math.round(days * day)).toISOString();

const names = [
  'Ada Lovelace',
  'adele',
  'Ærø Skibe',
  'Émile Zola',
  'émilie',
  'Grace Hopper',
  'İpek',
  'Zoë',
];
const states = [
  'pending_approval',
  'settled',
  'settled',
  'failed',
  'returned',
  'disbursed',
] as const;

/** The n-th payout: whatever a list can be by differs, and several payouts have the same. */
function rowOf(n: number): PayoutRow {
  const state = states[n % states.length] ?? 'settled';
  const left = state === 'pending_approval' || state === 'failed' ? null : at(n / 10 + 2);
  return payoutRow({
    state,
    currency: n % 4 === 0 ? 'EUR' : 'USD',
    amount_minor: 100 + ((n * 37) % 50),
    beneficiary_name: names[(n * 5) % names.length] ?? '',
    provider: state === 'pending_approval' ? null : n % 3 === 0 ? 'simulator' : 'gateway',
    failure_code:
      state === 'failed' || state === 'returned'
        ? n % 2 === 0
          ? 'other'
          : 'account_closed'
        : null,
    beneficiary_id: `ben_${n % 7}`,
    external_ref: n % 5 === 0 ? `ref ${n % 10}` : null,
    created_at: at(Math.floor(n / 2) / 10),
    updated_at: at(((n * 11) % 90) / 10),
    approved_at: state === 'pending_approval' ? null : at(n / 10 + 1),
    disbursed_at: left,
    settled_at: state === 'settled' ? left : null,
  });
}

const rows = Array.from({ length: 90 }, (_, n) => rowOf(n));
beforeAll(() => insertPayoutRows(harness.database.pool, tenant.tenantId, rows));

const query = `query ($first: Int, $last: Int, $after: String, $before: String, $filter: PayoutFilter, $orderBy: PayoutOrder) {
  payouts(first: $first, last: $last, after: $after, before: $before, filter: $filter, orderBy: $orderBy) {
    totalCount totalCountIsExact
    edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  } }`;

interface Answer {
  readonly totalCount: number;
  readonly totalCountIsExact: boolean;
  readonly edges: { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

async function page(variables: Record<string, unknown>, key = tenant.key): Promise<Answer> {
  const { body, text } = await harness.graphql(key, query, variables);
  expect(body.errors, text).toBeUndefined();
  return body.data.payouts;
}

const idsOf = ({ edges }: Answer): string[] => edges.map(({ node }) => node.id);
const all = async (variables: Record<string, unknown>) =>
  idsOf(await page({ first: 100, ...variables }));

/** The ids of the rows that `holds`, by a key and the id. */
function expected(
  holds: (row: PayoutRow) => boolean,
  key: (row: PayoutRow) => string | number | null = ({ created_at }) => created_at,
  direction: 'asc' | 'desc' = 'desc',
): string[] {
  const sorted = rows
    .filter((row) => holds(row) && key(row) !== null)
    .toSorted((a, b) => compare(key(a) ?? '', key(b) ?? '') || compare(a.id, b.id))
    .map(({ id }) => id);
  return direction === 'asc' ? sorted : sorted.toReversed();
}

/** Texts by code point, as the database compares bytes. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

type Filter = Record<string, unknown>;

describe('filters', () => {
  test.each<[Filter, (row: PayoutRow) => boolean]>([
    [{}, () => true],
    [{ state: ['failed', 'returned'] }, ({ state }) => state === 'failed' || state === 'returned'],
    [{ state: [] }, () => false],
    [{ currency: 'EUR' }, ({ currency }) => currency === 'EUR'],
    [{ provider: 'simulator' }, ({ provider }) => provider === 'simulator'],
    [{ failureCode: 'other' }, (row) => row.failure_code === 'other'],
    [
      { failureCode: 'other', state: ['failed'], currency: 'USD', provider: 'gateway' },
      (row) =>
        row.failure_code === 'other' &&
        row.state === 'failed' &&
        row.currency === 'USD' &&
        row.provider === 'gateway',
    ],
    [
      { createdSince: at(2), createdBefore: at(3) },
      ({ created_at }) => created_at >= at(2) && created_at < at(3),
    ],
    [{ beneficiaryId: 'ben_3' }, (row) => row.beneficiary_id === 'ben_3'],
    [
      { beneficiaryId: 'ben_3', state: ['settled'] },
      (row) => row.beneficiary_id === 'ben_3' && row.state === 'settled',
    ],
    [
      { externalRef: 'ref 5', currency: 'USD' },
      (row) => row.external_ref === 'ref 5' && row.currency === 'USD',
    ],
    [
      { externalRef: 'ref 5', beneficiaryId: 'ben_1' },
      (row) => row.external_ref === 'ref 5' && row.beneficiary_id === 'ben_1',
    ],
  ])('%j, newest first', async (filter, holds) => {
    const answer = await page({ first: 100, filter });
    expect(idsOf(answer)).toEqual(expected(holds));
    expect(answer).toMatchObject({ totalCount: expected(holds).length, totalCountIsExact: true });
  });

  test.each(['approved', 'disbursed', 'settled'] as const)(
    'times of %s, latest first',
    async (step) => {
      const key = (row: PayoutRow) => row[`${step}_at`];
      const within = (row: PayoutRow) => (key(row) ?? '') >= at(4) && (key(row) ?? '') < at(6);
      const filter = { [`${step}Since`]: at(4), [`${step}Before`]: at(6) };
      expect(await all({ filter })).toEqual(expected(within, key));
      expect(await all({ filter: { ...filter, currency: 'EUR' } })).toEqual(
        expected((row) => within(row) && row.currency === 'EUR', key),
      );
    },
  );

  test('amounts of one currency, both ends included', async () => {
    const within = (row: PayoutRow) =>
      row.currency === 'USD' && row.amount_minor >= 110 && row.amount_minor <= 120;
    const filter = { currency: 'USD', amountMinorFrom: 110, amountMinorTo: 120 };
    expect(await all({ filter })).toEqual(expected(within, (row) => row.amount_minor));
    expect(await all({ filter: { currency: 'USD', amountMinorTo: 110 } })).toEqual(
      expected(
        (row) => row.currency === 'USD' && row.amount_minor <= 110,
        (row) => row.amount_minor,
      ),
    );
  });

  test.each([
    ['ad', ['Ada Lovelace', 'adele']],
    ['ÉMI', ['Émile Zola', 'émilie']],
    ['æ', ['Ærø Skibe']],
    ['zoË', ['Zoë']],
    ['Lovelace', []],
    ['%', []],
  ])('names that begin with %s, in the order of the alphabet', async (payeeName, found) => {
    const ids = expected(
      (row) => found.includes(row.beneficiary_name),
      (row) => row.beneficiary_name.toLowerCase(),
      'asc',
    );
    expect(await all({ filter: { payeeName } })).toEqual(ids);
  });

  test('what waits longest comes first', async () => {
    const waits = expected(
      (row) => row.state === 'pending_approval',
      (row) => row.updated_at,
      'asc',
    );
    expect(await all({ filter: { waitingMinutes: 5 } })).toEqual(waits);
    const since = Math.floor((Date.now() - Date.parse(at(4))) / 60_000);
    const long = expected(
      (row) => row.state === 'pending_approval' && row.updated_at <= at(4),
      (row) => row.updated_at,
      'asc',
    );
    expect(await all({ filter: { waitingMinutes: since, state: ['pending_approval'] } })).toEqual(
      long,
    );
    expect(await all({ filter: { waitingMinutes: 5_000_000 } })).toEqual([]);
  });
});

const keys: Record<string, (row: PayoutRow) => string | number | null> = {
  created_at: (row) => row.created_at,
  updated_at: (row) => row.updated_at,
  amount: (row) => row.amount_minor,
  payee_name: (row) => row.beneficiary_name.toLowerCase().replace('i̇', 'i'),
  approved_at: (row) => row.approved_at,
  disbursed_at: (row) => row.disbursed_at,
  settled_at: (row) => row.settled_at,
};

describe('orders', () => {
  const cases = Object.keys(keys).flatMap(
    (field) =>
      [
        [field, 'asc'],
        [field, 'desc'],
      ] as const,
  );
  test.each(cases)('by %s, %s', async (field, direction) => {
    const filter = field === 'amount' ? { currency: 'USD' } : {};
    const holds = (row: PayoutRow) => field !== 'amount' || row.currency === 'USD';
    const key = keys[field] ?? (() => null);
    expect(await all({ filter, orderBy: { field, direction } })).toEqual(
      expected(holds, key, direction),
    );
  });
});

describe('pages', () => {
  /** Walks a list to its end and gives its ids; `between` runs between two pages. */
  async function walk(
    forwards: boolean,
    size: number,
    asked: Record<string, unknown>,
    between: () => Promise<void>,
  ): Promise<string[]> {
    const found: string[][] = [];
    let cursor: string | null = null;
    for (;;) {
      const answer: Answer = await page({
        ...asked,
        ...(forwards ? { first: size, after: cursor } : { last: size, before: cursor }),
      });
      const { edges, pageInfo } = answer;
      found.push(idsOf(answer));
      expect(pageInfo.startCursor).toBe(edges[0]?.cursor ?? null);
      expect(pageInfo.endCursor).toBe(edges.at(-1)?.cursor ?? null);
      const [more, back] = forwards
        ? [pageInfo.hasNextPage, pageInfo.hasPreviousPage]
        : [pageInfo.hasPreviousPage, pageInfo.hasNextPage];
      expect(back).toBe(cursor !== null);
      if (!more) break;
      expect(edges).toHaveLength(size);
      cursor = forwards ? pageInfo.endCursor : pageInfo.startCursor;
      await between();
    }
    return (forwards ? found : found.toReversed()).flat();
  }

  const listed = fc.record({
    field: fc.constantFrom(...Object.keys(keys)),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
    states: fc.option(
      fc.subarray(['settled', 'failed', 'pending_approval', 'returned'], { minLength: 1 }),
    ),
    provider: fc.option(fc.constantFrom('simulator', 'gateway')),
    size: fc.integer({ min: 1, max: 12 }),
    inserted: fc.array(fc.nat({ max: 2_000 }), { maxLength: 4 }),
  });

  it(
    'forwards and backwards give the same list, whatever is inserted meanwhile',
    { timeout: longTestMs },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          listed,
          async ({ field, direction, states: state, provider, size, inserted }) => {
            const { tenantId, key } = await makeTenant(harness);
            const own = rows.map((row, n) => ({ ...row, id: payoutRow({ created_at: at(n) }).id }));
            await insertPayoutRows(harness.database.pool, tenantId, own);
            const filter = {
              ...(state ? { state } : {}),
              ...(provider ? { provider } : {}),
              currency: 'USD',
            };
            const asked = { filter, orderBy: { field, direction } };
            const known = new Set(own.map(({ id }) => id));
            const list = (await page({ first: 100, ...asked }, key)).edges.map(
              ({ node }) => node.id,
            );
            const queue = [...inserted];
            const insert = async () => {
              const n = queue.pop();
              if (n !== undefined)
                await insertPayoutRows(harness.database.pool, tenantId, [rowOf(n)]);
            };
            const previous = Object.assign({}, tenant);
            Object.assign(tenant, { key });
            try {
              for (const forwards of [true, false]) {
                const seen = await walk(forwards, size, asked, insert);
                expect(seen.filter((id) => known.has(id))).toEqual(list);
                expect(new Set(seen).size).toBe(seen.length);
              }
            } finally {
              Object.assign(tenant, previous);
            }
          },
        ),
        { numRuns: 12 },
      );
    },
  );

  it('shows what is between two cursors', async () => {
    const { edges } = await page({ first: 20 });
    const [after, before] = [edges[4]?.cursor, edges[12]?.cursor];
    const between = edges.slice(5, 12).map(({ node }) => node.id);
    const whole = await page({ first: 10, after, before });
    expect(idsOf(whole)).toEqual(between);
    expect(whole.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    expect(idsOf(await page({ first: 3, after, before }))).toEqual(between.slice(0, 3));
    const last = await page({ last: 3, after, before });
    expect(idsOf(last)).toEqual(between.slice(-3));
    expect(last.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    const none = await page({ first: 3, after: edges[4]?.cursor, before: edges[5]?.cursor });
    expect(none).toMatchObject({
      edges: [],
      pageInfo: { hasNextPage: true, hasPreviousPage: true },
    });
  });

  it('knows that what a cursor stood on has left the list', async () => {
    const { tenantId, key } = await makeTenant(harness);
    const own = [1, 2, 3].map((n) => payoutRow({ created_at: at(n) }));
    await insertPayoutRows(harness.database.pool, tenantId, own);
    const asked = { filter: { state: ['pending_approval'] } };
    const first = await page({ ...asked, first: 1 }, key);
    await harness.database.pool.query(
      `BEGIN; SET LOCAL session_replication_role = replica; UPDATE payout SET state = 'canceled' WHERE id = '${own[2]?.id}'; COMMIT`,
    );
    const next = await page({ ...asked, first: 1, after: first.pageInfo.endCursor }, key);
    expect(idsOf(next)).toEqual([own[1]?.id]);
    expect(next.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(next.totalCount).toBe(2);
  });
});

describe('refuses', () => {
  async function detail(variables: Record<string, unknown>, key = tenant.key) {
    const { body } = await harness.graphql(key, query, variables);
    expect(body.data).toBeNull();
    const { code, details } = body.errors[0].extensions;
    return { code, ...details?.[0] };
  }
  const failed = (field: string, code: string) => ({ code, field });

  test.each<[Record<string, unknown>, { code: string; field: string }]>([
    [{ first: 0 }, failed('first', 'out_of_range')],
    [{ last: 101 }, failed('last', 'out_of_range')],
    [{ first: 1, last: 1 }, failed('last', 'invalid_value')],
    [{ after: 'x' }, failed('after', 'invalid_cursor')],
    [{ last: 1, before: 'x' }, failed('before', 'invalid_cursor')],
    [{ orderBy: { field: 'amount' } }, failed('filter.currency', 'required')],
    [{ filter: { amountMinorFrom: 5 } }, failed('filter.currency', 'required')],
    [
      { filter: { createdSince: at(0), settledSince: at(0) } },
      failed('filter.settledSince', 'unsupported_combination'),
    ],
    [
      { filter: { payeeName: 'a', waitingMinutes: 5 } },
      failed('filter.waitingMinutes', 'unsupported_combination'),
    ],
    [
      { filter: { payeeName: 'a' }, orderBy: { field: 'created_at' } },
      failed('orderBy.field', 'unsupported_combination'),
    ],
    [
      { filter: { waitingMinutes: 5, state: ['settled'] } },
      failed('filter.state', 'unsupported_combination'),
    ],
    [
      { filter: { beneficiaryId: 'ben_1', createdSince: at(0) } },
      failed('filter.beneficiaryId', 'unsupported_combination'),
    ],
    [
      { filter: { externalRef: 'r' }, orderBy: { field: 'payee_name' } },
      failed('filter.externalRef', 'unsupported_combination'),
    ],
    [{ filter: { currency: 'usd' } }, failed('currency', 'invalid_format')],
    [{ filter: { failureCode: 'unknown' } }, failed('failureCode', 'invalid_value')],
    [{ filter: { provider: 'a\u0000' } }, failed('provider', 'invalid_format')],
    [{ filter: { payeeName: '' } }, failed('payeeName', 'too_short')],
    [{ filter: { createdSince: 'yesterday' } }, failed('createdSince', 'invalid_format')],
    [
      { filter: { currency: 'USD', amountMinorFrom: 1.5 } },
      failed('amountMinorFrom', 'invalid_value'),
    ],
    [{ filter: { waitingMinutes: -1 } }, failed('waitingMinutes', 'too_small')],
  ])('%j', async (variables, { code, field }) => {
    const found = await detail(variables);
    expect(found).toMatchObject({ code, field });
  });

  it('a cursor of another tenant, environment, order or filter', async () => {
    const asked = {
      filter: { state: ['settled'] },
      orderBy: { field: 'updated_at', direction: 'desc' },
    };
    const { pageInfo } = await page({ first: 2, ...asked });
    const after = pageInfo.endCursor;
    const invalid = { field: 'after', code: 'invalid_cursor' };
    const others = [
      { ...asked, orderBy: { field: 'updated_at', direction: 'asc' } },
      { ...asked, orderBy: { field: 'created_at', direction: 'desc' } },
      { ...asked, filter: { state: ['failed'] } },
      { ...asked, filter: { ...asked.filter, currency: 'USD' } },
      {},
    ];
    for (const other of others) expect(await detail({ ...other, after })).toMatchObject(invalid);
    const stranger = await makeTenant(harness);
    expect(await detail({ ...asked, after }, stranger.key)).toMatchObject(invalid);
    expect((await page({ ...asked, after })).edges.length).toBeGreaterThan(0);
  });
});

it('shows another business, and another environment, nothing', async () => {
  for (const environment of ['sandbox', 'production'] as const) {
    const { key } = await makeTenant(harness, { environment });
    expect(await page({ filter: { state: ['settled'] } }, key)).toMatchObject({
      edges: [],
      totalCount: 0,
      totalCountIsExact: true,
    });
  }
});

it('every role that may read sees lists', async () => {
  for (const role of ['viewer', 'developer', 'preparer', 'approver'] as const) {
    const answer = await page({ first: 1 }, await tenant.keyWithRole(role));
    expect(answer.totalCount).toBe(rows.length);
  }
});

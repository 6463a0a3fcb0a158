import fc from 'fast-check';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { makeTenant } from '../support/factory.ts';
import { longTestMs } from '../support/patience.ts';
import {
  at,
  idsOf,
  keys,
  listPage,
  listRefusal,
  rowOf,
  rows,
  type ListAnswer,
} from './payout-lists.ts';
import { insertPayoutRows, payoutRow } from '../support/payout-rows.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
beforeAll(() => insertPayoutRows(harness.database.pool, tenant.tenantId, rows));

const page = (variables: Record<string, unknown>, key = tenant.key) =>
  listPage(harness, key, variables);

describe('pages', () => {
  /** Walks a list to its end and gives its ids; `between` runs between two pages. */
  async function walk(
    key: string,
    forwards: boolean,
    size: number,
    asked: Record<string, unknown>,
    between: () => Promise<void>,
  ): Promise<string[]> {
    const found: string[][] = [];
    let cursor: string | null = null;
    for (;;) {
      const answer: ListAnswer = await page(
        {
          ...asked,
          ...(forwards ? { first: size, after: cursor } : { last: size, before: cursor }),
        },
        key,
      );
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
            for (const forwards of [true, false]) {
              const seen = await walk(key, forwards, size, asked, insert);
              expect(seen.filter((id) => known.has(id))).toEqual(list);
              expect(new Set(seen).size).toBe(seen.length);
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
      `BEGIN; SET LOCAL session_replication_role = replica; UPDATE payout SET state = 'canceled' WHERE id = '${own[2]?.id ?? ''}'; COMMIT`,
    );
    const next = await page({ ...asked, first: 1, after: first.pageInfo.endCursor }, key);
    expect(idsOf(next)).toEqual([own[1]?.id]);
    expect(next.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(next.totalCount).toBe(2);
  });
});

describe('refuses', () => {
  const detail = (variables: Record<string, unknown>, key = tenant.key) =>
    listRefusal(harness, key, variables);
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
      failed('amountMinorFrom', 'invalid_type'),
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

import { afterEach, expect, test, vi } from 'vitest';
import { makeTenant } from '../support/factory.ts';
import { at, idsOf, listPage } from './payout-lists.ts';
import { insertPayoutRows, payoutRow } from '../support/payout-rows.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });
afterEach(() => vi.restoreAllMocks());

/** Payouts that one page looks at among the groups of an order. */
const window = 1_000;

/** What a page reads first is over by then, and where its window ends is not asked yet. */
function beforeTheEndIsRead(change: () => Promise<unknown>): void {
  const { pool } = harness.services;
  const query = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>;
  let changed = false;
  vi.spyOn(pool, 'query').mockImplementation(async (...given: unknown[]) => {
    const [statement] = given as [{ name?: string }];
    if (!changed && statement.name?.startsWith('end_of_payouts_by_updated_at') === true) {
      changed = true;
      await change();
    }
    return query(...given);
  });
}

/**
 * Payouts in the order of a list, of which one is to the payee that the list is about. `change` gives
 * the one at a place the latest change of all.
 */
async function payoutsWith(wantedAt: number, orderOf: (n: number) => number) {
  const { tenantId, key } = await makeTenant(harness);
  const rows = Array.from({ length: window + 10 }, (_, n) =>
    payoutRow({
      beneficiary_id: n === wantedAt ? 'ben_wanted' : 'ben_other',
      updated_at: at(orderOf(n) / 1_440),
    }),
  );
  await insertPayoutRows(harness.database.pool, tenantId, rows);
  const change = (place: number) =>
    harness.database.pool.query(
      'UPDATE payout SET updated_at = $3 WHERE tenant_id = $1 AND id = $2',
      [tenantId, rows[place]?.id, at(200)],
    );
  return { key, id: rows[wantedAt]?.id, change };
}

async function walk(key: string, asked: Record<string, unknown>): Promise<string[]> {
  const found: string[] = [];
  for (let after: string | null = null; ;) {
    const page = await listPage(harness, key, { ...asked, first: 25, after });
    found.push(...idsOf(page));
    if (!page.pageInfo.hasNextPage) return found;
    after = page.pageInfo.endCursor;
  }
}

test('a payout that comes into a window while it is read is not passed over', async () => {
  const { key, id, change } = await payoutsWith(window, (n) => n);
  beforeTheEndIsRead(() => change(5));
  const filter = { beneficiaryId: 'ben_wanted', updatedSince: at(0) };
  expect(await walk(key, { filter })).toEqual([id]);
});

test('a payout that drops out of a window while it is read is not shown twice', async () => {
  const { key, id, change } = await payoutsWith(window - 1, (n) => 2 * window - n);
  beforeTheEndIsRead(() => change(window + 5));
  const filter = { beneficiaryId: 'ben_wanted' };
  const orderBy = { field: 'updated_at', direction: 'desc' };
  expect(await walk(key, { filter, orderBy })).toEqual([id]);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTestMs } from '../support/patience.ts';
import { recordStatements, rowsLookedAt } from '../support/plans.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const total = 200_000;
/** An entry a minute. */
const start = Date.parse('2026-01-01T00:00:00Z');

const recording = recordStatements((text) => text.includes('FROM ledger_entry'));

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

/** Payouts of three entries each; one entry in two thousand is a withdrawal, early ones only are fees. */
beforeAll(async () => {
  const { pool } = harness.database;
  await pool.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     INSERT INTO ledger_entry (tenant_id, id, kind, currency, amount_minor, debit_account, credit_account, payout_id,
       transition_seq, source, recorded_at)
     SELECT '${tenant.tenantId}', 'ent_' || lpad(n::text, 26, '0'), k.kind, 'USD', 700, k.debit, k.credit,
       CASE WHEN k.of_payout THEN 'pay_' || lpad((n / 3)::text, 26, '0') END, CASE WHEN k.of_payout THEN n % 3 + 1 END,
       CASE WHEN NOT k.of_payout THEN n::text END, timestamptz '2026-01-01T00:00:00Z' + n * interval '1 minute'
     FROM generate_series(1, ${total}) AS n
     JOIN (VALUES (0, 'hold', 'in_transit', 'external', true), (1, 'disburse', 'in_transit', 'external', true),
       (2, 'settle', 'paid', 'in_transit', true), (3, 'withdrawal', 'external', 'funds', false),
       (4, 'fee', 'fees', 'funds', false)) AS k (place, kind, debit, credit, of_payout)
       ON k.place = CASE WHEN n % 2000 = 7 THEN 3 WHEN n < 2000 AND n % 20 = 9 THEN 4 ELSE n % 3 END;
     COMMIT`,
  );
  await pool.query('VACUUM ANALYZE ledger_entry');
}, longTestMs);

afterAll(recording.stop);

const day = (number: number): string => new Date(start + number * 86_400_000).toISOString();
const payout = (number: number): string => `pay_${String(number).padStart(26, '0')}`;

test.each([
  ['without a filter', '', 25],
  ['a common kind', 'kind=hold', 25],
  ['a rare kind', 'kind=withdrawal', 25],
  ['a kind of long ago', 'kind=fee', 25],
  ['a kind that there is none of', 'kind=return', 0],
  ['a rare and a common kind', 'kind=withdrawal&kind=settle', 25],
  ['an old window', `recorded_since=${day(1)}&recorded_before=${day(2)}`, 25],
  ['a window without any', 'recorded_before=2025-01-01T00:00:00Z', 0],
  [
    'a rare kind in a window',
    `kind=withdrawal&recorded_since=${day(20)}&recorded_before=${day(30)}`,
    7,
  ],
  ['a kind of long ago in a late window', `kind=fee&recorded_since=${day(30)}`, 0],
  ['a payout', `payout_id=${payout(50_000)}`, 3],
  ['a payout and a kind', `payout_id=${payout(50_000)}&kind=hold`, 1],
  ['a payout in a window', `payout_id=${payout(50_000)}&recorded_since=${day(1)}`, 3],
  ['an unknown payout', 'payout_id=pay_none', 0],
  [
    'a payout, a kind and a window',
    `payout_id=${payout(50_000)}&kind=hold&kind=settle&recorded_since=${day(1)}&recorded_before=${day(200)}`,
    2,
  ],
])('%s looks at no more than a few rows', async (_what, filter, expected) => {
  recording.sent.length = 0;
  const { body } = await harness.rest('GET', `/v1/funding/entries?limit=25&${filter}`, {
    key: tenant.key,
  });
  expect(body.entries).toHaveLength(expected);
  const [statement, ...more] = recording.sent;
  if (statement === undefined) throw new Error('the list sent nothing');
  expect(more).toEqual([]);
  for (const looked of await rowsLookedAt(harness.database.pool, statement)) {
    expect(looked).toBeLessThan(500);
  }
});

test.each(['', 'kind: [withdrawal]', 'recordedSince: "2026-03-01T00:00:00Z"'])(
  'a count of (%s) ends at ten thousand',
  async (filter) => {
    recording.sent.length = 0;
    const { body } = await harness.graphql(
      tenant.key,
      `{ ledgerEntries(first: 1, filter: { ${filter} }) { totalCount totalCountIsExact } }`,
    );
    const few = filter.startsWith('kind');
    expect(body.data.ledgerEntries).toEqual(
      few
        ? { totalCount: 100, totalCountIsExact: true }
        : { totalCount: 10_000, totalCountIsExact: false },
    );
    const statement = recording.sent.find(({ text }) => text.includes('count(*)'));
    if (statement === undefined) throw new Error('the list was not counted');
    for (const looked of await rowsLookedAt(harness.database.pool, statement)) {
      expect(looked).toBeLessThan(12_000);
    }
  },
);

import { beforeAll, expect, it } from 'vitest';
import { makeTenant } from '../support/factory.ts';
import { postEntries, type GivenEntry } from '../support/given-entries.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

const funds = { debit: 'in_transit', credit: 'funds' } as const;
const back = { debit: 'funds', credit: 'in_transit' } as const;
const at = (time: string) => ({ recordedAt: `2026-11-26T${time}.000Z` });

/** What an ordinary day has, and what stands just outside of it. */
const entries: readonly GivenEntry[] = [
  {
    kind: 'funding',
    debit: 'funds',
    credit: 'external',
    amount: 90_000,
    source: 'old',
    ...at('07:59:59'),
  },
  {
    kind: 'funding',
    debit: 'funds',
    credit: 'external',
    amount: 10_000,
    source: 'a',
    ...at('08:00:00'),
  },
  {
    kind: 'withdrawal',
    debit: 'external',
    credit: 'funds',
    amount: 50,
    source: 'b',
    ...at('08:00:01'),
  },
  { kind: 'fee', debit: 'fees', credit: 'funds', amount: 7, source: 'c', ...at('08:00:02') },
  { kind: 'hold', ...funds, amount: 300, payoutId: 'pay_x', seq: 1, ...at('08:00:03') },
  { kind: 'hold', ...funds, amount: 400, payoutId: 'pay_x', seq: 2, ...at('08:00:04') },
  { kind: 'release', ...funds, amount: 400, payoutId: 'pay_x', seq: 3, ...at('08:00:05') },
  { kind: 'disburse', ...funds, amount: 300, payoutId: 'pay_x', seq: 4, ...at('08:00:06') },
  { kind: 'return', ...back, amount: 300, payoutId: 'pay_x', seq: 5, ...at('08:00:07') },
  {
    kind: 'hold',
    debit: 'in_transit',
    credit: 'external',
    amount: 5,
    currency: 'EUR',
    payoutId: 'pay_x',
    seq: 6,
    ...at('09:00:00'),
  },
  { kind: 'fee', debit: 'fees', credit: 'funds', amount: 9_999, source: 'late', ...at('10:00:00') },
];

beforeAll(() => postEntries(harness.database.pool, tenant.tenantId, entries));

const query = `query ($since: DateTime!, $before: DateTime) {
  booksChanges(since: $since, before: $before) { currency kind count amountMinor availableMinor } }`;
const day = { since: '2026-11-26T08:00:00.000Z', before: '2026-11-26T10:00:00.000Z' };

const ask = async (variables: Record<string, unknown> = day, key = tenant.key) =>
  (await harness.graphql(key, query, variables)).body;

it('adds up the entries of a time by currency and kind, with what they did to what is available', async () => {
  const row = (
    currency: string,
    kind: string,
    count: number,
    amount: number,
    available: number,
  ) => ({
    currency,
    kind,
    count,
    amountMinor: String(amount),
    availableMinor: String(available),
  });
  expect((await ask()).data.booksChanges).toEqual([
    // A sandbox reserves on money that is not there.
    row('EUR', 'hold', 1, 5, 0),
    row('USD', 'hold', 2, 700, -700),
    row('USD', 'release', 1, 400, 400),
    row('USD', 'disburse', 1, 300, 0),
    row('USD', 'return', 1, 300, 300),
    row('USD', 'fee', 1, 7, -7),
    row('USD', 'funding', 1, 10_000, 10_000),
    row('USD', 'withdrawal', 1, 50, -50),
  ]);
});

it('a viewer sees it, and another tenant nothing of it', async () => {
  const viewer = await tenant.keyWithRole('viewer');
  expect((await ask(day, viewer)).data.booksChanges).toHaveLength(8);
  expect((await ask(day, (await makeTenant(harness)).key)).data.booksChanges).toEqual([]);
});

it.each([
  { since: '2026-10-01T00:00:00Z', before: '2026-11-02T00:00:01Z' },
  { since: '2020-01-01T00:00:00Z' },
  { since: 'yesterday' },
])('%j is refused', async (variables) => {
  const { errors } = await ask(variables);
  expect(errors[0].extensions.code).toBe('validation_failed');
});

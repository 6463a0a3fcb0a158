import { beforeAll, expect, it } from 'vitest';
import { makeTenant } from '../support/factory.ts';
import { insertPayoutRows, payoutRow, type PayoutRow } from '../support/payout-rows.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';
import { at, rows } from './payout-lists.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

/** Two that failed, of which one has a successor, and the successor. */
const [failed, replaced, successor] = [
  payoutRow({ state: 'failed', currency: 'GBP', amount_minor: 700, failure_code: 'other' }),
  payoutRow({ state: 'failed', currency: 'GBP', amount_minor: 900, failure_code: 'other' }),
  payoutRow({ state: 'settled', currency: 'GBP', amount_minor: 900, settled_at: at(30) }),
] as const;
const all = [...rows, failed, replaced, successor];

beforeAll(async () => {
  const { pool } = harness.database;
  await insertPayoutRows(pool, tenant.tenantId, all);
  await pool.query(
    `SET session_replication_role = replica;
     UPDATE payout SET replaces_payout_id = '${replaced.id}' WHERE id = '${successor.id}';
     SET session_replication_role = origin`,
  );
});

const query = `query ($filter: PayoutFilter) {
  payoutSums(filter: $filter) { currency count amountMinor }
  payouts(filter: $filter, first: 100) { totalCount edges { node { id } } } }`;

const ask = async (filter: object, key = tenant.key) =>
  (await harness.graphql(key, query, { filter })).body;

function sumsOf(chosen: readonly PayoutRow[]) {
  const currencies = [...new Set(chosen.map(({ currency }) => currency))].toSorted();
  return currencies.map((currency) => {
    const these = chosen.filter((row) => row.currency === currency);
    const sum = these.reduce((total, { amount_minor: minor }) => total + minor, 0);
    return { currency, count: these.length, amountMinor: String(sum) };
  });
}

it.each<[string, object, (row: PayoutRow) => boolean]>([
  ['no condition', {}, () => true],
  ['a state', { state: ['settled'] }, ({ state }) => state === 'settled'],
  [
    'a state and a currency',
    { state: ['failed', 'returned'], currency: 'EUR' },
    ({ state, currency }) => ['failed', 'returned'].includes(state) && currency === 'EUR',
  ],
  [
    'a time of settlement',
    { settledSince: at(3), settledBefore: at(6) },
    ({ settled_at: settled }) => settled !== null && settled >= at(3) && settled < at(6),
  ],
  [
    'amounts',
    { currency: 'USD', amountMinorFrom: 110, amountMinorTo: 120 },
    ({ currency, amount_minor: minor }) => currency === 'USD' && minor >= 110 && minor <= 120,
  ],
  ['a payee', { beneficiaryId: 'ben_3' }, ({ beneficiary_id: payee }) => payee === 'ben_3'],
  [
    'a payee and a state',
    { beneficiaryId: 'ben_3', state: ['settled'] },
    ({ beneficiary_id: payee, state }) => payee === 'ben_3' && state === 'settled',
  ],
  ['what is replaced', { replaced: true }, ({ id }) => id === replaced.id],
  [
    'what failed and is not replaced',
    { state: ['failed'], replaced: false },
    ({ state, id }) => state === 'failed' && id !== replaced.id,
  ],
  [
    'what failed in a time and is not replaced',
    { state: ['failed'], replaced: false, createdSince: at(1), createdBefore: at(4) },
    ({ state, created_at: created }) => state === 'failed' && created >= at(1) && created < at(4),
  ],
  ['nothing', { state: ['canceled'] }, () => false],
])('adds up what the list of a filter holds: %s', async (_name, filter, isChosen) => {
  const { data, errors } = await ask(filter);
  expect(errors).toBeUndefined();
  const chosen = all.filter(isChosen);
  expect(data.payoutSums).toEqual(sumsOf(chosen));
  expect(data.payouts.totalCount).toBe(chosen.length);
  expect(
    data.payouts.edges.map(({ node }: { node: { id: string } }) => node.id).toSorted(),
  ).toEqual(chosen.map(({ id }) => id).toSorted());
});

it('refuses what no index answers', async () => {
  const { errors } = await ask({ createdSince: at(1), settledSince: at(1) });
  expect(errors[0].extensions.details).toMatchObject([{ code: 'unsupported_combination' }]);
});

it('shows another business nothing, and every role the same', async () => {
  const other = await makeTenant(harness);
  expect((await ask({}, other.key)).data.payoutSums).toEqual([]);
  const viewer = await tenant.keyWithRole('viewer');
  expect((await ask({}, viewer)).data.payoutSums).toEqual(sumsOf(all));
});

it('does not add up more than ten thousand payouts', async () => {
  const large = await makeTenant(harness);
  const many = Array.from({ length: 10_000 }, () => payoutRow({ amount_minor: 3 }));
  await insertPayoutRows(harness.database.pool, large.tenantId, many);
  const whole = [{ currency: 'USD', count: 10_000, amountMinor: '30000' }];
  expect((await ask({}, large.key)).data.payoutSums).toEqual(whole);
  expect((await ask({ state: ['pending_approval'] }, large.key)).data.payoutSums).toEqual(whole);
  await insertPayoutRows(harness.database.pool, large.tenantId, [payoutRow()]);
  expect((await ask({}, large.key)).data.payoutSums).toBeNull();
  const none = { state: ['settled'] };
  expect((await ask(none, large.key)).data.payoutSums).toEqual([]);
});

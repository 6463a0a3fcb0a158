import { beforeAll, expect, test } from 'vitest';
import { postEntries } from '../support/given-entries.ts';
import { eventually, makePayee, payoutBody } from '../support/factory.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';
import { blocksOf } from './blocks.ts';
import { readPage } from './links.ts';

/* The queries of docs/dashboards.md, sent as they stand with the key of a viewer. */

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
let key: string;
let id: string;

beforeAll(async () => {
  const payee = await makePayee(harness, tenant.key);
  const created = await harness.rest('POST', '/v1/payouts', {
    key: tenant.key,
    body: payoutBody(payee),
  });
  id = created.body.payout.id;
  key = await tenant.keyWithRole('viewer');
});

const queries = new Map(
  blocksOf('docs/dashboards.md')
    .filter(({ language }) => language === 'graphql')
    .map(({ text }) => [/^query (\w+)/.exec(text)?.[1] ?? text, text]),
);

async function ask(name: string, variables: Record<string, unknown> = {}) {
  const { body, text } = await harness.graphql(key, queries.get(name) ?? '', variables);
  expect(body.errors, text).toBeUndefined();
  return body.data;
}

test('every block of the page is one of these', () => {
  expect([...queries.keys()]).toEqual([
    'ApprovalQueue',
    'Overview',
    'Search',
    'Timeline',
    'Books',
    'PageBefore',
  ]);
});

test('the approval queue', async () => {
  // A list by its changes is shown up to a tenth of a second ago.
  const payouts = await eventually(async () => {
    const found = (await ask('ApprovalQueue')).payouts;
    return found.edges.length === 1 ? found : null;
  });
  expect(payouts).toMatchObject({ totalCount: 1, totalCountIsExact: true });
  // What a viewer sees is what the state permits: whose role permits it is for the command to say.
  expect(payouts.edges).toEqual([
    {
      node: expect.objectContaining({
        id,
        beneficiaryName: 'Ada Lovelace',
        permittedActions: ['approve', 'reject', 'cancel'],
        accountChanges: [],
        bankAccount: expect.objectContaining({ last4: '6789' }),
      }),
    },
  ]);
});

test('the books', async () => {
  await postEntries(harness.database.pool, tenant.tenantId, [
    { kind: 'funding', debit: 'funds', credit: 'external', amount: 700, source: 'report-1' },
  ]);
  const { fundingAccount, ledgerEntries } = await ask('Books');
  expect(fundingAccount).toMatchObject({ mode: 'reported', availableBalanceMinor: '100000000' });
  expect(fundingAccount.balances).toEqual([
    {
      currency: 'USD',
      postedMinor: '700',
      heldMinor: '0',
      availableMinor: '700',
      inTransitMinor: '0',
      paidMinor: '0',
      feesMinor: '0',
    },
  ]);
  expect(ledgerEntries).toMatchObject({ totalCount: 1, totalCountIsExact: true });
  expect(ledgerEntries.edges[0].node).toMatchObject({ kind: 'funding', source: 'report-1' });
});

test('the overview', async () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const { figures, failed } = await ask('Overview', { from: day(-30), to: day(1) });
  expect(figures.payoutsByState).toContainEqual({ state: 'pending_approval', count: 1 });
  expect(figures.payoutsByDay).toEqual([
    expect.objectContaining({ currency: 'USD', count: 1, amountMinor: '125000' }),
  ]);
  expect(figures.approvalQueue[0]).toEqual({ fromMinutes: 0, toMinutes: 60, count: 1 });
  expect(failed).toEqual({ totalCount: 0, totalCountIsExact: true, edges: [] });
});

test('the search', async () => {
  const { payoutSearch } = await ask('Search', { text: '1,250.00 USD' });
  const payouts = [expect.objectContaining({ id, amountMinor: 125_000 })];
  expect(payoutSearch).toEqual([{ kind: 'amount', more: false, payouts }]);
  const { beneficiarySearch } = await ask('Search', { text: 'love' });
  expect(beneficiarySearch.beneficiaries).toContainEqual(
    expect.objectContaining({ displayName: 'Ada Lovelace' }),
  );
  const { bankAccountSearch, bankBatchSearch } = await ask('Search', { text: '6789' });
  expect(bankAccountSearch).toEqual({
    more: false,
    accounts: [
      expect.objectContaining({
        last4: '6789',
        beneficiary: expect.objectContaining({ displayName: 'Ada Lovelace' }),
      }),
    ],
  });
  expect(bankBatchSearch).toEqual([]);
});

test('the timeline', async () => {
  const { payout } = await ask('Timeline', { id });
  expect(payout.timeline.edges[0].node).toMatchObject({
    kind: 'transition',
    actor: expect.objectContaining({ role: 'owner' }),
  });
});

test('a page backwards', async () => {
  const { payouts } = await ask('PageBefore');
  expect(payouts.edges).toEqual([{ node: { id, beneficiaryName: 'Ada Lovelace' } }]);
});

const given = { from: '2026-01-01', to: '2026-01-31', text: 'love', id: 'pay_unknown' };

test('the page says what each of its queries costs', async () => {
  const costs: Record<string, number> = {};
  for (const [name, query] of queries) {
    const { body } = await harness.graphql(key, query, given);
    costs[name] = body.extensions.cost.complexity;
  }
  const told = [...readPage('docs/dashboards.md').matchAll(/^\| `(\w+)` +\| +([\d,]+) \|$/gm)];
  const asTold = told.map(([, name = '', cost = '']) => [name, Number(cost.replace(',', ''))]);
  expect(Object.fromEntries(asTold)).toEqual(costs);
});

test.each([
  ['a row of payouts counts half', 'payouts(first: 40) { edges { cursor } }', 1 + 2 + 20],
  ['20 rows at least', 'payouts(first: 1) { edges { cursor } }', 1 + 1 + 10],
  ['a total', 'payouts(first: 20) { totalCount }', 1 + 50],
  ['a row of another list counts twice', 'members(first: 3) { edges { cursor } }', 1 + 1 + 6],
  ['a part of one is rounded up', 'payouts(first: 21) { totalCount }', 1 + 53],
])('%s', async (_rule, field, cost) => {
  const { body } = await harness.graphql(key, `{ ${field} }`);
  expect(body.extensions.cost).toEqual({ complexity: cost, limit: 15_000 });
});

import { beforeAll, describe, expect, it, test } from 'vitest';
import { makeTenant } from '../support/factory.ts';
import { at, expected, idsOf, keys, listPage, rows } from './payout-lists.ts';
import { insertPayoutRows, type PayoutRow } from '../support/payout-rows.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
beforeAll(() => insertPayoutRows(harness.database.pool, tenant.tenantId, rows));

const page = (variables: Record<string, unknown>, key = tenant.key) =>
  listPage(harness, key, variables);
const all = async (variables: Record<string, unknown>) =>
  idsOf(await page({ first: 100, ...variables }));

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

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { longTestMs } from '../support/patience.ts';
import { payoutRow, insertPayoutRows } from '../support/payout-rows.ts';
import { recordStatements, rowsLookedAt } from '../support/plans.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const total = 60_000;
const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
const recording = recordStatements((text) => text.includes('hits AS'));

const wanted = payoutRow({
  beneficiary_id: newId('beneficiary'),
  beneficiary_name: 'Grace Hopper',
  external_ref: 'INV 2026/117',
  amount_minor: 123_450,
  currency: 'EUR',
  state: 'settled',
  provider: 'simulator',
});

/** Sixty thousand payouts to one payee under one reference, among which others are to be found. */
beforeAll(async () => {
  const { pool } = harness.database;
  await pool.query(
    `SET session_replication_role = replica;
    INSERT INTO payout (tenant_id, id, beneficiary_id, beneficiary_name, beneficiary_type, bank_account_id, bank_account_version,
      amount_minor, amount, currency, purpose_of_payment, external_ref, idempotency_key, validator_strategy, state, transition_count,
      created_by)
    SELECT '${tenant.tenantId}', 'pay_' || lpad(n::text, 26, '0'), 'ben_many', concat('Payee ', lpad(n::text, 6, '0')), 'person', 'bac', 1,
      700, '7.00', 'USD', 'payroll', 'many', 'many', 'manual', CASE n % 3 WHEN 1 THEN 'failed' WHEN 2 THEN 'canceled' ELSE 'settled' END, 1, '{}'
    FROM generate_series(1, ${total}) AS n;
    SET session_replication_role = origin`,
  );
  await insertPayoutRows(pool, tenant.tenantId, [wanted]);
  await pool.query(
    `SET session_replication_role = replica;
    INSERT INTO disbursement_attempt (tenant_id, id, payout_id, number, provider, recipient_id, amount_minor, currency,
      bank_account_id, bank_account_version, status, provider_payout_id, key_expires_at)
    VALUES ('${tenant.tenantId}', '${newId('disbursementAttempt')}', '${wanted.id}', 1, 'simulator', 'r', 1, 'EUR', 'bac', 1,
      'submitted', 'sim_7Q', now());
    SET session_replication_role = origin`,
  );
  await pool.query('VACUUM ANALYZE payout');
}, longTestMs);
afterAll(recording.stop);

const query = `query ($text: String!, $first: Int) {
  payoutSearch(text: $text, first: $first) { kind more payouts { id } } }`;

interface Hits {
  readonly kind: string;
  readonly more: boolean;
  readonly payouts: { readonly id: string }[];
}

async function search(text: string, first?: number, key = tenant.key): Promise<Hits[]> {
  const { body, text: said } = await harness.graphql(key, query, { text, first });
  expect(body.errors, said).toBeUndefined();
  return body.data.payoutSearch;
}

const found = (kind: string) => [{ kind, more: false, payouts: [{ id: wanted.id }] }];

test.each([
  ['its id', () => wanted.id, 'id'],
  ['its id with blanks around', () => `  ${wanted.id} `, 'id'],
  ['its reference', () => 'INV 2026/117', 'external_ref'],
  ['the id of its payee', () => wanted.beneficiary_id, 'beneficiary_id'],
  ["the provider's id", () => 'sim_7Q', 'provider_payout_id'],
  ["the payee's name", () => 'grace hopper', 'payee_name'],
  ['the beginning of the name', () => 'Grace H', 'payee_name'],
  ['the amount', () => '1,234.50', 'amount'],
  ['the amount with its currency', () => '1234.50 EUR', 'amount'],
])('finds a payout by %s', async (_what, text, kind) => {
  const hits = await search(text());
  const expected = kind === 'id' ? [...found('id'), ...found('idempotency_key')] : found(kind);
  expect(hits).toEqual(expected);
});

describe('a payout to a payee who is registered', () => {
  let id: string;
  beforeAll(async () => {
    const payee = await makePayee(harness, tenant.key, { accountNumber: '000123457788' });
    const body = payoutBody(payee, { amount_minor: 31_415 });
    const created = await harness.rest('POST', '/v1/payouts', { key: tenant.key, body });
    id = created.body.payout.id;
  });

  test.each([
    ['the middle of the name', () => 'ovelac', 'payee_name'],
    ['another word of the name, with an accent', () => 'Lóvelace', 'payee_name'],
    ['the last four of the account', () => '****7788', 'account'],
    ['the reference in a bank statement', () => id.replace('_', '-').toUpperCase(), 'id'],
  ])('is found by %s', async (_what, text, kind) => {
    expect(await search(text())).toEqual([{ kind, more: false, payouts: [{ id }] }]);
  });

  test('is found by the name of today, and by the beginning of that of its creation', async () => {
    const key = tenant.key;
    const read = await harness.rest('GET', `/v1/payouts/${id}`, { key });
    const path = `/v1/beneficiaries/${read.body.payout.beneficiary_id}`;
    await harness.rest('PUT', path, { key, body: { last_name: 'Byron' } });
    for (const text of ['yron', 'Ada Lov']) {
      expect(await search(text)).toEqual([{ kind: 'payee_name', more: false, payouts: [{ id }] }]);
    }
  });
});

test.each(['1234.50 USD', 'Hopper', 'INV 2026/11', 'pay_nothing', '%', "' OR true --"])(
  '%s finds nothing',
  async (text) => {
    expect(await search(text)).toEqual([]);
  },
);

test('of many hits the newest are shown, kind by kind, and that there are more', async () => {
  const newest = [total, total - 1, total - 2].map((n) => ({
    id: `pay_${String(n).padStart(26, '0')}`,
  }));
  const hits = await search('many', 3);
  expect(hits).toEqual([
    { kind: 'external_ref', more: true, payouts: newest },
    { kind: 'idempotency_key', more: true, payouts: newest },
  ]);
  const [byAmount] = await search('7', 3);
  expect(byAmount).toMatchObject({ kind: 'amount', more: true });
  expect(byAmount?.payouts).toEqual(newest);
});

test.each(['many', 'ben_many', 'Payee', 'Payee 05', '7', '7.00 USD', 'nothing at all'])(
  'a search for %s is one statement that looks at few payouts',
  async (text) => {
    recording.sent.length = 0;
    await search(text);
    expect(recording.sent).toHaveLength(1);
    const [statement] = recording.sent;
    if (statement === undefined) throw new Error('a search sends a statement');
    // Six payouts of each kind in each of the four groups, and each group beside the 156 currencies of the world.
    for (const rows of await rowsLookedAt(harness.database.pool, statement)) {
      expect(rows).toBeLessThan(1_000);
    }
  },
);

test("another tenant and the business's other environment find nothing", async () => {
  const other = await makeTenant(harness);
  for (const text of [wanted.id, 'INV 2026/117', 'sim_7Q', 'Grace', '1234.50', 'many']) {
    expect(await search(text, 5, other.key)).toEqual([]);
  }
});

test('every role that reads may search, and an empty or a long text is refused', async () => {
  const viewer = await tenant.keyWithRole('viewer');
  expect(await search('Grace', 5, viewer)).toEqual(found('payee_name'));
  for (const variables of [{ text: ' ' }, { text: 'x'.repeat(256) }, { text: 'a', first: 26 }]) {
    const { body } = await harness.graphql(tenant.key, query, variables);
    expect(body.errors[0].extensions.code).toBe('validation_failed');
  }
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePayee, makeTenant, type TestPayee } from '../../support/factory.ts';
import { longTestMs } from '../../support/patience.ts';
import { recordStatements, rowsLookedAt } from '../../support/plans.ts';
import { useHarness, useTenant } from '../../support/use-harness.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
const recording = recordStatements((text) => text.includes('FROM bank_account a'));
let payee: TestPayee;

/** One account among twenty thousand that end alike. */
beforeAll(async () => {
  payee = await makePayee(harness, tenant.key);
  await harness.database.pool.query(
    `SET session_replication_role = replica;
     INSERT INTO bank_account (tenant_id, id, beneficiary_id, currency, country, last4, status, validation_status)
     SELECT '${tenant.tenantId}', 'bac_' || lpad(n::text, 26, '0'), 'ben_none', 'USD', 'US', '0000', 'verified', 'validated'
     FROM generate_series(1, 20000) AS n;
     SET session_replication_role = origin`,
  );
  await harness.database.pool.query('VACUUM ANALYZE bank_account');
}, longTestMs);
afterAll(recording.stop);

const query = `query ($text: String!, $first: Int) {
  bankAccountSearch(text: $text, first: $first) { more accounts { id last4 } } }`;

async function search(text: string, first = 5, key = tenant.key) {
  const { body, text: said } = await harness.graphql(key, query, { text, first });
  expect(body.errors, said).toBeUndefined();
  const { accounts, more } = body.data.bankAccountSearch as {
    accounts: { id: string }[];
    more: boolean;
  };
  return { more, ids: accounts.map(({ id }) => id) };
}

it.each(['6789', ' ****6789 ', '•••• 6789', '…6789'])(
  '%s finds the account that ends so',
  async (text) => {
    expect(await search(text)).toEqual({ more: false, ids: [payee.bankAccountId] });
  },
);

it('finds an account by its id, and nothing by a part of one or another number', async () => {
  expect((await search(payee.bankAccountId)).ids).toEqual([payee.bankAccountId]);
  for (const text of ['678', '16789', '%', '____', payee.beneficiaryId]) {
    expect((await search(text)).ids, text).toEqual([]);
  }
});

it('of many the newest are shown, by one statement that looks at few', async () => {
  recording.sent.length = 0;
  const { ids, more } = await search('0000');
  expect(ids[0]).toBe(`bac_${'20000'.padStart(26, '0')}`);
  expect(ids).toHaveLength(5);
  expect(more).toBe(true);
  const [sent, ...others] = recording.sent;
  expect(others).toEqual([]);
  if (sent === undefined) throw new Error('a search sends a statement');
  for (const rows of await rowsLookedAt(harness.database.pool, sent)) {
    expect(rows).toBeLessThan(100);
  }
});

it('another tenant finds none, a viewer does, and an empty or a long text is refused', async () => {
  const other = await makeTenant(harness);
  expect((await search('6789', 5, other.key)).ids).toEqual([]);
  const viewer = await tenant.keyWithRole('viewer');
  expect((await search('6789', 5, viewer)).ids).toEqual([payee.bankAccountId]);
  for (const variables of [{ text: ' ' }, { text: 'x'.repeat(256) }, { text: '1', first: 51 }]) {
    const { body } = await harness.graphql(tenant.key, query, variables);
    expect(body.errors[0].extensions.code).toBe('validation_failed');
  }
});

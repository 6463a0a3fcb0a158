import { beforeAll, expect, it } from 'vitest';
import { makePayee, makeTenant, payoutBody, type TestPayee } from '../support/factory.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

/* What changed of a payee and of its accounts, by whom; and what was paid, by year. */

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
let payee: TestPayee;
beforeAll(async () => {
  payee = await makePayee(harness, tenant.key);
});

const query = `query ($id: ID!) { beneficiary(id: $id) {
  history { kind fields author { type you member { email } } }
  bankAccounts { id versions { version maskedAccount accountHolderName bankName author { type you } } }
  paidByYear { whole years { year currency count amountMinor } }
} }`;

async function read(key = tenant.key, id = payee.beneficiaryId) {
  const { body, text } = await harness.graphql(key, query, { id });
  expect(body.errors, text).toBeUndefined();
  return body.data.beneficiary;
}

async function change(body: object, key = tenant.key) {
  const path = `/v1/beneficiaries/${payee.beneficiaryId}`;
  const answer = await harness.rest('PUT', path, { key, body });
  expect(answer.status, answer.text).toBeLessThan(300);
}

it('a change is on record with the names of its fields and who made it, and no value', async () => {
  const preparer = await tenant.keyWithRole('preparer');
  await change({ nickname: 'Countess', phone: '+44 20 7946 0000' }, preparer);
  await change({ nickname: 'Countess' });
  await change({ last_name: 'Byron' });
  const { history } = await read();
  expect(history).toMatchObject([
    { kind: 'registered', fields: [], author: { type: 'member', you: true } },
    { kind: 'updated', fields: ['nickname', 'phone'], author: { type: 'member', you: false } },
    { kind: 'reacknowledgment_required', fields: ['last_name'], author: { you: true } },
  ]);
  expect(JSON.stringify(history)).not.toMatch(/Countess|7946|Byron/);
});

it('a correction is a version beside the old one, each by who gave it', async () => {
  const path = `/v1/beneficiaries/${payee.beneficiaryId}/bank-accounts/${payee.bankAccountId}`;
  const body = {
    account_holder_name: 'Ada Byron',
    country: 'US',
    currency: 'USD',
    routing_code: '021000021',
    account_number: '000123450001',
  };
  const preparer = await tenant.keyWithRole('preparer');
  const answer = await harness.rest('PUT', path, { key: preparer, body });
  expect(answer.status, answer.text).toBe(200);
  const { bankAccounts } = await read();
  expect(bankAccounts).toEqual([
    {
      id: payee.bankAccountId,
      versions: [
        {
          version: 1,
          maskedAccount: '****6789',
          accountHolderName: 'Ada Lovelace',
          bankName: null,
          author: { type: 'member', you: true },
        },
        {
          version: 2,
          maskedAccount: '****0001',
          accountHolderName: 'Ada Byron',
          bankName: null,
          author: { type: 'member', you: false },
        },
      ],
    },
  ]);
  await harness.database.pool.query(
    'UPDATE bank_account_version SET actor = NULL WHERE version = 1',
  );
  expect((await read()).bankAccounts[0].versions[0].author).toBeNull();
});

it('what has arrived is added up by year and currency, and nothing else', async () => {
  expect((await read()).paidByYear).toEqual({ whole: true, years: [] });
  const to = await makePayee(harness, tenant.key);
  const settle = async (at: string | null, amount: number) => {
    const body = payoutBody(to, { amount_minor: amount });
    const made = await harness.rest('POST', '/v1/payouts', { key: tenant.key, body });
    if (at === null) return;
    await harness.database.pool.query(
      `BEGIN; SET LOCAL session_replication_role = replica;
       UPDATE payout SET state = 'settled', settled_at = '${at}' WHERE id = '${made.body.payout.id}'; COMMIT`,
    );
  };
  await settle('2025-12-31T23:30:00Z', 700);
  await settle('2026-01-01T00:00:00Z', 1_100);
  await settle('2026-06-01T00:00:00Z', 11);
  await settle(null, 5_000);
  expect((await read(tenant.key, to.beneficiaryId)).paidByYear).toEqual({
    whole: true,
    years: [
      { year: 2026, currency: 'USD', count: 2, amountMinor: '1111' },
      { year: 2025, currency: 'USD', count: 1, amountMinor: '700' },
    ],
  });
});

it('a viewer sees it, another tenant does not', async () => {
  expect((await read(await tenant.keyWithRole('viewer'))).history).toHaveLength(3);
  expect(await read((await makeTenant(harness)).key)).toBeNull();
});

import { expect, test } from 'vitest';
import { makePayee, payoutBody } from '../support/factory.ts';
import type { RestAnswer } from '../support/harness.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

const us = {
  account_holder_name: 'Ada Lovelace',
  country: 'US',
  currency: 'USD',
  routing_code: '021000021',
  account_number: '000123456789',
};
const german = {
  account_holder_name: 'Ada Lovelace',
  country: 'DE',
  currency: 'EUR',
  iban: 'DE89370400440532013000',
  swift_bic: 'COBADEFFXXX',
  bank_name: 'Commerzbank',
};

interface Account {
  readonly owner: string;
  readonly id: string;
}

const put = ({ owner, id }: Account, body: unknown): Promise<RestAnswer> =>
  harness.rest('PUT', `/v1/beneficiaries/${owner}/bank-accounts/${id}`, { key: tenant.key, body });

async function accountOf(body: unknown): Promise<Account> {
  const { beneficiaryId: owner } = await makePayee(harness, tenant.key);
  const path = `/v1/beneficiaries/${owner}/bank-accounts`;
  const answer = await harness.rest('POST', path, { key: tenant.key, body });
  return { owner, id: answer.body.bank_account.id };
}

/** The account and its versions as they are stored. */
async function stored({ id }: Account): Promise<{ account: string; versions: number }> {
  const { rows } = await harness.database.pool.query<{ account: string; versions: number }>(
    `SELECT row_to_json(a)::text AS account, (
       SELECT count(*)::int FROM bank_account_version v WHERE v.bank_account_id = a.id
     ) AS versions FROM bank_account a WHERE a.id = $1`,
    [id],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`no account ${id}`);
  return row;
}

test.each([
  ['as it was sent', us, us],
  ['with nulls for what is absent', us, { ...us, iban: null, bank_name: null, account_type: null }],
  ['with spaces around', us, { ...us, account_holder_name: ' Ada Lovelace ' }],
  [
    'in another spelling',
    german,
    { ...german, iban: 'de89 3704 0044 0532 0130 00', swift_bic: 'cobadeffxxx' },
  ],
])('the same details %s change nothing', async (_name, first, again) => {
  const account = await accountOf(first);
  const before = await stored(account);
  const answer = await put(account, again);
  expect(answer.status).toBe(200);
  expect(answer.body.bank_account).toMatchObject({ id: account.id, payout_usable: true });
  expect(await stored(account)).toEqual(before);
});

test('a payout that waits for its approval survives them', async () => {
  const { beneficiaryId: owner, bankAccountId: id } = await makePayee(harness, tenant.key);
  const key = tenant.key;
  const body = payoutBody({ beneficiaryId: owner, bankAccountId: id });
  const { payout } = (await harness.rest('POST', '/v1/payouts', { key, body })).body;
  expect((await put({ owner, id }, us)).status).toBe(200);
  const path = `/v1/payouts/${payout.id}/approve`;
  expect((await harness.rest('POST', path, { key, body: {} })).status).toBe(200);
});

test.each([
  { account_holder_name: 'Ada King' },
  { currency: 'EUR' },
  { routing_code: '026009593' },
  { account_number: '000123456780' },
  { bank_name: 'First' },
  { account_type: 'savings' },
])('%j makes a version', async (change) => {
  const account = await accountOf(us);
  expect((await put(account, { ...us, ...change })).status).toBe(200);
  expect((await stored(account)).versions).toBe(2);
  // What is absent is cleared, so leaving it out again is another change.
  await put(account, us);
  expect((await stored(account)).versions).toBe(3);
});

test('a US account that is checking stays it where the type is left out: it is enrolled as that', async () => {
  const account = await accountOf(us);
  const { body } = await put(account, { ...us, account_type: 'checking' });
  expect([body.bank_account.account_type, (await stored(account)).versions]).toEqual([
    'checking',
    2,
  ]);
  const again = await put(account, us);
  expect([again.body.bank_account.account_type, (await stored(account)).versions]).toEqual([
    'checking',
    2,
  ]);
});

test("they clear the rail's rejection, and a better checker's word counts, without a version", async () => {
  const account = await accountOf(us);
  await harness.database.pool.query(
    `UPDATE bank_account SET rail_rejection_reason = 'no', validation_status = 'unvalidated'
     WHERE id = $1`,
    [account.id],
  );
  const before = JSON.parse((await stored(account)).account);
  const { body } = await put(account, us);
  expect(body.bank_account).toMatchObject({
    rail_rejection_reason: null,
    validation_status: 'validated',
    payout_usable: true,
  });
  const after = await stored(account);
  expect(after.versions).toBe(1);
  expect(JSON.parse(after.account).version).toBe(1);
  expect(JSON.parse(after.account).updated_at).not.toBe(before.updated_at);
});

test('of an archived owner they are refused', async () => {
  const account = await accountOf(us);
  await harness.rest('DELETE', `/v1/beneficiaries/${account.owner}`, { key: tenant.key });
  const answer = await put(account, us);
  expect([answer.status, answer.body.error.code]).toEqual([422, 'BENEFICIARY_ARCHIVED']);
});

test('racing with others, each answer shows what was sent', async () => {
  const account = await accountOf(us);
  const numbers = ['000123456789', '11112222', '000123456789', '33334444'];
  const answers = await Promise.all(
    numbers.map((account_number) => put(account, { ...us, account_number })),
  );
  for (const [index, { status, body }] of answers.entries()) {
    expect([status, body.bank_account.last4]).toEqual([200, numbers[index]?.slice(-4)]);
  }
  const { account: text, versions } = await stored(account);
  expect(JSON.parse(text).version).toBe(versions);
  expect(versions).toBeGreaterThanOrEqual(3);
});

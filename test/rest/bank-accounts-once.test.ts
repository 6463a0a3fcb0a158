import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { makeTenant } from '../support/factory.ts';
import { sessionsWait } from '../support/sessions-wait.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

/* The same account of a beneficiary is there once, however often and from wherever it is registered. */

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
  iban: 'DE89 3704 0044 0532 0130 00',
};

async function newOwner(more: Record<string, unknown> = {}, key = tenant.key): Promise<string> {
  const { body } = await harness.rest('POST', '/v1/beneficiaries', {
    key,
    body: {
      beneficiary_type: 'business',
      email: `${randomUUID()}@example.com`,
      business_name: 'Engines Ltd',
      country_of_incorporation: 'GB',
      registration_number: '1',
      acknowledged: true,
      ...more,
    },
  });
  return body.beneficiary.id as string;
}

const register = (owner: string, body: unknown, key = tenant.key) =>
  harness.rest('POST', `/v1/beneficiaries/${owner}/bank-accounts`, { key, body });
const replace = (owner: string, account: string, body: unknown) =>
  harness.rest('PUT', `/v1/beneficiaries/${owner}/bank-accounts/${account}`, {
    key: tenant.key,
    body,
  });
async function idsOf(owner: string, key = tenant.key): Promise<string[]> {
  const { body } = await harness.rest('GET', `/v1/beneficiaries/${owner}/bank-accounts`, { key });
  return body.bank_accounts.map(({ id }: { id: string }) => id);
}

test('the same account again is answered with the one that exists', async () => {
  const owner = await newOwner();
  const first = await register(owner, german);
  expect(first.status).toBe(201);
  // However it is spelled; the name of the bank is for people.
  const spelled = { ...german, iban: 'de89370400440532013000', bank_name: 'Commerzbank' };
  const again = await register(owner, spelled);
  expect(again.status).toBe(200);
  expect(again.body).toEqual(first.body);
  expect(await idsOf(owner)).toEqual([first.body.bank_account.id]);
});

test('what is given beside the number makes no second account, and changes nothing of the first', async () => {
  const london = {
    account_holder_name: 'Ada Lovelace',
    country: 'GB',
    currency: 'GBP',
    iban: 'GB29NWBK60161331926819',
  };
  const japan = {
    ...german,
    country: 'JP',
    currency: 'JPY',
    iban: null,
    account_number: '1234567',
  };
  for (const [body, ...others] of [
    [
      german,
      { ...german, account_holder_name: 'ADA  LOVELACE' },
      { ...german, account_holder_name: 'Charles Babbage' },
      { ...german, swift_bic: 'COBADEFFXXX' },
      { ...german, swift_bic: 'COBADEFF' },
      { ...german, account_type: 'savings' },
      { ...german, account_number: '0532013000', routing_code: '37040044' },
    ],
    [london, { ...london, routing_code: '601613', account_number: '31926819' }],
    [us, { ...us, account_holder_name: 'A. Lovelace' }, { ...us, swift_bic: 'CHASUS33' }],
    [
      { ...japan, swift_bic: 'BOTKJPJT' },
      { ...japan, swift_bic: 'BOTKJPJTXXX' },
    ],
  ] as const) {
    const owner = await newOwner();
    const first = await register(owner, body);
    expect(first.status).toBe(201);
    for (const other of others) {
      const again = await register(owner, other);
      expect([again.status, again.body], JSON.stringify(other)).toEqual([200, first.body]);
    }
    // Also where it has no hash.
    const pool = harness.database.pool;
    await pool.query('UPDATE bank_account SET details_hash = NULL WHERE beneficiary_id = $1', [
      owner,
    ]);
    for (const other of others) expect((await register(owner, other)).body).toEqual(first.body);
    expect(await idsOf(owner)).toHaveLength(1);
  }
});

test('one that an earlier release registered twice can still be corrected', async () => {
  const owner = await newOwner();
  const first = (await register(owner, german)).body.bank_account.id;
  const second = (await register(owner, us)).body.bank_account.id;
  const { pool } = harness.database;
  const hash = async () =>
    (await pool.query('SELECT details_hash FROM bank_account WHERE id = $1', [first])).rows[0]
      .details_hash;
  await pool.query('UPDATE bank_account SET details_hash = NULL WHERE id = $1', [first]);
  expect((await replace(owner, second, german)).status).toBe(409);
  const corrected = { ...german, account_holder_name: 'Ada King', swift_bic: 'COBADEFFXXX' };
  expect((await replace(owner, first, corrected)).status).toBe(200);
  expect(await hash()).toBeNull();
  expect((await register(owner, german)).body.bank_account).toMatchObject({
    id: first,
    account_holder_name: 'Ada King',
  });
});

test('another currency, number, bank or US type is another account, and so is that of another payee', async () => {
  const owner = await newOwner();
  const answers = [];
  for (const body of [
    german,
    { ...german, currency: 'USD' },
    { ...german, iban: 'DE02120300000000202051' },
    us,
    { ...us, routing_code: '026009593' },
    { ...us, account_type: 'savings' },
  ]) {
    answers.push((await register(owner, body)).status);
  }
  expect(answers).toEqual(Array(6).fill(201));
  // A US account without a type is enrolled as checking.
  expect((await register(owner, { ...us, account_type: 'checking' })).status).toBe(200);
  expect((await register(await newOwner(), german)).status).toBe(201);
  const other = await makeTenant(harness);
  const theirs = await newOwner({}, other.key);
  expect((await register(theirs, german, other.key)).status).toBe(201);
});

test('of many at once one is registered, and all are answered with it', async () => {
  const owner = await newOwner();
  const answers = await Promise.all(Array.from({ length: 8 }, () => register(owner, us)));
  const [id, ...more] = await idsOf(owner);
  expect(more).toEqual([]);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
  expect(new Set(answers.map(({ body }) => body.bank_account.id))).toEqual(new Set([id]));
});

test('one that waits for another registration to end finds what it made', async () => {
  const owner = await newOwner();
  const { id } = (await register(owner, us)).body.bank_account;
  const { pool } = harness.database;
  const { rows } = await pool.query('SELECT details_hash AS hash FROM bank_account WHERE id = $1', [
    id,
  ]);
  await pool.query('DELETE FROM bank_account_version WHERE bank_account_id = $1', [id]);
  await pool.query('DELETE FROM bank_account WHERE id = $1', [id]);
  const made = newId('bankAccount');
  const client = await pool.connect();
  try {
    // As another request's registration that is not committed yet.
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO bank_account (tenant_id, id, beneficiary_id, account_holder_name, currency, country, last4,
         validation_status, status, details_hash)
       VALUES ($1, $2, $3, 'Ada Lovelace', 'USD', 'US', '6789', 'validated', 'verified', $4)`,
      [tenant.tenantId, made, owner, rows[0].hash],
    );
    const waiting = register(owner, us);
    await sessionsWait(pool, 1);
    await client.query('COMMIT');
    const answer = await waiting;
    expect([answer.status, answer.body.bank_account.id]).toEqual([200, made]);
  } finally {
    client.release();
  }
});

test('an account cannot be changed into another one of its owner', async () => {
  const owner = await newOwner();
  const first = (await register(owner, german)).body.bank_account.id;
  const second = (await register(owner, us)).body.bank_account.id;
  const answer = await replace(owner, second, german);
  expect(answer.status).toBe(409);
  expect(answer.body.error).toMatchObject({ code: 'conflict' });
  expect(answer.body.error.message).toContain(first);
  const list = await harness.rest('GET', `/v1/beneficiaries/${owner}/bank-accounts`, {
    key: tenant.key,
  });
  expect(list.body.bank_accounts.map(({ last4 }: { last4: string }) => last4)).toEqual([
    '3000',
    '6789',
  ]);
  // Its own details are no others, and what it had is free once it has changed.
  expect((await replace(owner, first, german)).status).toBe(200);
  expect((await replace(owner, first, { ...german, currency: 'CHF' })).status).toBe(200);
  expect((await replace(owner, second, german)).status).toBe(200);
  expect((await register(owner, us)).status).toBe(201);
});

test('the deprecated bank_details of a creation are such an account', async () => {
  const owner = await newOwner({ bank_details: german });
  const [made] = await idsOf(owner);
  const again = await register(owner, german);
  expect([again.status, again.body.bank_account.id]).toEqual([200, made]);
});

test('an account from before the hashes is found, too', async () => {
  const owner = await newOwner();
  const { id } = (await register(owner, us)).body.bank_account;
  const other = (await register(owner, german)).body.bank_account.id;
  await harness.database.pool.query(
    'UPDATE bank_account SET details_hash = NULL WHERE beneficiary_id = $1',
    [owner],
  );
  const again = await register(owner, us);
  expect([again.status, again.body.bank_account.id]).toEqual([200, id]);
  expect((await replace(owner, other, us)).status).toBe(409);
  expect(await idsOf(owner)).toEqual([id, other]);
});

test('an account that is there is answered also where no more may be registered', async () => {
  const owner = await newOwner();
  const first = await register(owner, us);
  const most = harness.services.config.BANK_ACCOUNTS_PER_BENEFICIARY;
  await harness.database.pool.query(
    `INSERT INTO bank_account (tenant_id, id, beneficiary_id, account_holder_name, currency, country, last4,
       validation_status, status)
     SELECT tenant_id, 'bac_filled' || n, beneficiary_id, 'Filler', 'CHF', 'CH', '0000', 'unvalidated', 'verified'
     FROM bank_account, generate_series(2, $2::integer) AS n WHERE id = $1`,
    [first.body.bank_account.id, most],
  );
  expect((await register(owner, german)).status).toBe(422);
  expect((await register(owner, us)).status).toBe(200);
});

test('archived owners take none, not even the same', async () => {
  const owner = await newOwner();
  await register(owner, us);
  await harness.rest('DELETE', `/v1/beneficiaries/${owner}`, { key: tenant.key });
  expect((await register(owner, us)).body.error.code).toBe('BENEFICIARY_ARCHIVED');
});

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { makePayee, makeTenant, type TestTenant } from '../support/factory.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

let other: TestTenant;

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

beforeAll(async () => {
  other = await makeTenant(harness);
});

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
  bank_name: 'Commerzbank',
};

async function newOwner(acknowledged = true): Promise<string> {
  const { body } = await harness.rest('POST', '/v1/beneficiaries', {
    key: tenant.key,
    body: {
      beneficiary_type: 'business',
      email: `${randomUUID()}@example.com`,
      business_name: 'Engines Ltd',
      country_of_incorporation: 'GB',
      registration_number: '1',
      acknowledged,
    },
  });
  return body.beneficiary.id as string;
}

const register = (owner: string, body: unknown, key = tenant.key) =>
  harness.rest('POST', `/v1/beneficiaries/${owner}/bank-accounts`, { key, body });
const replace = (owner: string, account: string, body: unknown, key = tenant.key) =>
  harness.rest('PUT', `/v1/beneficiaries/${owner}/bank-accounts/${account}`, { key, body });
const list = (owner: string) =>
  harness.rest('GET', `/v1/beneficiaries/${owner}/bank-accounts`, { key: tenant.key });

/** Every row of an account as text, versions and ciphertexts included. */
async function dump(account: string): Promise<string> {
  const { rows } = await harness.database.pool.query<{ dump: string }>(
    `SELECT (SELECT row_to_json(a)::text FROM bank_account a WHERE a.id = $1) || coalesce((
       SELECT json_agg(v ORDER BY v.version)::text FROM bank_account_version v WHERE v.bank_account_id = $1
     ), '') AS dump`,
    [account],
  );
  return rows[0]?.dump ?? '';
}

describe('POST …/bank-accounts', () => {
  it('registers a usable account of a compliant owner, masked', async () => {
    const owner = await newOwner();
    const { status, body } = await register(owner, german);
    expect(status).toBe(201);
    expect(body).toEqual({
      bank_account: {
        id: expect.stringMatching(/^bac_/),
        account_holder_name: 'Ada Lovelace',
        country: 'DE',
        currency: 'EUR',
        status: 'verified',
        validation_status: 'validated',
        payout_usable: true,
        last4: '3000',
        account_type: null,
        bank_name: 'Commerzbank',
        unusable_reason: null,
        rail_rejection_reason: null,
        beneficiary_id: owner,
        external_ref: null,
        metadata: null,
        name_check: null,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
    });
    expect((await list(owner)).body).toEqual({ bank_accounts: [body.bank_account] });
    const stored = await dump(body.bank_account.id);
    expect(stored).not.toContain('370400440532');
    expect(stored).not.toContain(Buffer.from('370400440532').toString('hex'));
  });

  it('waits for the compliance of its owner, and is unvalidated where there is no checker', async () => {
    const owner = await newOwner(false);
    const pending = await register(owner, us);
    expect(pending.body.bank_account).toMatchObject({
      status: 'pending_verification',
      validation_status: 'validated',
      payout_usable: false,
    });
    const japanese = await register(await newOwner(), {
      account_holder_name: 'Ada',
      country: 'JP',
      currency: 'JPY',
      account_number: '1234567',
    });
    expect(japanese.body.bank_account).toMatchObject({
      status: 'verified',
      validation_status: 'unvalidated',
      payout_usable: false,
    });
  });

  it.each([
    ['a wrong IBAN', { ...german, iban: 'DE88370400440532013000' }, 'iban', 'iban_checksum_failed'],
    ['a foreign IBAN', { ...german, country: 'FR' }, 'iban', 'iban_country_mismatch'],
    ['a wrong ABA', { ...us, routing_code: '021000022' }, 'routing_code', 'aba_checksum_failed'],
    ['a missing ABA', { ...us, routing_code: null }, 'routing_code', 'required'],
    ['a wrong BIC', { ...german, swift_bic: 'NOPE' }, 'swift_bic', 'bic_format_invalid'],
  ])('refuses %s and stores nothing', async (_name, body, field, code) => {
    const owner = await newOwner();
    const answer = await register(owner, body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.code).toBe('BANK_ACCOUNT_VALIDATION_FAILED');
    expect(answer.body.error.details).toMatchObject([{ field, code }]);
    expect((await list(owner)).body.bank_accounts).toEqual([]);
  });

  it('needs an identifier, a known currency and no unknown field', async () => {
    const owner = await newOwner();
    const { iban: _, ...without } = german;
    expect((await register(owner, without)).body.error.code).toBe('BANK_ACCOUNT_MISSING_ROUTING');
    for (const body of [{ ...german, currency: 'ABC' }, { ...german, colour: 'red' }, {}]) {
      const answer = await register(owner, body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_failed']);
    }
  });
});

describe('GET …/bank-accounts', () => {
  it('lists the accounts in the order in which they were registered', async () => {
    const owner = await newOwner();
    const ids: string[] = [];
    for (const details of [us, german, { ...us, account_number: '000123456780' }]) {
      ids.push((await register(owner, details)).body.bank_account.id as string);
    }
    const { body } = await list(owner);
    expect(body.bank_accounts.map((one: { id: string }) => one.id)).toEqual(ids);
  });
});

describe('PUT …/bank-accounts/{accountId}', () => {
  it('replaces the details as a new version and keeps the status', async () => {
    const owner = await newOwner();
    const { body } = await register(owner, { ...us, account_type: 'savings', bank_name: 'First' });
    const { id } = body.bank_account;
    await harness.database.pool.query(
      `UPDATE bank_account SET rail_rejection_reason = 'no' WHERE id = $1`,
      [id],
    );
    expect((await list(owner)).body.bank_accounts[0]).toMatchObject({
      payout_usable: false,
      rail_rejection_reason: 'no',
    });
    const updated = await replace(owner, id, german);
    expect(updated.status).toBe(200);
    expect(updated.body.bank_account).toMatchObject({
      id,
      country: 'DE',
      currency: 'EUR',
      last4: '3000',
      account_type: null,
      bank_name: 'Commerzbank',
      status: 'verified',
      validation_status: 'validated',
      payout_usable: true,
      rail_rejection_reason: null,
    });
    const { rows } = await harness.database.pool.query(
      'SELECT version, country FROM bank_account_version WHERE bank_account_id = $1 ORDER BY version',
      [id],
    );
    expect(rows).toEqual([
      { version: 1, country: 'US' },
      { version: 2, country: 'DE' },
    ]);
  });

  it('leaves every byte as it was when the details are malformed', async () => {
    const owner = await newOwner();
    const { id } = (await register(owner, us)).body.bank_account;
    const before = await dump(id);
    for (const body of [
      { ...us, routing_code: '021000022' },
      { ...german, iban: 'DE88370400440532013000' },
      { account_holder_name: 'A', country: 'US', currency: 'USD' },
      { ...us, currency: 'ABC' },
    ]) {
      expect((await replace(owner, id, body)).status).toBeGreaterThanOrEqual(400);
      expect(await dump(id)).toBe(before);
    }
  });

  it('loses no version to racers', async () => {
    const owner = await newOwner();
    const { id } = (await register(owner, us)).body.bank_account;
    const answers = await Promise.all(
      ['1111', '2222', '3333'].map((number) =>
        replace(owner, id, { ...us, account_number: number }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { rows } = await harness.database.pool.query(
      `SELECT a.version, count(v.*)::int AS versions FROM bank_account a
       JOIN bank_account_version v ON v.bank_account_id = a.id WHERE a.id = $1 GROUP BY a.version`,
      [id],
    );
    expect(rows).toEqual([{ version: 4, versions: 4 }]);
  });

  it('finds only an account of the named beneficiary', async () => {
    const owner = await newOwner();
    const stranger = await newOwner();
    const { id } = (await register(owner, us)).body.bank_account;
    for (const account of [id, newId('bankAccount'), 'nothing']) {
      const answer = await replace(stranger, account, us);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'BANK_ACCOUNT_NOT_FOUND']);
    }
    const unknown = await replace(newId('beneficiary'), id, us);
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'not_found']);
  });

  it('refuses an archived owner', async () => {
    const owner = await newOwner();
    const { id } = (await register(owner, us)).body.bank_account;
    await harness.rest('DELETE', `/v1/beneficiaries/${owner}`, { key: tenant.key });
    const answer = await replace(owner, id, german);
    expect([answer.status, answer.body.error.code]).toEqual([422, 'BENEFICIARY_ARCHIVED']);
    expect((await list(owner)).status).toBe(200);
  });
});

describe('who may', () => {
  it('lets viewers read and not write', async () => {
    const owner = await newOwner();
    const key = await tenant.keyWithRole('viewer');
    expect((await register(owner, us, key)).status).toBe(403);
    expect((await replace(owner, newId('bankAccount'), us, key)).status).toBe(403);
    const read = await harness.rest('GET', `/v1/beneficiaries/${owner}/bank-accounts`, { key });
    expect(read.status).toBe(200);
  });

  it('hides the accounts of other tenants', async () => {
    const { beneficiaryId, bankAccountId } = await makePayee(harness, tenant.key);
    const own = (await makePayee(harness, other.key)).beneficiaryId;
    expect((await register(beneficiaryId, us, other.key)).body.error.code).toBe('not_found');
    const foreign = await replace(own, bankAccountId, us, other.key);
    expect(foreign.body.error.code).toBe('BANK_ACCOUNT_NOT_FOUND');
    const { body } = await harness.graphql(other.key, 'query ($id: ID!) { node(id: $id) { id } }', {
      id: bankAccountId,
    });
    expect(body.data.node).toBeNull();
  });
});

describe('GraphQL', () => {
  it('registers and updates', async () => {
    const owner = await newOwner();
    const input = { accountHolderName: 'A', country: 'DE', currency: 'EUR' };
    const registered = await harness.graphql(
      tenant.key,
      `mutation ($owner: ID!, $input: BankAccountInput!) {
        account: bankAccountRegister(beneficiaryId: $owner, input: $input) { id last4 beneficiaryId }
      }`,
      { owner, input: { ...input, iban: 'DE89370400440532013000' } },
    );
    const { account } = registered.body.data;
    expect(account).toMatchObject({ last4: '3000', beneficiaryId: owner });
    const updated = await harness.graphql(
      tenant.key,
      `mutation ($owner: ID!, $id: ID!, $input: BankAccountInput!) {
        bankAccountUpdate(beneficiaryId: $owner, id: $id, input: $input) { last4 }
      }`,
      { owner, id: account.id, input: { ...input, iban: 'DE88370400440532013000' } },
    );
    expect(updated.body.errors[0].extensions).toMatchObject({
      code: 'BANK_ACCOUNT_VALIDATION_FAILED',
      details: [{ field: 'iban', code: 'iban_checksum_failed' }],
    });
  });

  it('has no field for an identifier', async () => {
    const { body } = await harness.graphql(
      tenant.key,
      '{ __type(name: "BankAccount") { fields { name } } }',
    );
    const names: string[] = body.data.__type.fields.map((field: { name: string }) => field.name);
    for (const secret of ['iban', 'accountNumber', 'routingCode', 'swiftBic', 'clabe', 'pixKey']) {
      expect(names).not.toContain(secret);
    }
  });
});

describe('POST …/bank-accounts/{accountId}/verify', () => {
  const verify = (owner: string, account: string, key = tenant.key) =>
    harness.rest('POST', `/v1/beneficiaries/${owner}/bank-accounts/${account}/verify`, { key });
  const pending = (account: string) =>
    harness.database.pool.query(
      `UPDATE bank_account SET status = 'pending_verification' WHERE id = $1`,
      [account],
    );

  it('verifies an account that waits although its owner is compliant, once', async () => {
    const { beneficiaryId, bankAccountId } = await makePayee(harness, tenant.key);
    await pending(bankAccountId);
    const answers = await Promise.all([1, 2, 3].map(() => verify(beneficiaryId, bankAccountId)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 200)?.body.bank_account).toMatchObject({
      id: bankAccountId,
      status: 'verified',
      payout_usable: true,
    });
  });

  it("finds neither another tenant's account nor one of another payee", async () => {
    const mine = await makePayee(harness, tenant.key);
    const theirs = await makePayee(harness, other.key);
    await pending(theirs.bankAccountId);
    const answers = await Promise.all([
      verify(theirs.beneficiaryId, theirs.bankAccountId),
      verify(mine.beneficiaryId, theirs.bankAccountId),
      verify(mine.beneficiaryId, newId('bankAccount')),
    ]);
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
      [404, 'not_found'],
      [404, 'BANK_ACCOUNT_NOT_FOUND'],
      [404, 'BANK_ACCOUNT_NOT_FOUND'],
    ]);
  });

  it('verifies nothing of an archived owner', async () => {
    const { beneficiaryId, bankAccountId } = await makePayee(harness, tenant.key);
    await pending(bankAccountId);
    await harness.rest('DELETE', `/v1/beneficiaries/${beneficiaryId}`, { key: tenant.key });
    const { body } = await verify(beneficiaryId, bankAccountId);
    expect(body.error.code).toBe('BENEFICIARY_ARCHIVED');
  });
});

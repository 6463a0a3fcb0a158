import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { registerBankAccount } from '../../../src/domain/bank-account/register.ts';
import { replaceBankAccountDetails } from '../../../src/domain/bank-account/update.ts';
import { archiveBeneficiary } from '../../../src/domain/beneficiary/archive.ts';
import { createBeneficiary } from '../../../src/domain/beneficiary/create.ts';
import { newId } from '../../../src/values/ids.ts';
import { closeServices, type Call, type Services } from '../../../src/process/services.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { makeTenant } from '../../support/factory.ts';
import { callOf, rings, servicesWith } from '../encryption/support.ts';

let database: TestDatabase;
let services: Services;
let call: Call;
let owner: string;

beforeAll(async () => {
  database = await testDatabase();
  services = servicesWith(database, rings.before);
  call = await callOf(services, (await makeTenant({ database })).tenantId);
  owner = await payee('owner@example.com');
});
afterAll(async () => {
  await closeServices(services);
  await database.drop();
});

async function payee(email: string): Promise<string> {
  const name = { firstName: 'Ada', lastName: 'Lovelace' };
  return (await createBeneficiary(call, { beneficiaryType: 'person', email, ...name })).id;
}

const account = {
  accountHolderName: 'Ada Lovelace',
  country: 'US',
  currency: 'USD',
  routingCode: '021000021',
  accountNumber: '12345678',
};

/** How many statements a command takes outside of a transaction. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(services.pool, 'query');
  await work();
  const { length } = query.mock.calls;
  query.mockRestore();
  return length;
}

it('writes without reading the owner first', async () => {
  let accountId = '';
  const registering = await statementsOf(async () => {
    accountId = (await registerBankAccount(call, owner, account)).account.id;
  });
  expect(registering).toBe(0);
  // The version that the ciphertext is bound to has to be read.
  const replacing = () => replaceBankAccountDetails(call, owner, accountId, account);
  expect(await statementsOf(replacing)).toBe(2);
});

it.each(['', 'ben_x', '\0', newId('beneficiary'), newId('payout')])(
  'finds no beneficiary %j',
  async (id) => {
    await expect(registerBankAccount(call, id, account)).rejects.toMatchObject({
      code: 'not_found',
    });
    const { id: accountId } = (await registerBankAccount(call, owner, account)).account;
    await expect(replaceBankAccountDetails(call, id, accountId, account)).rejects.toMatchObject({
      code: 'not_found',
    });
  },
);

it('refuses an archived owner, and another one’s account', async () => {
  const archived = await payee('archived@example.com');
  const { id: accountId } = (await registerBankAccount(call, archived, account)).account;
  await expect(replaceBankAccountDetails(call, owner, accountId, account)).rejects.toMatchObject({
    code: 'BANK_ACCOUNT_NOT_FOUND',
  });
  await archiveBeneficiary(call, archived);
  const refused = { code: 'BENEFICIARY_ARCHIVED' };
  await expect(registerBankAccount(call, archived, account)).rejects.toMatchObject(refused);
  await expect(replaceBankAccountDetails(call, archived, accountId, account)).rejects.toMatchObject(
    refused,
  );
  await expect(
    replaceBankAccountDetails(call, archived, newId('bankAccount'), account),
  ).rejects.toMatchObject(refused);
});

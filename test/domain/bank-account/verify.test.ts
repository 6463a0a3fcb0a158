import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { registerBankAccount } from '../../../src/domain/bank-account/register.ts';
import { lockBankAccounts } from '../../../src/domain/bank-account/store.ts';
import { replaceBankAccountDetails } from '../../../src/domain/bank-account/update.ts';
import { verifyBankAccount } from '../../../src/domain/bank-account/verify.ts';
import { archiveBeneficiary } from '../../../src/domain/beneficiary/archive.ts';
import { createBeneficiary } from '../../../src/domain/beneficiary/create.ts';
import { newId } from '../../../src/values/ids.ts';
import type { Call } from '../../../src/process/services.ts';
import { useCalls } from '../../support/calls.ts';
import { makeTenant, type TestTenant } from '../../support/factory.ts';

const calls = useCalls();
let tenant: TestTenant;
let call: Call;
beforeAll(async () => {
  tenant = await makeTenant(calls);
  call = await calls.as(tenant.key);
});

const details = {
  accountHolderName: 'Ada Lovelace',
  country: 'US',
  currency: 'USD',
  routingCode: '021000021',
  accountNumber: '12345678',
};

/** A payee, and the ids that the commands ask for. */
async function accountOf(acknowledged: boolean): Promise<[owner: string, account: string]> {
  const { id } = await createBeneficiary(call, {
    beneficiaryType: 'person',
    email: `${randomUUID()}@example.com`,
    firstName: 'Ada',
    lastName: 'Lovelace',
    countryOfResidence: 'GB',
    dateOfBirth: '1985-12-10',
    acknowledged,
  });
  const { account } = await registerBankAccount(call, id, details);
  expect(account.status).toBe(acknowledged ? 'verified' : 'pending_verification');
  return [id, account.id];
}

it('verifies an account that waits although its owner is compliant', async () => {
  const [owner, account] = await accountOf(true);
  await calls.database.pool.query(
    `UPDATE bank_account SET status = 'pending_verification' WHERE id = $1`,
    [account],
  );
  expect(await verifyBankAccount(call, owner, account)).toMatchObject({ status: 'verified' });
  expect(await lockBankAccounts(calls.services.pool, call.scope, owner)).toMatchObject([
    { id: account, status: 'verified' },
  ]);
});

it('says why it verifies nothing', async () => {
  const [owner, account] = await accountOf(true);
  const verifying = (by: Call, beneficiary: string, id: string) =>
    expect(verifyBankAccount(by, beneficiary, id)).rejects;
  await verifying(call, owner, account).toMatchObject({ code: 'BANK_ACCOUNT_NOT_PENDING' });
  for (const unknown of ['', newId('bankAccount')]) {
    await verifying(call, owner, unknown).toMatchObject({ code: 'BANK_ACCOUNT_NOT_FOUND' });
  }
  for (const unknown of ['', newId('beneficiary')]) {
    await verifying(call, unknown, account).toMatchObject({ code: 'not_found' });
  }
  const viewer = await calls.as(await tenant.keyWithRole('viewer'));
  await verifying(viewer, owner, account).toMatchObject({ code: 'forbidden' });
  const [pending, waiting] = await accountOf(false);
  await verifying(call, pending, waiting).toMatchObject({ code: 'BENEFICIARY_NOT_COMPLIANT' });
  await verifying(call, pending, account).toMatchObject({ code: 'BANK_ACCOUNT_NOT_FOUND' });
  await archiveBeneficiary(call, pending);
  await verifying(call, pending, waiting).toMatchObject({ code: 'BENEFICIARY_ARCHIVED' });
});

it('makes a new version of an account only for other details', async () => {
  const [owner, account] = await accountOf(true);
  const replace = (accountNumber: string) =>
    replaceBankAccountDetails(call, owner, account, { ...details, accountNumber });
  expect(await replace(' 1234 5678 ')).toMatchObject({ version: 1, last4: '5678' });
  expect(await replace('87654321')).toMatchObject({ version: 2, last4: '4321' });
});

it.each([
  [{ routingCode: '021000022' }, 'BANK_ACCOUNT_VALIDATION_FAILED'],
  [{ routingCode: null, accountNumber: null }, 'BANK_ACCOUNT_MISSING_ROUTING'],
  [{ currency: 'XXX' }, 'validation_failed'],
])('refuses %j for a new account and for another version', async (wrong, code) => {
  const [owner, account] = await accountOf(true);
  const given = { ...details, ...wrong };
  const refused = { code };
  await expect(registerBankAccount(call, owner, given)).rejects.toMatchObject(refused);
  await expect(replaceBankAccountDetails(call, owner, account, given)).rejects.toMatchObject(
    refused,
  );
});

it('refuses one account more than a beneficiary may have', async () => {
  const [owner] = await accountOf(true);
  const config = { ...calls.services.config, BANK_ACCOUNTS_PER_BENEFICIARY: 2 };
  const strict = { ...call, services: { ...calls.services, config } };
  await registerBankAccount(strict, owner, { ...details, accountNumber: '7654321' });
  const another = { ...details, accountNumber: '7654322' };
  await expect(registerBankAccount(strict, owner, another)).rejects.toMatchObject({
    code: 'unprocessable_entity',
  });
});

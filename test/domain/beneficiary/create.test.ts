import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { createBeneficiary } from '../../../src/domain/beneficiary/create.ts';
import type { BeneficiaryCreateInput } from '../../../src/domain/beneficiary/input.ts';
import { openEmail, openIdentity } from '../../../src/domain/beneficiary/store.ts';
import { openPersonalObject } from '../../../src/domain/encryption/personal.ts';
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

const person = (more: Partial<BeneficiaryCreateInput> = {}): BeneficiaryCreateInput => ({
  beneficiaryType: 'person',
  email: `${randomUUID()}@example.com`,
  firstName: 'Ada',
  lastName: 'Lovelace',
  countryOfResidence: 'GB',
  dateOfBirth: '1985-12-10',
  ...more,
});

const bankDetails = {
  accountHolderName: 'Ada Lovelace',
  country: 'US',
  currency: 'USD',
  routingCode: '021000021',
  accountNumber: '000123456789',
};

async function accountsOf(id: string): Promise<unknown[]> {
  const { rows } = await calls.database.pool.query(
    'SELECT last4, status, validation_status FROM bank_account WHERE beneficiary_id = $1',
    [id],
  );
  return rows;
}

it('registers a pending payee, with the birth date encrypted', async () => {
  const row = await createBeneficiary(call, person({ postalAddress: null, taxId: 'TAX-1' }));
  expect(row).toMatchObject({
    complianceStatus: 'pending',
    acknowledgedAt: null,
    revision: 1,
    identityPending: false,
  });
  expect(openIdentity(call, row)).toEqual({ dateOfBirth: '1985-12-10', taxId: 'TAX-1' });
});

it('registers a compliant payee when the identity is acknowledged with it', async () => {
  const row = await createBeneficiary(call, person({ acknowledged: true }));
  expect(row.complianceStatus).toBe('compliant');
  expect(row.acknowledgedAt).toBeInstanceOf(Date);
});

it.each([
  [true, 'verified'],
  [false, 'pending_verification'],
])(
  'makes a bank account of the deprecated details (acknowledged: %s)',
  async (acknowledged, status) => {
    const row = await createBeneficiary(call, person({ acknowledged, bankDetails }));
    expect(openPersonalObject(call, 'beneficiary', row, 'maskedBankDetails')).toMatchObject({
      accountNumber: '****6789',
      iban: null,
    });
    expect(await accountsOf(row.id)).toEqual([
      { last4: '6789', status, validation_status: 'validated' },
    ]);
  },
);

it.each([
  [{ businessName: 'Engines Ltd' }, 'BENEFICIARY_IDENTITY_INVALID'],
  [{ lastName: null }, 'BENEFICIARY_IDENTITY_INCOMPLETE'],
  [{ dateOfBirth: null, acknowledged: true }, 'BENEFICIARY_IDENTITY_INCOMPLETE'],
  [{ email: 'no address' }, 'validation_failed'],
  [{ acknowledged: true, identityPending: true }, 'validation_failed'],
])('refuses %j with %s', async (more, code) => {
  await expect(createBeneficiary(call, person(more))).rejects.toMatchObject({ code });
});

it.each([
  [
    { ...bankDetails, routingCode: '021000022' },
    { code: 'BANK_ACCOUNT_VALIDATION_FAILED', details: [{ field: 'bankDetails.routingCode' }] },
  ],
  [
    { accountHolderName: 'Ada', country: 'US', currency: 'USD' },
    { code: 'validation_failed', details: [{ field: 'bankDetails' }] },
  ],
])('names the field of the bank details that is wrong', async (wrong, error) => {
  const given = person({ bankDetails: wrong });
  await expect(createBeneficiary(call, given)).rejects.toMatchObject(error);
  // Nothing was stored: the address is free.
  await createBeneficiary(call, { ...given, bankDetails: null });
});

it('refuses an address that an active beneficiary has, in any spelling', async () => {
  const given = person();
  await createBeneficiary(call, given);
  const again = createBeneficiary(call, { ...given, email: given.email.toUpperCase() });
  await expect(again).rejects.toMatchObject({ code: 'BENEFICIARY_EMAIL_ALREADY_EXISTS' });
  const other = await calls.as((await makeTenant(calls)).key);
  expect(openEmail(other, await createBeneficiary(other, given))).toBe(given.email);
});

it('is forbidden to a viewer', async () => {
  const viewer = await calls.as(await tenant.keyWithRole('viewer'));
  await expect(createBeneficiary(viewer, person())).rejects.toMatchObject({ code: 'forbidden' });
});

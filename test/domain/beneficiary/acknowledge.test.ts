import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { jobScope } from '../../../src/access/system.ts';
import { inTransaction } from '../../../src/db/pool.ts';
import { registerBankAccount } from '../../../src/domain/bank-account/register.ts';
import { acknowledgeBeneficiary } from '../../../src/domain/beneficiary/acknowledge.ts';
import { archiveBeneficiary } from '../../../src/domain/beneficiary/archive.ts';
import { createBeneficiary } from '../../../src/domain/beneficiary/create.ts';
import { openEmail } from '../../../src/domain/beneficiary/store.ts';
import { suspendBeneficiary } from '../../../src/domain/beneficiary/suspend.ts';
import { changeBeneficiary } from '../../../src/domain/beneficiary/update.ts';
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

async function payee(more: { dateOfBirth?: string } = { dateOfBirth: '1985-12-10' }) {
  return createBeneficiary(call, {
    beneficiaryType: 'person',
    email: `${randomUUID()}@example.com`,
    firstName: 'Ada',
    lastName: 'Lovelace',
    countryOfResidence: 'GB',
    ...more,
  });
}

it('makes a payee compliant and verifies the bank accounts that waited for it', async () => {
  const { id } = await payee();
  const { account } = await registerBankAccount(call, id, {
    accountHolderName: 'Ada Lovelace',
    country: 'US',
    currency: 'USD',
    routingCode: '021000021',
    accountNumber: '12345678',
  });
  expect(account.status).toBe('pending_verification');
  const row = await acknowledgeBeneficiary(call, id);
  expect(row).toMatchObject({ complianceStatus: 'compliant', reacknowledgmentRequired: false });
  const { rows } = await calls.database.pool.query(
    'SELECT status FROM bank_account WHERE id = $1',
    [account.id],
  );
  expect(rows).toEqual([{ status: 'verified' }]);
});

it('changes nothing of a compliant payee, until an identity field changes', async () => {
  const { id } = await payee();
  const first = await acknowledgeBeneficiary(call, id);
  expect(await acknowledgeBeneficiary(call, id)).toEqual(first);
  const changed = await changeBeneficiary(call, id, { lastName: 'King' });
  expect(changed).toMatchObject({ complianceStatus: 'compliant', reacknowledgmentRequired: true });
  expect(await acknowledgeBeneficiary(call, id)).toMatchObject({ reacknowledgmentRequired: false });
});

it('refuses an incomplete identity and names what is missing', async () => {
  const { id } = await payee({});
  await expect(acknowledgeBeneficiary(call, id)).rejects.toMatchObject({
    code: 'BENEFICIARY_IDENTITY_INCOMPLETE',
    message: 'The identity lacks date_of_birth.',
  });
});

it('refuses a suspended payee', async () => {
  const { id } = await payee();
  const actor = { type: 'system', name: 'operator' } as const;
  const platform = await jobScope(calls.services.pool, tenant.tenantId, actor);
  await inTransaction(calls.services.pool, (client) =>
    suspendBeneficiary(client, platform, id, 'because'),
  );
  await expect(acknowledgeBeneficiary(call, id)).rejects.toMatchObject({ code: 'conflict' });
});

it('refuses an archived payee, whose address is free again', async () => {
  const row = await payee();
  const { id } = row;
  const email = openEmail(call, row);
  const archived = await archiveBeneficiary(call, id);
  expect(archived.archivedAt).toBeInstanceOf(Date);
  expect(await archiveBeneficiary(call, id)).toEqual(archived);
  const refused = { code: 'BENEFICIARY_ARCHIVED' };
  await expect(acknowledgeBeneficiary(call, id)).rejects.toMatchObject(refused);
  await expect(changeBeneficiary(call, id, { nickname: 'A' })).rejects.toMatchObject(refused);
  const next = { beneficiaryType: 'person', email, firstName: 'B', lastName: 'C' } as const;
  expect((await createBeneficiary(call, next)).id).not.toBe(id);
});

it.each([acknowledgeBeneficiary, archiveBeneficiary])(
  '%o finds no unknown payee',
  async (command) => {
    for (const id of ['', 'ben_x', newId('beneficiary')]) {
      await expect(command(call, id)).rejects.toMatchObject({ code: 'not_found' });
    }
    const other = await calls.as((await makeTenant(calls)).key);
    const { id } = await payee();
    await expect(command(other, id)).rejects.toMatchObject({ code: 'not_found' });
  },
);

it.each([acknowledgeBeneficiary, archiveBeneficiary])(
  '%o is forbidden to a viewer',
  async (command) => {
    const { id } = await payee();
    const viewer = await calls.as(await tenant.keyWithRole('viewer'));
    await expect(async () => command(viewer, id)).rejects.toMatchObject({ code: 'forbidden' });
  },
);

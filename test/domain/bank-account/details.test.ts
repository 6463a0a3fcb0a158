import { beforeAll, expect, it } from 'vitest';
import { jobScope } from '../../../src/access/system.ts';
import { openDestination } from '../../../src/domain/bank-account/details.ts';
import type { Call } from '../../../src/process/services.ts';
import { makePayee, makeTenant } from '../../support/factory.ts';
import { useHarness, useTenant } from '../../support/use-harness.ts';

let call: Call;

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

beforeAll(async () => {
  const { services } = harness;
  const scope = await jobScope(services.pool, tenant.tenantId, { type: 'system', name: 'test' });
  call = { services, scope };
});

const iban = 'DE89370400440532013000';

async function twoVersions(): Promise<string> {
  const { beneficiaryId, bankAccountId } = await makePayee(harness, tenant.key);
  await harness.rest('PUT', `/v1/beneficiaries/${beneficiaryId}/bank-accounts/${bankAccountId}`, {
    key: tenant.key,
    body: { account_holder_name: 'A', country: 'DE', currency: 'EUR', iban, bank_name: 'B' },
  });
  return bankAccountId;
}

it('opens each version of an account as it was given', async () => {
  const id = await twoVersions();
  expect(await openDestination(call, id, 1)).toEqual({
    accountHolderName: 'Ada Lovelace',
    country: 'US',
    currency: 'USD',
    routingCode: '021000021',
    accountNumber: '000123456789',
    accountType: 'checking',
  });
  expect(await openDestination(call, id, 2)).toEqual({
    accountHolderName: 'A',
    country: 'DE',
    currency: 'EUR',
    iban,
    bankName: 'B',
  });
  await expect(openDestination(call, id, 3)).rejects.toThrow('no version 3');
});

it('does not open a ciphertext that was moved to another version or account', async () => {
  const id = await twoVersions();
  const { bankAccountId } = await makePayee(harness, tenant.key);
  await harness.database.pool.query(
    `UPDATE bank_account_version SET identifiers_ciphertext = (
       SELECT identifiers_ciphertext FROM bank_account_version WHERE bank_account_id = $1 AND version = 1
     ) WHERE (bank_account_id, version) IN (($1, 2), ($2, 1))`,
    [id, bankAccountId],
  );
  await expect(openDestination(call, id, 2)).rejects.toThrow();
  await expect(openDestination(call, bankAccountId, 1)).rejects.toThrow();
});

it("finds nothing of another tenant's", async () => {
  const id = await twoVersions();
  const stranger = await makeTenant(harness);
  const scope = await jobScope(harness.services.pool, stranger.tenantId, {
    type: 'system',
    name: 'test',
  });
  await expect(openDestination({ ...call, scope }, id, 1)).rejects.toThrow('no version 1');
});

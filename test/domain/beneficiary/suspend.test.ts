import { expect, it } from 'vitest';
import type { Scope } from '../../../src/access/scope.ts';
import { jobScope } from '../../../src/access/system.ts';
import { inTransaction } from '../../../src/db/pool.ts';
import {
  reinstateBeneficiary,
  suspendBeneficiary,
} from '../../../src/domain/beneficiary/suspend.ts';
import { makePayee } from '../../support/factory.ts';
import { useHarness, useTenant } from '../../support/use-harness.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

async function act(command: typeof suspendBeneficiary, id: string, provider = false) {
  const { pool } = harness.services;
  const actor = provider
    ? ({ type: 'provider', name: 'simulator' } as const)
    : ({ type: 'system', name: 'operator' } as const);
  const scope = await jobScope(pool, tenant.tenantId, actor);
  return inTransaction(pool, (client) => command(client, scope, id, 'because'));
}

async function read(id: string) {
  const answer = await harness.rest('GET', `/v1/beneficiaries/${id}`, { key: tenant.key });
  return answer.body.beneficiary;
}

it.each([
  [true, 'compliant'],
  [false, 'pending'],
])('restores what held before (acknowledged: %s)', async (acknowledged, status) => {
  const { beneficiaryId: id } = await makePayee(harness, tenant.key, { acknowledged });
  expect(await act(suspendBeneficiary, id)).toMatchObject({ complianceStatus: 'suspended' });
  expect(await read(id)).toMatchObject({ compliance_status: 'suspended', status: 'suspended' });
  expect(await act(suspendBeneficiary, id)).toBeNull();
  expect(await act(reinstateBeneficiary, id)).toMatchObject({ complianceStatus: status });
  expect(await act(reinstateBeneficiary, id)).toBeNull();
  const { rows } = await harness.database.pool.query(
    `SELECT kind, from_status, to_status, reason, actor ->> 'name' AS who
     FROM beneficiary_transition WHERE beneficiary_id = $1 ORDER BY seq OFFSET 1`,
    [id],
  );
  expect(rows).toEqual([
    {
      kind: 'suspended',
      from_status: status,
      to_status: 'suspended',
      reason: 'because',
      who: 'operator',
    },
    {
      kind: 'reinstated',
      from_status: 'suspended',
      to_status: status,
      reason: 'because',
      who: 'operator',
    },
  ]);
});

it('refuses an acknowledgment while suspended, and verifies what waited when it is lifted', async () => {
  const { beneficiaryId: id } = await makePayee(harness, tenant.key);
  await act(suspendBeneficiary, id);
  const refused = await harness.rest('POST', `/v1/beneficiaries/${id}/compliance-acknowledgment`, {
    key: tenant.key,
  });
  expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict']);
  const path = `/v1/beneficiaries/${id}/bank-accounts`;
  const added = await harness.rest('POST', path, {
    key: tenant.key,
    body: {
      account_holder_name: 'Ada',
      country: 'DE',
      currency: 'EUR',
      iban: 'DE89370400440532013000',
    },
  });
  expect(added.body.bank_account.status).toBe('pending_verification');
  await act(reinstateBeneficiary, id);
  const { body } = await harness.rest('GET', path, { key: tenant.key });
  expect(body.bank_accounts.map((one: { status: string }) => one.status)).toEqual([
    'verified',
    'verified',
  ]);
});

it("does not let a provider lift an operator's hold", async () => {
  const { beneficiaryId: id } = await makePayee(harness, tenant.key);
  await act(suspendBeneficiary, id);
  expect(await act(reinstateBeneficiary, id, true)).toBeNull();
  expect((await read(id)).compliance_status).toBe('suspended');
});

it('asks who suspended it last, not who did once', async () => {
  const { beneficiaryId: id } = await makePayee(harness, tenant.key);
  await act(suspendBeneficiary, id, true);
  expect(await act(reinstateBeneficiary, id, true)).not.toBeNull();
  await act(suspendBeneficiary, id);
  expect(await act(reinstateBeneficiary, id, true)).toBeNull();
  expect((await read(id)).compliance_status).toBe('suspended');
  expect(await act(reinstateBeneficiary, id)).not.toBeNull();
  await act(suspendBeneficiary, id, true);
  expect(await act(reinstateBeneficiary, id, true)).not.toBeNull();
  expect((await read(id)).compliance_status).toBe('compliant');
});

it('is not for members of the business', async () => {
  const { beneficiaryId: id } = await makePayee(harness, tenant.key);
  const { pool } = harness.services;
  const member: Scope = {
    ...(await jobScope(pool, tenant.tenantId, { type: 'system', name: 'test' })),
    actor: { type: 'member', user_id: 'u', membership_id: 'm', key_id: 'k', role: 'owner' },
  };
  await expect(
    inTransaction(pool, async (client) => suspendBeneficiary(client, member, id, null)),
  ).rejects.toMatchObject({ code: 'forbidden' });
});

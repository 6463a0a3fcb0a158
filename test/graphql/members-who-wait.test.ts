import { beforeAll, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { newAddress } from '../support/beneficiaries.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { codeOf } from '../support/operator-banks.ts';
import { holderOf } from '../support/sessions.ts';
import { useHarness } from '../support/use-harness.ts';

/* Who was invited and has not accepted is no member yet: they answer for nothing, and hold nothing. */

const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent' } });
let operator: string;
beforeAll(async () => {
  operator = (await issueOperatorKey(harness.database.pool, 'Ada')).key;
});

const sql = (text: string, ...values: unknown[]) => harness.database.pool.query(text, values);

async function invite({ key }: TestTenant, role: string, email = newAddress()): Promise<string> {
  const { body } = await harness.graphql(
    key,
    'mutation ($email: String!, $role: Role!) { memberInvite(email: $email, role: $role) { id } }',
    { email, role },
  );
  return body.data.memberInvite.id;
}

const giveRole = (key: string, id: string, role: string) =>
  harness.graphql(
    key,
    'mutation ($id: ID!, $role: Role!) { memberRoleChange(id: $id, role: $role) { role } }',
    { id, role },
  );

const remove = (key: string, id: string) =>
  harness.graphql(key, 'mutation ($id: ID!) { memberRemove(id: $id) { id } }', { id });

it('an owner who has not accepted is no other owner', async () => {
  const tenant = await makeTenant(harness);
  const { membershipId } = await holderOf(harness, tenant.key);
  await invite(tenant, 'owner');
  expect(codeOf(await giveRole(tenant.key, membershipId, 'viewer'))).toBe('conflict');
  expect(codeOf(await remove(tenant.key, membershipId))).toBe('conflict');
});

it('an admin who has not accepted is mailed of no change', async () => {
  const tenant = await makeTenant(harness);
  const { membershipId } = await holderOf(harness, tenant.key);
  const demoted = await holderOf(harness, await tenant.keyWithRole('admin'));
  await invite(tenant, 'admin');
  await giveRole(tenant.key, demoted.membershipId, 'viewer');
  const { rows } = await sql(
    `SELECT payload ->> 'membershipId' AS id FROM job_outbox
     WHERE tenant_id = $1 AND task = 'send_access_mail'`,
    tenant.tenantId,
  );
  const told = rows.map(({ id }) => String(id));
  expect(told).toHaveLength(2);
  expect(new Set(told)).toEqual(new Set([membershipId, demoted.membershipId]));
});

it('a registrant who was removed and has to accept again gets no key from an operator', async () => {
  const tenant = await makeTenant(harness);
  const { businessId } = tenant;
  await sql(`UPDATE business SET profile_status = 'accepted' WHERE id = $1`, businessId);
  const registrant = await holderOf(harness, tenant.key);
  const other = { ...tenant, key: await tenant.keyWithRole('owner') };
  expect((await remove(other.key, registrant.membershipId)).body.errors).toBeUndefined();
  expect(await invite(other, 'owner', registrant.email)).toBe(registrant.membershipId);
  const issued = await harness.graphql(
    operator,
    `mutation ($businessId: ID!, $membershipId: ID!) {
      operatorProductionKeyIssue(businessId: $businessId, membershipId: $membershipId, role: viewer, reason: "why") { key }
    }`,
    { businessId, membershipId: registrant.membershipId },
  );
  expect(codeOf(issued)).toBe('conflict');
});

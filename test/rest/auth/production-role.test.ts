import { beforeAll, expect, it } from 'vitest';
import { issueOperatorKey } from '../../../src/access/operator-key.ts';
import { newAddress } from '../../support/beneficiaries.ts';
import { asKey } from '../../support/credential.ts';
import { makeTenant, type TestTenant } from '../../support/factory.ts';
import {
  acceptedKey,
  acceptToken,
  ageInvitations,
  memberToken,
} from '../../support/member-link.ts';
import { codeOf } from '../../support/operator-banks.ts';
import { giveProductionKey } from '../../support/production-key.ts';
import { cookieOf, sessionOf, signInRequest } from '../../support/sessions.ts';
import { useHarness } from '../../support/use-harness.ts';

/*
 * While no production key of a business works, its sandbox keys change the roles of its members. Whoever let a member
 * into production did it for the role of that time.
 */

const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent' } });
let operator: string;
beforeAll(async () => {
  operator = (await issueOperatorKey(harness.database.pool, 'Ada')).key;
});

const sql = (text: string, ...values: unknown[]) => harness.database.pool.query(text, values);

/** A business whose profile is accepted and which has no production key yet. */
async function accepted(): Promise<TestTenant> {
  const tenant = await makeTenant(harness);
  await sql(`UPDATE business SET profile_status = 'accepted' WHERE id = $1`, tenant.businessId);
  return tenant;
}

async function invite(key: string, role: string, email = newAddress()): Promise<string> {
  const { body } = await harness.graphql(
    key,
    'mutation ($email: String!, $role: Role!) { memberInvite(email: $email, role: $role) { id } }',
    { email, role },
  );
  const membershipId: string = body.data.memberInvite.id;
  await ageInvitations(harness, membershipId);
  return membershipId;
}

const letIn = ({ businessId }: TestTenant, membershipId: string) =>
  harness.graphql(
    operator,
    `mutation ($businessId: ID!, $membershipId: ID!) {
      operatorMemberInvitationSend(businessId: $businessId, membershipId: $membershipId, reason: "why") { id }
    }`,
    { businessId, membershipId },
  );

async function giveRole(key: string, id: string, role: string): Promise<void> {
  const change =
    'mutation ($id: ID!, $role: Role!) { memberRoleChange(id: $id, role: $role) { role } }';
  const { body } = await harness.graphql(key, change, { id, role });
  expect(body.data.memberRoleChange).toEqual({ role });
}

/** Uses the newest link of a member up to sign in; the session. */
async function signIn(membershipId: string): Promise<string> {
  const token = (await memberToken(harness, membershipId)) ?? '';
  const answer = await signInRequest(harness, '/auth/link/consume', { token });
  return asKey(cookieOf(answer) ?? '');
}

const enter = async (session: string, { businessId }: TestTenant) => {
  const switching = `mutation ($id: ID!) { sessionSwitch(businessId: $id, environment: production) }`;
  const answer = await harness.graphql(session, switching, { id: businessId });
  return answer.body.errors === undefined ? answer.body.data.sessionSwitch : codeOf(answer);
};

const roleIn = async (session: string) =>
  (await harness.graphql(session, '{ viewer { environment role } }')).body.data.viewer;

const revokeProductionKeys = ({ businessId }: TestTenant) =>
  sql(
    `UPDATE api_key k SET revoked_at = now() FROM tenant t
     WHERE t.id = k.tenant_id AND t.environment = 'production' AND t.business_id = $1`,
    businessId,
  );

it('a link of an operator that was used opens no production to the role that the sandbox gave since', async () => {
  const tenant = await accepted();
  const membershipId = await invite(tenant.key, 'viewer');
  await letIn(tenant, membershipId);
  const session = await signIn(membershipId);
  await giveRole(tenant.key, membershipId, 'owner');
  const production = await giveProductionKey(harness, tenant);
  expect(await enter(session, tenant)).toBe('forbidden');
  await ageInvitations(harness, membershipId);
  // A link of production lets them in, for the role that its sender sees.
  await harness.graphql(
    production,
    'mutation ($id: ID!) { memberInvitationSend(id: $id) { id } }',
    {
      id: membershipId,
    },
  );
  await acceptedKey(harness, membershipId);
  expect(await enter(session, tenant)).toBe(true);
  expect(await roleIn(session)).toEqual({ environment: 'production', role: 'owner' });
});

it('one that was used goes on where the role is what it was, or was changed in production', async () => {
  const tenant = await accepted();
  const membershipId = await invite(tenant.key, 'viewer');
  await letIn(tenant, membershipId);
  const session = await signIn(membershipId);
  await giveRole(tenant.key, membershipId, 'viewer');
  const production = await giveProductionKey(harness, tenant);
  expect(await enter(session, tenant)).toBe(true);
  await giveRole(production, membershipId, 'approver');
  expect(await roleIn(session)).toEqual({ environment: 'production', role: 'approver' });
  const { rows } = await sql(
    'SELECT status FROM member_invitation WHERE membership_id = $1 ORDER BY id',
    membershipId,
  );
  expect(rows).toEqual([{ status: 'live' }, { status: 'accepted' }]);
});

it('a link of a colleague in production gives no key of the role that the sandbox gave since', async () => {
  const tenant = await accepted();
  const production = await giveProductionKey(harness, tenant);
  const membershipId = await invite(production, 'viewer');
  const token = (await memberToken(harness, membershipId)) ?? '';
  await revokeProductionKeys(tenant);
  await giveRole(tenant.key, membershipId, 'owner');
  expect(codeOf(await acceptToken(harness, token))).toBe('conflict');
});

it('who was at work in production is not there with another role once it opens again', async () => {
  const tenant = await accepted();
  const production = await giveProductionKey(harness, tenant);
  const membershipId = await invite(production, 'viewer');
  const session = await signIn(membershipId);
  expect(await roleIn(session)).toEqual({ environment: 'production', role: 'viewer' });
  await revokeProductionKeys(tenant);
  await giveRole(tenant.key, membershipId, 'admin');
  await giveProductionKey(harness, tenant);
  expect(codeOf(await harness.graphql(session, '{ viewer { role } }'))).toBe('unauthorized');
  // They sign in anew, and work in the sandbox.
  const { rows } = await sql('SELECT user_id FROM membership WHERE id = $1', membershipId);
  const again = await sessionOf(harness, { userId: rows[0].user_id });
  expect(await roleIn(again.key)).toEqual({ environment: 'sandbox', role: 'admin' });
});

it('a link of an operator ends with the membership, also where the sandbox invites its person again', async () => {
  const tenant = await accepted();
  const email = newAddress();
  const membershipId = await invite(tenant.key, 'viewer', email);
  await letIn(tenant, membershipId);
  const token = (await memberToken(harness, membershipId)) ?? '';
  const removal = 'mutation ($id: ID!) { memberRemove(id: $id) { id } }';
  await harness.graphql(tenant.key, removal, { id: membershipId });
  await ageInvitations(harness, membershipId);
  expect(await invite(tenant.key, 'owner', email)).toBe(membershipId);
  expect(codeOf(await acceptToken(harness, token))).toBe('conflict');
});

it('who accepts again in the sandbox comes into production by no link of before', async () => {
  const tenant = await accepted();
  const email = newAddress();
  const membershipId = await invite(tenant.key, 'viewer', email);
  await letIn(tenant, membershipId);
  await signIn(membershipId);
  const removal = 'mutation ($id: ID!) { memberRemove(id: $id) { id } }';
  await harness.graphql(tenant.key, removal, { id: membershipId });
  await ageInvitations(harness, membershipId);
  await invite(tenant.key, 'owner', email);
  const session = await signIn(membershipId);
  await giveProductionKey(harness, tenant);
  expect(await roleIn(session)).toEqual({ environment: 'sandbox', role: 'owner' });
  expect(await enter(session, tenant)).toBe('forbidden');
});

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { roles, rolesWithin, type Role } from '../../src/access/roles.ts';
import { newId } from '../../src/values/ids.ts';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestTenant,
} from '../support/factory.ts';
import type { RestAnswer } from '../support/harness.ts';
import { acceptedKey } from '../support/member-link.ts';
import { giveProductionKey } from '../support/production-key.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });

const fields = 'id me role email firstName lastName createdAt acceptedAt removedAt';
const documents = {
  invite: `mutation ($email: String!, $role: Role!) { memberInvite(email: $email, role: $role) { ${fields} } }`,
  change: `mutation ($id: ID!, $role: Role!) { memberRoleChange(id: $id, role: $role) { ${fields} } }`,
  remove: `mutation ($id: ID!) { memberRemove(id: $id) { ${fields} } }`,
  settings: `mutation ($on: Boolean!) { businessSettingsUpdate(distinctApprover: $on) { distinctApprover } }`,
  key: `mutation ($input: ApiKeyCreateInput!) { apiKeyCreate(input: $input) { key } }`,
};

const run = (
  key: string | undefined,
  document: keyof typeof documents,
  variables: Record<string, unknown>,
): Promise<RestAnswer> => harness.graphql(key, documents[document], variables);
const codeOf = (answer: RestAnswer): string | undefined => answer.body.errors?.[0].extensions.code;
const someone = (): string => `${randomUUID()}@example.com`;

async function memberIdOf(key: string): Promise<string> {
  return (await harness.graphql(key, '{ me { membershipId } }')).body.data.me.membershipId;
}

async function works(key: string): Promise<boolean> {
  return codeOf(await harness.graphql(key, '{ me { role } }')) === undefined;
}

async function list(key: string) {
  const answer = await harness.graphql(key, `{ members { edges { node { ${fields} } } } }`);
  return answer.body.data.members.edges.map((edge: { node: unknown }) => edge.node);
}

test('the registrant is the first member and sees itself', async () => {
  const email = `Ada.${randomUUID()}@example.com`;
  const body = { email, company_name: 'Engines', first_name: 'Ada', last_name: 'Lovelace' };
  const registered = await harness.rest('POST', '/v1/registration', { body });
  const key = registered.body.api_key.key;
  expect(await list(key)).toEqual([
    {
      id: registered.body.membership.id,
      me: true,
      role: 'owner',
      email,
      firstName: 'Ada',
      lastName: 'Lovelace',
      createdAt: expect.any(String),
      acceptedAt: expect.any(String),
      removedAt: null,
    },
  ]);
});

test('an invited person is a member once they accept, and acts with a key of their own', async () => {
  const tenant = await makeTenant(harness);
  const email = someone();
  const { body } = await run(tenant.key, 'invite', { email, role: 'approver' });
  const member = body.data.memberInvite;
  expect(member).toMatchObject({ email, role: 'approver', me: false, removedAt: null });
  expect(member.acceptedAt).toBeNull();
  expect((await list(tenant.key))[0]).toEqual(member);
  const key = await acceptedKey(harness, member.id);
  expect(await memberIdOf(key)).toBe(member.id);
  const accepted = { ...member, me: true, acceptedAt: expect.any(String) };
  expect((await list(key))[0]).toEqual(accepted);
});

test('who is a member already is not invited again, whatever the spelling', async () => {
  const tenant = await makeTenant(harness);
  const email = someone();
  const answers = await Promise.all(
    [email, email.toUpperCase(), email].map((spelling) =>
      run(tenant.key, 'invite', { email: spelling, role: 'viewer' }),
    ),
  );
  const refused = answers.map(codeOf).filter((code) => code !== undefined);
  expect(refused).toEqual(['conflict', 'conflict']);
  const found = (await list(tenant.key)).filter(
    (member: { email: string }) => member.email === email,
  );
  expect(found).toHaveLength(1);
  expect(found[0].role).toBe('viewer');
});

test('an invitation does not tell whether the address has an account elsewhere', async () => {
  const registered = `Grace.${randomUUID()}@Example.com`;
  const body = {
    email: registered,
    company_name: 'Navy',
    first_name: 'Grace',
    last_name: 'Hopper',
  };
  expect((await harness.rest('POST', '/v1/registration', { body })).status).toBe(201);
  const tenant = await makeTenant(harness);
  const fresh = `Grace.${randomUUID()}@Example.com`;
  const shown = [];
  for (const email of [registered, fresh]) {
    const { data } = (await run(tenant.key, 'invite', { email, role: 'viewer' })).body;
    const [listed] = await list(tenant.key);
    expect(listed).toEqual(data.memberInvite);
    shown.push({ ...listed, id: '', createdAt: '', email: listed.email.replace(/\.[^@]*/, '') });
    expect(listed.email).toBe(email.toLowerCase());
  }
  expect(shown[0]).toEqual(shown[1]);
  expect(shown[0]).toMatchObject({ firstName: null, lastName: null });
});

test.each(roles)('a caller of role %s gives and takes what its own role covers', async (role) => {
  const tenant = await makeTenant(harness);
  const key = await tenant.keyWithRole(role);
  const mayManage = role === 'owner' || role === 'admin';
  for (const wanted of roles) {
    const allowed = mayManage && rolesWithin(role).includes(wanted);
    const expected = allowed ? undefined : 'forbidden';
    expect(codeOf(await run(key, 'invite', { email: someone(), role: wanted }))).toBe(expected);
    const viewer = await memberIdOf(await tenant.keyWithRole('viewer'));
    expect(codeOf(await run(key, 'change', { id: viewer, role: wanted }))).toBe(expected);
    const holder = await memberIdOf(await tenant.keyWithRole(wanted));
    expect(codeOf(await run(key, 'change', { id: holder, role: 'viewer' }))).toBe(expected);
    const target = await memberIdOf(await tenant.keyWithRole(wanted));
    expect(codeOf(await run(key, 'remove', { id: target }))).toBe(expected);
  }
  expect(codeOf(await run(key, 'settings', { on: true }))).toBe(
    mayManage ? undefined : 'forbidden',
  );
  expect(await list(key)).not.toHaveLength(0);
});

test('a smaller role revokes the keys beyond it and leaves the others', async () => {
  const tenant = await makeTenant(harness);
  const admin = await tenant.keyWithRole('admin');
  const id = await memberIdOf(admin);
  const keys: Partial<Record<Role, string>> = {};
  for (const role of ['preparer', 'viewer'] as const) {
    keys[role] = (await run(admin, 'key', { input: { role } })).body.data.apiKeyCreate.key;
  }
  const changed = await run(tenant.key, 'change', { id, role: 'preparer' });
  expect(changed.body.data.memberRoleChange).toMatchObject({ id, role: 'preparer' });
  const { rows } = await harness.database.pool.query(
    'SELECT role, revoked_at IS NOT NULL AS revoked FROM api_key WHERE membership_id = $1 ORDER BY role',
    [id],
  );
  expect(rows).toEqual([
    { role: 'admin', revoked: true },
    { role: 'preparer', revoked: false },
    { role: 'viewer', revoked: false },
  ]);
  expect(await works(keys.preparer ?? '')).toBe(true);
});

test('a removed member loses its keys of both environments, for good', async () => {
  const tenant = await makeTenant(harness);
  const email = someone();
  const invited = await run(tenant.key, 'invite', { email, role: 'admin' });
  const { id } = invited.body.data.memberInvite;
  const key = await acceptedKey(harness, id);
  await harness.database.pool.query(
    `INSERT INTO api_key (id, tenant_id, business_id, membership_id, role, secret_hash)
     SELECT $1, id, business_id, $2, 'viewer', '' FROM tenant
     WHERE business_id = $3 AND environment = 'production'`,
    [newId('apiKey'), id, tenant.businessId],
  );
  const production = await giveProductionKey(harness, tenant);
  const removed = (await run(production, 'remove', { id })).body.data.memberRemove;
  expect(removed.removedAt).toEqual(expect.any(String));
  const again = (await run(production, 'remove', { id })).body.data.memberRemove;
  expect(again).toEqual(removed);
  const { rows } = await harness.database.pool.query(
    'SELECT count(*)::int AS live FROM api_key WHERE membership_id = $1 AND revoked_at IS NULL',
    [id],
  );
  expect(rows).toEqual([{ live: 0 }]);
  expect(await works(key)).toBe(false);
  expect((await list(tenant.key)).map((member: { id: string }) => member.id)).not.toContain(id);
  expect(codeOf(await run(production, 'change', { id, role: 'viewer' }))).toBe('not_found');
  const input = { role: 'admin', membershipId: id };
  expect(codeOf(await run(tenant.key, 'key', { input }))).toBe('not_found');

  // Who comes back is the same member, with another role and without the old keys.
  const back = (await run(production, 'invite', { email, role: 'viewer' })).body.data.memberInvite;
  expect(back).toMatchObject({ id, role: 'viewer', acceptedAt: null, removedAt: null });
  expect(await works(key)).toBe(false);
});

test('the last owner can neither be removed nor get another role', async () => {
  const tenant = await makeTenant(harness);
  const id = await memberIdOf(tenant.key);
  for (const answer of [
    await run(tenant.key, 'remove', { id }),
    await run(tenant.key, 'change', { id, role: 'admin' }),
  ]) {
    expect(codeOf(answer)).toBe('conflict');
  }
  expect(codeOf(await run(tenant.key, 'change', { id, role: 'owner' }))).toBe(undefined);
  const second = await tenant.keyWithRole('owner');
  expect(codeOf(await run(tenant.key, 'change', { id, role: 'viewer' }))).toBe(undefined);
  await eventually(async () => !(await works(tenant.key)));
  expect(codeOf(await run(second, 'remove', { id: await memberIdOf(second) }))).toBe('conflict');
});

test('once there is a production key, members and settings are changed with one only', async () => {
  const tenant = await makeTenant(harness);
  const { body } = await run(tenant.key, 'invite', { email: someone(), role: 'preparer' });
  const { id } = body.data.memberInvite;
  const commands = [
    ['invite', { email: someone(), role: 'viewer' }],
    ['change', { id, role: 'approver' }],
    ['settings', { on: true }],
    ['remove', { id }],
  ] as const;
  const production = await giveProductionKey(harness, tenant, 'admin');
  const before = await list(tenant.key);
  for (const [document, variables] of commands) {
    const refused = await run(tenant.key, document, variables);
    expect(codeOf(refused)).toBe('forbidden');
    expect(refused.body.errors[0].message).toContain('in production only');
  }
  expect(await list(tenant.key)).toEqual(before);
  const settings = await harness.graphql(tenant.key, '{ businessProfile { distinctApprover } }');
  expect(settings.body.data.businessProfile.distinctApprover).toBe(false);
  // The sandbox itself stays its own: keys are made and revoked as before.
  expect(codeOf(await run(tenant.key, 'key', { input: { role: 'viewer' } }))).toBe(undefined);
  for (const [document, variables] of commands) {
    expect(codeOf(await run(production, document, variables))).toBe(undefined);
  }
  expect((await list(tenant.key)).map((member: { id: string }) => member.id)).not.toContain(id);

  const { keyId } = (await harness.graphql(production, '{ me { keyId } }')).body.data.me;
  const revoke = 'mutation ($id: ID!) { apiKeyRevoke(id: $id) { revokedAt } }';
  await harness.graphql(production, revoke, { id: keyId });
  expect(codeOf(await run(tenant.key, 'settings', { on: false }))).toBe(undefined);
});

test('who registers after an invitation tells the inviting business nothing', async () => {
  const tenant = await makeTenant(harness);
  const email = `Joan.${randomUUID()}@Example.com`;
  const invited = (await run(tenant.key, 'invite', { email, role: 'viewer' })).body.data;
  const body = { email, company_name: 'Own', first_name: 'Joan', last_name: 'Clarke' };
  const registered = await harness.rest('POST', '/v1/registration', { body });
  expect(registered.status).toBe(201);
  expect((await list(tenant.key))[0]).toEqual(invited.memberInvite);
  const own = (await list(registered.body.api_key.key))[0];
  expect(own).toMatchObject({ email, firstName: 'Joan', lastName: 'Clarke', role: 'owner' });
});

test('ids of another business are answered like unknown and malformed ones', async () => {
  const [mine, other] = [await makeTenant(harness), await makeTenant(harness)];
  const theirs = await memberIdOf(other.key);
  for (const document of ['change', 'remove'] as const) {
    const more = document === 'change' ? { role: 'viewer' } : {};
    const unknown = await run(mine.key, document, { id: newId('membership'), ...more });
    expect(codeOf(unknown)).toBe('not_found');
    for (const id of [theirs, 'mem_1', newId('payout'), newId('user')]) {
      expect((await run(mine.key, document, { id, ...more })).text).toBe(unknown.text);
    }
  }
  expect(await list(other.key)).toEqual([expect.objectContaining({ id: theirs, role: 'owner' })]);
});

test('wrong input is refused by its path, and without a key nothing is told', async () => {
  const tenant = await makeTenant(harness);
  const answer = await run(tenant.key, 'invite', { email: 'nobody', role: 'viewer' });
  expect(codeOf(answer)).toBe('validation_failed');
  expect(answer.body.errors[0].extensions.details[0]).toMatchObject({ field: 'email' });
  const id = newId('membership');
  for (const document of ['invite', 'change', 'remove', 'settings'] as const) {
    const variables = { email: someone(), role: 'viewer', id, on: true };
    expect(codeOf(await run(undefined, document, variables))).toBe('unauthorized');
  }
  expect(codeOf(await harness.graphql(undefined, '{ members { edges { cursor } } }'))).toBe(
    'unauthorized',
  );
});

async function approve(tenant: TestTenant, key: string): Promise<RestAnswer> {
  const body = payoutBody(await makePayee(harness, tenant.key));
  const { payout } = (await harness.rest('POST', '/v1/payouts', { key: tenant.key, body })).body;
  return harness.rest('POST', `/v1/payouts/${payout.id}/approve`, { key, body: {} });
}

test('distinctApprover keeps a member from approving its own payout, with any of its keys', async () => {
  const tenant = await makeTenant(harness);
  const on = await run(tenant.key, 'settings', { on: true });
  expect(on.body.data.businessSettingsUpdate).toEqual({ distinctApprover: true });
  const sibling = (await run(tenant.key, 'key', { input: { role: 'approver' } })).body.data;
  expect((await approve(tenant, sibling.apiKeyCreate.key)).body.error.code).toBe('forbidden');
  expect((await approve(tenant, await tenant.keyWithRole('approver'))).status).toBe(200);
  await run(tenant.key, 'settings', { on: false });
  expect((await approve(tenant, tenant.key)).status).toBe(200);
});

import { expect, test } from 'vitest';
import { rolesWithin, roles, type Role } from '../../src/access/roles.ts';
import { newId } from '../../src/values/ids.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import type { RestAnswer } from '../support/harness.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });

const fields =
  'id name environment role membershipId createdByMembershipId createdAt lastUsedAt revokedAt';
const createMutation = `mutation ($input: ApiKeyCreateInput!) {
  apiKeyCreate(input: $input) { key apiKey { ${fields} } }
}`;
const revokeMutation = `mutation ($id: ID!) { apiKeyRevoke(id: $id) { ${fields} } }`;
const meQuery = '{ me { membershipId role keyId environment } }';

const create = (key: string | undefined, input: object): Promise<RestAnswer> =>
  harness.graphql(key, createMutation, { input });
const revoke = (key: string | undefined, id: string): Promise<RestAnswer> =>
  harness.graphql(key, revokeMutation, { id });
const codeOf = (answer: RestAnswer): string | undefined => answer.body.errors?.[0].extensions.code;

async function me(key: string) {
  return (await harness.graphql(key, meQuery)).body.data.me;
}

async function list(key: string, args = '') {
  const query = `{ apiKeys${args} { edges { node { ${fields} } } pageInfo { hasNextPage endCursor } } }`;
  return (await harness.graphql(key, query)).body.data.apiKeys;
}

async function accept(tenant: TestTenant): Promise<void> {
  const text = `UPDATE business SET profile_status = 'accepted' WHERE id = $1`;
  await harness.database.pool.query(text, [tenant.businessId]);
}

test('a new key works, belongs to the caller and is shown once', async () => {
  const tenant = await makeTenant(harness);
  const owner = await me(tenant.key);
  const { body } = await create(tenant.key, { role: 'preparer', name: '  ledger import ' });
  const { key, apiKey } = body.data.apiKeyCreate;
  expect(key).toMatch(/^pos_sandbox_/);
  expect(apiKey).toEqual({
    id: `key_${key.split('_')[2]}`,
    name: 'ledger import',
    environment: 'sandbox',
    role: 'preparer',
    membershipId: owner.membershipId,
    createdByMembershipId: owner.membershipId,
    createdAt: expect.any(String),
    lastUsedAt: null,
    revokedAt: null,
  });
  expect(await me(key)).toMatchObject({ role: 'preparer', keyId: apiKey.id });

  const listed = await list(tenant.key);
  expect(listed.edges.map((edge: { node: { id: string } }) => edge.node.id)).toEqual([
    apiKey.id,
    owner.keyId,
  ]);
  expect(listed.edges[0].node.lastUsedAt).not.toBeNull();
  const secret = key.split('_')[3];
  expect(JSON.stringify(listed)).not.toContain(secret.slice(0, 43));
  const node = await harness.graphql(tenant.key, '{ __type(name: "ApiKey") { fields { name } } }');
  expect(node.text).not.toMatch(/secret|hash|"key"/i);
});

test('no column of the database holds the secret of a key', async () => {
  const tenant = await makeTenant(harness);
  const { body } = await create(tenant.key, { role: 'viewer' });
  const secret: string = body.data.apiKeyCreate.key.split('_')[3];
  const { rows } = await harness.database.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const text = `SELECT count(*)::int AS n FROM ${name} AS r WHERE position($1 IN r::text) > 0`;
    for (const needle of [secret, secret.slice(0, 43), Buffer.from(secret).toString('hex')]) {
      const result = await harness.database.pool.query<{ n: number }>(text, [needle]);
      if (result.rows[0]?.n !== 0) found.push(name);
    }
  }
  expect(rows.length).toBeGreaterThan(20);
  expect(found).toEqual([]);
});

test.each(roles)('a caller of role %s makes and revokes what its own role covers', async (role) => {
  const tenant = await makeTenant(harness);
  const key = await tenant.keyWithRole(role);
  const mayManage = role === 'owner' || role === 'admin';
  for (const wanted of roles) {
    const allowed = mayManage && rolesWithin(role).includes(wanted);
    expect(codeOf(await create(key, { role: wanted }))).toBe(allowed ? undefined : 'forbidden');
    const target = (await me(await tenant.keyWithRole(wanted))).keyId;
    expect(codeOf(await revoke(key, target))).toBe(allowed ? undefined : 'forbidden');
  }
  expect(codeOf(await harness.graphql(key, '{ apiKeys { edges { node { id } } } }'))).toBe(
    undefined,
  );
});

test('a key acts as its member, so nobody makes one for another, whatever the roles', async () => {
  const tenant = await makeTenant(harness);
  const owner = await me(tenant.key);
  const admin = await tenant.keyWithRole('admin');
  const { membershipId } = await me(await tenant.keyWithRole('preparer'));
  const before = (await list(tenant.key)).edges.length;
  for (const [maker, holder] of [
    [admin, owner.membershipId],
    [admin, membershipId],
    [tenant.key, membershipId],
  ] as const) {
    for (const role of ['viewer', 'preparer', 'admin'] satisfies Role[]) {
      const refused = await create(maker, { role, membershipId: holder });
      expect(codeOf(refused)).toBe('forbidden');
      expect(refused.body.errors[0].message).toContain('only that member makes it');
    }
  }
  expect((await list(tenant.key)).edges).toHaveLength(before);

  // A key with fewer rights than its member makes others for that same member, no more than it has.
  const less = (await create(tenant.key, { role: 'admin' })).body.data.apiKeyCreate.key;
  const own = (await create(less, { role: 'approver' })).body.data.apiKeyCreate.apiKey;
  expect(own).toMatchObject({
    membershipId: owner.membershipId,
    createdByMembershipId: owner.membershipId,
  });
  expect(codeOf(await create(less, { role: 'owner' }))).toBe('forbidden');
  const named = { role: 'viewer', membershipId: owner.membershipId };
  expect(codeOf(await create(tenant.key, named))).toBe(undefined);
});

test('a key is of the environment of the key that makes it', async () => {
  const sandbox = await makeTenant(harness);
  await accept(sandbox);
  const refused = await create(sandbox.key, { role: 'viewer', environment: 'production' });
  expect(codeOf(refused)).toBe('forbidden');
  expect(refused.body.errors[0].message).toContain('issued by an operator');
  const same = await create(sandbox.key, { role: 'viewer', environment: 'sandbox' });
  expect(codeOf(same)).toBe(undefined);

  const production = await makeTenant(harness, { environment: 'production' });
  const early = await create(production.key, { role: 'viewer' });
  expect(codeOf(early)).toBe('forbidden');
  expect(early.body.errors[0].message).toContain('incomplete');
  await accept(production);
  const made = await create(production.key, { role: 'viewer', environment: 'production' });
  expect(made.body.data.apiKeyCreate.key).toMatch(/^pos_production_/);
  expect(made.body.data.apiKeyCreate.apiKey.environment).toBe('production');
  const down = await create(production.key, { role: 'viewer', environment: 'sandbox' });
  expect(codeOf(down)).toBe('forbidden');
});

test('keys of the other environment of one business are as good as unknown', async () => {
  const tenant = await makeTenant(harness);
  const { pool } = harness.database;
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM tenant WHERE business_id = $1 AND environment = 'production'`,
    [tenant.businessId],
  );
  const { membershipId } = await me(tenant.key);
  const foreign = newId('apiKey');
  await pool.query(
    `INSERT INTO api_key (id, tenant_id, business_id, membership_id, role, secret_hash)
     VALUES ($1, $2, $3, $4, 'viewer', '')`,
    [foreign, rows[0]?.id, tenant.businessId, membershipId],
  );
  const unknown = await revoke(tenant.key, newId('apiKey'));
  expect((await revoke(tenant.key, foreign)).text).toBe(unknown.text);
  expect((await list(tenant.key)).edges).toHaveLength(1);
});

test('ids of another business are answered like unknown and malformed ones', async () => {
  const [mine, other] = [await makeTenant(harness), await makeTenant(harness)];
  const theirs = await me(other.key);
  const unknown = await revoke(mine.key, newId('apiKey'));
  expect(codeOf(unknown)).toBe('not_found');
  for (const id of [theirs.keyId, 'key_1', '', newId('payout'), 'x'.repeat(300)]) {
    expect((await revoke(mine.key, id)).text).toBe(unknown.text);
  }
  const holder = await create(mine.key, { role: 'viewer', membershipId: newId('membership') });
  expect(codeOf(holder)).toBe('not_found');
  for (const membershipId of [theirs.membershipId, 'mem_1', newId('user')]) {
    expect((await create(mine.key, { role: 'viewer', membershipId })).text).toBe(holder.text);
  }
  const node = 'query ($id: ID!) { node(id: $id) { id } }';
  for (const id of [theirs.keyId, newId('apiKey')]) {
    expect((await harness.graphql(mine.key, node, { id })).body.data).toEqual({ node: null });
  }
  const own = (await me(mine.key)).keyId;
  expect((await harness.graphql(mine.key, node, { id: own })).body.data.node.id).toBe(own);
  expect(await me(other.key)).toEqual(theirs);
});

test('a revoked key stops, and revoking it again changes nothing', async () => {
  const tenant = await makeTenant(harness);
  const { apiKey, key } = (await create(tenant.key, { role: 'viewer' })).body.data.apiKeyCreate;
  const answers = await Promise.all([1, 2, 3, 4].map(() => revoke(tenant.key, apiKey.id)));
  const times = answers.map((answer) => answer.body.data.apiKeyRevoke.revokedAt);
  expect(times[0]).toEqual(expect.any(String));
  expect(new Set(times).size).toBe(1);
  expect((await revoke(tenant.key, apiKey.id)).body.data.apiKeyRevoke.revokedAt).toBe(times[0]);
  expect(codeOf(await harness.graphql(key, meQuery))).toBe('unauthorized');
  const listed = await list(tenant.key);
  expect(listed.edges[0].node).toMatchObject({ id: apiKey.id, revokedAt: times[0] });
});

test('wrong input is refused by its path, and without a key nothing is told', async () => {
  const tenant = await makeTenant(harness);
  for (const name of ['', 'x'.repeat(101), 'a\u0007b']) {
    const answer = await create(tenant.key, { role: 'viewer', name });
    expect(codeOf(answer)).toBe('validation_failed');
    expect(answer.body.errors[0].extensions.details[0].field).toBe('name');
  }
  expect(codeOf(await create(tenant.key, { role: 'king' }))).toBe('validation_failed');
  expect(codeOf(await create(undefined, { role: 'viewer' }))).toBe('unauthorized');
  expect(codeOf(await revoke(undefined, newId('apiKey')))).toBe('unauthorized');
});

test('pages of keys follow each other, and a cursor is its own list’s and tenant’s', async () => {
  const tenant = await makeTenant(harness);
  for (const name of ['a', 'b', 'c']) await create(tenant.key, { role: 'viewer', name });
  const first = await list(tenant.key, '(first: 3)');
  expect(first.pageInfo.hasNextPage).toBe(true);
  const after = `(first: 3, after: "${first.pageInfo.endCursor}")`;
  const second = await list(tenant.key, after);
  expect(second.pageInfo.hasNextPage).toBe(false);
  expect([...first.edges, ...second.edges].map((edge) => edge.node.name)).toEqual([
    'c',
    'b',
    'a',
    null,
  ]);
  const members = await harness.graphql(tenant.key, `{ members${after} { edges { cursor } } }`);
  expect(codeOf(members)).toBe('validation_failed');
  const other = await makeTenant(harness);
  const foreign = await harness.graphql(other.key, `{ apiKeys${after} { edges { cursor } } }`);
  expect(codeOf(foreign)).toBe('validation_failed');
});

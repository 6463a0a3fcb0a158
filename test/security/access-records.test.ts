import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePayee, makeTenant, payoutBody, type TestTenant } from '../support/factory.ts';
import { acceptedKey } from '../support/member-link.ts';
import { newUlid } from '../../src/values/ulid.ts';
import { makeOperator, type Operator } from '../ops/support.ts';
import { useHarness } from '../support/use-harness.ts';

/*
 * What somebody did to come round a rule stands where they cannot take it away: changes of settings,
 * members and keys, and who submitted a decision in whose name.
 */
let reader: Operator;
const harness = useHarness({ shipped: true, worker: false, env: { LOG_LEVEL: 'silent' } });

beforeAll(async () => {
  reader = await makeOperator(harness.database, 'ops_read');
});
afterAll(async () => {
  await reader.leave();
});

interface Change {
  readonly kind: string;
  readonly environment: string;
  readonly subjectId: string;
  readonly actor: Record<string, string>;
  readonly before: unknown;
  readonly after: unknown;
}

async function changes(key: string, args = ''): Promise<Change[]> {
  const query = `{ accessChanges${args} { edges { node { kind environment subjectId actor before after } } } }`;
  const { body } = await harness.graphql(key, query);
  return body.data.accessChanges.edges.map((edge: { node: Change }) => edge.node);
}

async function run(key: string, mutation: string, variables: Record<string, unknown> = {}) {
  const answer = await harness.graphql(key, mutation, variables);
  if (answer.body.errors !== undefined) throw new Error(answer.text);
  return answer.body.data;
}

const settings = (key: string, on: boolean) =>
  run(
    key,
    'mutation ($on: Boolean!) { businessSettingsUpdate(distinctApprover: $on) { distinctApprover } }',
    { on },
  );

async function me(key: string): Promise<{ membershipId: string; userId: string; keyId: string }> {
  return (await run(key, '{ me { membershipId userId keyId } }')).me;
}

const actorOf = async (key: string, role: string) => {
  const { membershipId, userId, keyId } = await me(key);
  return { type: 'member', user_id: userId, membership_id: membershipId, key_id: keyId, role };
};

describe('the record of what changed', () => {
  it('has each change of a setting, and none where nothing changed', async () => {
    const tenant = await makeTenant(harness);
    const admin = await tenant.keyWithRole('admin');
    for (const on of [true, true, false, true]) await settings(admin, on);
    const actor = await actorOf(admin, 'admin');
    const change = (before: boolean) => ({
      kind: 'settings_changed',
      environment: 'sandbox',
      subjectId: tenant.businessId,
      actor,
      before: { distinct_approver: before },
      after: { distinct_approver: !before },
    });
    expect(await changes(tenant.key)).toEqual([change(false), change(true), change(false)]);
  });

  it('has each change of members and keys, with whom it concerned', async () => {
    const tenant = await makeTenant(harness);
    const owner = await actorOf(tenant.key, 'owner');
    const email = `${randomUUID()}@example.com`;
    const { memberInvite } = await run(
      tenant.key,
      'mutation ($email: String!) { memberInvite(email: $email, role: admin) { id } }',
      { email },
    );
    const { id } = memberInvite;
    const accepted = await me(await acceptedKey(harness, id));
    const change =
      'mutation ($id: ID!, $role: Role!) { memberRoleChange(id: $id, role: $role) { id } }';
    await run(tenant.key, change, { id, role: 'owner' });
    await run(tenant.key, change, { id, role: 'viewer' });
    await run(tenant.key, change, { id, role: 'viewer' });
    const { apiKeyCreate } = await run(
      tenant.key,
      'mutation { apiKeyCreate(input: { role: viewer }) { apiKey { id } } }',
    );
    const made: string = apiKeyCreate.apiKey.id;
    for (let time = 0; time < 2; time += 1) {
      await run(tenant.key, 'mutation ($id: ID!) { apiKeyRevoke(id: $id) { id } }', { id: made });
      await run(tenant.key, 'mutation ($id: ID!) { memberRemove(id: $id) { id } }', { id });
    }
    const invitee = { type: 'invitee', user_id: accepted.userId, membership_id: id };
    const ownKey = { membership_id: owner.membership_id, role: 'viewer' };
    const theirKey = { membership_id: id, role: 'admin' };
    const told = (await changes(tenant.key)).map(({ environment, ...rest }) => {
      expect(environment).toBe('sandbox');
      return [rest.kind, rest.subjectId, rest.actor, rest.before, rest.after];
    });
    // What one command changed has one time, so the order of its lines says nothing.
    const lines = [
      ['member_invited', id, owner, null, { role: 'admin' }],
      ['member_invitation_sent', id, owner, null, { role: 'admin' }],
      ['member_accepted', id, invitee, null, { role: 'admin' }],
      ['key_created', accepted.keyId, invitee, null, theirKey],
      ['member_role_changed', id, owner, { role: 'admin' }, { role: 'owner' }],
      ['member_role_changed', id, owner, { role: 'owner' }, { role: 'viewer' }],
      ['key_revoked', accepted.keyId, owner, theirKey, null],
      ['key_created', made, owner, null, ownKey],
      ['key_revoked', made, owner, ownKey, null],
      ['member_removed', id, owner, { role: 'viewer' }, null],
    ];
    expect(told).toHaveLength(lines.length);
    expect(told).toEqual(expect.arrayContaining(lines));
    expect(JSON.stringify(told)).not.toContain(email);
  });

  it('begins with the registration, and has pages', async () => {
    const body = { email: `${randomUUID()}@example.com`, company_name: 'Engines' };
    const registered = (await harness.rest('POST', '/v1/registration', { body })).body;
    const { key } = registered.api_key;
    await settings(key, true);
    const kinds = (await changes(key)).map(({ kind }) => kind);
    expect(kinds).toEqual(['settings_changed', 'business_registered']);
    const page = '{ accessChanges(first: 1) { pageInfo { hasNextPage endCursor } } }';
    const { pageInfo } = (await run(key, page)).accessChanges;
    expect(pageInfo.hasNextPage).toBe(true);
    const next = await changes(key, `(first: 1, after: "${pageInfo.endCursor}")`);
    expect(next.map(({ kind }) => kind)).toEqual(['business_registered']);
    const other = await makeTenant(harness);
    expect(await changes(other.key)).toEqual([]);
  });

  it('is edited by nobody, not even the owner of the database', async () => {
    const tenant = await makeTenant(harness);
    await settings(tenant.key, true);
    const { pool } = harness.database;
    for (const text of [
      'UPDATE access_change SET actor = $$"nobody"$$',
      'DELETE FROM access_change',
      `WITH gone AS (SELECT) DELETE FROM access_change WHERE business_id = '${tenant.businessId}'`,
    ]) {
      await expect(pool.query(text), text).rejects.toMatchObject({ code: '42501' });
    }
    expect(await changes(tenant.key)).toHaveLength(1);
  });

  it('is shown to operators, by ids alone', async () => {
    const tenant = await makeTenant(harness);
    await settings(tenant.key, true);
    const { membershipId } = await me(tenant.key);
    expect(
      await reader.sql(
        'SELECT kind, environment, subject_id, by_whom, before, after FROM ops.access_changes WHERE business_id = $1',
        [tenant.businessId],
      ),
    ).toEqual([
      {
        kind: 'settings_changed',
        environment: 'sandbox',
        subject_id: tenant.businessId,
        by_whom: `member ${membershipId}`,
        before: { distinct_approver: false },
        after: { distinct_approver: true },
      },
    ]);
  });
});

describe('who submitted a decision', () => {
  async function waiting(tenant: TestTenant): Promise<string> {
    const body = payoutBody(await makePayee(harness, tenant.key));
    return (await harness.rest('POST', '/v1/payouts', { key: tenant.key, body })).body.payout.id;
  }

  it('stands beside whom it names, on each surface', async () => {
    const tenant = await makeTenant(harness);
    const approver = await tenant.keyWithRole('approver');
    const id = await waiting(tenant);
    const named = { type: 'member', membership_id: 'mem_somebody' };
    const decided = await harness.rest('POST', `/v1/payouts/${id}/decisions`, {
      key: approver,
      body: { decision_id: newUlid(), status: 'approved', evaluated_by: named },
    });
    const submitter = await actorOf(approver, 'approver');
    const expected = { evaluated_by: named, submitted_by: submitter };
    expect(decided.body.decision).toMatchObject(expected);
    const listed = await harness.rest('GET', `/v1/payouts/${id}/decisions`, { key: tenant.key });
    expect(listed.body.decisions).toEqual([expect.objectContaining(expected)]);
    const query =
      'query ($id: ID!) { node(id: $id) { ... on Payout { decisions { edges { node { evaluatedBy submittedBy } } } } } }';
    expect((await run(tenant.key, query, { id })).node.decisions.edges).toEqual([
      { node: { evaluatedBy: named, submittedBy: submitter } },
    ]);
    const timeline = `SELECT detail, by_whom FROM ops.timeline($1) WHERE what = 'decision'`;
    expect(await reader.sql(timeline, [id])).toEqual([
      {
        detail: 'approved, MANUAL_APPROVAL, names member mem_somebody',
        by_whom: `member ${submitter.membership_id}`,
      },
    ]);
  });

  it('is the caller where nobody is named, and who created a payout that approves itself', async () => {
    const tenant = await makeTenant(harness);
    const owner = await actorOf(tenant.key, 'owner');
    const id = await waiting(tenant);
    const rejection = { reasons: [{ message: 'no' }] };
    const rejected = await harness.rest('POST', `/v1/payouts/${id}/reject`, {
      key: tenant.key,
      body: rejection,
    });
    expect(rejected.body.decision).toMatchObject({ evaluated_by: owner, submitted_by: owner });
    const body = payoutBody(await makePayee(harness, tenant.key), { validator_strategy: 'auto' });
    const { payout } = (await harness.rest('POST', '/v1/payouts', { key: tenant.key, body })).body;
    const listed = await harness.rest('GET', `/v1/payouts/${payout.id}/decisions`, {
      key: tenant.key,
    });
    expect(listed.body.decisions).toEqual([
      expect.objectContaining({
        evaluated_by: { type: 'system', name: 'auto' },
        submitted_by: owner,
      }),
    ]);
  });
});

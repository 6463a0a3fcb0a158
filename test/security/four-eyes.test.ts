import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { makeKey } from '../../src/access/key.ts';
import { newId } from '../../src/values/ids.ts';
import { newUlid } from '../../src/values/ulid.ts';
import { makePayee, makeTenant, payoutBody, type TestTenant } from '../support/factory.ts';
import type { RestAnswer } from '../support/harness.ts';
import { acceptedKey, acceptToken, ageInvitations, memberToken } from '../support/member-link.ts';
import { giveProductionKey } from '../support/production-key.ts';
import { useHarness } from '../support/use-harness.ts';

/*
 * One person with the right to manage members tries to be the second person who has to approve what
 * they created.
 */
const harness = useHarness({ shipped: true, worker: false, env: { LOG_LEVEL: 'silent' } });

const documents = {
  invite: `mutation ($email: String!, $role: Role!) { memberInvite(email: $email, role: $role) { id acceptedAt } }`,
  send: `mutation ($id: ID!) { memberInvitationSend(id: $id) { id acceptedAt } }`,
  change: `mutation ($id: ID!, $role: Role!) { memberRoleChange(id: $id, role: $role) { id } }`,
  remove: `mutation ($id: ID!) { memberRemove(id: $id) { id } }`,
  settings: `mutation ($on: Boolean!) { businessSettingsUpdate(distinctApprover: $on) { distinctApprover } }`,
  key: `mutation ($input: ApiKeyCreateInput!) { apiKeyCreate(input: $input) { key } }`,
  actions: `query ($id: ID!) { node(id: $id) { ... on Payout { state permittedActions distinctApprover } } }`,
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

async function invited(key: string, role = 'approver', email = someone()): Promise<string> {
  const { body } = await run(key, 'invite', { email, role });
  return body.data.memberInvite.id as string;
}

/** An admin of a business with the setting on, and a payout that they created. */
async function attacker(on = true): Promise<{ tenant: TestTenant; admin: string; id: string }> {
  const tenant = await makeTenant(harness);
  const admin = await tenant.keyWithRole('admin');
  await run(admin, 'settings', { on });
  const body = payoutBody(await makePayee(harness, admin));
  const { payout } = (await harness.rest('POST', '/v1/payouts', { key: admin, body })).body;
  return { tenant, admin, id: payout.id };
}

/** Every way to approve a payout; each says what it is refused with. */
const ways: Readonly<Record<string, (id: string, key: string) => Promise<string | undefined>>> = {
  'REST approve': async (id, key) =>
    (await harness.rest('POST', `/v1/payouts/${id}/approve`, { key, body: {} })).body.error?.code,
  'REST decision that names somebody else': async (id, key) =>
    (
      await harness.rest('POST', `/v1/payouts/${id}/decisions`, {
        key,
        body: {
          decision_id: newUlid(),
          status: 'approved',
          evaluated_by: { type: 'member', user_id: newId('user') },
        },
      })
    ).body.error?.code,
  payoutApprove: async (id, key) =>
    codeOf(
      await harness.graphql(
        key,
        'mutation ($id: ID!) { payoutApprove(payoutId: $id) { replayed } }',
        { id },
      ),
    ),
  payoutDecide: async (id, key) =>
    codeOf(
      await harness.graphql(
        key,
        'mutation ($id: ID!, $input: DecisionInput!) { payoutDecide(payoutId: $id, input: $input) { replayed } }',
        { id, input: { decisionId: newUlid(), status: 'approved', evaluatedBy: { agent: 'x' } } },
      ),
    ),
  payoutBulkApprove: async (id, key) =>
    (
      await harness.graphql(
        key,
        'mutation ($ids: [ID!]!) { payoutBulkApprove(payoutIds: $ids) { error { code } } }',
        { ids: [id] },
      )
    ).body.data.payoutBulkApprove[0].error?.code,
};

async function refusedEverywhere(id: string, key: string): Promise<void> {
  for (const [name, approve] of Object.entries(ways)) {
    expect([name, await approve(id, key)]).toEqual([name, 'forbidden']);
  }
  const { rows } = await harness.database.pool.query('SELECT state FROM payout WHERE id = $1', [
    id,
  ]);
  expect(rows).toEqual([{ state: 'pending_approval' }]);
}

async function keysOf(membershipId: string): Promise<number> {
  const text = 'SELECT FROM api_key WHERE membership_id = $1 AND revoked_at IS NULL';
  return (await harness.database.pool.query(text, [membershipId])).rowCount ?? 0;
}

describe('a second pair of hands', () => {
  it('is no key that an admin makes for a colleague', async () => {
    const { tenant, admin } = await attacker();
    const colleague = await memberIdOf(await tenant.keyWithRole('approver'));
    const input = { role: 'approver', membershipId: colleague };
    expect(codeOf(await run(admin, 'key', { input }))).toBe('forbidden');
    expect(await keysOf(colleague)).toBe(1);
  });

  it('is no invented address: who did not accept has no key and can get none', async () => {
    const { tenant, admin, id } = await attacker();
    const ghost = await invited(admin);
    const answers = [
      await run(admin, 'key', { input: { role: 'approver', membershipId: ghost } }),
      await run(tenant.key, 'key', { input: { role: 'viewer', membershipId: ghost } }),
    ];
    expect(answers.map(codeOf)).toEqual(['forbidden', 'forbidden']);
    await run(admin, 'change', { id: ghost, role: 'preparer' });
    await run(admin, 'change', { id: ghost, role: 'approver' });
    expect(await keysOf(ghost)).toBe(0);
    // Not even a key that is there acts for somebody who never accepted.
    const keyId = newId('apiKey');
    const { key, hash } = makeKey('sandbox', keyId);
    await harness.database.pool.query(
      `INSERT INTO api_key (id, tenant_id, business_id, membership_id, role, secret_hash)
       VALUES ($1, $2, $3, $4, 'approver', $5)`,
      [keyId, tenant.tenantId, tenant.businessId, ghost, hash],
    );
    const answer = await harness.rest('POST', `/v1/payouts/${id}/approve`, { key, body: {} });
    expect(answer.status).toBe(401);
  });

  it('is refused by the database too, as a key that another member made', async () => {
    const { tenant, admin } = await attacker();
    const colleague = await memberIdOf(await tenant.keyWithRole('approver'));
    const insert = harness.database.pool.query(
      `INSERT INTO api_key (id, tenant_id, business_id, membership_id, role, secret_hash, created_by_membership_id)
       VALUES ($1, $2, $3, $4, 'approver', '', $5)`,
      [newId('apiKey'), tenant.tenantId, tenant.businessId, colleague, await memberIdOf(admin)],
    );
    await expect(insert).rejects.toMatchObject({ constraint: 'api_key_created_by_check' });
  });

  it('is no registration of the colleague’s address by somebody else', async () => {
    const { admin, id } = await attacker();
    const email = someone();
    const ghost = await invited(admin, 'approver', email);
    const body = { email, company_name: 'Mask' };
    const registered = await harness.rest('POST', '/v1/registration', { body });
    const { key } = registered.body.api_key;
    expect(
      (await harness.rest('POST', `/v1/payouts/${id}/approve`, { key, body: {} })).status,
    ).toBe(404);
    expect(await keysOf(ghost)).toBe(0);
    const { rows } = await harness.database.pool.query(
      'SELECT accepted_at FROM membership WHERE id = $1',
      [ghost],
    );
    expect(rows).toEqual([{ accepted_at: null }]);
  });

  it('is no production key that an operator hands over for a colleague', async () => {
    const tenant = await makeTenant(harness);
    const { pool } = harness.database;
    await pool.query(`UPDATE business SET profile_status = 'accepted' WHERE id = $1`, [
      tenant.businessId,
    ]);
    const operator = await issueOperatorKey(harness.database.pool, 'On call');
    const colleague = await memberIdOf(await tenant.keyWithRole('owner'));
    const order = { businessId: tenant.businessId, membershipId: colleague };
    const issue = await harness.graphql(
      operator.key,
      `mutation ($businessId: ID!, $membershipId: ID!) {
        operatorProductionKeyIssue(businessId: $businessId, membershipId: $membershipId, role: owner, reason: "asked") { key }
      }`,
      order,
    );
    expect(codeOf(issue)).toBe('unprocessable_entity');
    // They get it by their own mailbox.
    const send = `mutation ($businessId: ID!, $membershipId: ID!) {
      operatorMemberInvitationSend(businessId: $businessId, membershipId: $membershipId, reason: "asked") { id }
    }`;
    expect(codeOf(await harness.graphql(operator.key, send, order))).toBe(undefined);
    const key = await acceptedKey(harness, colleague);
    expect(key).toMatch(/^pos_production_/);
    expect(await memberIdOf(key)).toBe(colleague);
  });
});

describe('an invitation', () => {
  it('is accepted with the token of its mail alone, once', async () => {
    const { admin, id } = await attacker();
    const sent = await run(admin, 'invite', { email: someone(), role: 'approver' });
    const member: string = sent.body.data.memberInvite.id;
    const token = (await memberToken(harness, member)) ?? '';
    expect(sent.text).not.toContain(token);
    const answers = await Promise.all([1, 2, 3].map(() => acceptToken(harness, token)));
    const codes = answers
      .map((answer) => codeOf(answer) ?? 'done')
      .toSorted((a, b) => (a < b ? -1 : 1));
    expect(codes).toEqual(['conflict', 'conflict', 'done']);
    expect(await keysOf(member)).toBe(1);
    const won = answers.find((answer) => codeOf(answer) === undefined);
    const { membershipId, apiKey } = won?.body.data.memberAccept ?? {};
    expect(membershipId).toBe(member);
    expect(apiKey).toMatchObject({ environment: 'sandbox', role: 'approver' });
    const approved = await harness.rest('POST', `/v1/payouts/${id}/approve`, {
      key: apiKey.key,
      body: {},
    });
    expect(approved.status).toBe(200);
    for (const wrong of [newId('apiKey'), '', 'x'.repeat(43), apiKey.key]) {
      expect(codeOf(await acceptToken(harness, wrong))).toBe('not_found');
    }
    for (const table of ['member_link', 'member_invitation', 'access_change', 'membership']) {
      const text = `SELECT FROM ${table} r WHERE position($1 IN r::text) > 0`;
      expect((await harness.database.pool.query(text, [token])).rowCount).toBe(0);
    }
  });

  it('ends with the next one, with the removal and with its time', async () => {
    const { admin } = await attacker();
    const email = someone();
    const member = await invited(admin, 'approver', email);
    const first = (await memberToken(harness, member)) ?? '';
    expect(codeOf(await run(admin, 'send', { id: member }))).toBe('too_many_requests');
    await ageInvitations(harness, member);
    expect(codeOf(await run(admin, 'send', { id: member }))).toBe(undefined);
    expect(codeOf(await acceptToken(harness, first))).toBe('conflict');
    const second = (await memberToken(harness, member)) ?? '';
    await run(admin, 'remove', { id: member });
    expect(codeOf(await acceptToken(harness, second))).toBe('conflict');
    expect(codeOf(await run(admin, 'send', { id: member }))).toBe('not_found');
    await ageInvitations(harness, member);
    expect(await invited(admin, 'approver', email)).toBe(member);
    const third = (await memberToken(harness, member)) ?? '';
    await ageInvitations(harness, member, '8 days');
    expect(codeOf(await acceptToken(harness, third))).toBe('conflict');
    expect(await keysOf(member)).toBe(0);
  });

  it('of who was removed has to be accepted anew, and the old key stays dead', async () => {
    const { admin } = await attacker();
    const email = someone();
    const member = await invited(admin, 'approver', email);
    const old = await acceptedKey(harness, member);
    await run(admin, 'remove', { id: member });
    const { body } = await run(admin, 'invite', { email, role: 'approver' });
    expect(body.data.memberInvite).toEqual({ id: member, acceptedAt: null });
    expect(codeOf(await harness.graphql(old, '{ me { role } }'))).toBe('unauthorized');
    expect(await memberIdOf(await acceptedKey(harness, member))).toBe(member);
  });

  it('brings an accepted member a further key, by their mailbox and within the sender’s rights', async () => {
    const { tenant, admin } = await attacker();
    const approver = await memberIdOf(await tenant.keyWithRole('approver'));
    const answer = await run(admin, 'send', { id: approver });
    expect(Object.keys(answer.body.data.memberInvitationSend)).toEqual(['id', 'acceptedAt']);
    expect(await memberIdOf(await acceptedKey(harness, approver))).toBe(approver);
    expect(codeOf(await run(admin, 'send', { id: await memberIdOf(tenant.key) }))).toBe(
      'forbidden',
    );
    // With a production key about, a sandbox key brings in nobody new, and only sandbox keys.
    const ghost = await invited(admin);
    await ageInvitations(harness, ghost);
    await giveProductionKey(harness, tenant);
    expect(codeOf(await run(admin, 'send', { id: ghost }))).toBe('forbidden');
    expect(codeOf(await run(admin, 'send', { id: approver }))).toBe(undefined);
    expect(await acceptedKey(harness, approver)).toMatch(/^pos_sandbox_/);
  });

  it('makes no owner before it is accepted', async () => {
    const tenant = await makeTenant(harness);
    const ghost = await invited(tenant.key, 'owner');
    const own = await memberIdOf(tenant.key);
    expect(codeOf(await run(tenant.key, 'remove', { id: own }))).toBe('conflict');
    expect(codeOf(await run(tenant.key, 'remove', { id: ghost }))).toBe(undefined);
  });
});

describe('a payout that was created under the rule', () => {
  it('needs another person after the rule was switched off, on every way', async () => {
    const { tenant, admin, id } = await attacker();
    await refusedEverywhere(id, admin);
    await run(admin, 'settings', { on: false });
    await refusedEverywhere(id, admin);
    const sibling = (await run(admin, 'key', { input: { role: 'approver' } })).body.data;
    await refusedEverywhere(id, sibling.apiKeyCreate.key);
    const mine = (await run(admin, 'actions', { id })).body.data.node;
    expect(mine).toEqual({
      state: 'pending_approval',
      permittedActions: ['reject', 'cancel'],
      distinctApprover: true,
    });
    const theirs = (await run(tenant.key, 'actions', { id })).body.data.node;
    expect(theirs.permittedActions).toContain('approve');
    expect(await ways['payoutApprove']?.(id, tenant.key)).toBe(undefined);
  });

  it('is also each row of a bulk, and none is approved at its creation', async () => {
    const { admin } = await attacker();
    const payee = await makePayee(harness, admin);
    const body = { payouts: [payoutBody(payee), payoutBody(payee)] };
    const bulk = await harness.rest('POST', '/v1/payouts/bulk', { key: admin, body });
    const auto = payoutBody(payee, { validator_strategy: 'auto' });
    const refused = await harness.rest('POST', '/v1/payouts', { key: admin, body: auto });
    expect(refused.status).toBe(403);
    await run(admin, 'settings', { on: false });
    for (const { payout } of bulk.body.results) await refusedEverywhere(payout.id, admin);
  });

  it('binds the person who created it before it was switched on, while it is on', async () => {
    const { admin, id } = await attacker(false);
    await run(admin, 'settings', { on: true });
    await refusedEverywhere(id, admin);
    const { permittedActions } = (await run(admin, 'actions', { id })).body.data.node;
    expect(permittedActions).toEqual(['reject', 'cancel']);
    await run(admin, 'settings', { on: false });
    expect(await ways['payoutApprove']?.(id, admin)).toBe(undefined);
  });

  it('binds the person and not the membership', async () => {
    const { admin, tenant, id } = await attacker();
    // As if the same person had come in by another membership.
    const { rows } = await harness.database.pool.query<{ user_id: string }>(
      `SELECT created_by ->> 'user_id' AS user_id FROM payout WHERE id = $1`,
      [id],
    );
    await harness.database.pool.query(
      `UPDATE payout SET created_by = jsonb_set(created_by, '{membership_id}', to_jsonb($2::text))
       WHERE id = $1`,
      [id, newId('membership')],
    );
    expect(rows[0]?.user_id).toMatch(/^usr_/);
    await refusedEverywhere(id, admin);
    expect(await ways['REST approve']?.(id, tenant.key)).toBe(undefined);
  });
});

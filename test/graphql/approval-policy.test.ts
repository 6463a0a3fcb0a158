import { beforeEach, describe, expect, it } from 'vitest';
import {
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent' } });
const sql = (text: string, values: unknown[] = []) => harness.database.pool.query(text, values);

let tenant: TestTenant;
let payee: TestPayee;
let owner: string;
beforeEach(async () => {
  tenant = await makeTenant(harness);
  owner = await tenant.keyWithRole('owner');
  payee = await makePayee(harness, tenant.key);
  // Long enough ago for each of them to be one of the two who decide.
  await sql(
    `UPDATE membership SET accepted_at = now() - interval '2 days' WHERE business_id = $1`,
    [tenant.businessId],
  );
});

const changeFields = `id status proposedByYou groupId rulesBefore { name } rulesAfter { name effect }
  membersBefore { id } membersAfter { id }`;
const documents = {
  save: `mutation ($rules: [ApprovalRuleInput!], $revision: Int) {
    approvalPolicyDraftSave(rules: $rules, revision: $revision) { revision rules { name when { amount { currency from below }
      sum { over hours } payeeNewDays } effect steps { approvals groups distinctFrom } } } }`,
  propose: `mutation ($revision: Int!) { approvalPolicyPropose(revision: $revision) { ${changeFields} } }`,
  confirm: `mutation ($id: ID!) { approvalChangeConfirm(id: $id) { ${changeFields} } }`,
  decline: `mutation ($id: ID!) { approvalChangeDecline(id: $id) { ${changeFields} } }`,
  createGroup: `mutation ($name: String!, $members: [ID!]!) {
    approvalGroupCreate(name: $name, members: $members) { group { id members { id } } proposal { id } } }`,
  changeGroup: `mutation ($id: ID!, $name: String!, $members: [ID!]!) {
    approvalGroupChange(id: $id, name: $name, members: $members) { group { id name members { id } } proposal { ${changeFields} } } }`,
  read: `{ approvalPolicy { active { version rules { name } confirmedAt } draft { revision } proposal { id } groups { id name }
    groupProposals { id } } approvalPolicyVersions { version } }`,
  settings: `mutation ($on: Boolean!) { businessSettingsUpdate(distinctApprover: $on) { distinctApprover } }`,
  payout: `query ($id: ID!) { node(id: $id) { ... on Payout { state waitsFor permittedActions approval { permitted obstacles
    demands { rule step approvals counted missing groups isOpen obstacle nobodyCanApprove policyVersion } } } } }`,
  log: `{ accessChanges(first: 20) { edges { node { kind before after } } } }`,
  me: `{ me { membershipId } }`,
};

async function run(key: string, name: keyof typeof documents, variables: object = {}) {
  const { body } = await harness.graphql(
    key,
    documents[name],
    variables as Record<string, unknown>,
  );
  const code = body.errors?.[0]?.extensions.code as string | undefined;
  return { code, data: body.data, message: body.errors?.[0]?.message as string | undefined };
}
const memberOf = async (key: string): Promise<string> =>
  (await run(key, 'me')).data.me.membershipId;

const two = {
  name: 'from 1,000',
  when: { amount: [{ currency: 'USD', from: '100000' }] },
  effect: 'require',
  steps: [{ approvals: 2, groups: ['approver'], distinctFrom: ['creator'] }],
};

/** The id of the proposal of these rules, in the owner's name. */
async function proposed(rules: object[] | null, revision: number | null = null): Promise<string> {
  const saved = await run(owner, 'save', { rules, revision });
  expect(saved.message).toBeUndefined();
  const answer = await run(owner, 'propose', {
    revision: saved.data.approvalPolicyDraftSave.revision,
  });
  expect(answer.message).toBeUndefined();
  return answer.data.approvalPolicyPropose.id;
}

async function inForce(rules: object[] | null, revision: number | null = null): Promise<void> {
  const answer = await run(tenant.key, 'confirm', { id: await proposed(rules, revision) });
  expect(answer.message).toBeUndefined();
}

describe('a policy', () => {
  it('is drafted, proposed, confirmed by another owner, and then holds', async () => {
    const id = await proposed([two]);
    expect((await run(owner, 'read')).data.approvalPolicy).toMatchObject({
      active: null,
      draft: { revision: 1 },
      proposal: { id },
    });
    const { data } = await run(tenant.key, 'confirm', { id });
    expect(data.approvalChangeConfirm).toMatchObject({
      status: 'confirmed',
      rulesBefore: null,
      rulesAfter: [{ name: 'from 1,000', effect: 'require' }],
    });
    const read = await run(owner, 'read');
    expect(read.data.approvalPolicy).toMatchObject({ active: { version: 1 }, proposal: null });
    expect(read.data.approvalPolicyVersions).toEqual([{ version: 1 }]);
    const { data: log } = await run(owner, 'log');
    const kinds = log.accessChanges.edges.map(({ node }: { node: { kind: string } }) => node.kind);
    expect(kinds.slice(0, 2)).toEqual(['approval_policy_changed', 'approval_policy_proposed']);
  });

  it('demands of a payout what it says, which everybody sees', async () => {
    await inForce([two]);
    const body = payoutBody(payee);
    const { payout } = (await harness.rest('POST', '/v1/payouts', { key: owner, body })).body;
    const approver = await tenant.keyWithRole('approver');
    const seen = async (key: string) => (await run(key, 'payout', { id: payout.id })).data.node;
    expect(await seen(approver)).toMatchObject({
      waitsFor: 'nobody_can_approve',
      permittedActions: ['approve', 'reject', 'cancel'],
      approval: { obstacles: ['nobody_can_approve'] },
    });
    const another = await tenant.keyWithRole('approver');
    const approve = async (key: string) =>
      (await harness.rest('POST', `/v1/payouts/${payout.id}/approve`, { key, body: {} })).body;
    expect((await approve(approver)).payout.state).toBe('pending_approval');
    expect(await seen(approver)).toMatchObject({
      waitsFor: 'decision',
      permittedActions: ['reject', 'cancel'],
      approval: { permitted: false, obstacles: ['already_approved'] },
    });
    expect((await seen(another)).approval).toEqual({
      permitted: true,
      obstacles: [],
      demands: [
        {
          policyVersion: 1,
          rule: 1,
          step: 1,
          approvals: 2,
          counted: 1,
          missing: 1,
          groups: ['approver'],
          isOpen: true,
          obstacle: null,
          nobodyCanApprove: false,
        },
      ],
    });
    expect((await approve(owner)).error.code).toBe('forbidden');
    expect((await approve(another)).payout.state).toBe('approved');
  });

  it('refuses a payout that a rule blocks, with its reason', async () => {
    await inForce([{ name: 'no', when: {}, effect: 'block', reason: 'Not this month.' }]);
    const body = payoutBody(payee);
    const answer = await harness.rest('POST', '/v1/payouts', { key: owner, body });
    expect([answer.status, answer.body.error.code]).toEqual([422, 'PAYOUT_BLOCKED_BY_POLICY']);
    expect(answer.body.error.message).toContain('Not this month.');
  });

  it('is confirmed by nobody who proposed it, by an admin only where there is no other owner', async () => {
    const admin = await tenant.keyWithRole('admin');
    const id = await proposed([two]);
    expect((await run(owner, 'confirm', { id })).code).toBe('forbidden');
    expect((await run(admin, 'confirm', { id })).code).toBe('forbidden');
    await sql(`UPDATE membership SET role = 'admin' WHERE id = $1`, [await memberOf(tenant.key)]);
    await sql(`UPDATE membership SET accepted_at = now() - interval '2 days'`);
    expect((await run(admin, 'confirm', { id })).data.approvalChangeConfirm.status).toBe(
      'confirmed',
    );
  });

  it('is confirmed by its only manager after a day', async () => {
    await sql('UPDATE membership SET removed_at = now() WHERE id = $1', [
      await memberOf(tenant.key),
    ]);
    await sql(
      'UPDATE api_key SET revoked_at = now() WHERE membership_id <> $1 AND business_id = $2',
      [await memberOf(owner), tenant.businessId],
    );
    const id = await proposed([two]);
    expect((await run(owner, 'confirm', { id })).message).toContain('24 hours');
    await sql(
      `UPDATE proposed_change SET proposed_at = now() - interval '25 hours' WHERE id = $1`,
      [id],
    );
    expect((await run(owner, 'confirm', { id })).data.approvalChangeConfirm.status).toBe(
      'confirmed',
    );
  });

  it('is refused to roles that do not manage members, and to another tenant', async () => {
    const id = await proposed([two]);
    for (const role of ['preparer', 'approver', 'developer', 'viewer'] as const) {
      const key = await tenant.keyWithRole(role);
      expect((await run(key, 'confirm', { id })).code).toBe('forbidden');
      expect((await run(key, 'save', { rules: [] })).code).toBe('forbidden');
    }
    const foreign = await makeTenant(harness);
    expect((await run(foreign.key, 'confirm', { id })).code).toBe('not_found');
    expect((await run(foreign.key, 'read')).data.approvalPolicy).toMatchObject({ proposal: null });
  });

  it('holds once of two who confirm at once', async () => {
    const id = await proposed([two]);
    const third = await tenant.keyWithRole('owner');
    await sql(`UPDATE membership SET accepted_at = now() - interval '2 days'`);
    const answers = await Promise.all([
      run(tenant.key, 'confirm', { id }),
      run(third, 'confirm', { id }),
    ]);
    expect(answers.map(({ code }) => code ?? 'done').toSorted()).toEqual(['conflict', 'done']);
  });

  it('is stale where another version holds by now, and ends with its proposal declined', async () => {
    const id = await proposed([two]);
    expect((await run(tenant.key, 'decline', { id })).data.approvalChangeDecline.status).toBe(
      'declined',
    );
    expect((await run(tenant.key, 'confirm', { id })).code).toBe('conflict');
  });

  it('names what is wrong with a draft, and keeps the edit of somebody else', async () => {
    const bad = [{ ...two, steps: [{ approvals: 1, groups: ['apg_01jz0000000000000000000000'] }] }];
    expect((await run(owner, 'save', { rules: bad })).code).toBe('validation_failed');
    expect((await run(owner, 'save', { rules: [{ ...two, steps: null }] })).code).toBe(
      'validation_failed',
    );
    await run(owner, 'save', { rules: [two] });
    expect((await run(tenant.key, 'save', { rules: [] })).code).toBe('conflict');
  });

  it('keeps distinct_approver from being turned off by one hand', async () => {
    await run(owner, 'settings', { on: true });
    await inForce([two]);
    expect((await run(owner, 'settings', { on: false })).code).toBe('conflict');
    await inForce(null, 1);
    expect((await run(owner, 'settings', { on: false })).code).toBeUndefined();
  });
});

describe('the role of a member', () => {
  const role = `mutation ($id: ID!, $role: Role!) { memberRoleChange(id: $id, role: $role) { role } }`;
  const change = async (key: string, id: string, to: string) =>
    (await harness.graphql(key, role, { id, role: to })).body;
  const waiting = async () =>
    (
      await harness.graphql(
        owner,
        '{ approvalPolicy { roleProposals { id memberId roleBefore roleAfter } } }',
      )
    ).body.data.approvalPolicy.roleProposals;

  it('waits for a second person where it makes an approver', async () => {
    await inForce([two]);
    const preparer = await memberOf(await tenant.keyWithRole('preparer'));
    const { data } = await change(owner, preparer, 'approver');
    expect(data.memberRoleChange).toEqual({ role: 'preparer' });
    const [proposal] = await waiting();
    expect(proposal).toEqual({
      id: expect.any(String),
      memberId: preparer,
      roleBefore: 'preparer',
      roleAfter: 'approver',
    });
    expect((await run(owner, 'confirm', { id: proposal.id })).code).toBe('forbidden');
    expect((await run(tenant.key, 'confirm', { id: proposal.id })).code).toBeUndefined();
    const { rows } = await sql('SELECT role FROM membership WHERE id = $1', [preparer]);
    expect(rows).toEqual([{ role: 'approver' }]);
    expect(await waiting()).toEqual([]);
  });

  it('changes at once where no demand is easier with it, and without a policy', async () => {
    const member = await memberOf(await tenant.keyWithRole('approver'));
    expect((await change(owner, member, 'viewer')).data.memberRoleChange.role).toBe('viewer');
    expect((await change(owner, member, 'approver')).data.memberRoleChange.role).toBe('approver');
    await inForce([two]);
    expect((await change(owner, member, 'developer')).data.memberRoleChange.role).toBe('developer');
    expect(await waiting()).toEqual([]);
  });

  it('that decides on payouts is given to nobody by an invitation while a policy holds', async () => {
    await inForce([two]);
    const invite = async (to: string) => {
      const address = `${to}-${tenant.businessId}@example.com`;
      const { body } = await harness.graphql(
        owner,
        'mutation ($email: String!, $role: Role!) { memberInvite(email: $email, role: $role) { role } }',
        { email: address, role: to },
      );
      return body.errors?.[0]?.extensions.code ?? body.data.memberInvite.role;
    };
    expect(await invite('approver')).toBe('conflict');
    expect(await invite('preparer')).toBe('preparer');
  });
});

describe('a group', () => {
  it('holds at once until the policy names it, and then waits for a second person', async () => {
    const treasurer = await memberOf(await tenant.keyWithRole('approver'));
    const { data } = await run(owner, 'createGroup', { name: 'Treasury', members: [treasurer] });
    const { id } = data.approvalGroupCreate.group;
    const named = [{ ...two, steps: [{ approvals: 1, groups: [id] }] }];
    await inForce(named);
    const mine = await memberOf(owner);
    const change = await run(owner, 'changeGroup', { id, name: 'Cash', members: [mine] });
    const { group, proposal } = change.data.approvalGroupChange;
    expect(group).toEqual({ id, name: 'Cash', members: [{ id: treasurer }] });
    expect(proposal).toMatchObject({
      groupId: id,
      membersBefore: [{ id: treasurer }],
      membersAfter: [{ id: mine }],
    });
    expect((await run(owner, 'confirm', { id: proposal.id })).code).toBe('forbidden');
    await run(tenant.key, 'confirm', { id: proposal.id });
    const { rows } = await sql('SELECT members FROM approval_group WHERE id = $1', [id]);
    const { rows: users } = await sql('SELECT user_id FROM membership WHERE id = $1', [mine]);
    expect(rows[0].members).toEqual([users[0].user_id]);
  });

  it('takes no member of another business, no name twice, and no unknown id', async () => {
    const foreign = await makeTenant(harness);
    const other = await memberOf(foreign.key);
    const make = (name: string, members: string[]) => run(owner, 'createGroup', { name, members });
    expect((await make('A', [other])).code).toBe('validation_failed');
    await make('A', []);
    expect((await make('a', [])).code).toBe('conflict');
    expect((await run(owner, 'changeGroup', { id: 'apg_x', name: 'B', members: [] })).code).toBe(
      'not_found',
    );
  });
});

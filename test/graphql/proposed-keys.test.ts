import { beforeAll, describe, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { newId } from '../../src/values/ids.ts';
import { newAddress } from '../support/beneficiaries.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { acceptedKey, ageInvitations } from '../support/member-link.ts';
import { codeOf } from '../support/operator-banks.ts';
import { proposedChanges, type Listed } from '../support/proposed-changes.ts';
import { useHarness } from '../support/use-harness.ts';

/* Who gets a key of production, in an installation that has two operators. */

const harness = useHarness({
  worker: false,
  env: { LOG_LEVEL: 'silent', OPERATOR_CONFIRMATION: 'second_person' },
});
let ada: { id: string; key: string };
let grace: { id: string; key: string };
beforeAll(async () => {
  const { pool } = harness.database;
  ada = await issueOperatorKey(pool, 'Ada');
  grace = await issueOperatorKey(pool, 'Grace');
});

const { waiting, answer, ofTenant, told, sql } = proposedChanges(harness);

/** The one change that waits. */
async function only(tenant: TestTenant): Promise<Listed> {
  const found = await waiting(tenant, grace.key);
  expect(found).toHaveLength(1);
  return found[0] as Listed;
}

describe('a link to a production key', () => {
  const send = `mutation ($businessId: ID!, $membershipId: ID!) {
    done: operatorMemberInvitationSend(businessId: $businessId, membershipId: $membershipId, reason: "why") { id }
  }`;
  const invited = async (tenant: TestTenant, role: string): Promise<string> => {
    await sql(`UPDATE business SET profile_status = 'accepted' WHERE id = $1`, [tenant.businessId]);
    const answered = await harness.graphql(
      tenant.key,
      'mutation ($email: String!, $role: Role!) { memberInvite(email: $email, role: $role) { id } }',
      { email: newAddress(), role },
    );
    const membershipId = answered.body.data.memberInvite.id as string;
    await ageInvitations(harness, membershipId);
    return membershipId;
  };
  const invitations = (membershipId: string) =>
    sql<{ environment: string; by: string }>(
      `SELECT t.environment, i.invited_by ->> 'key_id' AS by FROM member_invitation i JOIN tenant t ON t.id = i.tenant_id
       WHERE i.membership_id = $1 AND i.status = 'live'`,
      [membershipId],
    );

  it('is sent once a second operator has confirmed it, and the business is told', async () => {
    const tenant = await makeTenant(harness);
    const { businessId } = tenant;
    const membershipId = await invited(tenant, 'admin');
    const before = await told(tenant);
    const asked = await harness.graphql(ada.key, send, { businessId, membershipId });
    expect(asked.body.data).toEqual({ done: null });
    expect(asked.body.errors).toBeUndefined();
    expect(await told(tenant)).toEqual(before);
    const sandboxAlone = [{ environment: 'sandbox', by: expect.any(String) }];
    expect(await invitations(membershipId)).toEqual(sandboxAlone);
    const proposed = await only(tenant);
    expect(proposed).toMatchObject({
      kind: 'member_invitation',
      subjectId: membershipId,
      shown: { before: { accepted: false }, after: { membershipId, role: 'admin' } },
    });
    expect(codeOf(await answer(tenant, proposed, ada.key))).toBe('conflict');
    expect(await invitations(membershipId)).toEqual(sandboxAlone);
    const done = (await answer(tenant, proposed, grace.key)).body.data.done;
    expect(done).toMatchObject({
      status: 'confirmed',
      changedId: membershipId,
      issuedKey: null,
    });
    expect(await invitations(membershipId)).toContainEqual({
      environment: 'production',
      by: grace.id,
    });
    const after = await told(tenant);
    expect(after.mails).toBe(1);
    expect(after.records.at(-1)).toEqual({
      kind: 'member_invitation_sent',
      subject_id: membershipId,
      by: grace.id,
    });
    expect(await acceptedKey(harness, membershipId)).toMatch(/^pos_production_/);
  });

  it('is of the role that was read, and stale after another', async () => {
    const tenant = await makeTenant(harness);
    const { businessId } = tenant;
    const membershipId = await invited(tenant, 'viewer');
    await harness.graphql(ada.key, send, { businessId, membershipId });
    const proposed = await only(tenant);
    await sql(`UPDATE membership SET role = 'admin' WHERE id = $1`, [membershipId]);
    const refused = await answer(tenant, proposed, grace.key);
    expect(refused.body.errors?.[0].message).toBe(
      "The change is stale, and nothing was done: The member's role was changed since: it is admin, not viewer.",
    );
    expect((await invitations(membershipId)).map((one) => one.environment)).toEqual(['sandbox']);
  });

  it('ends where the sandbox gives the member another role before they use it', async () => {
    const tenant = await makeTenant(harness);
    const { businessId } = tenant;
    const membershipId = await invited(tenant, 'viewer');
    await harness.graphql(ada.key, send, { businessId, membershipId });
    await answer(tenant, await only(tenant), grace.key);
    expect(await invitations(membershipId)).toHaveLength(2);
    const changed = await harness.graphql(
      tenant.key,
      'mutation ($id: ID!) { memberRoleChange(id: $id, role: admin) { role } }',
      { id: membershipId },
    );
    expect(changed.body.data.memberRoleChange.role).toBe('admin');
    expect((await invitations(membershipId)).map((one) => one.environment)).toEqual(['sandbox']);
  });

  it('is refused at once before the profile is accepted, and for nobody', async () => {
    const tenant = await makeTenant(harness);
    const { businessId } = tenant;
    const me = await harness.graphql(tenant.key, '{ me { membershipId } }');
    const { membershipId } = me.body.data.me as { membershipId: string };
    const ordered = (given: object) => harness.graphql(ada.key, send, { ...given });
    expect(codeOf(await ordered({ businessId, membershipId }))).toBe('forbidden');
    const nobody = { businessId, membershipId: newId('membership') };
    expect(codeOf(await ordered(nobody))).toBe('not_found');
    expect(await waiting(tenant, grace.key)).toEqual([]);
  });
});

describe('a production key', () => {
  const issue = `mutation ($businessId: ID!, $membershipId: ID!) {
    done: operatorProductionKeyIssue(businessId: $businessId, membershipId: $membershipId, role: owner, reason: "why") { key }
  }`;

  it('is made by the second operator, who alone gets it, and the business is told', async () => {
    const tenant = await makeTenant(harness);
    const { businessId } = tenant;
    await sql(`UPDATE business SET profile_status = 'accepted' WHERE id = $1`, [businessId]);
    const me = await harness.graphql(tenant.key, '{ me { membershipId } }');
    const { membershipId } = me.body.data.me as { membershipId: string };
    const asked = await harness.graphql(ada.key, issue, { businessId, membershipId });
    expect(asked.body.data).toEqual({ done: null });
    expect(asked.body.errors).toBeUndefined();
    const proposed = await only(tenant);
    expect(proposed).toMatchObject({
      kind: 'production_key',
      subjectId: businessId,
      shown: { after: { membershipId, role: 'owner', member: { role: 'owner' } } },
    });
    const [owner] = await sql<{ email: string }>(
      'SELECT u.email FROM membership m JOIN app_user u ON u.id = m.user_id WHERE m.id = $1',
      [membershipId],
    );
    const { shown } = proposed as Listed & { shown: { after: { member: { email: string } } } };
    expect(shown.after.member.email).toBe(owner?.email);
    const keys = () => ofTenant('api_key', tenant, `x.id, t.environment`);
    expect((await keys()).map(({ environment }) => environment)).toEqual(['sandbox']);
    const done = (await answer(tenant, proposed, grace.key)).body.data.done;
    expect(done.issuedKey).toMatchObject({ environment: 'production', role: 'owner' });
    expect(done.changedId).toBe(done.issuedKey.id);
    const works = await harness.graphql(done.issuedKey.key, '{ me { role } }');
    expect(works.body.data.me.role).toBe('owner');
    expect(await told(tenant)).toEqual({
      records: [{ kind: 'key_created', subject_id: done.changedId, by: grace.id }],
      mails: 1,
    });
  });

  it('is stale once the role of its member is smaller', async () => {
    const tenant = await makeTenant(harness);
    const { businessId } = tenant;
    await sql(`UPDATE business SET profile_status = 'accepted' WHERE id = $1`, [businessId]);
    const me = await harness.graphql(tenant.key, '{ me { membershipId } }');
    const { membershipId } = me.body.data.me as { membershipId: string };
    await harness.graphql(ada.key, issue, { businessId, membershipId });
    const proposed = await only(tenant);
    await sql(`UPDATE membership SET role = 'viewer' WHERE id = $1`, [membershipId]);
    const refused = await answer(tenant, proposed, grace.key);
    expect(codeOf(refused)).toBe('conflict');
    expect(refused.body.errors?.[0].message).toContain('does not cover the role owner');
    expect(await waiting(tenant, grace.key)).toEqual([]);
  });

  it('is refused at once before the profile is accepted', async () => {
    const tenant = await makeTenant(harness);
    const me = await harness.graphql(tenant.key, '{ me { membershipId } }');
    const given = { businessId: tenant.businessId, membershipId: me.body.data.me.membershipId };
    expect(codeOf(await harness.graphql(ada.key, issue, given))).toBe('forbidden');
    expect(await waiting(tenant, grace.key)).toEqual([]);
  });
});

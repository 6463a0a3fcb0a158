import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { acceptInvitation } from '../../../src/domain/access/accept-invitation.ts';
import { removeMember } from '../../../src/domain/access/change-member.ts';
import { listAccessChanges } from '../../../src/domain/access/change-store.ts';
import { createKey } from '../../../src/domain/access/create-key.ts';
import { inviteMember } from '../../../src/domain/access/invite-member.ts';
import { changeMemberRole } from '../../../src/domain/approval-policy/role-changes.ts';
import { listMembers } from '../../../src/domain/access/member-store.ts';
import { confirmApiKey, revokeApiKey } from '../../../src/domain/access/revoke-key.ts';
import { sendMemberInvitation } from '../../../src/domain/access/send-invitation.ts';
import { updateSettings } from '../../../src/domain/access/settings.ts';
import { createMetrics } from '../../../src/process/metrics.ts';
import { newId } from '../../../src/values/ids.ts';
import type { Call } from '../../../src/process/services.ts';
import { memberId, useCalls } from '../../support/calls.ts';
import { makeTenant, type TestTenant } from '../../support/factory.ts';
import { ageInvitations, memberToken } from '../../support/member-link.ts';
import { giveProductionKey } from '../../support/production-key.ts';

const calls = useCalls();
let tenant: TestTenant;
let owner: Call;
beforeEach(async () => {
  tenant = await makeTenant(calls);
  owner = await calls.as(tenant.key);
});

const whole = { after: null, before: null, take: 50, backwards: false };

const address = () => `${randomUUID()}@example.com`;
const withRole = async (role: 'admin' | 'viewer') => calls.as(await tenant.keyWithRole(role));

/** Uses the newest invitation of a member, as the holder of their mailbox. */
async function accept(id: string) {
  const token = (await memberToken(calls, id)) ?? '';
  const client = { services: calls.services, clientAddress: null, reportLimit: () => undefined };
  return acceptInvitation(client, token);
}

async function kindsOf(call: Call): Promise<string[]> {
  const changes = await listAccessChanges(calls.services.pool, call.scope, whole);
  return changes.map(({ kind }) => kind).toReversed();
}

it('invites, accepts, promotes and removes a member, each with its record', async () => {
  const { id, acceptedAt } = await inviteMember(owner, { email: address(), role: 'viewer' });
  expect(acceptedAt).toBeNull();
  const { member, apiKey } = await accept(id);
  expect(member).toMatchObject({ id, role: 'viewer', removedAt: null });
  const guest = await calls.as(apiKey.key);
  expect(guest.scope).toMatchObject({ tenantId: tenant.tenantId });
  expect(await changeMemberRole(owner, { id, role: 'admin' })).toMatchObject({ role: 'admin' });
  // The key keeps its smaller role, and works on.
  expect((await calls.as(apiKey.key)).scope.actor).toMatchObject({ role: 'viewer' });
  const removed = await removeMember(owner, id);
  expect(removed.removedAt).toBeInstanceOf(Date);
  expect(await removeMember(owner, id)).toEqual(removed);
  await expect(calls.as(apiKey.key)).rejects.toThrow();
  // The removal and the revocation are of one statement, in either order.
  expect((await kindsOf(owner)).toSorted()).toEqual([
    'key_created',
    'key_revoked',
    'member_accepted',
    'member_invitation_sent',
    'member_invited',
    'member_removed',
    'member_role_changed',
  ]);
  const members = await listMembers(calls.services.pool, owner.scope, whole);
  expect(members.map((one) => one.id)).toEqual([memberId(owner.scope)]);
});

it('sends another link in the place of an earlier one, once a minute', async () => {
  const { id } = await inviteMember(owner, { email: address(), role: 'viewer' });
  await expect(sendMemberInvitation(owner, id)).rejects.toMatchObject({
    code: 'too_many_requests',
  });
  const first = (await memberToken(calls, id)) ?? '';
  await ageInvitations(calls, id);
  expect(await sendMemberInvitation(owner, id)).toMatchObject({ id });
  const client = { services: calls.services, clientAddress: null, reportLimit: () => undefined };
  await expect(acceptInvitation(client, first)).rejects.toMatchObject({ code: 'conflict' });
  await expect(acceptInvitation(client, 'unknown')).rejects.toMatchObject({ code: 'not_found' });
  await accept(id);
  // A member who accepted gets a further key by another link.
  await sendMemberInvitation(owner, id);
  expect((await accept(id)).apiKey.role).toBe('viewer');
});

it('mails no more links in a day than the tenant may', async () => {
  const config = {
    ...calls.services.config,
    COLLECTION_MAILS_PER_DAY: 1,
    COLLECTION_MAILS_PER_DAY_THIN: 1,
  };
  const metrics = createMetrics('test');
  const strict = { ...owner, services: { ...calls.services, config, metrics } };
  await inviteMember(strict, { email: address(), role: 'viewer' });
  await expect(inviteMember(strict, { email: address(), role: 'viewer' })).rejects.toMatchObject({
    code: 'too_many_requests',
  });
  expect((await metrics.expose()).text).toContain(
    'payouts_mails_refused_total{kind="member",bound="tenant",process="test"} 1',
  );
});

it('leaves an owner to every business', async () => {
  const last = { code: 'conflict' };
  const id = memberId(owner.scope);
  await expect(removeMember(owner, id)).rejects.toMatchObject(last);
  await expect(changeMemberRole(owner, { id, role: 'admin' })).rejects.toMatchObject(last);
});

it('knows no member of another business, and none that was removed', async () => {
  const elsewhere = await calls.as((await makeTenant(calls)).key);
  const { id: removed } = await inviteMember(owner, { email: address(), role: 'viewer' });
  await removeMember(owner, removed);
  for (const id of ['', newId('membership'), memberId(elsewhere.scope)]) {
    await expect(removeMember(owner, id)).rejects.toMatchObject({ code: 'not_found' });
  }
  for (const id of [newId('membership'), memberId(elsewhere.scope), removed]) {
    const unknown = { code: 'not_found' };
    const change = { id, role: 'viewer' } as const;
    await expect(changeMemberRole(owner, change)).rejects.toMatchObject(unknown);
    await expect(sendMemberInvitation(owner, id)).rejects.toMatchObject(unknown);
  }
});

it('gives nobody more rights than the one who gives them', async () => {
  const [admin, viewer] = [await withRole('admin'), await withRole('viewer')];
  const id = memberId(owner.scope);
  const forbidden = { code: 'forbidden' };
  const refused = (work: Promise<unknown>) => expect(work).rejects.toMatchObject(forbidden);
  await refused(inviteMember(admin, { email: address(), role: 'owner' }));
  await refused(changeMemberRole(admin, { id, role: 'viewer' }));
  await refused(removeMember(admin, id));
  await refused(sendMemberInvitation(admin, id));
  await refused(createKey(admin, { role: 'owner' }));
  await refused(inviteMember(viewer, { email: address(), role: 'viewer' }));
  await refused(updateSettings(viewer, true));
});

it('makes keys for the caller alone, with the rights of the caller at most', async () => {
  const { apiKey, key } = await createKey(owner, { role: 'developer', name: 'CI' });
  expect(apiKey).toMatchObject({ role: 'developer', name: 'CI', revokedAt: null });
  expect((await calls.as(key)).scope.actor).toMatchObject({ role: 'developer' });
  const admin = await withRole('admin');
  const refusals = [
    [{ role: 'viewer', environment: 'production' }, 'forbidden'],
    [{ role: 'viewer', membershipId: memberId(admin.scope) }, 'forbidden'],
    [{ role: 'viewer', membershipId: newId('membership') }, 'not_found'],
    [{ role: 'viewer', membershipId: 'x' }, 'not_found'],
  ] as const;
  for (const [given, code] of refusals) {
    await expect(createKey(owner, given)).rejects.toMatchObject({ code });
  }
  // The key is of an owner who is an admin by now.
  await changeMemberRole(owner, { id: memberId(admin.scope), role: 'owner' });
  const member = await calls.as((await createKey(admin, { role: 'admin' })).key);
  await calls.database.pool.query(`UPDATE membership SET role = 'viewer' WHERE id = $1`, [
    memberId(member.scope),
  ]);
  await expect(createKey(member, { role: 'admin' })).rejects.toMatchObject({
    code: 'unprocessable_entity',
  });
});

it('revokes a key once, and says why it does not', async () => {
  const { apiKey, key } = await createKey(owner, { role: 'viewer' });
  const revoked = await revokeApiKey(owner, apiKey.id);
  expect(revoked.revokedAt).toBeInstanceOf(Date);
  expect(await revokeApiKey(owner, apiKey.id)).toEqual(revoked);
  await expect(calls.as(key)).rejects.toThrow();
  const elsewhere = await calls.as((await makeTenant(calls)).key);
  for (const id of ['', newId('apiKey')]) {
    await expect(revokeApiKey(owner, id)).rejects.toMatchObject({ code: 'not_found' });
  }
  await expect(revokeApiKey(elsewhere, apiKey.id)).rejects.toMatchObject({ code: 'not_found' });
  const ofOwner = await createKey(owner, { role: 'owner' });
  const admin = await withRole('admin');
  await expect(revokeApiKey(admin, ofOwner.apiKey.id)).rejects.toMatchObject({ code: 'forbidden' });
});

it('changes settings and members with a production key once there is one', async () => {
  expect(await updateSettings(owner, true)).toMatchObject({ distinctApprover: true });
  await updateSettings(owner, true);
  expect(await kindsOf(owner)).toEqual(['settings_changed']);
  const invited = await inviteMember(owner, { email: address(), role: 'viewer' });
  const live = await calls.as(await giveProductionKey(calls, tenant));
  const forbidden = { code: 'forbidden' };
  await ageInvitations(calls, invited.id);
  await expect(sendMemberInvitation(owner, invited.id)).rejects.toMatchObject(forbidden);
  await expect(updateSettings(owner, false)).rejects.toMatchObject(forbidden);
  const guest = { email: address(), role: 'viewer' } as const;
  await expect(inviteMember(owner, guest)).rejects.toMatchObject(forbidden);
  expect(await updateSettings(live, false)).toMatchObject({ distinctApprover: false });
  expect(await inviteMember(live, guest)).toMatchObject({ role: 'viewer' });
});

it('mails no link for a key that was revoked a moment ago', async () => {
  const { id } = await inviteMember(owner, { email: address(), role: 'viewer' });
  await accept(id);
  const admin = await withRole('admin');
  const { actor } = admin.scope;
  await revokeApiKey(owner, actor.type === 'member' && 'key_id' in actor ? actor.key_id : '');
  await expect(sendMemberInvitation(admin, id)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await memberToken(calls, id)).toBeNull();
});

it('confirms no key of another business', async () => {
  const { actor } = owner.scope;
  const id = actor.type === 'member' && 'key_id' in actor ? actor.key_id : '';
  const { pool } = calls.database;
  await pool.query('UPDATE api_key SET held_at = now() WHERE id = $1', [id]);
  const stranger = await calls.as((await makeTenant(calls)).key);
  await expect(confirmApiKey(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
  const { rows } = await pool.query(
    'SELECT held_at IS NOT NULL AS held FROM api_key WHERE id = $1',
    [id],
  );
  expect(rows).toEqual([{ held: true }]);
});

import type { PoolClient } from 'pg';
import type { Role } from '../../access/roles.ts';
import type { Scope } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { requireCovers, requireManager } from '../access/authority.ts';
import { lockKnown, storeRoleOf } from '../access/change-member.ts';
import { lockGoverned } from '../access/governance.ts';
import {
  invitationInput,
  roleChangeInput,
  type InvitationInput,
  type RoleChangeInput,
} from '../access/input.ts';
import { inviteMember } from '../access/invite-member.ts';
import type { Member } from '../access/member-store.ts';
import { tellBusiness } from '../access/tell.ts';
import { endWaitingAbout, propose } from '../proposed-change/store.ts';
import { decidingRoles, groupsOf } from './rules.ts';
import { rulesOfBusiness } from './store.ts';

/** What waits for the second person: another role of a member, who has `base` until then. */
export interface ProposedRole {
  readonly id: string;
  readonly role: Role;
  readonly base: Role;
}

/**
 * Whether one more member with the role makes a demand of a policy easier to meet, in either environment, since members
 * belong to both: the role decides on payouts, and either a rule names it or the member could not decide before.
 */
async function makesEasier(
  client: PoolClient,
  scope: Scope,
  role: Role,
  before: Role | null,
): Promise<boolean> {
  if (role === before || !decidingRoles.includes(role)) return false;
  const policies = await rulesOfBusiness(client, scope);
  if (policies.length === 0) return false;
  if (before === null || !decidingRoles.includes(before)) return true;
  return policies.some((rules) => groupsOf(rules).has(role));
}

/**
 * Gives a member another role. Where the approval policy holds and the role would make a demand easier to meet, the member
 * keeps theirs until a second person has confirmed it (confirm.ts), so nobody brings in an approver alone. Throws as
 * `storeRoleOf`, and validation_failed.
 */
export async function changeMemberRole(call: Call, given: RoleChangeInput): Promise<Member> {
  const { scope, services } = call;
  const actor = requireManager(scope);
  const { id, role } = parseInput(roleChangeInput, given);
  requireCovers(actor, role);
  return inTransaction(services.pool, async (client) => {
    await lockGoverned(client, scope, 'its members');
    const member = await lockKnown(client, scope, id);
    const base = member.role;
    if (!(await makesEasier(client, scope, role, base))) {
      return storeRoleOf(client, scope, actor, member, role);
    }
    requireCovers(actor, base);
    const shown = { before: { role: base }, after: { role } };
    const waiting: ProposedRole = { id, role, base };
    await endWaitingAbout(client, scope, 'approval_role', id);
    await propose(client, call, {
      kind: 'approval_role',
      subjectId: id,
      given: waiting,
      shown,
      reason: null,
      who: actor.user_id,
    });
    await tellBusiness(client, scope, { kind: 'member_role_proposed', subjectId: id, ...shown });
    return member;
  });
}

/** Carries out another role of a member, which a second person has confirmed. Throws `conflict` where it is another one by now. */
export async function applyRole(
  client: PoolClient,
  scope: Scope,
  { id, role, base }: ProposedRole,
): Promise<void> {
  const actor = requireManager(scope);
  requireCovers(actor, role);
  const member = await lockKnown(client, scope, id);
  if (member.role !== base) {
    throw new DomainError('conflict', {
      message: 'The member has another role since the proposal. Have it proposed again.',
    });
  }
  await storeRoleOf(client, scope, actor, member, role);
}

/**
 * Invites a person. While the approval policy holds, nobody is invited with a role that decides on payouts: they get it
 * afterwards, which a second person confirms. Throws as `inviteMember`, and conflict for such a role.
 */
export async function inviteUnderPolicy(call: Call, given: InvitationInput): Promise<Member> {
  const { scope, services } = call;
  requireManager(scope);
  const { role } = parseInput(invitationInput, given);
  const easier = await inTransaction(services.pool, (client) =>
    makesEasier(client, scope, role, null),
  );
  if (!easier) return inviteMember(call, given);
  throw new DomainError('conflict', {
    message:
      'The business has an approval policy, so nobody brings in an approver alone: invite the person with a role that does not decide on payouts, then change it, which a second person confirms.',
  });
}

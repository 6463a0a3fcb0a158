import type { PoolClient } from 'pg';
import { covers, type Role } from '../../access/roles.ts';
import type { MemberActor, Scope } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { isId } from '../../values/ids.ts';
import type { Call } from '../../process/services.ts';
import { requireCovers, requireManager } from './authority.ts';
import { lockGoverned } from './governance.ts';
import {
  lockMember,
  memberNotFound,
  storeRemoval,
  storeRole,
  type Member,
} from './member-store.ts';
import { tellOfGain, tellOfRecorded } from './tell.ts';

function lastOwner(): DomainError {
  return new DomainError('conflict', {
    message:
      'The last owner can neither be removed nor get another role; make another owner first.',
  });
}

/** The member, locked until the transaction ends. Throws not_found. */
export async function lockKnown(client: PoolClient, scope: Scope, id: string): Promise<Member> {
  const member = isId('membership', id) ? await lockMember(client, scope, id) : null;
  if (member === null) throw memberNotFound();
  return member;
}

/**
 * Has the owners and admins and the member mailed of rights that a manager loses: one manager alone must not take the
 * other one's place without their notice. An address that never accepted is mailed nothing.
 */
async function tellOfLoss(
  client: PoolClient,
  scope: Scope,
  kind: 'member_role_changed' | 'member_removed',
  { id, role, acceptedAt }: Member,
): Promise<void> {
  if (acceptedAt === null || (role !== 'owner' && role !== 'admin')) return;
  await tellOfRecorded(client, scope, kind, id, id);
}

/**
 * Gives a member another role, in both environments, in the transaction of `client`, and revokes those of their keys that
 * have more rights than it. Throws not_found for one who was removed, forbidden where the caller's role does not cover the
 * member's, conflict for the last owner.
 */
export async function storeRoleOf(
  client: PoolClient,
  scope: Scope,
  actor: MemberActor,
  member: Member,
  role: Role,
): Promise<Member> {
  if (member.removedAt !== null) throw memberNotFound();
  requireCovers(actor, member.role);
  const changed = await storeRole(client, scope, member.id, role);
  if (changed === null) throw lastOwner();
  const kind = 'member_role_changed';
  if (!covers(role, member.role)) await tellOfLoss(client, scope, kind, member);
  else if (role !== member.role && member.acceptedAt !== null)
    await tellOfGain(client, scope, kind, changed);
  return changed;
}

/**
 * Removes a member from the business and revokes their keys of both environments. Repeating it
 * changes nothing. Throws not_found, forbidden where the caller's role does not cover theirs and for
 * a sandbox key once the business has a production key, conflict for the last owner.
 */
export async function removeMember(call: Call, id: string): Promise<Member> {
  const { scope, services } = call;
  const actor = requireManager(scope);
  return inTransaction(services.pool, async (client) => {
    await lockGoverned(client, scope, 'its members');
    const member = await lockKnown(client, scope, id);
    requireCovers(actor, member.role);
    if (member.removedAt !== null) return member;
    const removed = await storeRemoval(client, scope, id);
    if (removed === null) throw lastOwner();
    await tellOfLoss(client, scope, 'member_removed', member);
    return removed;
  });
}

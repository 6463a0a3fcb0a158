import type { PoolClient } from 'pg';
import type { ProposedChange } from '../../../generated/prisma/client.ts';
import type { MemberActor, Scope } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { isId } from '../../values/ids.ts';
import { requireManager } from '../access/authority.ts';
import { lockActing } from '../access/governance.ts';
import { tellBusiness } from '../access/tell.ts';
import { openProposal } from '../proposed-change/payload.ts';
import { endChange, lockChange } from '../proposed-change/store.ts';
import { applyGroup, type ProposedGroup } from './groups.ts';
import { toldOf, type ProposedPolicy } from './propose.ts';
import { applyRole, type ProposedRole } from './role-changes.ts';
import { requireSecondPerson } from './second-person.ts';
import { findPolicy, insertPolicy, rulesIn } from './store.ts';

const conflict = (message: string): DomainError => new DomainError('conflict', { message });

/** The proposal, locked. Throws not_found, and conflict where it cannot be answered any more. */
async function lockOpen(client: PoolClient, scope: Scope, id: string): Promise<ProposedChange> {
  const found = isId('proposedChange', id) ? await lockChange(client, scope, id) : null;
  if (
    found === null ||
    !['approval_policy', 'approval_group', 'approval_role'].includes(found.kind)
  ) {
    throw new DomainError('not_found', { message: 'There is no such proposed change.' });
  }
  if (found.status !== 'waiting') throw conflict(`The change is ${found.status} already.`);
  if (!found.isOpen) throw conflict('The change has expired. Have it proposed again.');
  return found;
}

async function applyPolicy(
  client: PoolClient,
  scope: Scope,
  { user_id: confirmedBy }: MemberActor,
  change: ProposedChange,
  { rules, base }: ProposedPolicy,
): Promise<void> {
  const active = await findPolicy(client, scope);
  if ((active?.version ?? 0) !== base) {
    throw conflict('Another version holds since the proposal. Have it proposed again.');
  }
  const { proposedBy, proposedAt } = change;
  const version = base + 1;
  await insertPolicy(client, scope, { version, rules, proposedBy, proposedAt, confirmedBy });
  await tellBusiness(client, scope, {
    kind: 'approval_policy_changed',
    subjectId: change.id,
    before: active === null ? null : toldOf(base, rulesIn(active)),
    after: toldOf(version, rules),
  });
}

/**
 * Confirms a proposed version of the policy, other members of a group, or another role of a member, which hold from the commit on. Whoever proposed
 * it is not the one who confirms it (second-person.ts). Throws forbidden, not_found, and conflict where it was answered, has
 * expired, or what it would change is another one by now.
 */
export async function confirmApprovalChange(call: Call, id: string): Promise<ProposedChange> {
  const { scope, services } = call;
  const member = requireManager(scope);
  return inTransaction(services.pool, async (client) => {
    await lockActing(client, scope);
    const change = await lockOpen(client, scope, id);
    await requireSecondPerson(client, scope, member, change);
    const given = openProposal(call, change);
    if (change.kind === 'approval_policy') {
      await applyPolicy(client, scope, member, change, given as ProposedPolicy); // as propose.ts kept it
    } else if (change.kind === 'approval_group') {
      await applyGroup(client, scope, given as ProposedGroup); // as groups.ts kept it
    } else {
      await applyRole(client, scope, given as ProposedRole); // as role-changes.ts kept it
    }
    return answered(client, scope, id, 'confirmed', member.user_id);
  });
}

async function answered(
  client: PoolClient,
  scope: Scope,
  id: string,
  status: 'confirmed' | 'declined',
  who: string,
): Promise<ProposedChange> {
  const ended = await endChange(client, scope, id, { status, who });
  if (ended === null) throw conflict('The change was answered meanwhile.');
  return ended;
}

/** Declines a proposal, or takes back one's own. For owners and admins. Throws forbidden, not_found, conflict. */
export async function declineApprovalChange(call: Call, id: string): Promise<ProposedChange> {
  const { scope, services } = call;
  const { user_id: who } = requireManager(scope);
  return inTransaction(services.pool, async (client) => {
    await lockActing(client, scope);
    await lockOpen(client, scope, id);
    return answered(client, scope, id, 'declined', who);
  });
}

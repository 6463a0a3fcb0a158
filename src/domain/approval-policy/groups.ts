import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { ApprovalGroup, ProposedChange } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { violatesUnique } from '../../db/errors.ts';
import { namedOfPlatform } from '../../db/named.ts';
import { inTransaction, rows } from '../../db/pool.ts';
import { DomainError, invalid } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { text } from '../../values/fields.ts';
import { isId, newId } from '../../values/ids.ts';
import { parseInput } from '../../values/validate.ts';
import { requireManager } from '../access/authority.ts';
import { lockActing } from '../access/governance.ts';
import { tellBusiness } from '../access/tell.ts';
import { endWaitingAbout, propose } from '../proposed-change/store.ts';
import { groupsOf } from './rules.ts';
import { findGroup, findPolicy, listGroups, rulesIn, saveGroup } from './store.ts';

const mostGroups = 100;

/** Input of the commands that make and change a group. */
export const groupInput = z.strictObject({
  name: text(80),
  /** Ids of memberships. */
  members: z.array(text()).max(200),
});
export type GroupInput = z.input<typeof groupInput>;

/** What waits for the second person: other members of a group that the policy names. */
export interface ProposedGroup {
  readonly id: string;
  readonly members: readonly string[];
  /** The revision of the group that it takes the place of. */
  readonly base: number;
}

/** A group as it is, and the proposal of other members, if that waits. */
export interface ChangedGroup {
  readonly group: ApprovalGroup;
  readonly proposal: ProposedChange | null;
}

const usersOf = namedOfPlatform(
  'users_of_memberships',
  ['business', 'memberships'],
  `
    SELECT m.id, m.user_id AS "userId" FROM membership m
    WHERE m.business_id = @business AND m.id = ANY (@memberships::text[]) AND m.removed_at IS NULL`,
);

/** The users of memberships. Throws `validation_failed` for one that the business does not have. */
async function requireMembers(
  client: PoolClient,
  { businessId: business }: Scope,
  memberships: readonly string[],
): Promise<string[]> {
  const values = usersOf.of({ business, memberships });
  const found = await rows<{ id: string; userId: string }>(client, usersOf, values);
  const users = new Map(found.map(({ id, userId }) => [id, userId]));
  const unknown = memberships.flatMap((id, i) =>
    users.has(id)
      ? []
      : [
          {
            field: `members[${i}]`,
            code: 'unknown_member',
            message: 'is no member of the business',
          },
        ],
  );
  if (unknown.length > 0) throw invalid(unknown);
  return [...new Set(users.values())].toSorted();
}

/** Writes the group. Throws `conflict` where another one has its name. */
async function write(
  client: PoolClient,
  scope: Scope,
  group: Pick<ApprovalGroup, 'id' | 'name' | 'members'>,
  before: ApprovalGroup | null,
): Promise<ApprovalGroup> {
  const saved = await saveGroup(client, scope, group).catch((error: unknown) => {
    if (!violatesUnique(error, 'approval_group_name_key')) throw error;
    throw new DomainError('conflict', { message: 'Another group has this name.' });
  });
  await tellBusiness(client, scope, {
    kind: 'approval_group_changed',
    subjectId: group.id,
    before: before === null ? null : { members: before.members },
    after: { members: group.members },
  });
  return saved;
}

/**
 * Makes a group of members, by the ids of their memberships. No policy names it yet, so it holds at once. For owners and
 * admins. Throws forbidden, validation_failed, conflict where another group has the name, and unprocessable_entity for
 * more than a hundred.
 */
export async function createGroup(call: Call, given: GroupInput): Promise<ChangedGroup> {
  const { scope, services } = call;
  requireManager(scope);
  const { name, members } = parseInput(groupInput, given);
  return inTransaction(services.pool, async (client) => {
    await lockActing(client, scope);
    if ((await listGroups(client, scope)).length >= mostGroups) {
      throw new DomainError('unprocessable_entity', {
        message: `There are ${mostGroups} groups already; change one of them.`,
      });
    }
    const users = await requireMembers(client, scope, members);
    const id = newId('approvalGroup');
    const group = await write(client, scope, { id, name, members: users }, null);
    return { group, proposal: null };
  });
}

const sameMembers = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted());

/**
 * Gives a group another name and other members. Where the policy names the group, its members decide who may let money go,
 * so a change of them waits for a second person (confirm.ts); the name changes at once. Throws as `createGroup`, and
 * not_found.
 */
export async function changeGroup(
  call: Call,
  id: string,
  given: GroupInput,
): Promise<ChangedGroup> {
  const { scope, services } = call;
  const { user_id: who } = requireManager(scope);
  const { name, members } = parseInput(groupInput, given);
  return inTransaction(services.pool, async (client) => {
    await lockActing(client, scope);
    const before = isId('approvalGroup', id) ? await findGroup(client, scope, id) : null;
    if (before === null) throw new DomainError('not_found', { message: 'There is no such group.' });
    const users = await requireMembers(client, scope, members);
    const active = await findPolicy(client, scope);
    const named = active === null ? new Set<string>() : groupsOf(rulesIn(active) ?? []);
    await endWaitingAbout(client, scope, 'approval_group', id);
    if (!named.has(id) || sameMembers(users, before.members)) {
      const group = await write(client, scope, { id, name, members: users }, before);
      return { group, proposal: null };
    }
    const { members: present } = before;
    const group =
      name === before.name
        ? before
        : await write(client, scope, { id, name, members: present }, before);
    const waiting: ProposedGroup = { id, members: users, base: group.revision };
    const proposal = await propose(client, call, {
      kind: 'approval_group',
      subjectId: id,
      given: waiting,
      shown: { before: { members: present }, after: { members: users } },
      reason: null,
      who,
    });
    await tellBusiness(client, scope, {
      kind: 'approval_group_proposed',
      subjectId: id,
      before: { members: present },
      after: { members: users },
    });
    return { group, proposal };
  });
}

/** Carries out other members of a group, which a second person has confirmed. Throws `conflict` where it is another one by now. */
export async function applyGroup(
  client: PoolClient,
  scope: Scope,
  { id, members, base }: ProposedGroup,
): Promise<void> {
  const before = await findGroup(client, scope, id);
  if (before?.revision !== base) {
    throw new DomainError('conflict', {
      message: 'The group was changed since the proposal. Have it proposed again.',
    });
  }
  await write(client, scope, { id, name: before.name, members: [...members] }, before);
}

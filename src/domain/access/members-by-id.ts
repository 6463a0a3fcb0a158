import { platformStatement, rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { memberColumns, type Member } from './member-store.ts';

const membersById = platformStatement({
  name: 'members_by_id',
  text: `
    SELECT ${memberColumns}
    FROM membership m JOIN app_user u ON u.id = m.user_id
    WHERE m.business_id = $1 AND m.id = ANY ($2::text[])`,
});

/**
 * Members of the caller's business, removed ones included, in the order of the ids: what is recorded of somebody
 * keeps their name when they leave. Null for a membership of another business.
 */
export async function readMembersById(
  { scope, services }: Call,
  ids: readonly string[],
): Promise<(Member | null)[]> {
  type Row = Member & Record<string, unknown>;
  const found = await rows<Row>(services.pool, membersById, [scope.businessId, ids]);
  const byId = new Map(found.map((member) => [member.id, member]));
  return ids.map((id) => byId.get(id) ?? null);
}

const membersByUser = platformStatement({
  name: 'members_by_user',
  text: `
    SELECT ${memberColumns}, m.user_id AS "userId"
    FROM membership m JOIN app_user u ON u.id = m.user_id
    WHERE m.business_id = $1 AND m.user_id = ANY ($2::text[])`,
});

/** As `readMembersById`, by the ids of users. */
export async function readMembersByUser(
  { scope, services }: Call,
  users: readonly string[],
): Promise<(Member | null)[]> {
  type Row = Member & { readonly userId: string } & Record<string, unknown>;
  const found = await rows<Row>(services.pool, membersByUser, [scope.businessId, users]);
  const byUser = new Map(found.map((member) => [member.userId, member]));
  return users.map((user) => byUser.get(user) ?? null);
}

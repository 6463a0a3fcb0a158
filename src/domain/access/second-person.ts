import type { PoolClient } from 'pg';
import type { Scope } from '../../access/scope.ts';
import { opensTenant } from '../../access/session/place.ts';
import { named, namedOfPlatform } from '../../db/named.ts';
import { firstRow, rows } from '../../db/pool.ts';

const manages = `('owner', 'admin')`;

/** Longer than a proposal lives, so that whoever takes a colleague's role away cannot wait for it. */
const colleagueDays = 7;
const lately = `interval '${colleagueDays} days'`;

/** Time in which the owners and admins, who are mailed of each new one, can object to them. */
const settlingHours = 24;
const justNow = `interval '${settlingHours} hours'`;

/** SQL: whether a membership `m` of `@business` is older than that, and its member is not made a manager since. */
const isSettled = `(m.accepted_at <= now() - ${justNow} AND NOT EXISTS (
      SELECT 1 FROM access_change c
      WHERE c.business_id = @business AND c.id >= uuidv7(-${justNow}) AND c.kind = 'member_role_changed'
        AND c.subject_id = m.id AND c.before ->> 'role' NOT IN ${manages}
    ))`;

/**
 * A colleague counts who can enter production, by a key or by a session. One who lost role, membership or key
 * within the last days counts, too: otherwise one manager makes the other one a developer, and decides alone.
 */
const otherManager = named(
  'other_manager_of_business',
  ['tenant', 'business', 'users', 'settled'],
  `
    WITH former AS (
      SELECT c.subject_id FROM access_change c
      WHERE c.business_id = @business AND c.id >= uuidv7(-${lately})
        AND c.kind IN ('member_role_changed', 'member_removed') AND c.before ->> 'role' IN ${manages}
    ),
    colleague AS (
      SELECT m.id, m.user_id, m.accepted_at, m.id IN (SELECT f.subject_id FROM former f) AS was_manager
      FROM membership m
      WHERE m.business_id = @business AND m.user_id <> ALL (@users::text[]) AND (
        (m.role IN ${manages} AND m.accepted_at IS NOT NULL AND m.removed_at IS NULL
          AND (NOT @settled::boolean OR ${isSettled}))
        OR m.id IN (SELECT f.subject_id FROM former f)
      )
    )
    SELECT 1 AS one
    FROM colleague m
    JOIN app_user u ON u.id = m.user_id
    JOIN tenant t ON t.id = @tenant AND t.business_id = @business
    JOIN business b ON b.id = t.business_id
    WHERE EXISTS (
        SELECT 1 FROM api_key k
        WHERE k.business_id = b.id AND k.tenant_id = t.id AND k.membership_id = m.id
          AND (k.revoked_at IS NULL OR k.revoked_at > now() - ${lately})
      )
      OR ${opensTenant({ tenant: 't', business: 'b', membership: 'm', user: 'u' })}
      -- Who is invited anew after a removal has accepted nothing since.
      OR (m.was_manager AND b.profile_status = 'accepted' AND EXISTS (
        SELECT 1 FROM member_invitation i
        WHERE i.membership_id = m.id AND i.tenant_id = t.id AND i.status = 'accepted'
      ))
    LIMIT 1`,
);

/**
 * Whether the business has an owner or admin besides these persons who can enter its production, or had one
 * within the last days.
 */
export async function hasOtherManager(
  client: PoolClient,
  { tenantId: tenant, businessId: business }: Scope,
  users: readonly string[],
  { settled = false } = {},
): Promise<boolean> {
  const values = otherManager.of({ tenant, business, users, settled });
  return (await firstRow(client, otherManager, values)) !== null;
}

const settledOf = namedOfPlatform(
  'settled_members_of_business',
  ['business', 'users'],
  `
    SELECT m.user_id AS "userId" FROM membership m
    WHERE m.business_id = @business AND m.user_id = ANY (@users::text[]) AND ${isSettled}`,
);

/** Those of some persons who have been members of the business for long enough to be one of the two who decide. */
async function whoIsSettled(
  client: PoolClient,
  { businessId: business }: Scope,
  users: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await rows<{ userId: string }>(
    client,
    settledOf,
    settledOf.of({ business, users }),
  );
  return new Set(found.map(({ userId }) => userId));
}

/**
 * Whether the proposer and another manager may be the two who decide: a manager could invite a second mailbox of their
 * own, so where a third one has been a manager for a day, the two must have been members for a day, too. Also whether the
 * second one has.
 */
export async function pairOf(
  client: PoolClient,
  scope: Scope,
  proposedBy: string,
  who: string,
): Promise<{ readonly decides: boolean; readonly isSettled: boolean }> {
  const pair = [proposedBy, who];
  const settled = await whoIsSettled(client, scope, pair);
  const decides =
    settled.size === pair.length ||
    !(await hasOtherManager(client, scope, pair, { settled: true }));
  return { decides, isSettled: settled.has(who) };
}

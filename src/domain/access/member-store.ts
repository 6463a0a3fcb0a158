import { rolesWithin, type Role } from '../../access/roles.ts';
import type { Scope } from '../../access/scope.ts';
import { namedOfPlatform } from '../../db/named.ts';
import { firstRow, platformStatement, rows, type Queryable } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { PageRange } from '../page-range.ts';
import { recordChange } from './change-store.ts';
import { mayGovern } from './governance.ts';

/** A person's place in the scope's business. */
export interface Member {
  readonly id: string;
  readonly role: Role;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly createdAt: Date;
  /** Null while they were only invited: their keys do not work until they accept. */
  readonly acceptedAt: Date | null;
  /** Null while they are a member. */
  readonly removedAt: Date | null;
}

type MemberRow = Member & Record<string, unknown>;

/**
 * What a person told the business that they registered. A business that only invited the address must
 * not learn it, nor that there is a registration. It sees the address in the form in which addresses
 * are compared, which is also that of an account that an invitation made.
 */
const told = (column: string, otherwise: string): string => `
  CASE WHEN u.registered_business_id = m.business_id THEN u.${column} ELSE ${otherwise} END`;

export const memberColumns = `
  m.id, m.role, ${told('email', 'u.email_key')} AS email,
  ${told('first_name', 'NULL')} AS "firstName", ${told('last_name', 'NULL')} AS "lastName",
  m.created_at AS "createdAt", m.accepted_at AS "acceptedAt", m.removed_at AS "removedAt"`;

export function memberNotFound(): DomainError {
  return new DomainError('not_found', { message: 'The member does not exist.' });
}

const list = (name: string, direction: 'ASC' | 'DESC') =>
  platformStatement({
    name,
    text: `
    SELECT ${memberColumns}
    FROM membership m JOIN app_user u ON u.id = m.user_id
    WHERE m.business_id = $1 AND m.removed_at IS NULL
      AND ($2::text IS NULL OR m.id < $2) AND ($3::text IS NULL OR m.id > $3)
    ORDER BY m.id ${direction} LIMIT $4`,
  });
const newest = list('list_members', 'DESC');
const oldest = list('list_members_backwards', 'ASC');

/** A range of the members of the scope's business, who run newest first. */
export function listMembers(
  client: Queryable,
  scope: Scope,
  { after, before, take, backwards }: PageRange,
): Promise<Member[]> {
  const statement = backwards ? oldest : newest;
  return rows<MemberRow>(client, statement, [scope.businessId, after, before, take]);
}

const count = platformStatement({
  name: 'count_members',
  text: `
    SELECT count(*)::integer AS count
    FROM (SELECT FROM membership m WHERE m.business_id = $1 AND m.removed_at IS NULL LIMIT $2) m`,
});

/** How many members the scope's business has, counted up to `most`. */
export async function countMembers(client: Queryable, scope: Scope, most: number): Promise<number> {
  const counted = await firstRow<{ count: number }>(client, count, [scope.businessId, most]);
  return counted?.count ?? 0;
}

/**
 * The lock on the business lets its members change one at a time, since "another owner is left" is a
 * fact about all of them. The lock on the member waits for a key that is being made, so that the next
 * statement sees it.
 */
const lock = platformStatement({
  name: 'lock_member',
  text: `
    SELECT ${memberColumns}
    FROM business b
    JOIN membership m ON m.business_id = b.id
    JOIN app_user u ON u.id = m.user_id
    WHERE b.id = $1 AND m.id = $2
    FOR NO KEY UPDATE OF b, m`,
});

/** Reads a member. No member of the business changes until the transaction ends. */
export function lockMember(client: Queryable, scope: Scope, id: string): Promise<Member | null> {
  return firstRow<MemberRow>(client, lock, [scope.businessId, id]);
}

/**
 * True if `m` may stop being an owner: they are none, or there is another one. A person who has not
 * accepted does not count as an owner.
 */
const notLastOwner = `(m.role <> 'owner' OR m.accepted_at IS NULL OR EXISTS (
  SELECT 1 FROM membership o
  WHERE o.business_id = @business AND o.id <> m.id AND o.role = 'owner'
    AND o.removed_at IS NULL AND o.accepted_at IS NOT NULL
))`;

/** The record of each key that a statement revoked in its CTE `revoked`. */
const recordRevoked = recordChange({
  from: 'revoked k JOIN tenant t ON t.id = k.tenant_id',
  kind: 'key_revoked',
  business: 'k.business_id',
  environment: 't.environment',
  actor: '@actor',
  subject: 'k.id',
  before: "jsonb_build_object('membership_id', k.membership_id, 'role', k.role)",
});

const changeRole = namedOfPlatform(
  'change_member_role',
  ['business', 'tenant', 'member', 'role', 'within', 'environment', 'actor'],
  `
    WITH changed AS (
      UPDATE membership m SET role = @role
      WHERE m.business_id = @business AND m.id = @member AND m.removed_at IS NULL
        AND (@role = 'owner' OR ${notLastOwner}) AND ${mayGovern('@business', '@environment')}
      RETURNING new.*, old.role AS former_role
    ),
    recorded AS (
      ${recordChange({
        from: 'changed m WHERE m.former_role <> m.role',
        kind: 'member_role_changed',
        business: '@business',
        environment: '@environment',
        actor: '@actor',
        subject: 'm.id',
        before: "jsonb_build_object('role', m.former_role)",
        after: "jsonb_build_object('role', m.role)",
      })}
    ),
    -- Operators agreed to a link for the former role. So did whoever sent a link of production before the sandbox came to
    -- govern the business: one that was used ends, too, since by it the member's sessions enter production.
    uninvited AS (
      UPDATE member_invitation i SET status = 'canceled', closed_at = now()
      FROM changed c
      WHERE i.business_id = @business AND i.membership_id = c.id AND c.former_role <> c.role
        AND ((i.status = 'live' AND i.invited_by ->> 'type' = 'operator')
          OR (@environment = 'sandbox' AND i.status IN ('live', 'accepted') AND i.tenant_id <> @tenant))
    ),
    revoked AS (
      UPDATE api_key k SET revoked_at = now()
      FROM changed c
      WHERE k.business_id = @business AND k.membership_id = c.id AND k.revoked_at IS NULL
        AND k.role <> ALL (@within::text[])
      RETURNING k.*
    ),
    recorded_keys AS (
      ${recordRevoked}
    )
    SELECT ${memberColumns} FROM changed m JOIN app_user u ON u.id = m.user_id`,
);

/**
 * Gives a locked member another role and revokes those of their keys that have more rights than it. A link that an
 * operator sent them ends, since it was for the former role; where the sandbox changes the role, so does each link of
 * production, and the member enters production by another one only.
 * Null when they are the last owner, or the caller does not govern the business.
 */
export function storeRole(
  client: Queryable,
  scope: Scope,
  id: string,
  role: Role,
): Promise<Member | null> {
  const { businessId, tenantId, environment, actor } = scope;
  const values = changeRole.of({
    business: businessId,
    tenant: tenantId,
    member: id,
    role,
    within: rolesWithin(role),
    environment,
    actor: JSON.stringify(actor),
  });
  return firstRow<MemberRow>(client, changeRole, values);
}

const remove = namedOfPlatform(
  'remove_member',
  ['business', 'member', 'environment', 'actor'],
  `
    WITH removed AS (
      UPDATE membership m SET removed_at = now()
      WHERE m.business_id = @business AND m.id = @member AND m.removed_at IS NULL AND ${notLastOwner}
        AND ${mayGovern('@business', '@environment')}
      RETURNING *
    ),
    recorded AS (
      ${recordChange({
        from: 'removed m',
        kind: 'member_removed',
        business: '@business',
        environment: '@environment',
        actor: '@actor',
        subject: 'm.id',
        before: "jsonb_build_object('role', m.role)",
      })}
    ),
    uninvited AS (
      UPDATE member_invitation i SET status = 'canceled', closed_at = now()
      FROM removed r
      WHERE i.business_id = @business AND i.membership_id = r.id AND i.status = 'live'
    ),
    revoked AS (
      UPDATE api_key k SET revoked_at = now()
      FROM removed r
      WHERE k.business_id = @business AND k.membership_id = r.id AND k.revoked_at IS NULL
      RETURNING k.*
    ),
    recorded_keys AS (
      ${recordRevoked}
    ),
    signed_out AS (
      UPDATE user_session s SET revoked_at = now()
      FROM removed r
      WHERE s.membership_id = r.id AND s.revoked_at IS NULL
    ),
    left_alone AS (
      SELECT r.user_id FROM removed r WHERE NOT EXISTS (
        SELECT 1 FROM membership other
        WHERE other.user_id = r.user_id AND other.id <> r.id AND other.removed_at IS NULL
          AND other.accepted_at IS NOT NULL
      )
    ),
    without_passkeys AS (
      UPDATE passkey p SET removed_at = now()
      FROM left_alone l WHERE p.user_id = l.user_id AND p.removed_at IS NULL
    ),
    unbound AS (
      DELETE FROM oidc_identity i USING left_alone l WHERE i.user_id = l.user_id
    )
    SELECT ${memberColumns} FROM removed m JOIN app_user u ON u.id = m.user_id`,
);

/**
 * Removes a locked member, revokes their keys, and ends their invitations and sessions. Who is left a member of no
 * business loses their passkeys and the identity of their company, since their address may go to somebody else. Null as for `storeRole`.
 */
export function storeRemoval(client: Queryable, scope: Scope, id: string): Promise<Member | null> {
  const { businessId, environment, actor } = scope;
  const values = remove.of({
    business: businessId,
    member: id,
    environment,
    actor: JSON.stringify(actor),
  });
  return firstRow<MemberRow>(client, remove, values);
}

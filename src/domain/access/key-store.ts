import type { PoolClient } from 'pg';
import { Prisma, type ApiKey } from '../../../generated/prisma/client.ts';
import { rolesCovering, rolesWithin, type Role } from '../../access/roles.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, platformStatement, type Queryable, type Statement } from '../../db/pool.ts';
import { recordChange } from './change-store.ts';
import { stillActs } from './governance.ts';

const keyColumns = columns(Prisma.ApiKeyScalarFieldEnum, 'k');

const lockProfile = platformStatement({
  name: 'lock_business_profile',
  text: `SELECT b.profile_status = 'accepted' AND b.registration_proven_at IS NOT NULL AS accepted FROM business b WHERE b.id = $1 FOR SHARE`,
});

/**
 * Inserts a key for a member who accepted and whose role covers the key's (`@covering`). A
 * member (`@maker`) makes keys for themselves alone, since a key acts as its member. An operator, who
 * is no maker, issues keys to the member who registered the business.
 * The share locks wait for a removal or a change of role or profile that is under way, and see its
 * result; a later one waits for this transaction and sees the key. The business is locked first, as
 * everywhere. A production key needs an accepted profile (`@accepted`).
 */
const insert = named(
  'insert_api_key',
  [
    'tenant',
    'business',
    'accepted',
    'membership',
    'key',
    'name',
    'role',
    'covering',
    'hash',
    'maker',
    'actor',
  ],
  `
    WITH holder AS (
      SELECT t.id AS tenant_id, t.environment, t.business_id, m.id
      FROM tenant t
      JOIN membership m ON m.business_id = t.business_id
      JOIN app_user u ON u.id = m.user_id
      WHERE t.business_id = @business AND t.id = @tenant
        AND (t.environment = 'sandbox' OR @accepted::boolean)
        AND m.id = @membership AND m.removed_at IS NULL AND m.accepted_at IS NOT NULL
        AND m.role = ANY (@covering::text[]) AND ${stillActs('@business', '@actor')}
        AND (m.id = @maker OR (@maker::text IS NULL AND u.registered_business_id = t.business_id))
      FOR SHARE OF m
    ),
    made AS (
      INSERT INTO api_key AS k (
        id, tenant_id, business_id, membership_id, name, role, secret_hash, created_by_membership_id
      )
      SELECT @key::text, h.tenant_id, h.business_id, h.id, @name::text, @role::text, @hash::bytea, @maker::text
      FROM holder h
      RETURNING *
    ),
    recorded AS (
      ${recordChange({
        from: 'made k JOIN holder h ON h.id = k.membership_id',
        kind: 'key_created',
        business: 'k.business_id',
        environment: 'h.environment',
        actor: '@actor',
        subject: 'k.id',
        after: "jsonb_build_object('membership_id', k.membership_id, 'role', k.role)",
      })}
    )
    SELECT ${keyColumns} FROM made k`,
);

export interface NewKey {
  readonly id: string;
  readonly membershipId: string;
  readonly name: string | null;
  readonly role: Role;
  readonly hash: Buffer;
}

/** The membership that makes keys in this scope; null for an operator. */
export function makerOf({ actor }: Scope): string | null {
  return actor.type === 'member' || actor.type === 'invitee' ? actor.membership_id : null;
}

/**
 * Stores a key of the scope's tenant. Null when its member, its maker or the business's profile do
 * not permit it.
 */
export async function insertKey(
  client: PoolClient,
  scope: Scope,
  key: NewKey,
): Promise<ApiKey | null> {
  const profile = await firstRow<{ accepted: boolean }>(client, lockProfile, [scope.businessId]);
  return firstRow<ApiKey>(
    client,
    insert,
    insert.of({
      tenant: scope.tenantId,
      business: scope.businessId,
      accepted: profile?.accepted === true,
      membership: key.membershipId,
      key: key.id,
      name: key.name,
      role: key.role,
      covering: rolesCovering(key.role),
      hash: key.hash,
      maker: makerOf(scope),
      actor: JSON.stringify(scope.actor),
    }),
  );
}

const facts = platformStatement({
  name: 'api_key_facts',
  text: `
    SELECT m.role, b.profile_status AS "profileStatus",
      coalesce(u.registered_business_id = b.id, false) AS registered
    FROM business b
    LEFT JOIN membership m ON m.business_id = b.id AND m.id = $2 AND m.removed_at IS NULL
    LEFT JOIN app_user u ON u.id = m.user_id
    WHERE b.id = $1`,
});

export interface KeyFacts {
  readonly role: Role | null;
  readonly profileStatus: string;
  /** Whether the member registered the business. */
  readonly registered: boolean;
}

/** Why `insertKey` refused: the role of the member, null for none, and the status of the profile. */
export async function readKeyFacts(
  client: Queryable,
  scope: Scope,
  membershipId: string,
): Promise<KeyFacts> {
  const row = await firstRow<KeyFacts & Record<string, unknown>>(client, facts, [
    scope.businessId,
    membershipId,
  ]);
  if (row === null) throw new Error('the business of a scope always exists');
  return row;
}

/** Makes of a statement what changes a key of the scope's tenant, whose business is locked, if `actorRole` covers its role. */
const changing =
  (statement: Statement) =>
  (client: Queryable, scope: Scope, id: string, actorRole: Role): Promise<ApiKey | null> => {
    const { tenantId, environment, actor } = scope;
    const roles = rolesWithin(actorRole);
    return firstRow(client, statement, [tenantId, id, roles, environment, JSON.stringify(actor)]);
  };

/** The first revocation stays: a second call gets its time and makes no record. */
const revoke: Statement = {
  name: 'revoke_api_key',
  text: `
    WITH revoked AS (
      UPDATE api_key k SET revoked_at = coalesce(k.revoked_at, now())
      WHERE k.tenant_id = $1 AND k.id = $2 AND k.role = ANY ($3::text[])
      RETURNING new.*, old.revoked_at AS before
    ),
    recorded AS (
      ${recordChange({
        from: 'revoked k WHERE k.before IS NULL',
        kind: 'key_revoked',
        business: 'k.business_id',
        environment: '$4',
        actor: '$5',
        subject: 'k.id',
        before: "jsonb_build_object('membership_id', k.membership_id, 'role', k.role)",
      })}
    )
    SELECT ${keyColumns} FROM revoked k`,
};

/** Revokes a key; null when it may not, or the key is unknown. */
export const revokeKey = changing(revoke);

/** A key that waits for nothing stays as it is, and no record is made. */
const confirm: Statement = {
  name: 'confirm_api_key',
  text: `
    WITH confirmed AS (
      UPDATE api_key k SET held_at = NULL
      WHERE k.tenant_id = $1 AND k.id = $2 AND k.role = ANY ($3::text[]) AND k.revoked_at IS NULL
      RETURNING new.*, old.held_at AS before
    ),
    recorded AS (
      ${recordChange({
        from: 'confirmed k WHERE k.before IS NOT NULL',
        kind: 'key_confirmed',
        business: 'k.business_id',
        environment: '$4',
        actor: '$5',
        subject: 'k.id',
        after: "jsonb_build_object('membership_id', k.membership_id, 'role', k.role)",
      })}
    )
    SELECT ${keyColumns} FROM confirmed k`,
};

/** Confirms a key; null when it may not, or the key is revoked or unknown. */
export const confirmKey = changing(confirm);

const roleOfKey: Statement = {
  name: 'role_of_api_key',
  text: 'SELECT role FROM api_key WHERE tenant_id = $1 AND id = $2',
};

/** The role of a key of the scope's tenant, revoked or not; null when unknown. */
export async function findKeyRole(
  client: Queryable,
  scope: Scope,
  id: string,
): Promise<Role | null> {
  const row = await firstRow<{ role: Role }>(client, roleOfKey, [scope.tenantId, id]);
  return row?.role ?? null;
}

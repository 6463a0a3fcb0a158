import { Prisma, type AccessChange } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { firstRow, platformStatement, rows, type Queryable } from '../../db/pool.ts';
import type { PageRange } from '../page-range.ts';

/** What can change about a business's access; the CHECK constraint of `access_change` holds the same. */
export const accessChangeKinds = [
  'business_registered',
  'settings_changed',
  'member_invited',
  'member_invitation_sent',
  'member_accepted',
  'member_role_proposed',
  'member_role_changed',
  'member_removed',
  'member_sessions_revoked',
  'key_created',
  'key_revoked',
  'key_confirmed',
  'registration_proven',
  'registration_released',
  'bank_connected',
  'bank_connection_changed',
  'routes_replaced',
  'webhook_address_proposed',
  'webhook_address_changed',
  'approval_policy_proposed',
  'approval_policy_changed',
  'approval_group_proposed',
  'approval_group_changed',
  'approval_delegated',
  'approval_delegation_ended',
  'passkey_added',
  'passkey_locked',
  'passkey_vouched',
] as const;
export type AccessChangeKind = (typeof accessChangeKinds)[number];

/** What is of one environment alone, of which a key of the other one learns nothing. */
const ofOneEnvironment = [
  'bank_connected',
  'bank_connection_changed',
  'routes_replaced',
  'webhook_address_proposed',
  'webhook_address_changed',
  'approval_policy_proposed',
  'approval_policy_changed',
  'approval_group_proposed',
  'approval_group_changed',
  'approval_delegated',
  'approval_delegation_ended',
] as const satisfies readonly AccessChangeKind[];

/** SQL: whether a caller of `environment` sees the change `c`. */
export const isSeen = (environment: string): string =>
  `(c.environment = ${environment} OR c.kind NOT IN (${ofOneEnvironment.map((kind) => `'${kind}'`).join(', ')}))`;

interface ChangeSql {
  /** Alias of the rows that changed, each of which gets a record. */
  readonly from: string;
  readonly kind: AccessChangeKind;
  readonly business: string;
  readonly environment: string;
  readonly actor: string;
  /** Id of what changed. */
  readonly subject: string;
  readonly before?: string;
  readonly after?: string;
}

/**
 * SQL of a CTE that records a change. It is part of the statement that makes the change, so that
 * both are written or neither. No e-mail address and no secret goes into a record.
 */
export function recordChange(change: ChangeSql): string {
  const { from, kind, business, environment, actor, subject } = change;
  return `INSERT INTO access_change (business_id, environment, kind, subject_id, actor, before, after)
      SELECT ${business}, ${environment}, '${kind}', ${subject}, ${actor}::jsonb,
        ${change.before ?? 'NULL::jsonb'}, ${change.after ?? 'NULL::jsonb'}
      FROM ${from}`;
}

const list = (name: string, direction: 'ASC' | 'DESC') =>
  platformStatement({
    name,
    text: `
    SELECT ${columns(Prisma.AccessChangeScalarFieldEnum, 'c')}
    FROM access_change c
    WHERE c.business_id = $1 AND ($2::uuid IS NULL OR c.id < $2) AND ($3::uuid IS NULL OR c.id > $3)
      AND ${isSeen('$5')}
    ORDER BY c.id ${direction} LIMIT $4`,
  });
const newest = list('list_access_changes', 'DESC');
const oldest = list('list_access_changes_backwards', 'ASC');

/** A range of the changes of the scope's business, which run newest first; of banks, routes and webhooks those of its environment. */
export function listAccessChanges(
  client: Queryable,
  scope: Scope,
  { after, before, take, backwards }: PageRange,
): Promise<AccessChange[]> {
  const statement = backwards ? oldest : newest;
  return rows<AccessChange>(client, statement, [
    scope.businessId,
    after,
    before,
    take,
    scope.environment,
  ]);
}

const count = platformStatement({
  name: 'count_access_changes',
  text: `
    SELECT count(*)::integer AS count
    FROM (SELECT FROM access_change c WHERE c.business_id = $1 AND ${isSeen('$3')} LIMIT $2) c`,
});

/** How many changes the scope's business has, counted up to `most`. */
export async function countAccessChanges(
  client: Queryable,
  scope: Scope,
  most: number,
): Promise<number> {
  const counted = await firstRow<{ count: number }>(client, count, [
    scope.businessId,
    most,
    scope.environment,
  ]);
  return counted?.count ?? 0;
}

import type { PoolClient } from 'pg';
import type { Role } from '../../access/roles.ts';
import type { Scope } from '../../access/scope.ts';
import { namedOfPlatform } from '../../db/named.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';
import { enqueueMany } from '../../queue/queue.ts';
import type { AccessChangeKind } from './change-store.ts';

const insert = namedOfPlatform(
  'insert_access_change',
  ['business', 'environment', 'kind', 'subject', 'actor', 'before', 'after'],
  `
    INSERT INTO access_change (business_id, environment, kind, subject_id, actor, before, after)
    VALUES (@business, @environment, @kind, @subject, @actor::jsonb, @before::jsonb, @after::jsonb)
    RETURNING id`,
);

const latest = namedOfPlatform(
  'latest_access_change',
  ['business', 'kind', 'subject'],
  `
    SELECT c.id FROM access_change c
    WHERE c.business_id = @business AND c.kind = @kind AND c.subject_id = @subject
    ORDER BY c.id DESC LIMIT 1`,
);

/** Who answers for the business. */
const managers = namedOfPlatform(
  'managers_of_business',
  ['business'],
  `
    SELECT m.id FROM membership m
    WHERE m.business_id = @business AND m.role IN ('owner', 'admin')
      AND m.accepted_at IS NOT NULL AND m.removed_at IS NULL
    ORDER BY m.id`,
);

/** A change that the owners and admins of a business are told of. */
export interface ToldChange {
  readonly kind: AccessChangeKind;
  /** Id of what changed. */
  readonly subjectId: string;
  /** No secret and no e-mail address; null where the subject is new. */
  readonly before: object | null;
  readonly after: object;
  /** False where it is recorded, and nobody is mailed. */
  readonly mails?: boolean;
}

async function record(
  client: PoolClient,
  scope: Scope,
  { kind, subjectId, before, after }: ToldChange,
): Promise<string> {
  const values = insert.of({
    business: scope.businessId,
    environment: scope.environment,
    kind,
    subject: subjectId,
    actor: JSON.stringify(scope.actor),
    before: before === null ? null : JSON.stringify(before),
    after: JSON.stringify(after),
  });
  const row = await firstRow<{ id: string }>(client, insert, values);
  if (row === null) throw new Error('an insert returns its row');
  return row.id;
}

/** Records a change for the business in the transaction of `client`, and has each owner and admin mailed. */
export async function tellBusiness(
  client: PoolClient,
  scope: Scope,
  change: ToldChange,
): Promise<void> {
  const id = await record(client, scope, change);
  if (change.mails !== false) await mailManagers(client, scope, id);
}

/** Records a change in the transaction of `client`, and has one member mailed whom alone it is about. */
export async function tellMember(
  client: PoolClient,
  scope: Scope,
  change: ToldChange,
  membershipId: string,
): Promise<void> {
  const changeId = await record(client, scope, change);
  const { tenantId } = scope;
  await enqueueMany(client, 'send_access_mail', [{ tenantId, changeId, membershipId }]);
}

/**
 * As `tellBusiness`, of a change that the transaction of `client` has recorded itself.
 * @param also a member who is told, too, whatever their role is by now
 */
export async function tellOfRecorded(
  client: PoolClient,
  scope: Scope,
  kind: AccessChangeKind,
  subject: string,
  also?: string,
): Promise<void> {
  const values = latest.of({ business: scope.businessId, kind, subject });
  const row = await firstRow<{ id: string }>(client, latest, values);
  if (row === null) throw new Error(`there is no record of ${kind}`);
  await mailManagers(client, scope, row.id, also);
}

/**
 * Has the owners and admins mailed of somebody who becomes one of them in production, which the transaction of `client`
 * has recorded: two of them decide where webhooks go, and one alone must not bring the second in without the notice of
 * the others.
 */
export async function tellOfGain(
  client: PoolClient,
  scope: Scope,
  kind: 'member_accepted' | 'member_role_changed',
  { id, role }: { readonly id: string; readonly role: Role },
): Promise<void> {
  if (scope.environment === 'sandbox' || (role !== 'owner' && role !== 'admin')) return;
  await tellOfRecorded(client, scope, kind, id);
}

async function mailManagers(
  client: PoolClient,
  scope: Scope,
  changeId: string,
  also?: string,
): Promise<void> {
  const { tenantId, businessId: business } = scope;
  const found = await rows<{ id: string }>(client, managers, managers.of({ business }));
  const told = new Set(found.map(({ id }) => id));
  if (also !== undefined) told.add(also);
  const payloads = [...told].map((membershipId) => ({ tenantId, changeId, membershipId }));
  await enqueueMany(client, 'send_access_mail', payloads);
}

const mailed = namedOfPlatform(
  'access_change_to_mail',
  ['business', 'change', 'membership'],
  `
    SELECT c.kind, c.subject_id AS "subjectId", c.environment, c.actor ->> 'type' AS "actorType", c.before, c.after,
      c.occurred_at AS "occurredAt", u.email_key AS email, coalesce(b.legal_name, b.company_name) AS "businessName"
    FROM access_change c
    JOIN business b ON b.id = c.business_id
    JOIN membership m ON m.business_id = c.business_id AND m.id = @membership
    JOIN app_user u ON u.id = m.user_id
    WHERE c.business_id = @business AND c.id = @change::uuid`,
);

/** What the mail to one of them says, and to whom it goes. */
export interface ChangeMail {
  readonly kind: AccessChangeKind;
  readonly subjectId: string;
  readonly environment: string;
  /** As `Actor` has it. */
  readonly actorType: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly occurredAt: Date;
  readonly email: string;
  readonly businessName: string;
}

/** A change and one of those who are told of it; also who was removed since, whom it may be about. */
export function findChangeMail(
  client: Queryable,
  { businessId: business }: Scope,
  change: string,
  membership: string,
): Promise<ChangeMail | null> {
  type Row = ChangeMail & Record<string, unknown>;
  return firstRow<Row>(client, mailed, mailed.of({ business, change, membership }));
}

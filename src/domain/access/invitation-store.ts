import type { PoolClient } from 'pg';
import { makeLinkToken } from '../../access/collection-link.ts';
import { grantCollectionMails, noMoreMails } from '../../access/rate-limit/collection.ts';
import { grantTenantMails, type MailboxKey } from '../../access/rate-limit/mailbox.ts';
import { inviter, inviterName } from '../../access/session/inviter.ts';
import type { Environment, Scope } from '../../access/scope.ts';
import { namedOfPlatform } from '../../db/named.ts';
import { firstRow, platformStatement, rows, type Queryable } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { enqueue } from '../../queue/queue.ts';
import { emailKey } from '../../values/fields.ts';
import type { Services } from '../../process/services.ts';
import { recordChange } from './change-store.ts';
import { stillActs } from './governance.ts';

/**
 * Replaces the live invitation of a member. `ended` is counted before the insert, because the old
 * invitation must have left the unique index of live ones. An invitation that nobody used delays the
 * next by a minute: anybody can register, and could otherwise send mails to any address without end.
 */
const insertInvitation = namedOfPlatform(
  'insert_member_invitation',
  ['business', 'tenant', 'member', 'actor', 'days', 'environment'],
  `
    WITH due AS (
      SELECT m.id, m.role FROM membership m
      WHERE m.business_id = @business AND m.id = @member AND ${stillActs('@business', '@actor')}
      AND NOT EXISTS (
        SELECT 1 FROM member_invitation i
        WHERE i.membership_id = m.id AND i.status <> 'accepted'
          AND i.created_at > now() - interval '1 minute'
      )
    ),
    ended AS (
      UPDATE member_invitation i SET status = 'superseded', closed_at = now()
      FROM due m
      WHERE i.business_id = @business AND i.membership_id = m.id AND i.tenant_id = @tenant AND i.status = 'live'
      RETURNING i.id
    ),
    created AS (
      INSERT INTO member_invitation (business_id, tenant_id, membership_id, invited_by, expires_at)
      SELECT @business, @tenant, m.id, @actor::jsonb, now() + make_interval(days => @days)
      FROM due m WHERE (SELECT count(*) FROM ended) >= 0
      RETURNING id, membership_id
    ),
    recorded AS (
      ${recordChange({
        from: 'created i JOIN due m ON m.id = i.membership_id',
        kind: 'member_invitation_sent',
        business: '@business',
        environment: '@environment',
        actor: '@actor',
        subject: 'm.id',
        after: "jsonb_build_object('role', m.role)",
      })}
    )
    SELECT i.id, coalesce(u.email_key, u.email) AS email
    FROM created i JOIN membership m ON m.id = i.membership_id JOIN app_user u ON u.id = m.user_id`,
);

/**
 * Makes an invitation of a member whose business is locked, and the job that mails its link. It comes
 * last in a transaction, because the tenant's other invites wait for its end. Throws too_many_requests for a
 * second one within a minute that nobody used, and for mails beyond the tenant's day or the bound of the mailbox.
 * @param mailbox makes the key of a mailbox; it is read before the transaction begins
 */
export async function inviteByMail(
  client: PoolClient,
  { config, metrics }: Pick<Services, 'config' | 'metrics'>,
  scope: Scope,
  membershipId: string,
  mailbox: MailboxKey,
): Promise<void> {
  const { businessId, tenantId, environment } = scope;
  const values = insertInvitation.of({
    business: businessId,
    tenant: tenantId,
    member: membershipId,
    actor: JSON.stringify(scope.actor),
    days: config.MEMBER_INVITATION_DAYS,
    environment,
  });
  const invitation = await firstRow<{ id: string; email: string }>(
    client,
    insertInvitation,
    values,
  );
  if (invitation === null) {
    const message = 'A link was mailed within the last minute.';
    throw new DomainError('too_many_requests', { message });
  }
  const payload = { tenantId, invitationId: invitation.id };
  await enqueue(client, 'send_member_mail', payload);
  const key = mailbox(emailKey(invitation.email));
  const granted = await grantTenantMails(client, config, scope, [key]);
  if (granted.size === 0) {
    metrics?.mailsRefused('member', 'mailbox', 1);
    throw new DomainError('too_many_requests', { message: noMoreMails });
  }
  if ((await grantCollectionMails(client, config, scope, 1)) === 0) {
    metrics?.mailsRefused('member', 'tenant', 1);
    throw new DomainError('too_many_requests', { message: noMoreMails });
  }
}

/** The address is the one that addresses are compared by, because no later registration changes it. */
const liveInvitation = platformStatement({
  name: 'live_member_invitation',
  text: `
    SELECT u.email_key AS email, m.role, i.expires_at AS "expiresAt",
      coalesce(b.legal_name, b.company_name) AS "businessName", ${inviterName} AS "invitedBy"
    FROM member_invitation i
    JOIN membership m ON m.id = i.membership_id
    JOIN app_user u ON u.id = m.user_id
    JOIN business b ON b.id = i.business_id
    ${inviter}
    WHERE i.business_id = $1 AND i.tenant_id = $2 AND i.id = $3
      AND i.status = 'live' AND i.expires_at > now()`,
});

const insertLink = platformStatement({
  name: 'insert_member_link',
  text: 'INSERT INTO member_link (token_hash, invitation_id) VALUES ($1, $2)',
});

interface PreparedRow {
  readonly email: string;
  readonly role: string;
  readonly expiresAt: Date;
  readonly businessName: string;
  /** Who invites, by name or address; null where it is no member. */
  readonly invitedBy: string | null;
}

/** What a mail says, and the token that it carries, which is stored nowhere. */
export interface PreparedInvitation extends PreparedRow {
  readonly token: string;
  readonly environment: Environment;
}

/**
 * Makes a token for one try to mail an invitation, and commits its hash first, so that no mail carries
 * a link that opens nothing. All tokens of an invitation open it, since a mail that seemed lost may
 * have arrived. Null when it is not live.
 */
export async function prepareInvitationMail(
  client: Queryable,
  scope: Scope,
  invitationId: string,
): Promise<PreparedInvitation | null> {
  const values = [scope.businessId, scope.tenantId, invitationId];
  const row = await firstRow<PreparedRow & Record<string, unknown>>(client, liveInvitation, values);
  if (row === null) return null;
  const { token, hash } = makeLinkToken();
  await rows(client, insertLink, [hash, invitationId]);
  return { ...row, token, environment: scope.environment };
}

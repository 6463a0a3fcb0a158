import { firstRow, platformStatement, type Queryable } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { linkTokenHash } from '../collection-link.ts';
import type { Role } from '../roles.ts';
import { inviter, inviterName } from './inviter.ts';

/** Whom a mailed link signs in. */
export interface NamedLink {
  readonly email: string;
  /** Whether it signs in an operator of the platform. */
  readonly operator: boolean;
  /** Whether it also accepts an invitation. */
  readonly invitation: boolean;
  /** The business that invites, or those whose member the person is; none for an operator. */
  readonly businesses: string[];
  /** What an invitation is for; null for any other link. */
  readonly role: Role | null;
  /** Who invites, by name or address; null where it is no member, and for any other link. */
  readonly invitedBy: string | null;
}

interface NamedLinkRow extends NamedLink, Record<string, unknown> {
  readonly live: boolean;
}

/** Businesses that are named; a person is a member of few. */
const mostNamed = 5;

const businessName = 'coalesce(b.legal_name, b.company_name)';

/** The addresses are those that the mails went to. */
const named = platformStatement({
  name: 'named_link',
  text: `
    SELECT coalesce(u.email_key, o.email_key) AS email, o.id IS NOT NULL AS operator, false AS invitation,
      ARRAY(
        SELECT ${businessName} FROM membership m JOIN business b ON b.id = m.business_id
        WHERE m.user_id = r.user_id AND m.accepted_at IS NOT NULL AND m.removed_at IS NULL
        ORDER BY m.id LIMIT ${mostNamed}
      ) AS businesses,
      NULL AS role, NULL AS "invitedBy",
      r.used_at IS NULL AND r.expires_at > now() AS live
    FROM sign_in_link l
    JOIN sign_in_request r ON r.id = l.request_id
    LEFT JOIN app_user u ON u.id = r.user_id
    LEFT JOIN operator_user o ON o.id = r.operator_user_id
    WHERE l.token_hash = $1
    UNION ALL
    SELECT u.email_key, false, true, ARRAY[${businessName}], m.role, ${inviterName}, i.status = 'live' AND i.expires_at > now()
    FROM member_link l
    JOIN member_invitation i ON i.id = l.invitation_id
    JOIN membership m ON m.id = i.membership_id
    JOIN app_user u ON u.id = m.user_id
    JOIN business b ON b.id = i.business_id
    ${inviter}
    WHERE l.token_hash = $1`,
});

/**
 * Whom a mailed link signs in, and where: a person sees it before they use the link, since somebody else may have sent
 * them theirs. Whoever shows the token could use it. Uses nothing up. Throws not_found for a token that no mail
 * carried, conflict for one that was used or is too old.
 */
export async function nameLink(client: Queryable, token: string): Promise<NamedLink> {
  const hash = linkTokenHash(token);
  const row = hash === null ? null : await firstRow<NamedLinkRow>(client, named, [hash]);
  if (row === null) throw new DomainError('not_found', { message: 'There is no such link.' });
  const { live, ...link } = row;
  if (live) return link;
  throw new DomainError('conflict', {
    message: 'The link was used, or its time is over. Ask for another one.',
  });
}

import type { Pool } from 'pg';
import { firstRow, platformStatement } from '../db/pool.ts';
import { linkTokenHash } from './collection-link.ts';
import { makeScope, type Environment, type Scope } from './scope.ts';

const linkByHash = platformStatement({
  name: 'member_link_by_hash',
  text: `
    SELECT i.id, i.membership_id, m.user_id, i.tenant_id, i.business_id, t.environment
    FROM member_link l
    JOIN member_invitation i ON i.id = l.invitation_id
    JOIN membership m ON m.id = i.membership_id
    JOIN tenant t ON t.id = i.tenant_id
    WHERE l.token_hash = $1`,
});

interface LinkRow {
  readonly id: string;
  readonly membership_id: string;
  readonly user_id: string;
  readonly tenant_id: string;
  readonly business_id: string;
  readonly environment: Environment;
}

/** What a token opens: one invitation, in the scope of its tenant, with the invited person as the actor. */
export interface OpenedInvitation {
  readonly invitationId: string;
  readonly membershipId: string;
  readonly userId: string;
  readonly scope: Scope;
}

/**
 * The invitation that a token leads to, whatever has become of it; null for a token that is malformed
 * or unknown. The scope has no permission of a member: only the acceptance takes it.
 */
export async function openMemberLink(pool: Pool, token: string): Promise<OpenedInvitation | null> {
  const hash = linkTokenHash(token);
  if (hash === null) return null;
  const row = await firstRow<LinkRow & Record<string, unknown>>(pool, linkByHash, [hash]);
  if (row === null) return null;
  const { user_id, membership_id, environment } = row;
  const actor = { type: 'invitee', user_id, membership_id } as const;
  const { tenant_id: tenantId, business_id: businessId } = row;
  return {
    invitationId: row.id,
    membershipId: membership_id,
    userId: user_id,
    scope: makeScope({ tenantId, businessId, environment, actor }),
  };
}

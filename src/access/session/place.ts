/*
 * Where a session may work. A person is a member of a business in both of its environments, but nothing
 * that was done in the sandbox opens production: before a business has a production key, its sandbox keys
 * invite members and change their roles. So a session works in production under the conditions under which
 * its member could have a key there.
 */

interface Aliases {
  readonly tenant: string;
  readonly business: string;
  readonly membership: string;
  readonly user: string;
}

/**
 * SQL: whether the session began after those of the member were last ended (`memberSessionsRevoke`). One that was at
 * work in another business at that time has not been revoked, but it opens this business no more.
 */
export const beganSince = (session: string, membership: string): string =>
  `(${membership}.sessions_ended_at IS NULL OR ${session}.created_at > ${membership}.sessions_ended_at)`;

/**
 * SQL: whether a session of the member may work in the tenant. In production an operator must have accepted
 * the profile, the business must have a key that works there (`mayGovern` then keeps the sandbox from its
 * members), and the member must be the one who registered the business, or hold a production key, or have
 * accepted an invitation of production since they are a member.
 */
export const opensTenant = ({ tenant, business, membership, user }: Aliases): string => `
  (${tenant}.environment = 'sandbox' OR (
    ${business}.profile_status = 'accepted'
    AND EXISTS (
      SELECT 1 FROM api_key k JOIN membership holder ON holder.id = k.membership_id
      WHERE k.business_id = ${business}.id AND k.tenant_id = ${tenant}.id AND k.revoked_at IS NULL
        AND holder.accepted_at IS NOT NULL AND holder.removed_at IS NULL
    )
    AND (
      ${user}.registered_business_id = ${business}.id
      OR EXISTS (
        SELECT 1 FROM api_key k
        WHERE k.business_id = ${business}.id AND k.tenant_id = ${tenant}.id
          AND k.membership_id = ${membership}.id AND k.revoked_at IS NULL
      )
      OR EXISTS (
        SELECT 1 FROM member_invitation i
        WHERE i.membership_id = ${membership}.id AND i.tenant_id = ${tenant}.id
          AND i.status = 'accepted' AND i.closed_at >= ${membership}.accepted_at
      )
    )
  ))`;

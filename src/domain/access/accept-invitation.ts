import type { PoolClient } from 'pg';
import type { IssuedKey } from '../../access/key.ts';
import { openMemberLink, type OpenedInvitation } from '../../access/member-link.ts';
import { admitCollectionClient, type LinkClient } from '../../access/rate-limit/collection.ts';
import { firstRow, inTransaction, platformStatement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { recordChange } from './change-store.ts';
import { storeNewKey } from './create-key.ts';
import { lockBusiness } from './governance.ts';
import { memberColumns, type Member } from './member-store.ts';
import { tellOfGain } from './tell.ts';

/** Uses an invitation up. The first that an invited person uses makes them a member. */
const accept = platformStatement({
  name: 'accept_member_invitation',
  text: `
    WITH used AS (
      UPDATE member_invitation i SET status = 'accepted', closed_at = now()
      FROM membership m
      WHERE i.business_id = $1 AND i.id = $2 AND i.status = 'live' AND i.expires_at > now()
        AND m.id = i.membership_id AND m.removed_at IS NULL
      RETURNING i.membership_id
    ),
    accepted AS (
      UPDATE membership m SET accepted_at = coalesce(m.accepted_at, now())
      FROM used u WHERE m.business_id = $1 AND m.id = u.membership_id
      RETURNING new.*, old.accepted_at AS before
    ),
    recorded AS (
      ${recordChange({
        from: 'accepted m WHERE m.before IS NULL',
        kind: 'member_accepted',
        business: '$1',
        environment: '$3',
        actor: '$4',
        subject: 'm.id',
        after: "jsonb_build_object('role', m.role)",
      })}
    )
    SELECT ${memberColumns}, m.before IS NULL AS joined FROM accepted m JOIN app_user u ON u.id = m.user_id`,
});

export interface AcceptedInvitation {
  readonly member: Member;
  readonly apiKey: IssuedKey;
}

/**
 * Accepts an invitation with the token of its mail, which only the holder of the invited mailbox has:
 * the invited person becomes a member, if they are none yet, and gets a key of their own with their
 * role, in the environment of the key that invited. The key is in
 * this answer alone; who lost it asks for another invitation. Throws not_found for an unknown token, conflict for one that was
 * used, replaced or canceled or whose time is over, forbidden for a production key while the profile
 * is not accepted, too_many_requests beyond the limit of a client address.
 */
export async function acceptInvitation(
  { services, clientAddress, reportLimit }: LinkClient,
  token: string,
): Promise<AcceptedInvitation> {
  const opened = await open({ services, clientAddress, reportLimit }, token);
  return inTransaction(services.pool, async (client) => {
    const { scope } = opened;
    const member = await acceptOpened(client, opened);
    const { id: membershipId, role } = member;
    const { apiKey, key } = await storeNewKey(client, scope, { membershipId, role, name: null });
    return { member, apiKey: { id: apiKey.id, environment: scope.environment, role, key } };
  });
}

/** A person who accepted to sign in. */
export interface JoinedMember {
  readonly membershipId: string;
  readonly userId: string;
}

/**
 * As `acceptInvitation`, without a key: the invited person becomes a member and uses the invitation up to sign
 * in. In production the session opens as a key would (src/access/session/place.ts). Throws as it.
 */
export async function joinByInvitation(client: LinkClient, token: string): Promise<JoinedMember> {
  const opened = await open(client, token);
  const { id } = await inTransaction(client.services.pool, (transaction) =>
    acceptOpened(transaction, opened),
  );
  return { membershipId: id, userId: opened.userId };
}

async function open(
  { services, clientAddress, reportLimit }: LinkClient,
  token: string,
): Promise<OpenedInvitation> {
  await admitCollectionClient(services, clientAddress, reportLimit);
  const opened = await openMemberLink(services.pool, token);
  if (opened === null) throw new DomainError('not_found', { message: 'The link is unknown.' });
  return opened;
}

async function acceptOpened(
  client: PoolClient,
  { scope, invitationId }: OpenedInvitation,
): Promise<Member> {
  const { businessId, environment } = scope;
  // A key may be the first of production, so it excludes changes of members and settings meanwhile.
  await lockBusiness(client, scope);
  const values = [businessId, invitationId, environment, JSON.stringify(scope.actor)];
  type Row = Member & { readonly joined: boolean };
  const accepted = await firstRow<Row & Record<string, unknown>>(client, accept, values);
  if (accepted === null) {
    throw new DomainError('conflict', {
      message: 'The link was used, replaced or canceled, or its time is over. Ask for another one.',
    });
  }
  const { joined, ...member } = accepted;
  if (joined) await tellOfGain(client, scope, 'member_accepted', member);
  return member;
}

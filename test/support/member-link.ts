import { jobScope } from '../../src/access/system.ts';
import { prepareInvitationMail } from '../../src/domain/access/invitation-store.ts';
import type { Harness, RestAnswer } from './harness.ts';

/** The token of a member's newest invitation, as its mail would carry it; null where none is live. */
export async function memberToken(
  { services }: Pick<Harness, 'services'>,
  membershipId: string,
): Promise<string | null> {
  const { rows } = await services.pool.query<{ id: string; tenant_id: string }>(
    'SELECT id, tenant_id FROM member_invitation WHERE membership_id = $1 ORDER BY id DESC LIMIT 1',
    [membershipId],
  );
  const [found] = rows;
  if (found === undefined) return null;
  const scope = await jobScope(services.pool, found.tenant_id, { type: 'system', name: 'test' });
  const prepared = await prepareInvitationMail(services.pool, scope, found.id);
  return prepared?.token ?? null;
}

/** As if so much time had gone by since the invitations of a member were made. */
export async function ageInvitations(
  { database }: Pick<Harness, 'database'>,
  membershipId: string,
  interval = '2 minutes',
): Promise<void> {
  await database.pool.query(
    `UPDATE member_invitation SET created_at = created_at - $2::interval,
       expires_at = expires_at - $2::interval WHERE membership_id = $1`,
    [membershipId, interval],
  );
}

const acceptMutation = `mutation ($token: String!) {
  memberAccept(token: $token) { membershipId apiKey { id environment role key } }
}`;

/** Accepts an invitation over GraphQL, with its token alone. */
export function acceptToken(harness: Harness, token: string): Promise<RestAnswer> {
  return harness.graphql(undefined, acceptMutation, { token });
}

/** The holder of the invited mailbox accepts the newest invitation; the key that they get. */
export async function acceptedKey(harness: Harness, membershipId: string): Promise<string> {
  const token = await memberToken(harness, membershipId);
  if (token === null) throw new Error('no invitation of the member is live');
  const answer = await acceptToken(harness, token);
  const key: string | undefined = answer.body.data?.memberAccept?.apiKey.key;
  if (key === undefined) throw new Error(`accept: ${answer.text}`);
  return key;
}

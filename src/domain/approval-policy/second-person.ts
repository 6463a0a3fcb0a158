import type { PoolClient } from 'pg';
import type { ProposedChange } from '../../../generated/prisma/client.ts';
import type { MemberActor, Scope } from '../../access/scope.ts';
import { namedOfPlatform } from '../../db/named.ts';
import { firstRow } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { hasOtherManager, pairOf } from '../access/second-person.ts';

/** How long the only manager of a business waits for themselves; the proposal is mailed at its beginning. */
const aloneHours = 24;

const otherOwner = namedOfPlatform(
  'other_owner_of_business',
  ['business', 'user'],
  `
    SELECT 1 AS one FROM membership m
    WHERE m.business_id = @business AND m.user_id <> @user AND m.role = 'owner'
      AND m.accepted_at IS NOT NULL AND m.removed_at IS NULL
    LIMIT 1`,
);

const since = namedOfPlatform(
  'waited_alone',
  ['at', 'hours'],
  'SELECT @at::timestamptz <= now() - make_interval(hours => @hours::integer) AS waited',
);

const refused = (message: string): DomainError => new DomainError('forbidden', { message });

async function requireAlone(
  client: PoolClient,
  scope: Scope,
  { user_id: who }: MemberActor,
  { proposedAt }: ProposedChange,
): Promise<void> {
  if (await hasOtherManager(client, scope, [who])) {
    throw refused('You proposed the change, so another person has to confirm it.');
  }
  const values = since.of({ at: proposedAt, hours: aloneHours });
  const row = await firstRow<{ waited: boolean }>(client, since, values);
  if (row?.waited === true) return;
  throw refused(
    `The business has no other owner or admin, so you may confirm what you proposed after ${aloneHours} hours.`,
  );
}

/**
 * Throws `forbidden` unless the caller may confirm a proposal, in the transaction of `client`, which has locked the
 * business: another owner than the proposer; an admin where there is none; the proposer alone, after a day, where nobody
 * else manages the business, and nobody has until a week ago.
 */
export async function requireSecondPerson(
  client: PoolClient,
  scope: Scope,
  member: MemberActor,
  change: ProposedChange,
): Promise<void> {
  const { proposedBy } = change;
  if (proposedBy === member.user_id) return requireAlone(client, scope, member, change);
  const { decides } = await pairOf(client, scope, proposedBy, member.user_id);
  if (!decides) {
    throw refused(
      'Whoever proposes and whoever confirms have been owners or admins for a day, where another one has.',
    );
  }
  if (member.role === 'owner') return;
  const values = otherOwner.of({ business: scope.businessId, user: proposedBy });
  if ((await firstRow(client, otherOwner, values)) === null) return;
  throw refused('An owner has to confirm the change, since the business has another one.');
}

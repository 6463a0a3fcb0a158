import { mailboxKeys } from '../../access/rate-limit/mailbox.ts';
import type { Scope } from '../../access/scope.ts';
import { namedOfPlatform } from '../../db/named.ts';
import { firstRow, inTransaction, type Queryable } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { newId } from '../../values/ids.ts';
import type { Call } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { emailKey } from '../../values/fields.ts';
import { requireCovers, requireManager } from './authority.ts';
import { recordChange } from './change-store.ts';
import { lockGoverned, mayGovern } from './governance.ts';
import { invitationInput, type InvitationInput } from './input.ts';
import { inviteByMail } from './invitation-store.ts';
import { memberColumns, type Member } from './member-store.ts';

/**
 * Makes the person a member who has not accepted. Who registered the business is one already, also while their
 * address is not proven. The account of their address is used or made; they
 * can register with it later. A removed member gets the same membership back, so that records name one
 * actor, and has to accept again.
 */
const invite = namedOfPlatform(
  'invite_member',
  ['user', 'email', 'member', 'business', 'role', 'environment', 'actor'],
  `
    WITH person AS (
      INSERT INTO app_user AS u (id, email, email_key)
      SELECT @user::text, @email::text, @email::text
      WHERE ${mayGovern('@business', '@environment')} AND NOT EXISTS (
        SELECT 1 FROM business b
        WHERE b.id = @business AND b.registrant_email_key = @email AND b.registration_proven_at IS NULL
      )
      ON CONFLICT (email_key) DO UPDATE SET email_key = u.email_key
      RETURNING *
    ),
    joined AS (
      INSERT INTO membership AS m (id, business_id, user_id, role)
      SELECT @member::text, @business::text, p.id, @role::text FROM person p
      ON CONFLICT (business_id, user_id)
        DO UPDATE SET role = excluded.role, accepted_at = NULL, removed_at = NULL
        WHERE m.removed_at IS NOT NULL
      RETURNING *
    ),
    recorded AS (
      ${recordChange({
        from: 'joined m',
        kind: 'member_invited',
        business: '@business',
        environment: '@environment',
        actor: '@actor',
        subject: 'm.id',
        after: "jsonb_build_object('role', m.role)",
      })}
    )
    SELECT ${memberColumns} FROM joined m JOIN person u ON u.id = m.user_id`,
);

/**
 * Invites a person to become a member, with their account or a new one. A person may act for several
 * businesses, and no answer tells whether they do. A mail brings them a one-time link, by which they
 * accept and get a key of their own; until then they can do nothing. Throws forbidden (also
 * for a sandbox key once the business has a production key), validation_failed, conflict where they
 * are a member or invited already, too_many_requests for mails beyond the tenant's day.
 */
export async function inviteMember(call: Call, given: InvitationInput): Promise<Member> {
  const { scope, services } = call;
  const actor = requireManager(scope);
  const input = parseInput(invitationInput, given);
  requireCovers(actor, input.role);
  const mailbox = await mailboxKeys(services);
  return inTransaction(services.pool, async (client) => {
    await lockGoverned(client, scope, 'its members');
    const member = await join(client, scope, input);
    if (member === null) {
      throw new DomainError('conflict', {
        message:
          'This person is a member or invited already; change their role, or send another link.',
      });
    }
    await inviteByMail(client, services, scope, member.id, mailbox);
    return member;
  });
}

function join(client: Queryable, scope: Scope, input: InvitationInput): Promise<Member | null> {
  return firstRow<Member & Record<string, unknown>>(
    client,
    invite,
    invite.of({
      user: newId('user'),
      email: emailKey(input.email),
      member: newId('membership'),
      business: scope.businessId,
      role: input.role,
      environment: scope.environment,
      actor: JSON.stringify(scope.actor),
    }),
  );
}

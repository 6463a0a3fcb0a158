import type { Scope } from '../../access/scope.ts';
import { firstRow, inTransaction, type Queryable, type Statement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { newId } from '../../ids.ts';
import type { Call } from '../../services.ts';
import { parseInput } from '../../validate.ts';
import { emailKey } from '../../fields.ts';
import { requireCovers, requireManager } from './authority.ts';
import { lockGoverned, mayGovern } from './governance.ts';
import { invitationInput, type InvitationInput } from './input.ts';
import { memberColumns, type Member } from './member-store.ts';

/**
 * Joins the person to the business, with the account of their address or a new one, which is theirs
 * to register with. Who was removed gets their membership back, so that they are the same actor for
 * `distinct_approver`.
 */
const invite: Statement = {
  name: 'invite_member',
  text: `
    WITH person AS (
      INSERT INTO app_user AS u (id, email, email_key)
      SELECT $1::text, $2::text, $2::text WHERE ${mayGovern('$4', '$6')}
      ON CONFLICT (email_key) DO UPDATE SET email_key = u.email_key
      RETURNING *
    ),
    joined AS (
      INSERT INTO membership AS m (id, business_id, user_id, role)
      SELECT $3::text, $4::text, p.id, $5::text FROM person p
      ON CONFLICT (business_id, user_id) DO UPDATE SET role = excluded.role, removed_at = NULL
        WHERE m.removed_at IS NOT NULL
      RETURNING *
    )
    SELECT ${memberColumns} FROM joined m JOIN person u ON u.id = m.user_id`,
};

/**
 * Makes a person a member, with an account of their own or a new one: a person may act for several
 * businesses, and nothing tells whether they do. They need a key of theirs to act, made with
 * createKey. Throws forbidden (also for a sandbox key once the business has a production key),
 * validation_failed, conflict where they are a member already.
 */
export async function inviteMember(call: Call, given: InvitationInput): Promise<Member> {
  const { scope, services } = call;
  const actor = requireManager(scope);
  const input = parseInput(invitationInput, given);
  requireCovers(actor, input.role);
  return inTransaction(services.pool, async (client) => {
    await lockGoverned(client, scope, 'its members');
    const member = await join(client, scope, input);
    if (member !== null) return member;
    throw new DomainError('conflict', {
      message: 'This person is a member already; change their role instead.',
    });
  });
}

function join(client: Queryable, scope: Scope, input: InvitationInput): Promise<Member | null> {
  return firstRow<Member & Record<string, unknown>>(client, invite, [
    newId('user'),
    emailKey(input.email),
    newId('membership'),
    scope.businessId,
    input.role,
    scope.environment,
  ]);
}

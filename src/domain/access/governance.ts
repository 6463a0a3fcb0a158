import { firstRow, platformStatement, type Queryable } from '../../db/pool.ts';
import { unauthorized } from '../../access/refusal.ts';
import type { Scope } from '../../access/scope.ts';
import { beganSince } from '../../access/session/place.ts';
import { DomainError } from '../../errors/domain-error.ts';

/*
 * Settings, members and the legal identity belong to a business, not to one of its environments, so
 * a sandbox key that changes them changes production. The rule: once the business has a production key that
 * works, they are changed in production only. Until then the business has no keys but those of
 * its sandbox, and nothing in production to protect. After its last production key is revoked the same
 * holds, and an operator issues the next one.
 */

/**
 * SQL: whether a key of `environment` may change what concerns the business with the id `business` as
 * a whole. Holds at commit where the statement runs after `lockBusiness` in one transaction.
 */
export function mayGovern(business: string, environment: string): string {
  return `(${environment} = 'production' OR NOT EXISTS (
    SELECT 1 FROM tenant live
    JOIN api_key k ON k.tenant_id = live.id AND k.business_id = live.business_id
    JOIN membership holder ON holder.id = k.membership_id AND holder.accepted_at IS NOT NULL
    WHERE live.business_id = ${business} AND live.environment = 'production'
      AND k.revoked_at IS NULL
  ))`;
}

/**
 * SQL: whether what an actor (jsonb) acts with still works: the key or session, and the membership of a member. A key
 * that was ended serves for up to a second (`authenticate.ts`), and a request may be under way while its session ends.
 * Neither may make a key, free one or bring anybody in. Holds at commit as `mayGovern`.
 */
export function stillActs(business: string, actor: string): string {
  const given = (field: string): string => `((${actor}::jsonb) ->> '${field}')`;
  return `(NOT EXISTS (
    SELECT 1 FROM api_key used
    WHERE used.business_id = ${business} AND used.id = ${given('key_id')}
      AND (used.revoked_at IS NOT NULL OR used.held_at IS NOT NULL)
  ) AND NOT EXISTS (
    SELECT 1 FROM membership acting
    LEFT JOIN user_session signed_in ON signed_in.id = ${given('session_id')}
    WHERE ${given('type')} = 'member' AND acting.business_id = ${business}
      AND acting.id = ${given('membership_id')}
      AND (acting.removed_at IS NOT NULL OR acting.accepted_at IS NULL
        OR signed_in.revoked_at IS NOT NULL OR signed_in.expires_at <= now()
        OR NOT ${beganSince('signed_in', 'acting')})
  ))`;
}

const lock = platformStatement({
  name: 'lock_business',
  text: 'SELECT b.id FROM business b WHERE b.id = $1 FOR NO KEY UPDATE',
});

/**
 * Locks the scope's business until the transaction ends. Whoever makes a production key locks it
 * too, so that key is there before this lock or after it; the next statement sees which.
 */
export async function lockBusiness(client: Queryable, scope: Scope): Promise<void> {
  await firstRow(client, lock, [scope.businessId]);
}

const acting = platformStatement({
  name: 'still_acts_in_business',
  text: `SELECT ${stillActs('$1', '$2')} AS acts`,
});

/**
 * Locks the scope's business until the transaction ends. Throws unauthorized where the caller's key or session was
 * ended a moment ago.
 */
export async function lockActing(client: Queryable, scope: Scope): Promise<void> {
  await lockBusiness(client, scope);
  const values = [scope.businessId, JSON.stringify(scope.actor)];
  const row = await firstRow<{ acts: boolean }>(client, acting, values);
  if (row?.acts !== true) throw endedMeanwhile(scope);
}

/** The refusal of a caller whose key or session was ended a moment ago. */
function endedMeanwhile({ actor }: Scope): DomainError {
  return unauthorized('session_id' in actor ? 'ended' : 'revoked');
}

const governing = platformStatement({
  name: 'may_govern_business',
  text: `SELECT ${mayGovern('$1', '$2')} AS allowed, ${stillActs('$1', '$3')} AS acts`,
});

/** The refusal of a sandbox key, once `what` can be changed in production only. */
export function productionKeyNeeded(what: string): DomainError {
  return new DomainError('forbidden', {
    message: `The business has a production key, so ${what} can be changed in production only.`,
  });
}

/**
 * Locks the scope's business until the transaction ends. Throws forbidden where the caller's key may
 * not change what concerns the business as a whole, and unauthorized as `lockActing`.
 */
export async function lockGoverned(client: Queryable, scope: Scope, what: string): Promise<void> {
  await lockBusiness(client, scope);
  const values = [scope.businessId, scope.environment, JSON.stringify(scope.actor)];
  const row = await firstRow<{ allowed: boolean; acts: boolean }>(client, governing, values);
  if (row?.acts === false) throw endedMeanwhile(scope);
  if (row?.allowed !== true) throw productionKeyNeeded(what);
}

import { namedOfPlatform } from '../../db/named.ts';
import { firstRow, platformStatement, rows, type Queryable } from '../../db/pool.ts';
import { violatesUnique } from '../../db/errors.ts';
import { disableWebhooks } from './end-sending.ts';

/*
 * A registration claims an address, a domain and a person, and proves none of them. Until its address is
 * proven it has a user of its own, without an `email_key`, so that it never acts as the person who has that
 * address. The proof makes the claim firm and the registrant that person.
 */

/** What the proof finds: a business whose registration is not proven, and its registrant. */
interface UnprovenBusiness extends Record<string, unknown> {
  readonly businessId: string;
  readonly membershipId: string;
  readonly userId: string;
  readonly emailKey: string;
}

const registrantOf = `
  FROM business b
  JOIN app_user u ON u.registered_business_id = b.id
  JOIN membership m ON m.business_id = b.id AND m.user_id = u.id`;

const waitingUser = platformStatement({
  name: 'registrant_without_proof',
  text: `
    SELECT u.id AS "userId" ${registrantOf}
    WHERE b.registrant_email_key = $1 AND b.registration_proven_at IS NULL`,
});

/** The user of the registration of an address that is not proven; null where there is none. */
export async function findWaitingUser(client: Queryable, emailKey: string): Promise<string | null> {
  return (await firstRow<{ userId: string }>(client, waitingUser, [emailKey]))?.userId ?? null;
}

const businessOfUser = platformStatement({
  name: 'business_without_proof_of_user',
  text: `
    SELECT b.id FROM app_user u JOIN business b ON b.id = u.registered_business_id
    WHERE u.id = $1 AND b.registration_proven_at IS NULL`,
});

/** Whether a user is that of a registration which is not proven. */
export async function hasNoProof(client: Queryable, userId: string): Promise<boolean> {
  return (await firstRow(client, businessOfUser, [userId])) !== null;
}

/** Of two proofs at once, the second waits here and finds nothing. Everything that changes keys and members waits too. */
const lockWaiting = platformStatement({
  name: 'lock_business_without_proof',
  text: `
    SELECT b.id AS "businessId", m.id AS "membershipId", u.id AS "userId",
      coalesce(b.registrant_email_key, u.email_key) AS "emailKey" ${registrantOf}
    WHERE b.id = $1 AND b.registration_proven_at IS NULL
    FOR NO KEY UPDATE OF b`,
});

const lockPersonOfAddress = platformStatement({
  name: 'lock_person_of_address',
  text: 'SELECT u.id FROM app_user u WHERE u.email_key = $1 FOR NO KEY UPDATE',
});

const giveAddress = platformStatement({
  name: 'give_registrant_the_address',
  text: 'UPDATE app_user SET email_key = $2 WHERE id = $1',
});

/** The person who had the address before has registered the business; the user that it had stays in records only. */
const handOver = platformStatement({
  name: 'hand_registration_over',
  text: `
    UPDATE app_user u SET registered_business_id = CASE WHEN u.id = $2 THEN $3::text END
    WHERE u.id IN ($1, $2)`,
});

/**
 * The user who has the address from now on: the person who had it before, with the names that they had, else
 * the one of the registration. Violates `app_user_email_key_key` where the address was invited at this moment.
 */
async function personOf(client: Queryable, waiting: UnprovenBusiness): Promise<string> {
  const { userId, emailKey, businessId } = waiting;
  const known = await firstRow<{ id: string }>(client, lockPersonOfAddress, [emailKey]);
  if (known === null) await rows(client, giveAddress, [userId, emailKey]);
  else if (known.id !== userId) await rows(client, handOver, [userId, known.id, businessId]);
  return known?.id ?? userId;
}

/** Whether somebody invited the address while it was proven. The transaction can be repeated. */
export const invitedMeanwhile = (error: unknown): boolean =>
  violatesUnique(error, 'app_user_email_key_key');

/**
 * Who registered is its owner again, whatever others made of them. Others whom the holder of the mailbox
 * does not name have to accept again, and what was made before waits for a confirmation, since a stranger can have
 * made it. So can they have submitted the profile: the owner submits it again.
 */
const prove = namedOfPlatform(
  'prove_registration',
  ['business', 'membership', 'user', 'emailKey', 'keys', 'members'],
  `
    WITH proven AS (
      UPDATE business b
      SET registration_proven_at = now(), registrant_email_key = @emailKey, updated_at = now(),
        profile_status = CASE b.profile_status WHEN 'submitted' THEN 'incomplete' ELSE b.profile_status END,
        profile_submitted_at = CASE b.profile_status WHEN 'submitted' THEN NULL ELSE b.profile_submitted_at END
      WHERE b.id = @business AND b.registration_proven_at IS NULL
      RETURNING b.id
    ),
    registrant AS (
      UPDATE membership m
      SET user_id = @user, role = 'owner', accepted_at = coalesce(m.accepted_at, now()), removed_at = NULL
      FROM proven p WHERE m.business_id = p.id AND m.id = @membership
    ),
    others AS (
      UPDATE membership m SET accepted_at = NULL, sessions_ended_at = now()
      FROM proven p
      WHERE m.business_id = p.id AND m.id <> @membership AND m.removed_at IS NULL
        AND m.id <> ALL (@members::text[])
    ),
    uninvited AS (
      UPDATE member_invitation i SET status = 'canceled', closed_at = now()
      FROM proven p WHERE i.business_id = p.id AND i.status = 'live'
    ),
    held AS (
      UPDATE api_key k SET held_at = now()
      FROM proven p
      WHERE k.business_id = p.id AND k.revoked_at IS NULL AND k.id <> ALL (@keys::text[])
      RETURNING k.id
    )
    INSERT INTO access_change (business_id, environment, kind, subject_id, actor, after)
    SELECT p.id, 'sandbox', 'registration_proven', p.id,
      jsonb_build_object('type', 'member', 'user_id', @user::text, 'membership_id', @membership::text, 'role', 'owner'),
      jsonb_build_object('held_keys', (SELECT coalesce(jsonb_agg(h.id ORDER BY h.id), '[]') FROM held h))
    FROM proven p`,
);

/** What the holder of the mailbox knows to be theirs. */
export interface Confirmed {
  /** Ids of API keys that go on working. */
  readonly keys: readonly string[];
  /** Ids of memberships whose persons stay members. */
  readonly members: readonly string[];
}

/** Who registered a business, once that is proven. */
export interface ProvenRegistration {
  readonly businessId: string;
  readonly membershipId: string;
  readonly userId: string;
}

/**
 * Makes the registration of a business firm, in the transaction in which its mailbox was proven. Keys that are not
 * named among `confirmed` stop working until a member confirms them, and webhooks until one enables them. Null where it is proven already, or another
 * mailbox took the address over. Throws what `invitedMeanwhile` recognises.
 */
export async function proveRegistration(
  client: Queryable,
  businessId: string,
  confirmed: Confirmed = { keys: [], members: [] },
): Promise<ProvenRegistration | null> {
  const waiting = await firstRow<UnprovenBusiness>(client, lockWaiting, [businessId]);
  if (waiting === null) return null;
  const { membershipId, emailKey } = waiting;
  const userId = await personOf(client, waiting);
  const { keys, members } = confirmed;
  const values = { business: businessId, membership: membershipId, user: userId, emailKey };
  await rows(client, prove, prove.of({ ...values, keys, members }));
  await disableWebhooks(client, [businessId]);
  return { businessId, membershipId, userId };
}

/**
 * The user who signs in, after the registration that they made is proven by it: only the holder of the mailbox
 * gets this far. It is another one where the address had a person before.
 */
export async function proveBySigningIn(client: Queryable, userId: string): Promise<string> {
  const found = await firstRow<{ id: string }>(client, businessOfUser, [userId]);
  const proven = found === null ? null : await proveRegistration(client, found.id);
  return proven?.userId ?? userId;
}

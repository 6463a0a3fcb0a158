import { namedOfPlatform } from '../../db/named.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';
import type { PasskeyUse } from './verify.ts';

/** A passkey signs no approvals on its first day, unless an owner vouches for it: whoever adds one is noticed before. */
export const newHours = 24;

/** Wrong answers in a row after which a passkey signs no approvals for a time. */
const mostFailures = 5;
const lockMinutes = 30;

/** Why a passkey signs no approvals at this moment. */
type Unfit = 'new' | 'locked';

/** A passkey of a member, as the approval of a payout knows it. */
export interface SigningPasskey extends Record<string, unknown> {
  readonly id: string;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  /** A bigint as text. */
  readonly counter: string;
  readonly transports: string[];
  readonly unfit: Unfit | null;
}

const columns = `p.id, p.credential_id AS "credentialId", p.public_key AS "publicKey", p.counter::text AS counter,
      p.transports, CASE WHEN p.locked_until > now() THEN 'locked'
        WHEN p.vouched_at IS NULL AND p.created_at > now() - interval '${newHours} hours' THEN 'new' END AS unfit`;

const ofUser = namedOfPlatform(
  'signing_passkeys',
  ['user'],
  `SELECT ${columns} FROM passkey p WHERE p.user_id = @user AND p.removed_at IS NULL ORDER BY p.id`,
);

/** The passkeys of a member, those added first at the top. */
export const signingPasskeys = (client: Queryable, user: string): Promise<SigningPasskey[]> =>
  rows<SigningPasskey>(client, ofUser, ofUser.of({ user }));

const noteSignature = namedOfPlatform(
  'note_passkey_signature',
  ['id', 'counter', 'synced'],
  `
    UPDATE passkey p SET counter = @counter, synced = @synced, last_used_at = n.at, failures = 0
    FROM (SELECT now() AS at) n
    WHERE p.id = @id AND p.removed_at IS NULL AND (p.locked_until IS NULL OR p.locked_until <= n.at)
      AND (p.counter < @counter OR (p.counter = 0 AND @counter = 0))
    RETURNING p.id`,
);

/** Notes that a passkey signed; false where it was removed or locked meanwhile, or a copy of it signs. */
export async function noteSigned(
  client: Queryable,
  id: string,
  used: PasskeyUse,
): Promise<boolean> {
  return (await firstRow(client, noteSignature, noteSignature.of({ id, ...used }))) !== null;
}

const noteFailure = namedOfPlatform(
  'note_passkey_failure',
  ['id', 'most', 'minutes'],
  `
    UPDATE passkey p SET failures = (p.failures + 1) % @most::integer,
      locked_until = CASE WHEN p.failures + 1 >= @most::integer THEN n.at + make_interval(mins => @minutes::integer)
        ELSE p.locked_until END
    FROM (SELECT now() AS at) n
    WHERE p.id = @id AND p.removed_at IS NULL AND (p.locked_until IS NULL OR p.locked_until <= n.at)
    RETURNING CASE WHEN p.failures = 0 THEN p.locked_until END AS "lockedUntil"`,
);

/** Notes a wrong answer; the time until which the passkey is locked, where this one locks it. */
export async function noteFailed(client: Queryable, id: string): Promise<Date | null> {
  const values = noteFailure.of({ id, most: mostFailures, minutes: lockMinutes });
  const row = await firstRow<{ lockedUntil: Date | null }>(client, noteFailure, values);
  return row?.lockedUntil ?? null;
}

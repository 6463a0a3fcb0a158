import type { PoolClient } from 'pg';
import { firstRow, inTransaction, platformStatement, rows, type Queryable } from '../../db/pool.ts';
import { retryOnError } from '../../db/retry.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Services } from '../../process/services.ts';
import { enqueue } from '../../queue/queue.ts';
import { emailKey } from '../../values/fields.ts';
import { linkTokenHash, makeLinkToken } from '../collection-link.ts';
import {
  grantProofMail,
  mailboxKeys,
  proofMailKey,
  type MailboxKey,
} from '../rate-limit/mailbox.ts';
import { reserveQuota } from '../rate-limit/store.ts';
import { findWaitingUser, hasNoProof, invitedMeanwhile } from '../registration/prove.ts';
import { lockPerson } from './lock-person.ts';
import { openSession, type Browser, type OpenedSession, type Person } from './open.ts';

/** As whom a person wants to sign in, where the address belongs to a member and to an operator. */
export type SignInAs = 'member' | 'operator';

/** Members who accepted, and the operators of the platform. */
const personOfAddress = platformStatement({
  name: 'person_of_address',
  text: `
    SELECT (
        SELECT u.id FROM app_user u
        WHERE u.email_key = $1 AND EXISTS (
          SELECT 1 FROM membership m
          WHERE m.user_id = u.id AND m.accepted_at IS NOT NULL AND m.removed_at IS NULL
        )
      ) AS "userId",
      (SELECT o.id FROM operator_user o WHERE o.email_key = $1 AND o.revoked_at IS NULL)
        AS "operatorUserId"`,
});

interface LinkedPerson extends Record<string, unknown> {
  readonly userId: string | null;
  readonly operatorUserId: string | null;
}

/**
 * Who signs in with an address: the member, unless they ask to sign in as the operator that they are too. Who is a
 * member of no business may have registered one: signing in proves that the address is theirs. Null for an
 * address of nobody.
 */
export async function personOf(
  client: Queryable,
  email: string,
  as: SignInAs | null = null,
): Promise<Person | null> {
  const found = await firstRow<LinkedPerson>(client, personOfAddress, [emailKey(email)]);
  const { operatorUserId = null } = found ?? {};
  // A stranger can register with the address of an operator, whose sign-in must not lead there.
  const mayWait = operatorUserId === null || as === 'member';
  const waiting = mayWait ? () => findWaitingUser(client, emailKey(email)) : () => null;
  const userId = found?.userId ?? (await waiting());
  if (userId !== null && as !== 'operator') return { userId };
  return operatorUserId !== null && as !== 'member' ? { operatorUserId } : null;
}

const insertRequest = platformStatement({
  name: 'insert_sign_in_request',
  text: `
    INSERT INTO sign_in_request (user_id, operator_user_id, expires_at)
    VALUES ($1, $2, now() + make_interval(mins => $3)) RETURNING id`,
});

const insertLink = platformStatement({
  name: 'insert_sign_in_link',
  text: 'INSERT INTO sign_in_link (token_hash, request_id) VALUES ($1, $2)',
});

/** Makes a request to sign in, which has no link yet. */
export async function makeRequest(
  client: Queryable,
  config: Pick<Services['config'], 'SIGN_IN_LINK_MINUTES'>,
  person: Person,
): Promise<string> {
  const row = await firstRow<{ id: string }>(client, insertRequest, [
    'userId' in person ? person.userId : null,
    'operatorUserId' in person ? person.operatorUserId : null,
    config.SIGN_IN_LINK_MINUTES,
  ]);
  if (row === null) throw new Error('a request that was inserted has an id');
  return row.id;
}

/** A new token for a request to sign in, which is stored nowhere. */
export async function makeToken(client: Queryable, requestId: string): Promise<string> {
  const { token, hash } = makeLinkToken();
  await rows(client, insertLink, [hash, requestId]);
  return token;
}

/** Whether the address has mails left of those that it gets in an hour without a look at the earlier ones. */
async function hasMailsLeft(
  { pool, config }: Services,
  email: string,
  mailbox: MailboxKey,
): Promise<boolean> {
  const grant = await reserveQuota(pool, `sign-in-mail:${mailbox(emailKey(email))}`, {
    quota: config.SIGN_IN_MAILS_PER_HOUR,
    windowSeconds: 3_600,
    needed: 1,
    wanted: 1,
  });
  return grant.granted > 0;
}

/** `$3`: seconds for which the link must still work. */
const unusedRequest = platformStatement({
  name: 'unused_sign_in_request',
  text: `
    SELECT 1 AS found FROM sign_in_request r
    WHERE (r.user_id = $1 OR r.operator_user_id = $2) AND r.used_at IS NULL
      AND r.expires_at > now() + make_interval(secs => $3)
    LIMIT 1`,
});

/**
 * Whether the person holds an unused link with half of its time left. Until the transaction ends, nobody else
 * makes one for them, so that of two requests at once one is mailed.
 */
async function holdsLink(
  client: Queryable,
  { SIGN_IN_LINK_MINUTES }: Services['config'],
  person: Person,
): Promise<boolean> {
  await lockPerson(client, person);
  const [userId, operatorUserId] =
    'userId' in person ? [person.userId, null] : [null, person.operatorUserId];
  const values = [userId, operatorUserId, SIGN_IN_LINK_MINUTES * 30];
  return (await firstRow(client, unusedRequest, values)) !== null;
}

const isUnproven = async (client: Queryable, person: Person): Promise<boolean> =>
  'userId' in person && (await hasNoProof(client, person.userId));

/**
 * Mails a link to sign in, if the address is that of a member or an operator. The caller does not learn
 * whether it is. Nobody is refused for what others ask in their name: beyond SIGN_IN_MAILS_PER_HOUR a mail goes
 * out only where none of the earlier links serves, so a person always has a link or gets one, and a mailbox
 * fills no faster than its links end. Whose address is not proven may be made by a stranger, so their links count as
 * the mails that prove an address do.
 */
export async function requestLink(
  services: Services,
  email: string,
  as: SignInAs | null,
): Promise<void> {
  const { pool, config, metrics } = services;
  const mailbox = await mailboxKeys(services);
  const isWithinQuota = await hasMailsLeft(services, email, mailbox);
  const person = await personOf(pool, email, as);
  if (person === null) return;
  await inTransaction(pool, async (client) => {
    const key = proofMailKey(mailbox, emailKey(email));
    const mayMail =
      (isWithinQuota || !(await holdsLink(client, config, person))) &&
      (!(await isUnproven(client, person)) || (await grantProofMail(client, config, key)));
    if (!mayMail) {
      metrics?.mailsRefused('sign_in', 'mailbox', 1);
      return;
    }
    const requestId = await makeRequest(client, services.config, person);
    await enqueue(client, 'send_sign_in_mail', { requestId });
  });
}

const liveRequest = platformStatement({
  name: 'live_sign_in_request',
  text: `
    SELECT coalesce(u.email_key, u.email, o.email_key) AS email, r.expires_at AS "expiresAt",
      r.operator_user_id IS NOT NULL AS operator
    FROM sign_in_request r
    LEFT JOIN app_user u ON u.id = r.user_id
    LEFT JOIN operator_user o ON o.id = r.operator_user_id
    WHERE r.id = $1 AND r.used_at IS NULL AND r.expires_at > now()`,
});

export interface PreparedSignIn {
  readonly email: string;
  readonly expiresAt: Date;
  readonly operator: boolean;
  /** It goes into one mail and is stored nowhere. */
  readonly token: string;
}

/**
 * Makes a token for one try to mail a link, and commits its hash first, so that no mail carries a link that
 * opens nothing. All tokens of a request open it, once together. Null when it was used or is too old.
 */
export async function prepareSignInMail(
  client: Queryable,
  requestId: string,
): Promise<PreparedSignIn | null> {
  const row = await firstRow<Omit<PreparedSignIn, 'token'> & Record<string, unknown>>(
    client,
    liveRequest,
    [requestId],
  );
  if (row === null) return null;
  return { ...row, token: await makeToken(client, requestId) };
}

/** Uses the request up. Of two browsers with the same link, the second waits here and finds it used. */
const useRequest = platformStatement({
  name: 'use_sign_in_request',
  text: `
    UPDATE sign_in_request r SET used_at = now()
    FROM sign_in_link l
    WHERE l.token_hash = $1 AND r.id = l.request_id AND r.used_at IS NULL AND r.expires_at > now()
    RETURNING r.user_id AS "userId", r.operator_user_id AS "operatorUserId"`,
});

const linkExists = platformStatement({
  name: 'sign_in_link_exists',
  text: 'SELECT 1 AS found FROM sign_in_link WHERE token_hash = $1',
});

/**
 * Signs in the person to whom a link was mailed, and uses the link up. Null for a token of no such link.
 * Throws conflict for a link that was used or is too old, forbidden for one whose person has no place here.
 */
export async function useLink(
  { pool, config }: Pick<Services, 'pool' | 'config'>,
  token: string,
  browser: Browser,
): Promise<OpenedSession | null> {
  const hash = linkTokenHash(token);
  if (hash === null) return null;
  const use = async (client: PoolClient) => {
    const used = await firstRow<LinkedPerson>(client, useRequest, [hash]);
    if (used === null) {
      if ((await firstRow(client, linkExists, [hash])) === null) return null;
      throw new DomainError('conflict', {
        message: 'The link was used, or its time is over. Ask for another one.',
      });
    }
    const { userId, operatorUserId } = used;
    const person = userId === null ? { operatorUserId: operatorUserId ?? '' } : { userId };
    return openSession(client, config, person, { by: 'link', browser });
  };
  return retryOnError(invitedMeanwhile, () => inTransaction(pool, use));
}

/** Signs in a person who accepted an invitation at this moment. */
export function openJoined(
  { pool, config }: Pick<Services, 'pool' | 'config'>,
  { userId, membershipId }: { readonly userId: string; readonly membershipId: string },
  browser: Browser,
): Promise<OpenedSession> {
  const opened = { by: 'invitation', browser, membershipId } as const;
  return inTransaction(pool, (client) => openSession(client, config, { userId }, opened));
}

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Services } from '../../process/services.ts';
import { openSession, type Browser, type OpenedSession } from '../session/open.ts';
import { challengeMinutes, makeChallenge, takeChallenge } from './challenge.ts';
import { loadWebAuthn, relyingParty } from './relying-party.ts';
import { findPasskey, notePasskeyUse, type StoredPasskey } from './store.ts';
import { verifyPasskey } from './verify.ts';

type Parts = Pick<Services, 'pool' | 'config'>;

/**
 * What a browser needs to sign with a passkey, for `navigator.credentials.get`. It names no passkey: the
 * browser shows those that it has for this host, so nobody learns who has one.
 */
export async function startPasskeySignIn({
  pool,
  config,
}: Parts): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  return generateAuthenticationOptions({
    rpID: relyingParty(config).rpID,
    challenge: await makeChallenge(pool, null),
    timeout: challengeMinutes * 60_000,
    userVerification: 'required',
  });
}

function refused(cause?: unknown): DomainError {
  return new DomainError('unauthorized', {
    message: 'This passkey is not known here, or its answer came too late. Sign in another way.',
    cause,
  });
}

/** Whoever's passkey it is. Throws unauthorized for one that is unknown, and for a wrong signature. */
async function verify({ pool, config }: Parts, response: AuthenticationResponseJSON) {
  // The client's own text; the library checks the form of the rest.
  const passkey = await findPasskey(pool, Buffer.from(String(response.id), 'base64url'));
  if (passkey === null) throw refused();
  const used = await verifyPasskey(config, passkey, response, (challenge) =>
    takeChallenge(pool, challenge, null),
  ).catch((error: unknown) => {
    throw refused(error);
  });
  if (used === null) throw refused();
  return { passkey, used };
}

function ownerOf({ userId, operatorUserId }: StoredPasskey) {
  if (userId !== null) return { userId };
  if (operatorUserId === null) throw refused();
  return { operatorUserId };
}

/**
 * Signs in the owner of a passkey. Throws unauthorized where it is unknown or did not sign what
 * `startPasskeySignIn` asked for, forbidden where its owner has no place here any longer.
 * @param response what the browser got from `navigator.credentials.get`
 */
export async function usePasskey(
  parts: Parts,
  response: object,
  browser: Browser,
): Promise<OpenedSession> {
  const { passkey, used } = await verify(parts, response as AuthenticationResponseJSON);
  return inTransaction(parts.pool, async (client) => {
    if (!(await notePasskeyUse(client, passkey.id, used))) throw refused();
    const person = ownerOf(passkey);
    return openSession(client, parts.config, person, { by: 'passkey', browser });
  });
}

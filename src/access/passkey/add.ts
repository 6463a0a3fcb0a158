import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { PoolClient } from 'pg';
import { z } from 'zod';
import { firstRow, inTransaction, platformStatement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Services } from '../../process/services.ts';
import { text } from '../../values/fields.ts';
import { parseInput } from '../../values/validate.ts';
import type { Person } from '../session/open.ts';
import { challengeMinutes, makeChallenge, takeChallenge } from './challenge.ts';
import { loadWebAuthn, relyingParty, signatureAlgorithms } from './relying-party.ts';
import { insertPasskey, listPasskeys, mostPasskeys, type Passkey } from './store.ts';

/** Who adds a passkey. */
export interface Adding {
  readonly services: Services;
  readonly person: Person;
  readonly sessionId: string;
  /** Shown where the browser lists passkeys. */
  readonly email: string;
}

/**
 * Minutes after signing in. A passkey outlives the session, so whoever finds a browser that is signed in must
 * not be able to add theirs.
 */
const freshMinutes = 15;

const isFresh = platformStatement({
  name: 'session_is_fresh',
  text: `
    SELECT s.created_at > now() - make_interval(mins => $2) AS fresh,
      s.role_limit IS NOT NULL AS limited
    FROM user_session s
    WHERE s.id = $1`,
});

/** A passkey signs in without asking the company, so it would pass by the limit that a group sets. */
async function requireFresh({ services, sessionId }: Adding): Promise<void> {
  const values = [sessionId, freshMinutes];
  const row = await firstRow<{ fresh: boolean; limited: boolean }>(services.pool, isFresh, values);
  if (row?.fresh === true && !row.limited) return;
  throw new DomainError('forbidden', {
    message:
      row?.limited === true
        ? "Your company's sign-in says what you may do, and a passkey would not ask it. Sign in by a mailed link to add one."
        : `A passkey is added within ${freshMinutes} minutes of signing in. Sign in again.`,
  });
}

/**
 * What a browser needs to make a passkey, for `navigator.credentials.create`. Throws forbidden where the
 * person signed in too long ago, conflict where they have as many passkeys as they may.
 */
export async function startAdding(adding: Adding): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { services, person, sessionId, email } = adding;
  await requireFresh(adding);
  const known = await listPasskeys(services.pool, person);
  if (known.length >= mostPasskeys) {
    throw new DomainError('conflict', { message: 'Remove one of the passkeys first.' });
  }
  const { rpID } = relyingParty(services.config);
  const id = 'userId' in person ? person.userId : person.operatorUserId;
  const { generateRegistrationOptions } = await loadWebAuthn();
  return generateRegistrationOptions({
    rpName: rpID,
    rpID,
    userName: email,
    userID: new Uint8Array(Buffer.from(id)),
    challenge: await makeChallenge(services.pool, sessionId),
    timeout: challengeMinutes * 60_000,
    attestationType: 'none',
    supportedAlgorithmIDs: [...signatureAlgorithms],
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      transports,
    })),
    // It is found without an address, and its owner unlocks it: that makes it two factors in one.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

const addInput = z.strictObject({ name: text(60), response: z.looseObject({}) });

function refused(cause?: unknown): DomainError {
  const message = 'The browser did not make a passkey as it was asked to. Try again.';
  return new DomainError('unprocessable_entity', { message, cause });
}

/**
 * Adds the passkey that a browser made, under a name of its owner's. Throws validation_failed,
 * unprocessable_entity for what is no answer to `startAdding` of this session, conflict for one that is there.
 * @param noted what else is written in the transaction that adds it
 */
export async function finishAdding(
  adding: Adding,
  given: { readonly name: string; readonly response?: unknown },
  noted: (client: PoolClient, passkey: Passkey) => Promise<void> = () => Promise.resolve(),
): Promise<Passkey> {
  const { services, person, sessionId } = adding;
  const { name, response } = parseInput(addInput, given);
  await requireFresh(adding);
  const made = await verify(services, sessionId, response);
  const { credential, credentialBackedUp } = made;
  const stored = await inTransaction(services.pool, async (client) => {
    const added = await insertPasskey(client, person, {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: credential.publicKey,
      counter: credential.counter,
      transports: credential.transports ?? [],
      synced: credentialBackedUp,
      name,
    });
    if (added !== null) await noted(client, added);
    return added;
  });
  if (stored !== null) return stored;
  throw new DomainError('conflict', {
    message: `This passkey is there already, or you have ${mostPasskeys}.`,
  });
}

async function verify({ pool, config }: Services, sessionId: string, response: object) {
  const { rpID, origin } = relyingParty(config);
  const { verifyRegistrationResponse } = await loadWebAuthn();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      // The library checks the form.
      response: response as RegistrationResponseJSON,
      expectedChallenge: (challenge) => takeChallenge(pool, challenge, sessionId),
      expectedOrigin: origin,
      supportedAlgorithmIDs: [...signatureAlgorithms],
      expectedRPID: rpID,
      requireUserVerification: true,
    });
    if (verified) return registrationInfo;
  } catch (error) {
    throw refused(error);
  }
  throw refused();
}

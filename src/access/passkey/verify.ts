import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Config } from '../../process/config.ts';
import { loadWebAuthn, relyingParty } from './relying-party.ts';
import type { StoredPasskey } from './store.ts';

/** What a passkey says of itself when it signs. */
export interface PasskeyUse {
  readonly counter: number;
  readonly synced: boolean;
}

/**
 * Verifies that a passkey signed a challenge on one of our pages, unlocked by its owner. Null where it did not; throws
 * where the answer has another form, or a counter that does not grow.
 * @param response what the browser got from `navigator.credentials.get`; the library checks its form
 */
export async function verifyPasskey(
  config: Pick<Config, 'PUBLIC_URL'>,
  passkey: Pick<StoredPasskey, 'publicKey' | 'counter'>,
  response: AuthenticationResponseJSON,
  expectedChallenge: string | ((challenge: string) => Promise<boolean>),
): Promise<PasskeyUse | null> {
  const { rpID, origin } = relyingParty(config);
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: {
      id: String(response.id),
      publicKey: new Uint8Array(passkey.publicKey),
      counter: Number(passkey.counter),
    },
  });
  const { newCounter: counter, credentialBackedUp: synced } = authenticationInfo;
  return verified ? { counter, synced } : null;
}

/** Whether this browser makes passkeys and signs with them. */
export const knowsPasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && 'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** What a browser answers, to be passed on as it is. */
type CredentialAnswer = RegistrationResponseJSON | AuthenticationResponseJSON;

async function answerOf(asking: Promise<Credential | null>): Promise<CredentialAnswer | null> {
  try {
    const credential = await asking;
    return credential instanceof PublicKeyCredential ? credential.toJSON() : null;
  } catch (error) {
    // The reader closed the browser's dialog, waited for too long, or has the passkey already.
    if (error instanceof DOMException) return null;
    throw error;
  }
}

/**
 * Makes a passkey.
 * @param options PublicKeyCredentialCreationOptionsJSON, as the service gave it
 * @returns what the service asks for; null where the reader thought better of it
 */
export function makePasskey(options: unknown): Promise<CredentialAnswer | null> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  return answerOf(navigator.credentials.create({ publicKey }));
}

/** Signs with a passkey; else as `makePasskey`. */
export function signWithPasskey(options: unknown): Promise<CredentialAnswer | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  return answerOf(navigator.credentials.get({ publicKey }));
}

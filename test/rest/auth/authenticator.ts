import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();
const encoded = (data: string | Uint8Array): string => Buffer.from(data).toString('base64url');

/** What a browser and its device put into an answer; a test changes one part and leaves the others right. */
export interface Given {
  readonly challenge: string;
  readonly type?: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly counter?: number;
  /** Whether the device unlocked itself by its owner's finger, face or number. */
  readonly verified?: boolean;
  /** Whether somebody was there. */
  readonly present?: boolean;
}

/** The answer of a browser, as JSON. */
export interface Answered {
  readonly id: string;
  readonly response: Readonly<Record<string, unknown>>;
}

/** One passkey of a device in software (https://www.w3.org/TR/webauthn-3/, sections 6.1 and 6.5). */
export interface SoftwarePasskey {
  readonly id: string;
  /** Answers the options for making it. */
  create(given: Given): Answered;
  /** Answers the options for signing in. */
  get(given: Given): Answered;
}

const flag = { present: 0x01, verified: 0x04, attested: 0x40 };

/** The map of an ES256 key (RFC 9053, section 7.1.1). */
function coseKey(x: Buffer, y: Buffer): Buffer {
  const head = Buffer.from('a5010203262001215820', 'hex');
  return Buffer.concat([head, x, Buffer.from('225820', 'hex'), y]);
}

/** The map of an attestation that says nothing of the device. */
function attestation(authData: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(authData.length);
  const head = Buffer.concat([
    Buffer.from('a363', 'hex'),
    Buffer.from('fmt'),
    Buffer.from('64', 'hex'),
    Buffer.from('none'),
    Buffer.from('67', 'hex'),
    Buffer.from('attStmt'),
    Buffer.from('a068', 'hex'),
    Buffer.from('authData'),
    Buffer.from('59', 'hex'),
  ]);
  return Buffer.concat([head, length, authData]);
}

/** @param publicUrl where the service is, for which the passkey is made */
export function softwarePasskey(publicUrl: string): SoftwarePasskey {
  const { hostname, origin: ours } = new URL(publicUrl);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const key = coseKey(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url'));
  const credentialId = randomBytes(32);
  const id = encoded(credentialId);

  function clientData(type: string, { challenge, origin = ours, ...given }: Given): string {
    return JSON.stringify({ type: given.type ?? type, challenge, origin, crossOrigin: false });
  }

  function authData(given: Given, attested: Buffer): Buffer {
    const { rpId = hostname, counter = 0, verified = true, present = true } = given;
    const rest = Buffer.alloc(5);
    rest[0] =
      (present ? flag.present : 0) |
      (verified ? flag.verified : 0) |
      (attested.length > 0 ? flag.attested : 0);
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), rest, attested]);
  }

  const answered = (response: Record<string, unknown>) => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return {
    id,
    create(given) {
      const length = Buffer.from([0, credentialId.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, key]);
      return answered({
        clientDataJSON: encoded(clientData('webauthn.create', given)),
        attestationObject: encoded(attestation(authData(given, attested))),
        transports: ['internal'],
      });
    },
    get(given) {
      const text = clientData('webauthn.get', given);
      const data = authData(given, Buffer.alloc(0));
      const signed = sign('sha256', Buffer.concat([data, sha256(text)]), privateKey);
      return answered({
        clientDataJSON: encoded(text),
        authenticatorData: encoded(data),
        signature: encoded(signed),
      });
    },
  };
}

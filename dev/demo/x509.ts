import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
  type KeyObject,
} from 'node:crypto';
import { isIPv4 } from 'node:net';
import * as der from './der.ts';

const dayMs = 86_400_000;

const oids = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
} as const;

export interface Authority {
  readonly name: string;
  /** PEM, for those who are to trust it. */
  readonly certificate: string;
  readonly key: KeyObject;
}

/** A certificate and its key, both as PEM. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

interface Template {
  readonly subject: string;
  readonly issuer: string;
  readonly until: Date;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

const name = (commonName: string): Buffer =>
  der.sequence(der.der(0x31, der.sequence(der.oid(oids.commonName), der.utf8String(commonName))));

const extension = (id: string, critical: boolean, value: Buffer): Buffer =>
  der.sequence(der.oid(id), ...(critical ? [der.boolean(true)] : []), der.octetString(value));

/** A GeneralName (RFC 5280, section 4.2.1.6): an IPv4 address or a DNS name. */
const hostName = (host: string): Buffer =>
  isIPv4(host)
    ? der.implicit(7, Uint8Array.from(host.split('.').map(Number)))
    : der.implicit(2, Buffer.from(host));

const publicKeyInfo = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });

/** RFC 7093, section 2, method 4: a digest of the public key, cut to 160 bits. */
const keyId = (key: KeyObject): Buffer =>
  createHash('sha256').update(publicKeyInfo(key)).digest().subarray(0, 20);

/** A certificate (RFC 5280, section 4.1), signed with ECDSA and SHA-256, as PEM. */
function issue(template: Template, issuerKey: KeyObject): string {
  const algorithm = der.sequence(der.oid(oids.ecdsaWithSha256));
  const body = der.sequence(
    der.context(0, der.integer(Uint8Array.of(2))),
    der.integer(randomBytes(16)),
    algorithm,
    name(template.issuer),
    // A day back, so that clocks that differ a little do not refuse a new certificate.
    der.sequence(der.time(new Date(Date.now() - dayMs)), der.time(template.until)),
    name(template.subject),
    publicKeyInfo(template.publicKey),
    der.context(3, der.sequence(...template.extensions)),
  );
  const signature = sign('sha256', body, issuerKey);
  const bytes = der.sequence(body, algorithm, der.bitString(signature));
  return new X509Certificate(bytes).toString();
}

/**
 * A new certificate authority. With `only` it can speak for that host and its subdomains alone
 * (RFC 5280, section 4.2.1.10), for those who must trust it beyond a test.
 */
export function createAuthority(
  authorityName: string,
  until: Date,
  { only }: { readonly only?: string } = {},
): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const confined =
    only === undefined
      ? []
      : [
          extension(
            oids.nameConstraints,
            true,
            der.sequence(der.context(0, der.sequence(hostName(only)))),
          ),
        ];
  const certificate = issue(
    {
      subject: authorityName,
      issuer: authorityName,
      until,
      publicKey,
      extensions: [
        extension(
          oids.basicConstraints,
          true,
          der.sequence(der.boolean(true), der.integer(Uint8Array.of(0))),
        ),
        // keyCertSign is bit 5 of the bit string, the first bit being 0.
        extension(oids.keyUsage, true, der.bitString(Uint8Array.of(0b0000_0100), 2)),
        ...confined,
        extension(oids.subjectKeyIdentifier, false, der.octetString(keyId(publicKey))),
      ],
    },
    privateKey,
  );
  return { name: authorityName, certificate, key: privateKey };
}

/** A server certificate of `authority` for host names and IPv4 addresses. */
export function issueFor(
  authority: Authority,
  hosts: readonly string[],
  until: Date,
): ServerCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const authorityKeyId = keyId(createPublicKey(authority.key));
  const cert = issue(
    {
      subject: hosts.join(' '),
      issuer: authority.name,
      until,
      publicKey,
      extensions: [
        extension(oids.basicConstraints, true, der.sequence()),
        // digitalSignature is bit 0.
        extension(oids.keyUsage, true, der.bitString(Uint8Array.of(0b1000_0000), 7)),
        extension(oids.extendedKeyUsage, false, der.sequence(der.oid(oids.serverAuth))),
        extension(oids.subjectAltName, false, der.sequence(...hosts.map(hostName))),
        // Tells authorities of one name apart.
        extension(
          oids.authorityKeyIdentifier,
          false,
          der.sequence(der.implicit(0, authorityKeyId)),
        ),
      ],
    },
    authority.key,
  );
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

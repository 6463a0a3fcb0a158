import 'reflect-metadata'; // The library below needs it before its own first line.
import { createPublicKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints as nameConstraintsOid,
  NameConstraints,
} from '@peculiar/asn1-x509';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const dayMs = 86_400_000;
const curve = { name: 'ECDSA', namedCurve: 'P-256' };
const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' };

/** A certificate and its key, both as PEM. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  readonly name: string;
  /** PEM, for those who are to trust it. */
  readonly certificate: string;
  readonly key: KeyObject;
}

interface Template {
  readonly subject: string;
  readonly issuer: string;
  readonly until: Date;
  readonly publicKey: KeyObject;
  readonly signingKey: KeyObject;
  readonly extensions: Extension[];
}

const generateKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicBytes = (key: KeyObject) => key.export({ type: 'spki', format: 'der' });

/** Node's types know more uses of a key than those of the library, which is the only difference. */
const forSigning = (key: KeyObject) => key.toCryptoKey(curve, false, ['sign']) as CryptoKey;

async function issue(template: Template): Promise<string> {
  const certificate = await X509CertificateGenerator.create({
    // A serial number is positive, so its first bit is 0.
    serialNumber: `01${randomBytes(15).toString('hex')}`,
    subject: [{ CN: [template.subject] }],
    issuer: [{ CN: [template.issuer] }],
    // A day back, so that clocks that differ a little do not refuse a new certificate.
    notBefore: new Date(Date.now() - dayMs),
    notAfter: template.until,
    publicKey: publicBytes(template.publicKey),
    signingKey: forSigning(template.signingKey),
    signingAlgorithm,
    extensions: template.extensions,
  });
  return `${certificate.toString('pem')}\n`;
}

/** Lets an authority speak for `host` and its subdomains alone (RFC 5280, section 4.2.1.10). */
function confinedTo(host: string): Extension {
  const subtree = new GeneralSubtree({ base: new GeneralName({ dNSName: host }) });
  const constraints = new NameConstraints({ permittedSubtrees: new GeneralSubtrees([subtree]) });
  return new Extension(nameConstraintsOid, true, AsnConvert.serialize(constraints));
}

/**
 * A new certificate authority. With `only` it can speak for that host and its subdomains alone, for
 * those who must trust it beyond a test.
 */
export async function createAuthority(
  name: string,
  until: Date,
  { only }: { readonly only?: string } = {},
): Promise<Authority> {
  const { publicKey, privateKey } = generateKeys();
  const certificate = await issue({
    subject: name,
    issuer: name,
    until,
    publicKey,
    signingKey: privateKey,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      ...(only === undefined ? [] : [confinedTo(only)]),
      await SubjectKeyIdentifierExtension.create(publicBytes(publicKey)),
    ],
  });
  return { name, certificate, key: privateKey };
}

/** A server certificate of `authority` for host names and IPv4 addresses. */
export async function issueFor(
  authority: Authority,
  hosts: readonly string[],
  until: Date,
): Promise<ServerCertificate> {
  const { publicKey, privateKey } = generateKeys();
  const cert = await issue({
    subject: hosts.join(' '),
    issuer: authority.name,
    until,
    publicKey,
    signingKey: authority.key,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(
        hosts.map((value) => ({ type: isIPv4(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
      // Tells authorities of one name apart.
      await AuthorityKeyIdentifierExtension.create(publicBytes(createPublicKey(authority.key))),
    ],
  });
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

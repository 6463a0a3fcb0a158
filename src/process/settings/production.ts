import { isIPv4 } from 'node:net';
import { readKeys } from '../../crypto/keyring.ts';
import { classifyAddress } from '../../net/address.ts';
import { weaknessOfKey, weaknessOfSecret } from './secret-strength.ts';

/** What production refuses to start with. Each check answers with sentences that name the setting. */

type Values = Readonly<Record<string, unknown>>;

/** What a provider's adapter says of its settings. */
type Marks = Readonly<
  Record<string, { readonly description: string; readonly secret?: true; readonly url?: true }>
>;

/** The names of the settings that have a mark. */
const marked = (marks: Marks, mark: 'secret' | 'url'): string[] =>
  Object.keys(marks).filter((name) => marks[name]?.[mark] === true);

/**
 * Why these settings may not serve in production.
 * @param publicValues the development defaults of all secrets, which anybody can read
 * @param adapters the settings of the providers' adapters, which say what is a secret and a URL
 */
export function productionProblems(
  values: Values,
  publicValues: readonly string[],
  adapters: Marks,
): string[] {
  // The keyring is a secret too; it is judged key by key.
  const secrets = [...sandboxSecrets, ...marked(adapters, 'secret')];
  return [
    ...keyringProblems(values, publicValues),
    ...secrets.flatMap((name) => secretProblems(values, name, publicValues)),
    ...sandboxProblems(values, adapters),
    ...plainTextProblems(values, marked(adapters, 'url')),
    ...mailProblems(values),
    ...databaseUrls.flatMap((name) => databaseProblems(values, name)),
    ...developmentProblems(values),
  ];
}

function keyringProblems(values: Values, publicValues: readonly string[]): string[] {
  const ring = values['ENCRYPTION_KEYS'];
  return typeof ring === 'string' ? weakKeys(ring, publicValues) : [];
}

/**
 * What is wrong with the keys of a ring, in the format of ENCRYPTION_KEYS.
 * @param publicValues the development defaults of all secrets, which anybody can read
 */
export function weakKeys(ring: string, publicValues: readonly string[]): string[] {
  const known = publicKeys(publicValues);
  try {
    return [...readKeys(ring).values()].flatMap((key, index) => {
      // The bytes are compared and not the ids: a public key under another id is still public.
      const weakness = known.some((other) => other.equals(key))
        ? 'is the development default, which is public'
        : weaknessOfKey(key);
      return weakness === null
        ? []
        : [`ENCRYPTION_KEYS: key ${index + 1} of the ring ${weakness}; openssl rand -base64 32`];
    });
  } catch (error) {
    return [error instanceof Error ? error.message : 'ENCRYPTION_KEYS: malformed'];
  }
}

/** The keys of the public values that are keyrings. */
function publicKeys(publicValues: readonly string[]): Buffer[] {
  return publicValues.flatMap((value) => {
    try {
      return [...readKeys(value).values()];
    } catch {
      return [];
    }
  });
}

function secretProblems(values: Values, name: string, publicValues: readonly string[]): string[] {
  const secret = values[name];
  if (typeof secret !== 'string') return [];
  // Each key of a public keyring is public, also without its id.
  const known = publicValues.flatMap((value) => [value, ...value.split(':')]);
  const weakness = weaknessOfSecret(secret, known);
  return weakness === null ? [] : [`${name}: ${weakness}; openssl rand -hex 24`];
}

const sandboxSecrets = ['SIMULATOR_API_KEY', 'SIMULATOR_WEBHOOK_SECRET'];

/** The host and port of a URL; null for anything else. */
function hostOf(value: unknown): string | null {
  return typeof value === 'string' && URL.canParse(value) ? new URL(value).host : null;
}

/**
 * The simulator answers for payments that nobody makes, so it is not the provider of production. Whoever
 * has a secret of the sandbox can sign its events, so production has other ones.
 */
function sandboxProblems(values: Values, adapters: Marks): string[] {
  const taken = sandboxSecrets.map((name) => values[name]);
  const simulator = hostOf(values['SIMULATOR_URL']);
  return [
    ...marked(adapters, 'secret')
      .filter((name) => typeof values[name] === 'string' && taken.includes(values[name]))
      .map((name) => `${name}: is a secret of the sandbox too; openssl rand -hex 24`),
    ...marked(adapters, 'url')
      .filter((name) => simulator !== null && hostOf(values[name]) === simulator)
      .map((name) => `${name}: is the simulator of the sandbox, which pays nobody`),
  ];
}

/** Whether a host is this machine: by its name or its address, written out. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));
}

/** A host name without a dot resolves only in a private network, such as that of docker compose. */
const isPrivateName = (host: string): boolean => /^[a-z0-9_-]+$/i.test(host);

/**
 * Over plain HTTP, anybody on the network path can read payees' details and credentials and can answer
 * in the provider's name. Links in e-mails carry the token that opens a collection form.
 */
function plainTextProblems(values: Values, providerUrls: readonly string[]): string[] {
  const urls = [
    ...[...providerUrls, 'PUBLIC_URL', 'OIDC_ISSUER'].map((name) => ({
      name,
      tolerated: isLoopback,
    })),
    // The sandbox moves no money, and compose runs it in a network of its own.
    {
      name: 'SIMULATOR_URL',
      tolerated: (host: string) => isLoopback(host) || isPrivateName(host),
    },
  ];
  return urls.flatMap(({ name, tolerated }) => {
    const value = values[name];
    if (typeof value !== 'string') return [];
    const { protocol, hostname } = new URL(value);
    return protocol === 'https:' || tolerated(hostname)
      ? []
      : [`${name}: must begin with https:// unless it names this machine`];
  });
}

/** A mail server that is not asked for STARTTLS may get the one-time links of a mail in clear. */
function mailProblems({ SMTP_URL: url }: Values): string[] {
  if (typeof url !== 'string' || !URL.canParse(url)) return [];
  const { protocol, hostname, searchParams } = new URL(url);
  const encrypted = protocol === 'smtps:' || searchParams.get('requireTLS') === 'true';
  return encrypted || isLoopback(hostname) || isPrivateName(hostname)
    ? []
    : ['SMTP_URL: must be smtps:// or end with ?requireTLS=true unless it names this machine'];
}

const databaseUrls = ['DATABASE_URL', 'MIGRATION_DATABASE_URL'];

/** Values of sslmode with which the driver never sends anything in clear. */
const encryptedModes = ['require', 'verify-ca', 'verify-full', 'no-verify'];

/** Without TLS, whoever is on the path to PostgreSQL reads its password and every row. */
function databaseProblems(values: Values, name: string): string[] {
  const url = values[name];
  if (typeof url !== 'string' || !URL.canParse(url)) return [];
  const { hostname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname.replaceAll(/^\[|\]$/g, '');
  const socket = host === '' || host.startsWith('/');
  const near =
    socket || isPrivateName(host) || ['loopback', 'private'].includes(classifyAddress(host));
  return near || encryptedModes.includes(searchParams.get('sslmode') ?? '')
    ? []
    : [`${name}: add ?sslmode=verify-full, since the host is not in a private network`];
}

function developmentProblems(values: Values): string[] {
  const problems: string[] = [];
  const hosts = values['WEBHOOK_ALLOWED_HOSTS'];
  if (Array.isArray(hosts) && hosts.length > 0) {
    problems.push('WEBHOOK_ALLOWED_HOSTS: refused in production');
  }
  if (values['CRASH_POINT'] !== null) problems.push('CRASH_POINT: refused in production');
  return problems;
}

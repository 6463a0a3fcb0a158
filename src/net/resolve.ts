import { lookup as getaddrinfo, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { classifyAddress, type AddressClass } from './address.ts';

/** All addresses of a host name, as IP literals. Rejects when the name has none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** The host is, or resolves to, an address that no webhook may be sent to. */
export class RefusedTargetError extends Error {
  override readonly name = 'RefusedTargetError';
  readonly code = 'refused_target';
}

/** The name could not be resolved; `cause` has the resolver's own error. */
export class LookupError extends Error {
  override readonly name = 'LookupError';
  readonly code = 'dns';
}

/**
 * Asks the name servers of resolv.conf itself instead of calling getaddrinfo. Each call of
 * getaddrinfo holds one of four threads until the name server answers or times out, so one business's
 * dead domain would delay the deliveries of all others. The system's hosts file and search domains
 * are not used for public names.
 * @param options `servers` replaces those of resolv.conf (`address` or `address:port`)
 */
export function createPublicLookup(
  options: { readonly servers?: readonly string[]; readonly timeoutMs?: number } = {},
): Lookup {
  return async (hostname) => {
    // One for each name: it reads resolv.conf when made, and networks change under a running worker.
    const resolver = new Resolver({ timeout: options.timeoutMs ?? 2_000, tries: 2 });
    if (options.servers !== undefined) resolver.setServers(options.servers);
    const answers = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    );
    const failure = answers.find((answer) => answer.status === 'rejected');
    if (addresses.length === 0 && failure !== undefined) throw failure.reason;
    return addresses;
  };
}

const publicLookup = createPublicLookup();

/** As other programs of this machine resolve it, hosts file included: `localhost`, names of containers. */
async function localLookup(hostname: string): Promise<readonly string[]> {
  const answers = await getaddrinfo(hostname, { all: true });
  return answers.map(({ address }) => address);
}

/** A URL's host as it is resolved and compared: lower case, no brackets, no trailing dot. */
export function bareHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

/** Whether local development may reach this host although it is not public (WEBHOOK_ALLOWED_HOSTS). */
export function isAllowedHost(host: string, allowedHosts: readonly string[]): boolean {
  return allowedHosts.some((allowed) => bareHost(allowed) === bareHost(host));
}

export interface ResolveOptions {
  readonly allowedHosts: readonly string[];
  readonly lookup?: Lookup | undefined;
  readonly timeoutMs: number;
}

/**
 * The addresses that a connection to `host` may use. One address that is not public refuses them all:
 * no honest endpoint has both, and which one a client would take is chance.
 * @param host a URL's `hostname`
 * @throws RefusedTargetError when any address is not public and the host is not allowed by name
 * @throws LookupError when the name does not resolve within `timeoutMs`
 */
export async function checkedAddresses(
  host: string,
  options: ResolveOptions,
): Promise<readonly string[]> {
  const hostname = bareHost(host);
  const allowed = isAllowedHost(hostname, options.allowedHosts);
  const lookup = options.lookup ?? (allowed ? localLookup : publicLookup);
  const addresses =
    isIP(hostname) === 0 ? await lookUp(hostname, lookup, options.timeoutMs) : [hostname];
  for (const address of addresses) {
    const kind = classifyAddress(address);
    if (isRefused(kind, allowed)) {
      throw new RefusedTargetError(`${hostname} has an address that is not public (${kind}).`);
    }
  }
  return addresses;
}

function isRefused(kind: AddressClass, allowed: boolean): boolean {
  return kind === 'invalid' || (kind !== 'public' && !allowed);
}

async function lookUp(
  hostname: string,
  lookup: Lookup,
  timeoutMs: number,
): Promise<readonly string[]> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new LookupError(`${hostname} was not resolved within ${timeoutMs} ms.`));
  }, timeoutMs);
  try {
    const addresses = await Promise.race([lookup(hostname), late.promise]);
    if (addresses.length > 0) return addresses;
  } catch (error) {
    if (error instanceof LookupError) throw error;
    throw new LookupError(`${hostname} could not be resolved${codeOf(error)}.`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
  throw new LookupError(`${hostname} has no address.`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
}

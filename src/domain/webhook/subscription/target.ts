import { isIP } from 'node:net';
import { classifyAddress } from '../../../net/address.ts';
import {
  bareHost,
  checkedAddresses,
  isAllowedHost,
  RefusedTargetError,
  type Lookup,
} from '../../../net/resolve.ts';

/** Detail codes of `validation_failed` for the field `url` of a webhook subscription. */
export type TargetProblem =
  | 'invalid_format'
  | 'too_long'
  | 'https_required'
  | 'credentials_not_allowed'
  | 'fragment_not_allowed'
  | 'target_not_public';

/** The message that goes with each code. */
export const targetProblemMessages: Readonly<Record<TargetProblem, string>> = {
  invalid_format: 'Must be an absolute URL.',
  too_long: 'Must be at most 2048 characters.',
  https_required: 'Must be an https URL.',
  credentials_not_allowed: 'Must not contain a user name or password.',
  fragment_not_allowed: 'Must not contain a fragment, which is never sent.',
  target_not_public: 'Must name a host on the public internet.',
};

const maximumLength = 2_048;

/**
 * Names that mean a machine or a network of its own and never resolve publicly (RFC 6761, RFC 6762,
 * RFC 8375, ICANN's `.internal`). `metadata.google.internal` is among the last.
 */
const localNames = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/;

interface TargetOptions {
  /** WEBHOOK_ALLOWED_HOSTS: hosts that need not be public. */
  readonly allowedHosts: readonly string[];
}

/**
 * Why a URL cannot be a webhook's target, or null. It looks at the URL alone; `resolvedTargetProblem`
 * also resolves the name.
 */
export function webhookTargetProblem(url: string, options: TargetOptions): TargetProblem | null {
  if (url.length > maximumLength) return 'too_long';
  // `URL` drops white space and control characters inside and around what it parses.
  const parsed = /[\s\\\p{Cc}]/u.test(url) ? null : URL.parse(url);
  if (parsed === null) return 'invalid_format';
  if (parsed.protocol !== 'https:') return 'https_required';
  // `https:host` and `https:///host` parse too, but other parsers find no host in them.
  if (!/^https:\/\/[^/]/i.test(url)) return 'invalid_format';
  if (parsed.username !== '' || parsed.password !== '') return 'credentials_not_allowed';
  if (url.includes('#')) return 'fragment_not_allowed';
  if (isAllowedHost(parsed.hostname, options.allowedHosts)) return null;
  return isPublicHost(bareHost(parsed.hostname)) ? null : 'target_not_public';
}

/** `URL` has turned decimal, octal, hexadecimal and shortened IPv4 notations into the usual one. */
function isPublicHost(host: string): boolean {
  if (isIP(host) !== 0) return classifyAddress(host) === 'public';
  return host.includes('.') && !localNames.test(host);
}

/** Registering must not wait for a dead name server. */
const lookupTimeoutMs = 3_000;

/**
 * As `webhookTargetProblem`, and `target_not_public` when the name resolves to any address that is
 * not public. A name that does not resolve is no problem yet: an endpoint may be registered before
 * its DNS record exists, and every connection resolves and checks it again.
 */
export async function resolvedTargetProblem(
  url: string,
  options: TargetOptions & { readonly lookup?: Lookup },
): Promise<TargetProblem | null> {
  const problem = webhookTargetProblem(url, options);
  if (problem !== null) return problem;
  try {
    await checkedAddresses(new URL(url).hostname, {
      allowedHosts: options.allowedHosts,
      lookup: options.lookup,
      timeoutMs: lookupTimeoutMs,
    });
    return null;
  } catch (error) {
    return error instanceof RefusedTargetError ? 'target_not_public' : null;
  }
}

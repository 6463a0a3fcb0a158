import { isIP, type LookupFunction, type Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { bareHost, checkedAddresses, RefusedTargetError, type Lookup } from './resolve.ts';
import { createTrust } from './trust.ts';

export interface GuardedAgentOptions {
  /** Host names that may be reached although they are not public; empty in production. */
  readonly allowedHosts: readonly string[];
  /** Path of a PEM file with further certificate authorities; it need not exist yet. */
  readonly extraCaFile: () => string | null;
  /** Told when that file holds no usable certificate. */
  readonly onCaFileProblem?: (error: Error) => void;
  /** How long the name's resolution may take, and then the connection with its TLS handshake. */
  readonly connectTimeoutMs: number;
  readonly lookup?: Lookup;
}

/** The endpoint answered, but its certificate or protocol was not accepted; `cause` says why. */
export class TlsError extends Error {
  override readonly name = 'TlsError';
  readonly code = 'tls';
}

/** Time for one address before the next is tried; Node's 250 ms are short for another continent. */
const addressAttemptMs = 1_000;

/**
 * An agent that connects to public addresses alone, over verified TLS. The name is
 * resolved and checked at the moment of connecting, and the connection uses the very addresses that
 * were checked: a second resolution could answer differently (DNS rebinding). Connections are kept
 * alive for each origin. Redirects are not followed.
 *
 * A request rejects with RefusedTargetError, LookupError or TlsError where one of these was the
 * reason, otherwise with what undici or the system says.
 */
export function createGuardedAgent(options: GuardedAgentOptions): Agent {
  const trust = createTrust(options.extraCaFile, options.onCaFileProblem);

  async function open(request: buildConnector.Options): Promise<Socket> {
    // Checked for every connection: Node calls no `lookup` for an IP literal.
    if (request.protocol !== 'https:') {
      throw new RefusedTargetError('Only https is spoken.');
    }
    const hostname = bareHost(request.hostname);
    const addresses = await checkedAddresses(hostname, {
      allowedHosts: options.allowedHosts,
      lookup: options.lookup,
      timeoutMs: options.connectTimeoutMs,
    });
    const connector = buildConnector({
      secureContext: await trust(),
      // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED would change the default.
      rejectUnauthorized: true,
      timeout: options.connectTimeoutMs,
      lookup: pinned(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: addressAttemptMs,
      allowH2: false,
      // A resumed session skips the check of the certificate's name.
      maxCachedSessions: 0,
    });
    return connect(connector, {
      ...request,
      hostname,
      // undici would take it from a Host header; an IP literal is none (RFC 6066, section 3).
      servername: isIP(hostname) === 0 ? hostname : '',
    });
  }

  return new Agent({
    allowH2: false,
    connect: (request, callback) => {
      open(request).then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(asError(error), null),
      );
    },
  });
}

/** A `lookup` for Node that answers with addresses that are known already. */
function pinned(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, { all }, callback) => {
    const [first] = answers;
    if (all === true) callback(null, answers);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function connect(
  connector: buildConnector.connector,
  request: buildConnector.Options,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  connector(request, (error, socket) => {
    if (error === null) resolve(socket);
    else reject(isNetworkFault(error) ? error : new TlsError(error.message, { cause: error }));
  });
  return promise;
}

/** Whether the system or undici's timer ended the attempt; what OpenSSL and Node object to is TLS. */
function isNetworkFault(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return code !== 'EPROTO' && /^(?:E[A-Z]+|UND_ERR_\w+)$/.test(code);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('The connection failed.', { cause: error });
}

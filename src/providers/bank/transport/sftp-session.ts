import { createHash, timingSafeEqual } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Client, type ConnectConfig, type SFTPWrapper } from 'ssh2';
import type { SftpSettings, TransportCredentials } from '../../bank-connection.ts';
import { ProviderError } from '../../port.ts';

/** How long a connection may take, and how long the server may be silent within one step. */
export interface SftpLimits {
  readonly connectMs: number;
  readonly stepMs: number;
}

/** The codes of SFTP that the service tells apart (draft-ietf-secsh-filexfer-02, section 7). */
export const sftpStatus = { noSuchFile: 2, permissionDenied: 3 } as const;

export const hasStatus = (error: unknown, ...codes: readonly number[]): boolean =>
  codes.includes((error as { code?: number }).code ?? -1);

/** The fingerprint of a server's key as OpenSSH prints it, `SHA256:…`. */
export function fingerprintOf(key: Buffer): string {
  const hash = createHash('sha256').update(key).digest('base64').replace(/=+$/, '');
  return `SHA256:${hash}`;
}

function isPinned(key: Buffer, pinned: string): boolean {
  const offered = Buffer.from(fingerprintOf(key));
  const expected = Buffer.from(pinned);
  return offered.length === expected.length && timingSafeEqual(offered, expected);
}

/** Without what is not given, since ssh2 takes an absent password and not an undefined one. */
const given = (credentials: TransportCredentials): ConnectConfig =>
  Object.fromEntries(Object.entries(credentials).filter(([, value]) => value !== undefined));

/** A callback of ssh2 that takes a result. */
type Done<T> = (error: Error | null | undefined, result: T) => void;

/** One connection to an SFTP server. It ends by itself when a step fails without an answer of the server. */
export interface SftpSession {
  /** Runs one request. Rejects with the server's status, or with an error of a connection that has ended. */
  ask<T>(request: (sftp: SFTPWrapper, done: Done<T>) => void): Promise<T>;
  /** A file as a stream that fails when the server is silent for too long. */
  stream(path: string): Readable;
  end(): void;
}

/**
 * Connects and logs in. The server's key must have the pinned fingerprint: no other server gets the password.
 * @throws ProviderError `retry`, since nothing was asked of the server yet
 */
export async function openSession(
  settings: SftpSettings,
  credentials: TransportCredentials,
  limits: SftpLimits,
): Promise<SftpSession> {
  const client = new Client();
  const { promise, resolve, reject } = Promise.withResolvers<SFTPWrapper>();
  let known = true;
  client.on('ready', () => {
    // Each request waits for its answer, so a small packet must not wait for more to send.
    client.setNoDelay(true);
    client.sftp((error, sftp) => (error === undefined ? resolve(sftp) : reject(error)));
  });
  client.on('error', reject);
  client.on('close', () => reject(new Error('the connection was closed')));
  // A server that speaks SSH and then is silent is left after a while.
  const timer = setTimeout(() => reject(new Error('time-out')), limits.connectMs);
  try {
    client.connect({
      host: settings.host,
      port: settings.port,
      username: settings.username,
      ...given(credentials),
      readyTimeout: limits.connectMs,
      hostVerifier: (key: Buffer) => {
        known = isPinned(key, settings.hostKey);
        return known;
      },
    });
    return sessionOf(client, await promise, limits);
  } catch (error) {
    client.destroy();
    throw new ProviderError('retry', 'other', known ? whyNot(error) : otherKey);
  } finally {
    clearTimeout(timer);
  }
}

const otherKey =
  "The bank's SFTP server has another key than the pinned one. Nothing was sent to it.";

/** Why there is no connection, without the library's text: that may name hosts and logins. */
function whyNot(error: unknown): string {
  const { level, message } = error as { readonly level?: unknown; readonly message?: unknown };
  if (level === 'client-authentication') {
    return "The bank's SFTP server refused the login: the user name, the password or the private key is not right.";
  }
  return typeof message === 'string' && /privateKey/i.test(message)
    ? 'The private key cannot be read: it is no OpenSSH or PEM key, or its passphrase is not right.'
    : "The bank's SFTP server was not reached: host, port and firewall.";
}

function sessionOf(client: Client, sftp: SFTPWrapper, limits: SftpLimits): SftpSession {
  const end = (): void => {
    client.end();
    client.destroy();
  };
  // An error that no request waits for ends the connection, and with it every request.
  client.on('error', end);
  sftp.on('error', end);
  return {
    end,
    async ask<T>(request: (sftp: SFTPWrapper, done: Done<T>) => void): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      // Throws at once for what the server does not offer.
      request(sftp, (error, result) => (error ? reject(error) : resolve(result)));
      const timer = setTimeout(() => reject(new Error('time-out')), limits.stepMs);
      const closed = (): void => reject(new Error('the connection was closed'));
      client.once('close', closed);
      try {
        return await promise;
      } catch (error) {
        if (typeof (error as { code?: unknown }).code !== 'number') end();
        throw error;
      } finally {
        clearTimeout(timer);
        client.off('close', closed);
      }
    },
    stream(path) {
      const file = sftp.createReadStream(path);
      // ssh2 also emits an error when the connection ends before the server has answered to the close.
      file.on('error', () => undefined);
      const silent = (): void => {
        file.destroy(new Error('time-out'));
        end();
      };
      let timer = setTimeout(silent, limits.stepMs);
      const closed = (): void => void file.destroy(new Error('the connection was closed'));
      client.once('close', closed);
      file.on('data', () => {
        clearTimeout(timer);
        timer = setTimeout(silent, limits.stepMs);
      });
      file.pause();
      file.once('close', () => {
        clearTimeout(timer);
        client.off('close', closed);
      });
      return file;
    },
  };
}

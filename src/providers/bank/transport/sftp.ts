import { createHash } from 'node:crypto';
import type { FileEntryWithStats, Stats } from 'ssh2';
import type { SftpSettings, TransportCredentials } from '../../bank-connection.ts';
import { step, transportError } from './failure.ts';
import { incomingPathOf, isFileName, isUnfinished, pathOf } from './names.ts';
import type { BankTransport, IncomingFile, OutgoingFile } from './port.ts';
import {
  hasStatus,
  openSession,
  sftpStatus,
  type SftpLimits,
  type SftpSession,
} from './sftp-session.ts';

/** A bank across an ocean answers within seconds; a file of some megabytes is many steps. */
const usualLimits: SftpLimits = { connectMs: 15_000, stepMs: 20_000 };

/** Bytes of one write: what every server takes (draft-ietf-secsh-filexfer-02, section 3). */
const writeBytes = 32_768;

const list = (session: SftpSession, folder: string): Promise<FileEntryWithStats[]> =>
  session.ask<FileEntryWithStats[]>((sftp, done) => sftp.readdir(folder, done));

const rename = (session: SftpSession, from: string, to: string): Promise<void> =>
  session.ask<void>((sftp, done) => sftp.rename(from, to, done));

async function write(session: SftpSession, path: string, bytes: Uint8Array): Promise<void> {
  const content = Buffer.from(bytes);
  const handle = await session.ask<Buffer>((sftp, done) => sftp.open(path, 'w', done));
  for (let at = 0; at < content.length; at += writeBytes) {
    const length = Math.min(writeBytes, content.length - at);
    await session.ask<void>((sftp, done) => sftp.write(handle, content, at, length, at, done));
  }
  // Servers of OpenSSH bring it to the disk; for others the answer to the close has to do.
  await session
    .ask<unknown>((sftp, done) => sftp.ext_openssh_fsync(handle, done))
    .catch((error: unknown) => {
      if (!isUnsupported(error)) throw error;
    });
  await session.ask<void>((sftp, done) => sftp.close(handle, done));
  const { size } = await session.ask<Stats>((sftp, done) => sftp.stat(path, done));
  if (size !== content.length) throw new Error('the file has another size at the bank');
}

/** ssh2 refuses an extension that the server does not offer, before it asks. */
const isUnsupported = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('does not support');

async function hashOf(session: SftpSession, path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of session.stream(path)) hash.update(chunk as Buffer);
  } catch (error) {
    if (hasStatus(error, sftpStatus.permissionDenied)) return null;
    throw error;
  }
  return hash.digest('hex');
}

interface Way {
  readonly settings: SftpSettings;
  readonly credentials: TransportCredentials;
  readonly limits: SftpLimits;
}

/** A connection that is made when it is needed, and again after it broke. */
function lineTo({ settings, credentials, limits }: Way) {
  let open: SftpSession | null = null;
  /** The names in the outgoing folder when this connection began. */
  let seen: ReadonlySet<string> = new Set();

  async function connected(): Promise<SftpSession> {
    open ??= await openSession(settings, credentials, limits);
    return open;
  }

  /** Runs a step; a connection that broke in it is given up, so the next step begins with a new one. */
  async function on<T>(
    doing: string,
    verdict: 'retry' | 'unknown',
    work: (session: SftpSession) => Promise<T>,
  ): Promise<T> {
    const isNew = open === null;
    const session = await connected();
    try {
      if (isNew)
        seen = new Set((await list(session, settings.outFolder)).map(({ filename }) => filename));
    } catch (error) {
      lose(error);
      throw transportError(error, 'listing the outgoing files', 'retry');
    }
    return step(doing, verdict, async () => {
      try {
        return await work(session);
      } catch (error) {
        lose(error);
        throw error;
      }
    });
  }

  function lose(error: unknown): void {
    if (typeof (error as { code?: unknown }).code === 'number') return; // the server's own answer
    open?.end();
    open = null;
  }

  function end(): void {
    open?.end();
    open = null;
  }

  return { on, lose, end, session: connected, seen: () => seen };
}

/**
 * Folders on an SFTP server, whose key is pinned. A connection is made when it is needed and again after it
 * broke. The outgoing folder is listed before anything is written or renamed on a new connection, so what an
 * earlier connection left is known first.
 */
export function sftpTransport(
  settings: SftpSettings,
  credentials: TransportCredentials,
  limits: SftpLimits = usualLimits,
): BankTransport {
  const { outFolder: out, inFolder: incoming } = settings;
  const archive = `${incoming}/archive`;
  const line = lineTo({ settings, credentials, limits });
  const { on } = line;

  return {
    stage: (temporary, bytes) => {
      const path = pathOf(out, temporary);
      return on('writing the file', 'retry', (session) => write(session, path, bytes));
    },

    publish: (temporary, name) => {
      const from = pathOf(out, temporary);
      const to = pathOf(out, name);
      return on('renaming the file', 'unknown', async (session) => {
        // Some servers replace a file of that name, though the protocol forbids it.
        if (line.seen().has(name)) return;
        await rename(session, from, to);
      });
    },

    async find(name) {
      if (!isFileName(name)) throw new TypeError('not the name of a file for a bank');
      return on('looking for the file', 'retry', async (session): Promise<OutgoingFile | null> => {
        const names = (await list(session, out)).map(({ filename }) => filename);
        if (!names.includes(name)) return null;
        try {
          return { sha256: await hashOf(session, pathOf(out, name)) };
        } catch (error) {
          if (hasStatus(error, sftpStatus.noSuchFile)) return null; // the bank took it at this moment
          throw error;
        }
      });
    },

    discard: (temporary) => {
      const path = pathOf(out, temporary);
      return on('removing an unfinished file', 'retry', async (session) => {
        try {
          await session.ask<void>((sftp, done) => sftp.unlink(path, done));
        } catch (error) {
          if (!hasStatus(error, sftpStatus.noSuchFile)) throw error;
        }
      });
    },

    list: () =>
      on('listing the incoming files', 'retry', async (session) => {
        const files = (await list(session, incoming)).filter(
          ({ filename, attrs }) => attrs.isFile() && !isUnfinished(filename),
        );
        return files.map(({ filename, attrs }): IncomingFile => ({
          name: filename,
          size: attrs.size,
        }));
      }),

    async *read(name) {
      const path = incomingPathOf(incoming, name);
      const session = await line.session();
      try {
        for await (const chunk of session.stream(path)) yield chunk as Buffer;
      } catch (error) {
        line.lose(error);
        throw transportError(error, 'reading an incoming file', 'retry');
      }
    },

    async sizeOf(name) {
      const path = incomingPathOf(incoming, name);
      return on('looking at an incoming file', 'retry', async (session) => {
        try {
          return (await session.ask<Stats>((sftp, done) => sftp.stat(path, done))).size;
        } catch (error) {
          // Some servers list sizes and answer nothing about a single file.
          if (typeof (error as { code?: unknown }).code === 'number') return null;
          throw error;
        }
      });
    },

    async archive(name) {
      const from = incomingPathOf(incoming, name);
      const to = incomingPathOf(archive, name);
      return on('archiving an incoming file', 'retry', async (session) => {
        const kept = new Set((await archived(session, archive)).map(({ filename }) => filename));
        await rename(session, from, kept.has(name) ? `${to}.${Date.now()}` : to);
      });
    },

    close: () => Promise.resolve(line.end()),
  };
}

/** The archive's files; the folder is made where the bank has none. */
async function archived(session: SftpSession, folder: string): Promise<FileEntryWithStats[]> {
  try {
    return await list(session, folder);
  } catch (error) {
    if (!hasStatus(error, sftpStatus.noSuchFile)) throw error;
    await session.ask<void>((sftp, done) => sftp.mkdir(folder, done));
    return [];
  }
}

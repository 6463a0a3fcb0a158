import { once } from 'node:events';
import { constants } from 'node:fs';
import { open, readdir, rename, rm, stat, mkdir, type FileHandle } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import ssh2, { type Client, type Connection, type SFTPWrapper } from 'ssh2';
import { newKeyPair } from '../../simulator/bank/key-pair.ts';
import { fingerprintOf } from '../../src/providers/bank/transport/sftp-session.ts';

const { Server, utils } = ssh2;
const { OPEN_MODE: mode, STATUS_CODE: status } = utils.sftp;

type Request = 'OPENDIR' | 'OPEN' | 'WRITE' | 'RENAME' | 'READ';

/** What goes wrong at the next request of a kind, once. */
interface Fault {
  readonly at: Request;
  /** The connection is cut before or after the request is carried out, or no answer ever comes. */
  readonly what: 'cut_before' | 'cut_after' | 'silent';
}

export interface SftpServer {
  readonly port: number;
  readonly fingerprint: string;
  /** The requests that came, in their order. */
  readonly requests: Request[];
  /** Called before a request is carried out. */
  before: (request: Request) => Promise<void>;
  fail(fault: Fault): void;
  /** Logins that were let in. */
  logins: number;
  close(): Promise<void>;
}

export const sftpLogin = { username: 'payouts', password: 'a password for tests' } as const;

/** An SFTP server on loopback whose root is a directory. It renames onto no existing file, as OpenSSH's. */
export async function startSftpServer(root: string): Promise<SftpServer> {
  const hostKey = newKeyPair();
  const connections = new Set<Connection>();
  let fault: Fault | null = null;
  const server = new Server({ hostKeys: [hostKey.private] });
  const parsed = utils.parseKey(hostKey.public);
  if (parsed instanceof Error) throw parsed;
  const state: Omit<SftpServer, 'port'> = {
    fingerprint: fingerprintOf(parsed.getPublicSSH()),
    requests: [],
    logins: 0,
    before: () => Promise.resolve(),
    fail: (given) => void (fault = given),
    async close() {
      for (const connection of connections) connection.end();
      server.close();
    },
  };

  /** Runs a request with what is to go wrong at it. */
  async function handle(
    connection: Connection,
    request: Request,
    work: () => Promise<() => void>,
  ): Promise<void> {
    state.requests.push(request);
    await state.before(request);
    const now = fault?.at === request ? fault.what : null;
    if (now !== null) fault = null;
    if (now === 'cut_before') return void connection.end();
    const answer = await work();
    if (now === 'cut_after') return void connection.end();
    if (now !== 'silent') answer();
  }

  server.on('connection', (connection) => {
    connections.add(connection);
    connection.on('close', () => void connections.delete(connection));
    connection.on('error', () => undefined);
    connection.on('authentication', (login) => {
      const { username } = login;
      const fits = login.method === 'password' && login.password === sftpLogin.password;
      if (username !== sftpLogin.username || !fits) return login.reject(['password']);
      state.logins += 1;
      login.accept();
    });
    connection.on('ready', () => {
      // As the client has it (sftp-session.ts); the types leave it out.
      (connection as unknown as Client).setNoDelay(true);
      connection.on('session', (accept) => {
        accept().on('sftp', (acceptSftp) => {
          serve(root, acceptSftp(), (request, work) => handle(connection, request, work));
        });
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(state, { port: (server.address() as AddressInfo).port });
}

type Handle = (request: Request, work: () => Promise<() => void>) => Promise<void>;

function serve(root: string, sftp: SFTPWrapper, handle: Handle): void {
  const files = new Map<number, FileHandle>();
  const folders = new Map<number, string[]>();
  let last = 0;
  const place = (path: string): string => join(root, normalize(`/${path}`));
  const idOf = (handle: Buffer): number => handle.readUInt32BE(0);
  const made = (): [number, Buffer] => {
    last += 1;
    const buffer = Buffer.alloc(4);
    buffer.writeUInt32BE(last, 0);
    return [last, buffer];
  };
  const refuse = (id: number) => (error: unknown) => {
    const { code } = error as { code?: string };
    sftp.status(id, code === 'ENOENT' ? status.NO_SUCH_FILE : status.FAILURE);
  };
  const attrsOf = async (path: string) => {
    const { mode: bits, uid, gid, size, atimeMs, mtimeMs } = await stat(path);
    return { mode: bits, uid, gid, size, atime: atimeMs / 1_000, mtime: mtimeMs / 1_000 };
  };
  sftp.on('OPEN', (id, path, flags) => {
    handle('OPEN', async () => {
      const writes = (flags & mode.WRITE) !== 0;
      const file = await open(place(path), writes ? 'w' : constants.O_RDONLY);
      const [number, buffer] = made();
      files.set(number, file);
      return () => sftp.handle(id, buffer);
    }).catch(refuse(id));
  });
  sftp.on('WRITE', (id, handleOf, offset, data) => {
    handle('WRITE', async () => {
      await files.get(idOf(handleOf))?.write(data, 0, data.length, offset);
      return () => sftp.status(id, status.OK);
    }).catch(refuse(id));
  });
  sftp.on('READ', (id, handleOf, offset, length) => {
    handle('READ', async () => {
      const part = Buffer.alloc(length);
      const read = await files.get(idOf(handleOf))?.read(part, 0, length, offset);
      const bytes = read?.bytesRead ?? 0;
      return () =>
        bytes === 0 ? sftp.status(id, status.EOF) : sftp.data(id, part.subarray(0, bytes));
    }).catch(refuse(id));
  });
  sftp.on('CLOSE', (id, handleOf) => {
    const file = files.get(idOf(handleOf));
    void Promise.resolve(file?.close()).then(() => sftp.status(id, status.OK));
  });
  sftp.on('OPENDIR', (id, path) => {
    handle('OPENDIR', async () => {
      const names = await readdir(place(path));
      const [number, buffer] = made();
      folders.set(number, [path, ...names]);
      return () => sftp.handle(id, buffer);
    }).catch(refuse(id));
  });
  sftp.on('READDIR', (id, handleOf) => {
    const [folder = '', ...names] = folders.get(idOf(handleOf)) ?? [];
    folders.delete(idOf(handleOf));
    if (names.length === 0) return sftp.status(id, status.EOF);
    Promise.all(
      names.map(async (filename) => {
        const attrs = await attrsOf(join(place(folder), filename));
        return { filename, longname: filename, attrs };
      }),
    ).then((entries) => sftp.name(id, entries), refuse(id));
  });
  const answerStat = (id: number, path: string): void => {
    attrsOf(place(path)).then((attrs) => sftp.attrs(id, attrs), refuse(id));
  };
  sftp.on('STAT', answerStat);
  sftp.on('LSTAT', answerStat);
  sftp.on('FSTAT', (id, handleOf) => {
    const file = files.get(idOf(handleOf));
    if (file === undefined) return sftp.status(id, status.FAILURE);
    file
      .stat()
      .then(
        ({ mode: bits, uid, gid, size }) =>
          sftp.attrs(id, { mode: bits, uid, gid, size, atime: 0, mtime: 0 }),
        refuse(id),
      );
  });
  sftp.on('RENAME', (id, from, to) => {
    handle('RENAME', async () => {
      const taken = await stat(place(to)).catch(() => null);
      if (taken !== null) return () => sftp.status(id, status.FAILURE);
      await rename(place(from), place(to));
      return () => sftp.status(id, status.OK);
    }).catch(refuse(id));
  });
  sftp.on('REMOVE', (id, path) => {
    rm(place(path)).then(() => sftp.status(id, status.OK), refuse(id));
  });
  sftp.on('MKDIR', (id, path) => {
    mkdir(place(path)).then(() => sftp.status(id, status.OK), refuse(id));
  });
  sftp.on('REALPATH', (id, path) => {
    const filename = normalize(`/${path}`);
    const attrs = { mode: 0, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 };
    sftp.name(id, [{ filename, longname: filename, attrs }]);
  });
}

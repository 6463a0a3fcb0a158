import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import ssh2, { type Attributes, type SFTPWrapper } from 'ssh2';
import type { Bank } from './bank.ts';
import { customerName } from './postbox.ts';

const { STATUS_CODE: status, OPEN_MODE: mode } = ssh2.utils.sftp;

/** What a handle of the client stands for. */
type Handle =
  | { readonly kind: 'file'; readonly file: FileHandle }
  | { readonly kind: 'folder'; readonly path: string; isRead: boolean };

const attributesOf = ({ mode: fileMode, uid, gid, size, atimeMs, mtimeMs }: Stats): Attributes => ({
  mode: fileMode,
  uid,
  gid,
  size,
  atime: Math.floor(atimeMs / 1_000),
  mtime: Math.floor(mtimeMs / 1_000),
});

/** SFTP's name for a failure of the file system. */
function statusOf(error: unknown): number {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return status.NO_SUCH_FILE;
  if (code === 'EACCES' || code === 'EPERM') return status.PERMISSION_DENIED;
  return status.FAILURE;
}

function flagsOf(flags: number): number {
  const read = (flags & mode.READ) !== 0;
  const write = (flags & mode.WRITE) !== 0;
  const access = write ? (read ? constants.O_RDWR : constants.O_WRONLY) : constants.O_RDONLY;
  return (
    access |
    ((flags & mode.CREAT) !== 0 ? constants.O_CREAT : 0) |
    ((flags & mode.TRUNC) !== 0 ? constants.O_TRUNC : 0) |
    ((flags & mode.APPEND) !== 0 ? constants.O_APPEND : 0) |
    ((flags & mode.EXCL) !== 0 ? constants.O_EXCL : 0)
  );
}

/** What the answers to one client share. */
function openSession(sftp: SFTPWrapper, bank: Bank, cut: () => void) {
  const handles = new Map<number, Handle>();
  let last = 0;

  /** The path on disk. A path of the client cannot leave the root. */
  async function place(given: string): Promise<string> {
    const inside = path.posix.normalize(`/${given}`);
    const [customer = '', ...rest] = inside.split('/').slice(1);
    if (rest.length > 0 && customerName.test(customer)) await bank.openCustomer(customer);
    return path.join(bank.customers, inside);
  }

  /** Answers the request with what `run` does; its failure becomes a status. */
  function answer(request: number, run: () => Promise<void>): void {
    run().catch((error: unknown) => sftp.status(request, statusOf(error)));
  }
  const done = (request: number): void => sftp.status(request, status.OK);

  function isCut(when: 'write' | 'before_rename' | 'after_rename'): boolean {
    if (bank.faults.current().cut_sftp !== when || !bank.faults.take('cuts')) return false;
    cut();
    return true;
  }

  function newHandle(handle: Handle): Buffer {
    last += 1;
    handles.set(last, handle);
    const name = Buffer.alloc(4);
    name.writeUInt32BE(last);
    return name;
  }

  function handleOf(name: Buffer): Handle {
    const handle = name.length === 4 ? handles.get(name.readUInt32BE()) : undefined;
    if (handle === undefined) throw new Error('There is no such handle.');
    return handle;
  }

  function fileOf(name: Buffer): FileHandle {
    const handle = handleOf(name);
    if (handle.kind !== 'file') throw new Error('It is a folder.');
    return handle.file;
  }

  return { sftp, handles, place, answer, done, isCut, newHandle, handleOf, fileOf };
}

type Session = ReturnType<typeof openSession>;

/** Requests about files and folders that are open. */
function serveHandles(session: Session): void {
  const { sftp, handles, place, answer, done, isCut, newHandle, handleOf, fileOf } = session;
  sftp.on('OPEN', (request, name, flags) =>
    answer(request, async () => {
      const file = await open(await place(name), flagsOf(flags), 0o640);
      sftp.handle(request, newHandle({ kind: 'file', file }));
    }),
  );
  sftp.on('READ', (request, name, offset, length) =>
    answer(request, async () => {
      const buffer = Buffer.alloc(Math.min(length, 256 * 1024));
      const { bytesRead } = await fileOf(name).read(buffer, 0, buffer.length, offset);
      if (bytesRead === 0) sftp.status(request, status.EOF);
      else sftp.data(request, buffer.subarray(0, bytesRead));
    }),
  );
  sftp.on('WRITE', (request, name, offset, data) =>
    answer(request, async () => {
      const half = data.subarray(0, data.length / 2);
      const cutHere = isCut('write');
      await fileOf(name).write(
        cutHere ? half : data,
        0,
        cutHere ? half.length : data.length,
        offset,
      );
      if (!cutHere) done(request);
    }),
  );
  sftp.on('FSTAT', (request, name) =>
    answer(request, async () => sftp.attrs(request, attributesOf(await fileOf(name).stat()))),
  );
  sftp.on('CLOSE', (request, name) =>
    answer(request, async () => {
      const handle = handleOf(name);
      handles.delete(name.readUInt32BE());
      if (handle.kind === 'file') {
        await handle.file.sync();
        await handle.file.close();
      }
      done(request);
    }),
  );
  sftp.on('OPENDIR', (request, given) =>
    answer(request, async () => {
      const folder = await place(given);
      await readdir(folder);
      sftp.handle(request, newHandle({ kind: 'folder', path: folder, isRead: false }));
    }),
  );
  sftp.on('READDIR', (request, name) =>
    answer(request, async () => {
      const handle = handleOf(name);
      if (handle.kind === 'file') throw new Error('It is a file.');
      if (handle.isRead) return sftp.status(request, status.EOF);
      handle.isRead = true;
      const names = await readdir(handle.path);
      const entries = await Promise.all(
        names.map(async (filename) => {
          // One that the bank or the customer took away in the meantime is left out.
          const stats = await lstat(path.join(handle.path, filename)).catch(() => null);
          if (stats === null) return [];
          return [{ filename, longname: filename, attrs: attributesOf(stats) }];
        }),
      );
      if (entries.flat().length === 0) sftp.status(request, status.EOF);
      else sftp.name(request, entries.flat());
    }),
  );
  sftp.on('close', () => {
    for (const handle of handles.values()) {
      if (handle.kind === 'file') void handle.file.close().catch(() => undefined);
    }
    handles.clear();
  });
}

/** Requests about paths. */
function servePaths({ sftp, place, answer, done, isCut }: Session): void {
  const stat = (request: number, given: string): void =>
    answer(request, async () => sftp.attrs(request, attributesOf(await lstat(await place(given)))));

  sftp.on('STAT', stat);
  sftp.on('LSTAT', stat);
  sftp.on('REALPATH', (request, given) => {
    const filename = path.posix.normalize(`/${given === '.' ? '' : given}`);
    // A client only looks at the name.
    sftp.name(request, [{ filename, longname: filename, attrs: {} as Attributes }]);
  });
  // Times and modes of files mean nothing to the bank.
  sftp.on('SETSTAT', done);
  sftp.on('FSETSTAT', done);
  sftp.on('REMOVE', (request, given) =>
    answer(request, async () => {
      await unlink(await place(given));
      done(request);
    }),
  );
  sftp.on('MKDIR', (request, given) =>
    answer(request, async () => {
      await mkdir(await place(given), { recursive: true });
      done(request);
    }),
  );
  sftp.on('RENAME', (request, from, to) =>
    answer(request, async () => {
      if (isCut('before_rename')) return;
      const target = await place(to);
      // As the protocol asks: a rename replaces nothing.
      if ((await lstat(target).catch(() => null)) !== null) throw new Error('It is there already.');
      await rename(await place(from), target);
      if (!isCut('after_rename')) done(request);
    }),
  );
}

/**
 * Answers one client of SFTP with the customers' folders. The folders of a customer are made when a path first names
 * them.
 * @param cut ends the connection, for the faults that do
 */
export function serveFiles(sftp: SFTPWrapper, bank: Bank, cut: () => void): void {
  const session = openSession(sftp, bank, cut);
  serveHandles(session);
  servePaths(session);
}

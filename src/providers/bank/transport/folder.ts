import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { FolderSettings } from '../../bank-connection.ts';
import { step, transportError } from './failure.ts';
import { incomingPathOf, isUnfinished, pathOf } from './names.ts';
import type { BankTransport, IncomingFile, OutgoingFile } from './port.ts';

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes((error as { code?: string }).code ?? '');

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some network file systems know no fsync of a directory.
    if (!hasCode(error, 'EINVAL', 'EBADF', 'ENOTSUP', 'EISDIR', 'EPERM')) throw error;
  } finally {
    await handle.close();
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'w', 0o640);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Null where there is no such file. */
async function sizeAt(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function hashOf(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM')) return null;
    throw error;
  }
  return hash.digest('hex');
}

/**
 * Throws where a part of a path below `root` is a link: folders are told apart by their paths, so a link would give two
 * connections one folder.
 */
async function refuseLinks(root: string, path: string): Promise<void> {
  if ((await realpath(path)) === join(await realpath(root), relative(root, path))) return;
  throw Object.assign(new Error(`${path} is a link`), { code: 'ELOOP' });
}

/**
 * A mounted directory with `out/` and `in/`, and `in/archive/` below. What is written is synchronised to the
 * disk before it counts. A directory that is not mounted has neither folder, and every call fails.
 */
export function folderTransport({ path, root, makes = false }: FolderSettings): BankTransport {
  const out = join(path, 'out');
  const incoming = join(path, 'in');
  const archive = join(incoming, 'archive');
  // The folder of incoming files is made last, so where it is, what is missing beside it was taken away.
  const prepare = async (): Promise<void> => {
    if (root !== undefined) for (const folder of [out, incoming]) await refuseLinks(root, folder);
    if (!makes || (await isThere(incoming))) return;
    for (const folder of [out, incoming]) await mkdir(folder, { recursive: true });
  };
  return {
    stage: (temporary, bytes) =>
      step('writing the file', 'retry', async () => {
        await prepare();
        await writeDurably(pathOf(out, temporary), bytes);
        await sync(out);
      }),

    publish: (temporary, name) =>
      step('renaming the file', 'unknown', async () => {
        const target = pathOf(out, name);
        // A rename replaces what has the name. A file of this name is this file, sent before.
        if (await isThere(target)) return;
        await rename(pathOf(out, temporary), target);
        await sync(out);
      }),

    find: (name) =>
      step('looking for the file', 'retry', async (): Promise<OutgoingFile | null> => {
        const place = pathOf(out, name);
        // The folder is asked first: where it is not mounted, nothing can be said of a file.
        await readdir(out);
        try {
          return (await isThere(place)) ? { sha256: await hashOf(place) } : null;
        } catch (error) {
          if (hasCode(error, 'ENOENT')) return null; // the bank took it at this moment
          throw error;
        }
      }),

    discard: (temporary) =>
      step('removing an unfinished file', 'retry', () =>
        rm(pathOf(out, temporary), { force: true }),
      ),

    list: () =>
      step('listing the incoming files', 'retry', async () => {
        await prepare();
        const found: IncomingFile[] = [];
        for (const entry of await readdir(incoming, { withFileTypes: true })) {
          if (!entry.isFile() || isUnfinished(entry.name)) continue;
          const size = await sizeAt(join(incoming, entry.name));
          // Another worker archived it at this moment.
          if (size !== null) found.push({ name: entry.name, size });
        }
        return found;
      }),

    async *read(name) {
      const path = incomingPathOf(incoming, name);
      const stream = createReadStream(path);
      try {
        for await (const chunk of stream) yield chunk as Buffer;
      } catch (error) {
        throw transportError(error, 'reading an incoming file', 'retry');
      }
    },

    sizeOf: (name) =>
      step('looking at an incoming file', 'retry', () => sizeAt(incomingPathOf(incoming, name))),

    archive: (name) =>
      step('archiving an incoming file', 'retry', async () => {
        await mkdir(archive, { recursive: true });
        const target = incomingPathOf(archive, name);
        const free = (await isThere(target)) ? `${target}.${Date.now()}` : target;
        await rename(incomingPathOf(incoming, name), free);
      }),

    close: () => Promise.resolve(),
  };
}

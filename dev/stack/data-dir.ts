import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigError } from '../../src/process/settings/setting.ts';

/** PostgreSQL takes paths of up to 1,023 bytes, and its own files need some of them. */
const longestPath = 900;

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this account may not write there',
  EPERM: 'this account may not write there',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'it is a file, not a folder',
  ENAMETOOLONG: 'the path is too long',
  ENOSPC: 'the disk is full',
  ENOENT: 'no folder can be made there',
};

/**
 * Makes the folder of the setting DATA_DIR, or finds it usable.
 *
 * @throws ConfigError, naming the setting, when it cannot be used
 */
export function prepareDataDir(dataDir: string): void {
  const path = resolve(dataDir);
  const refuse = (reason: string): never => {
    throw new ConfigError(`DATA_DIR: ${path}: ${reason}. Set DATA_DIR to another folder.`);
  };
  if (Buffer.byteLength(path) > longestPath) {
    throw new ConfigError(
      `DATA_DIR: the path has ${Buffer.byteLength(path)} bytes, and PostgreSQL takes about ${longestPath}. Set DATA_DIR to a shorter one.`,
    );
  }
  try {
    makeFolder(path);
    // File modes alone do not tell (ACLs, mounts).
    rmdirSync(mkdtempSync(join(path, '.writable-')));
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    refuse(reasons[code] ?? message);
  }
  if (holdsOtherFiles(join(path, 'postgres'))) {
    refuse('its folder "postgres" holds files that are no database of PostgreSQL');
  }
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Makes a folder and those above it. Not by mkdir's option `recursive`, which in Node never returns where the
 * file system answers ENOENT to a new folder, as /proc does.
 */
function makeFolder(path: string): void {
  const parent = dirname(path);
  if (!existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // It was there, or another start has made it in between.
    if (!isFolder(path)) throw error;
  }
}

/** Whether it would be emptied for a new database, and is not ours. */
function holdsOtherFiles(folder: string): boolean {
  if (existsSync(join(folder, 'PG_VERSION'))) return false;
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat !== undefined && (!stat.isDirectory() || readdirSync(folder).length > 0);
}

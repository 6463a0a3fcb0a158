import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { liveHolder } from '../postgres/lock.ts';

/** The lock of `npm start` in a data folder. Its note is the address of the API on this machine. */
export const lockFile = (dataDir: string): string => join(dataDir, 'dev.lock');

/** File that holds the key of the sandbox business of `npm start`. */
export const keyFile = (dataDir: string): string => join(dataDir, 'sandbox-key');

/** The API's address of the `npm start` that runs in `dataDir`, or null where none runs. */
export function runningUrl(dataDir: string): string | null {
  const note = liveHolder(lockFile(dataDir))?.note ?? '';
  return URL.canParse(note) ? note : null;
}

/**
 * The environment with the `PORT` of the `npm start` that runs in `dataDir`, if it is not set: a command in a
 * second terminal then finds what it belongs to.
 */
export function withRunningPort(env: NodeJS.ProcessEnv, dataDir: string): NodeJS.ProcessEnv {
  const url = (env['PORT'] ?? '') === '' ? runningUrl(dataDir) : null;
  return url === null ? env : { ...env, PORT: new URL(url).port };
}

/** The sandbox key that `npm start` keeps in a file, or null where it has made none. */
export function readKey(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim() || null;
  } catch {
    return null;
  }
}

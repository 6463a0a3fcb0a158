import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { identifyProcess } from './process.ts';

/** Another live process holds the lock. `note` is the text that it left in the lock file. */
export class AlreadyRunningError extends Error {
  constructor(pid: number, note: string) {
    const at = note === '' ? '' : ` at ${note}`;
    super(`already running (pid ${pid})${at}: stop it, or set DATA_DIR to another folder`);
    this.name = 'AlreadyRunningError';
  }
}

export interface Lock {
  release(): void;
}

interface LockHolder {
  readonly pid: number;
  readonly startedAt: string;
  readonly note: string;
}

/**
 * Takes `file` as the lock of this process. A lock that a killed process left behind is taken over,
 * also when another program has its process id by now.
 *
 * @throws AlreadyRunningError while the holder lives
 */
export function takeLock(file: string, note = ''): Lock {
  const startedAt = identifyProcess(process.pid)?.startedAt ?? '';
  const holder: LockHolder = { pid: process.pid, startedAt, note };
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
  try {
    for (;;) {
      try {
        // Unlike a file that is created and then written, a link is never found half made.
        linkSync(draft, file);
        return { release: () => rmSync(file, { force: true }) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const other = liveHolder(file);
      if (other !== null) throw new AlreadyRunningError(other.pid, other.note);
      rmSync(file, { force: true });
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The live process that holds the lock `file`, or null. A later process may have the id of one that was killed. */
export function liveHolder(file: string): LockHolder | null {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as LockHolder;
    return identifyProcess(holder.pid)?.startedAt === holder.startedAt ? holder : null;
  } catch {
    return null;
  }
}

import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { identifyProcess } from './process.ts';

/** Another live process holds the lock. `note` is the text that it left in the lock file. */
export class AlreadyRunningError extends Error {
  readonly pid: number;
  readonly note: string;

  constructor(pid: number, note: string) {
    const at = note === '' ? '' : ` at ${note}`;
    super(`already running (pid ${pid})${at}: stop it, or set DATA_DIR to another folder`);
    this.name = 'AlreadyRunningError';
    this.pid = pid;
    this.note = note;
  }
}

export interface Lock {
  release(): void;
}

interface Holder {
  pid: number;
  startedAt: string;
  note: string;
}

/**
 * Takes `file` as the lock of this process. A lock that a killed process left behind is taken over,
 * also when another program has its process id by now.
 *
 * @throws AlreadyRunningError while the holder lives
 */
export function takeLock(file: string, note = ''): Lock {
  const startedAt = identifyProcess(process.pid)?.startedAt ?? '';
  const holder: Holder = { pid: process.pid, startedAt, note };
  const mine = JSON.stringify(holder);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    if (createWhole(file, mine)) return { release: () => removeIfStill(file, mine) };
    const theirs = read(file);
    if (theirs === null) continue;
    const other = live(parse(theirs));
    if (other !== null) throw new AlreadyRunningError(other.pid, other.note);
    removeIfStill(file, theirs);
  }
  throw new Error(`cannot take the lock ${file}`);
}

/** The live process that holds the lock `file`, or null. */
export function liveHolder(file: string): Pick<Holder, 'pid' | 'note'> | null {
  const content = read(file);
  return content === null ? null : live(parse(content));
}

/** A later process may have the id of a holder that was killed. */
function live(holder: Holder | null): Holder | null {
  if (holder === null) return null;
  return identifyProcess(holder.pid)?.startedAt === holder.startedAt ? holder : null;
}

/** Creates the file with its content in one step, or returns false when there is one already. */
function createWhole(file: string, content: string): boolean {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content, { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Two processes may find the same stale lock: moving it aside first shows whose file it was. */
function removeIfStill(file: string, content: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (read(aside) !== content) {
    try {
      linkSync(aside, file);
    } catch {
      // Another process took the lock in between and keeps it.
    }
  }
  rmSync(aside, { force: true });
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function parse(text: string): Holder | null {
  try {
    const value = JSON.parse(text) as Partial<Holder>;
    const { pid, startedAt, note } = value;
    return typeof pid === 'number' && typeof startedAt === 'string'
      ? { pid, startedAt, note: note ?? '' }
      : null;
  } catch {
    return null;
  }
}

import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that Linux keeps in memory. */
const inMemory = '/dev/shm';
/** What the databases of a run take at most, and as much again for what works on them. */
const roomyBytes = 6 * 1024 ** 3;

/**
 * Makes the folder for the databases of this run. It is in memory where the system has enough of it: most test
 * files copy the template, and a copy on a disk takes four times the processor time.
 */
export function makeRunFolder(): string {
  const place = hasRoom() ? inMemory : tmpdir();
  if (place === inMemory) removeAbandoned();
  const folder = mkdtempSync(join(place, `payouts-test-${process.pid}-`));
  // As root, PostgreSQL runs as a user of its own, who has to get into it.
  chmodSync(folder, 0o755);
  return folder;
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return Math.min(bavail * bsize, process.availableMemory()) >= roomyBytes;
  } catch {
    return false; // not on this system
  }
}

/** Frees the memory of runs that were killed. */
function removeAbandoned(): void {
  for (const name of readdirSync(inMemory)) {
    const owner = /^payouts-test-(\d+)-/.exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    try {
      rmSync(join(inMemory, name), { recursive: true, force: true });
    } catch {
      // Another user's run, or another run removes it at the same time.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

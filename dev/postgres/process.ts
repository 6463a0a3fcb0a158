import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Tells a process from a later one with the same id. */
export interface ProcessIdentity {
  command: string;
  startedAt: string;
}

/**
 * The process with this id, or null when there is none (a zombie counts as none).
 * `startedAt` is only good for comparing: clock ticks since boot on Linux, a date on macOS.
 */
export function identifyProcess(pid: number): ProcessIdentity | null {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

/** The id of the parent of the process with this id; null where there is none. */
export function parentOf(pid: number): number | null {
  try {
    const parent = process.platform === 'linux' ? statOf(pid)[1] : psColumn(pid, 'ppid');
    return Number(parent) > 0 ? Number(parent) : null;
  } catch {
    return null;
  }
}

/** The fields of a process after its name. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may itself contain blanks and brackets, so fields are counted from the last bracket.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

const psColumn = (pid: number, column: string): string =>
  execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();

function fromProc(pid: number): ProcessIdentity | null {
  try {
    const fields = statOf(pid);
    const startedAt = fields[19];
    if (fields[0] === 'Z' || fields[0] === 'X' || startedAt === undefined) return null;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { command, startedAt };
  } catch {
    return null;
  }
}

function fromPs(pid: number): ProcessIdentity | null {
  try {
    if (psColumn(pid, 'stat').startsWith('Z')) return null;
    return { command: psColumn(pid, 'command'), startedAt: psColumn(pid, 'lstart') };
  } catch {
    return null;
  }
}

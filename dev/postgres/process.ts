import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Tells a process from a later one with the same id. */
export interface ProcessIdentity {
  readonly command: string;
  /** Only good for comparing: clock ticks since boot on Linux, a date on macOS. */
  readonly startedAt: string;
}

/** The process with this id, or null when there is none (a zombie counts as none). */
export function identifyProcess(pid: number): ProcessIdentity | null {
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  } catch {
    return null;
  }
}

function fromProc(pid: number): ProcessIdentity | null {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may itself contain blanks and brackets, so fields are counted from the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const startedAt = fields[19];
  if (fields[0] === 'Z' || fields[0] === 'X' || startedAt === undefined) return null;
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  return { command, startedAt };
}

function fromPs(pid: number): ProcessIdentity | null {
  const column = (name: string): string =>
    execFileSync('ps', ['-o', `${name}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
  if (column('stat').startsWith('Z')) return null;
  return { command: column('command'), startedAt: column('lstart') };
}

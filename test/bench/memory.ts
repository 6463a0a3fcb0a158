import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** The process of an entry point among the children of this one, such as `src/server.ts`. Linux only. */
export function childPid(entry: string): number {
  for (const name of readdirSync('/proc').filter((entryName) => /^\d+$/.test(entryName))) {
    try {
      const [, rest = ''] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ');
      const parent = Number(rest.split(' ')[1]);
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      if (parent === process.pid && command.includes(entry)) return Number(name);
    } catch {
      // A process that ended meanwhile.
    }
  }
  throw new Error(`no child runs ${entry}`);
}

function megabytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes = 'NaN'] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status) ?? [];
  return Math.round(Number(kilobytes) / 102.4) / 10;
}

/** Resident memory of a process now, in MiB. */
export const residentMemory = (pid: number): number => megabytes(pid, 'VmRSS');

/** The most that was resident since `resetPeak`, in MiB. */
export const peakMemory = (pid: number): number => megabytes(pid, 'VmHWM');

/** Begins to look for the peak anew (proc(5), clear_refs). */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

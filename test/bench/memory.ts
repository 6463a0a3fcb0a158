import { readFileSync, writeFileSync } from 'node:fs';

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

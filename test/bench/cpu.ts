import { readdirSync, readFileSync } from 'node:fs';
import type { Pool } from 'pg';

/** Linux counts the CPU time of processes in hundredths of a second. */
const ticksPerMs = 0.1;

interface Times {
  readonly parent: number;
  readonly own: number;
  /** Of children that have ended. */
  readonly ended: number;
}

/** Null where the process has ended, or the system has no /proc. */
function timesOf(pid: number | string): Times | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses, which may hold spaces.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const at = (place: number): number => fields[place] ?? 0;
    return { parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) };
  } catch {
    return null;
  }
}

/** CPU time of a process in milliseconds since it started; 0 where the system does not tell. */
export function cpuOf(pid: number): number {
  return (timesOf(pid)?.own ?? 0) / ticksPerMs;
}

/** CPU time of a PostgreSQL on this machine, all of its processes together, in milliseconds. */
export async function cpuOfPostgres(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const server = timesOf(rows[0]?.pid ?? 0)?.parent;
  const main = server === undefined ? null : timesOf(server);
  if (main === null) return 0;
  let ticks = main.own + main.ended;
  for (const entry of readdirSync('/proc')) {
    const times = /^\d+$/.test(entry) ? timesOf(entry) : null;
    if (times?.parent === server) ticks += times?.own ?? 0;
  }
  return ticks / ticksPerMs;
}

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** A process that listens on a port. */
export interface PortOwner {
  readonly pid: number;
  readonly name: string;
}

/** Who listens on a TCP port of this machine; null when that cannot be known, as for another user's process. */
export function portOwner(port: number): PortOwner | null {
  try {
    return process.platform === 'linux' ? fromProc(port) : fromLsof(port);
  } catch {
    return null;
  }
}

/** State of a listening socket in /proc/net/tcp. */
const listening = '0A';

function fromProc(port: number): PortOwner | null {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = new Set(
    ['tcp', 'tcp6'].flatMap((table) =>
      readFileSync(`/proc/net/${table}`, 'utf8')
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .filter(([, local, , state]) => state === listening && local?.endsWith(`:${hex}`) === true)
        .map((fields) => `socket:[${fields[9] ?? ''}]`),
    ),
  );
  if (inodes.size === 0) return null;
  const pid = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((name) => openFiles(name).some((target) => inodes.has(target)));
  if (pid === undefined) return null;
  return { pid: Number(pid), name: programOf(pid) };
}

/** The program's file. A name that a thread gave itself ("MainThread" in Node) tells nobody what to stop. */
function programOf(pid: string): string {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  }
}

function openFiles(pid: string): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((name) => {
      try {
        return [readlinkSync(`${folder}/${name}`)];
      } catch {
        // It was closed in between.
        return [];
      }
    });
  } catch {
    // The process has ended, or belongs to somebody else.
    return [];
  }
}

function fromLsof(port: number): PortOwner | null {
  const args = ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'];
  const { stdout } = spawnSync('lsof', args, { encoding: 'utf8' });
  const [, pid, name] = /^p(\d+)\nc(.*)$/m.exec(stdout) ?? [];
  return pid === undefined || name === undefined ? null : { pid: Number(pid), name };
}

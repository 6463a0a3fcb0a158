import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, runAs } from './place.ts';
import { identifyProcess } from './process.ts';

/** A running PostgreSQL server process. `exited` says why it ended, whoever ended it. */
export interface Postmaster {
  pid: number;
  port: number;
  exited: Promise<string>;
}

const startDeadlineMs = 60_000;
const pollMs = 25;
const fastStopMs = 10_000;

/** Lines 1, 4 and 8 of `postmaster.pid`. */
function readPidFile(place: string): { pid: number; port: number; ready: boolean } | null {
  try {
    const lines = readFileSync(join(place, 'postmaster.pid'), 'utf8').split('\n');
    const ready = (lines[7] ?? '').startsWith('ready');
    return { pid: Number(lines[0]), port: Number(lines[3]), ready };
  } catch {
    return null;
  }
}

/**
 * The server that an earlier run left behind on this data, once it takes connections, or null. A
 * pid file whose process is gone, or is another program by now, is removed: PostgreSQL itself
 * would refuse to start for the latter.
 */
export async function findRunning(place: string): Promise<Postmaster | null> {
  for (let waited = 0; waited < startDeadlineMs; waited += pollMs) {
    const file = readPidFile(place);
    if (file === null) return null;
    const process = identifyProcess(file.pid);
    if (process === null || !process.command.includes(place)) {
      rmSync(join(place, 'postmaster.pid'), { force: true });
      return null;
    }
    if (file.ready) return { pid: file.pid, port: file.port, exited: watch(file.pid) };
    await sleep(pollMs);
  }
  throw new Error(`the PostgreSQL on ${place} neither becomes ready nor ends`);
}

async function watch(pid: number): Promise<string> {
  const first = identifyProcess(pid)?.startedAt;
  // Not a child of this process, so its end has to be polled; the timer does not keep a program alive.
  while (first !== undefined && identifyProcess(pid)?.startedAt === first) {
    await sleep(250, undefined, { ref: false });
  }
  return `PostgreSQL (pid ${pid}) ended`;
}

export interface StartOptions {
  binary: string;
  place: string;
  account: Account | null;
  port: number;
  settings: Readonly<Record<string, string>>;
  logFile: string;
}

/**
 * Starts the server and waits until it takes connections.
 *
 * @throws StartError with the server's own words when it ends instead
 */
export async function startPostmaster(options: StartOptions): Promise<Postmaster> {
  const { place, port, logFile } = options;
  const logFrom = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  const child = launch(options);
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve(`PostgreSQL ended (${signal ?? `code ${String(code)}`})`),
    );
  });
  let reason: string | null = null;
  void exited.then((text) => {
    reason = text;
  });
  const deadline = Date.now() + startDeadlineMs;
  while (reason === null && Date.now() < deadline) {
    const file = readPidFile(place);
    if (file?.ready === true && file.pid === child.pid) return { pid: file.pid, port, exited };
    await sleep(pollMs);
  }
  child.kill('SIGQUIT');
  const words = readFileSync(logFile, 'utf8').slice(logFrom).trim();
  throw new StartError(`${reason ?? 'PostgreSQL did not become ready'}:\n${words}`);
}

/** PostgreSQL ended before it took connections; the message holds what it said. */
export class StartError extends Error {
  /** Another program took the port between the check and the start. */
  get portTaken(): boolean {
    return this.message.includes('Address already in use');
  }

  /** Backends of a killed server are still ending: a start succeeds a moment later. */
  get predecessorLingers(): boolean {
    return this.message.includes('pre-existing shared memory block');
  }
}

function launch(options: StartOptions): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(options.port),
    ...options.settings,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // A file and not a pipe: the server may outlive this process and must still be able to write.
  const log = openSync(options.logFile, 'a', 0o600);
  try {
    return spawn(options.binary, ['-D', options.place, ...args], {
      ...runAs(options.account),
      // Outside of the terminal's process group, so that Ctrl-C ends the services before the database.
      detached: true,
      env: { LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', log, log],
    });
  } finally {
    closeSync(log);
  }
}

/**
 * Fast shutdown (SIGINT: cut the connections, write a checkpoint); immediate (SIGQUIT, recovery at
 * the next start) when that takes longer than ten seconds.
 */
export async function stopPostmaster(server: Postmaster): Promise<void> {
  signal(server.pid, 'SIGINT');
  const timer = setTimeout(() => signal(server.pid, 'SIGQUIT'), fastStopMs);
  await server.exited;
  clearTimeout(timer);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself.
  }
}

/**
 * Stops the server when this process ends in any way, kill -9 included: a shell waits on a pipe
 * that only this process holds open.
 */
export function stopWithThisProcess(server: Postmaster, account: Account | null): ChildProcess {
  const script = 'read -r _; kill -INT "$1"';
  const watchdog = spawn('/bin/sh', ['-c', script, 'sh', String(server.pid)], {
    ...runAs(account),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.unref();
  return watchdog;
}

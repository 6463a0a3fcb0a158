import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, runAs } from './place.ts';
import { identifyProcess } from './process.ts';

/** A running PostgreSQL server process. `exited` says why it ended, whoever ended it. */
export interface Postmaster {
  readonly pid: number;
  readonly exited: Promise<string>;
}

export interface StartOptions {
  readonly binary: string;
  readonly place: string;
  readonly account: Account | null;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly logFile: string;
}

const startDeadlineMs = 60_000;
const pollMs = 25;
const fastStopMs = 10_000;
const longestLogBytes = 10_000_000;

/** Lines 1 and 8 of `postmaster.pid`. */
function readPidFile(place: string): { pid: number; ready: boolean } | null {
  try {
    const lines = readFileSync(join(place, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), ready: (lines[7] ?? '').startsWith('ready') };
  } catch {
    return null;
  }
}

/**
 * Stops the server that a killed run left on this data, and waits for its end. A pid file whose process is gone, or is
 * another program by now, is removed: PostgreSQL itself would refuse to start for the latter.
 */
export async function stopLeftOver(place: string): Promise<void> {
  const pid = readPidFile(place)?.pid ?? 0;
  const found = identifyProcess(pid);
  if (found?.command.includes(place) === true) {
    await stopPostmaster({ pid, exited: endOf(pid, found.startedAt) });
  } else {
    rmSync(join(place, 'postmaster.pid'), { force: true });
  }
}

/** The end of a process that is no child of this one, so it has to be polled. */
async function endOf(pid: number, startedAt: string): Promise<string> {
  while (identifyProcess(pid)?.startedAt === startedAt) await sleep(pollMs);
  return `PostgreSQL (pid ${pid}) ended`;
}

/**
 * Starts the server and waits until it takes connections.
 *
 * @throws Error with the server's own words when it ends instead
 */
export async function startPostmaster(options: StartOptions): Promise<Postmaster> {
  const { place, logFile } = options;
  let logFrom = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (logFrom > longestLogBytes) {
    rmSync(logFile);
    logFrom = 0;
  }
  const child = launch(options);
  let reason: string | null = null;
  const exited = once(child, 'exit').then(
    ([code, signal]) => (reason = `PostgreSQL ended (${String(signal ?? `code ${String(code)}`)})`),
    (error: unknown) => (reason = String(error)),
  );
  const deadline = Date.now() + startDeadlineMs;
  while (reason === null && Date.now() < deadline) {
    const file = readPidFile(place);
    if (file?.ready === true && file.pid === child.pid) return { pid: file.pid, exited };
    await sleep(pollMs);
  }
  child.kill('SIGQUIT');
  const words = readFileSync(logFile, 'utf8').slice(logFrom).trim();
  throw new Error(`${reason ?? 'PostgreSQL did not become ready'}:\n${words}`);
}

function launch(options: StartOptions): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(options.port),
    ...options.settings,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // A file and not a pipe: the server outlives this process for a moment and must still be able to write.
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
export async function stopPostmaster({ pid, exited }: Postmaster): Promise<void> {
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(pid, name);
    } catch {
      // It ended by itself.
    }
  };
  signal('SIGINT');
  const timer = setTimeout(signal, fastStopMs, 'SIGQUIT');
  await exited;
  clearTimeout(timer);
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

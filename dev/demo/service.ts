import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { certificateFolder, type DemoConfig } from './config.ts';

export interface Service {
  /** Whether the demo started it; then the demo also stops it. */
  readonly startedHere: boolean;
  /** Aborts when a service that the demo started ends by itself. */
  readonly ended: AbortSignal;
  /** Lets it drain for up to `stopMs`. Does nothing to a service that was running before the demo. */
  stop(): Promise<void>;
  /** Kills it and all its processes at once. */
  kill(): void;
}

/** How long `stop` waits before it kills. */
export const stopMs = 10_000;
const probeMs = 2_000;
const pollMs = 200;
const logLines = 20;
/** Exit status of dev/start.ts when another service runs on the same folder. */
const alreadyRunning = 3;

/** Why the service cannot be used; null where it can. */
async function problemAt(baseUrl: string): Promise<string | null> {
  try {
    const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(probeMs) });
    await response.body?.cancel();
    return response.ok ? null : `it answers ${response.status}`;
  } catch (error) {
    const { cause = error } = error as Error;
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = [code, message].filter(Boolean).join(': ');
    return isCertificateFault(code)
      ? `${why}. Its certificate is of an authority that Node does not know: set NODE_EXTRA_CA_CERTS to the PEM file of that authority`
      : why;
  }
}

/** Codes of Node for a certificate whose issuer it does not trust. */
const isCertificateFault = (code = ''): boolean =>
  /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY|GET_ISSUER)/.test(code);

/** Waits until the service can be used. Throws an Error with its last problem when the signal aborts. */
async function untilReady(baseUrl: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const problem = await problemAt(baseUrl);
    if (problem === null) return;
    try {
      await sleep(pollMs, undefined, { signal });
    } catch (error) {
      throw new Error(`No service is ready at ${baseUrl}: ${problem}.`, { cause: error });
    }
  }
}

/** Whether the line of a start that was refused names another port than this address has. */
function runsElsewhere(told: string, baseUrl: string): boolean {
  const [, place = ''] = /already running \(pid \d+\) at (\S+):/.exec(told) ?? [];
  return URL.canParse(place) && new URL(place).port !== new URL(baseUrl).port;
}

function canStartAt(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** A service that somebody else runs, which the demo does not stop. */
function found(): Service {
  const never = new AbortController().signal;
  return { startedHere: false, ended: never, stop: () => Promise.resolve(), kill: () => {} };
}

/** The last lines of the service's log, to show why it ended. */
async function logTail(file: string): Promise<string> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return lines.slice(-logLines).join('\n');
}

function manage(child: ChildProcess, ended: AbortSignal): Service {
  const kill = (): void => {
    try {
      // The child leads a process group of its own: the negative id reaches its children too.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  return {
    startedHere: true,
    ended,
    kill,
    async stop() {
      if (ended.aborted) return;
      const exited = once(ended, 'abort');
      child.kill('SIGTERM');
      await Promise.race([exited, sleep(stopMs, undefined, { ref: false })]);
      if (!ended.aborted) kill();
    },
  };
}

async function start(config: DemoConfig, entry: string, signal: AbortSignal): Promise<Service> {
  const folder = certificateFolder(config.dataDir);
  await mkdir(folder, { recursive: true });
  const logFile = join(folder, 'service.log');
  const log = await open(logFile, 'w', 0o600);
  const ended = new AbortController();
  const child = spawn(process.execPath, [entry], {
    env: config.serviceEnvironment,
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
  });
  let exitCode: number | null = null;
  child.once('exit', (code) => {
    exitCode = code;
    ended.abort(new Error(`the service ended; its log is ${logFile}`));
  });
  child.once('error', (error) => ended.abort(error));
  await log.close();
  const service = manage(child, ended.signal);
  try {
    const either = AbortSignal.any([signal, ended.signal]);
    await untilReady(config.baseUrl, either);
    return service;
  } catch (error) {
    if (!ended.signal.aborted) {
      await service.stop();
      throw error;
    }
    if (exitCode === alreadyRunning) {
      const told = await logTail(logFile);
      if (runsElsewhere(told, config.baseUrl)) throw new Error(told, { cause: error });
      // It did not answer a moment ago, so it is starting, or one of its processes restarts.
      await untilReady(config.baseUrl, signal);
      return found();
    }
    throw new Error(`The service did not start:\n${await logTail(logFile)}`, { cause: error });
  }
}

const defaultEntry = join(import.meta.dirname, '../start.ts');

/**
 * Finds the service at the configured address, or starts one there for the demo. Throws when there
 * is none and the address is on another machine, or when the service does not become ready.
 */
export async function findOrStartService(
  config: DemoConfig,
  signal: AbortSignal,
  entry = defaultEntry,
): Promise<Service> {
  const problem = await problemAt(config.baseUrl);
  if (problem === null) return found();
  if (!canStartAt(config.baseUrl)) {
    throw new Error(`No service is ready at ${config.baseUrl}: ${problem}.`);
  }
  return start(config, entry, signal);
}

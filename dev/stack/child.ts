import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Print, printLines } from './log-lines.ts';

export interface ChildSpec {
  name: string;
  /** File that Node runs. */
  entry: string;
  environment: NodeJS.ProcessEnv;
  /** Answers 200 once the process can work; absent: it can from the start. */
  readyUrl?: string;
}

export interface SupervisedChild {
  /** Of the running process; null while none runs. */
  pid(): number | null;
  /** @throws Error when it ends three times before it is ready, or `signal` aborts */
  ready(signal: AbortSignal): Promise<void>;
  /** SIGTERM, and SIGKILL after the deadline. Resolves when it is gone. */
  stop(deadlineMs: number): Promise<void>;
}

const dieWithParent = new URL('./die-with-parent.mjs', import.meta.url).href;
const firstDelayMs = 250;
const longestDelayMs = 10_000;
/** After a process has lived this long, the pause before its next start is the shortest again. */
const wellAfterMs = 30_000;
const triesToBeReady = 3;

/** Runs a child process, and runs it again, after a growing pause, whenever it ends by itself. */
export function supervise(spec: ChildSpec, print: Print): SupervisedChild {
  let child: ChildProcess | null = null;
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let ends = 0;

  const start = () => {
    const startedAt = Date.now();
    const started = launch(spec, print);
    child = started;
    const onEnd = (how: string) => {
      if (child !== started) return;
      child = null;
      if (stopping) return;
      ends = Date.now() - startedAt > wellAfterMs ? 1 : ends + 1;
      const delay = Math.min(firstDelayMs * 2 ** (ends - 1), longestDelayMs);
      print(`ended (${how}); starting again in ${delay / 1000} s`);
      timer = setTimeout(start, delay);
    };
    started.once('error', (error) => onEnd(error.message));
    started.once('exit', (code, signal) => onEnd(signal ?? `code ${String(code)}`));
  };
  start();

  return {
    pid: () => child?.pid ?? null,
    ready: async (signal) => {
      while (!(await isReady(spec.readyUrl))) {
        signal.throwIfAborted();
        if (ends >= triesToBeReady)
          throw new Error(`${spec.name} does not start: see its lines above`);
        await sleep(100, undefined, { signal });
      }
    },
    stop: async (deadlineMs) => {
      stopping = true;
      clearTimeout(timer);
      if (child !== null) await end(child, deadlineMs);
    },
  };
}

function launch(spec: ChildSpec, print: Print): ChildProcess {
  const child = spawn(process.execPath, ['--import', dieWithParent, spec.entry], {
    env: spec.environment,
    // Outside of the terminal's process group: Ctrl-C reaches the parent only, which ends the others.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  if (child.stdout) printLines(child.stdout, print);
  if (child.stderr) printLines(child.stderr, print);
  return child;
}

async function end(child: ChildProcess, deadlineMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((done) => {
    child.once('exit', () => done());
  });
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
  await ended;
  clearTimeout(timer);
}

async function isReady(url: string | undefined): Promise<boolean> {
  if (url === undefined) return true;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

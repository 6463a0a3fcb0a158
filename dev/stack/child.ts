import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ChildSpec {
  readonly name: string;
  /** File that Node runs. */
  readonly entry: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Answers 200 once the process can work; absent: it can from the start. */
  readonly readyUrl?: string;
}

/** Prints a line under the name of the process that says it. */
export type Say = (name: string, line: string) => void;

export interface SupervisedChild {
  /** @throws Error when it ends three times before it is ready, or `signal` aborts */
  ready(signal: AbortSignal): Promise<void>;
  /** SIGTERM, and SIGKILL after the deadline. Resolves when it is gone. */
  stop(deadlineMs?: number): Promise<void>;
}

const dieWithParent = new URL('./die-with-parent.mjs', import.meta.url).href;
const pauseMs = 1_000;
const triesToBeReady = 3;
/** A child's own limit for draining is shorter. */
const drainMs = 25_000;

/** Runs a child process, and runs it again, after a pause, whenever it ends by itself. */
export function supervise(spec: ChildSpec, say: Say): SupervisedChild {
  const { name, readyUrl } = spec;
  const stopping = new AbortController();
  let child: ChildProcess | null = null;
  let ends = 0;

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      child = launch(spec, say);
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
      if (stopping.signal.aborted) return;
      ends += 1;
      say(name, `ended (${signal ?? `code ${String(code)}`}); starting again`);
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
  const running = keepRunning();

  return {
    async ready(signal) {
      while (!(await isReady(readyUrl))) {
        signal.throwIfAborted();
        if (ends >= triesToBeReady) throw new Error(`${name} does not start: see its lines above`);
        await sleep(100, undefined, { signal });
      }
    },
    async stop(deadlineMs = drainMs) {
      stopping.abort();
      child?.kill('SIGTERM');
      const timer = setTimeout(() => child?.kill('SIGKILL'), deadlineMs);
      await running;
      clearTimeout(timer);
    },
  };
}

function launch({ name, entry, environment }: ChildSpec, say: Say): ChildProcess {
  const child = spawn(process.execPath, ['--import', dieWithParent, entry], {
    env: environment,
    // Outside of the terminal's process group: Ctrl-C reaches the parent only, which ends the others.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on('line', (line) => say(name, line));
  }
  return child;
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

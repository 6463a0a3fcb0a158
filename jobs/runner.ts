import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../src/db/unavailable.ts';
import type { Services } from '../src/process/services.ts';
import { startHistory } from './history.ts';
import { startRelay } from './relay.ts';
import { startRun, type WorkerRun } from './run.ts';

export interface WorkerHandle {
  /** Resolves when the first run has begun, or the worker was stopped before that. */
  readonly started: Promise<void>;
  /**
   * Whether a rejection that nobody handles is mended by another run. graphile-worker awaits no statement that
   * ends a job: where its connection is lost, the rejection is the only sign of it.
   */
  mends(rejection: unknown): boolean;
  /** Finishes the jobs under way, takes no new ones, and ends. */
  stop(): Promise<void>;
}

const restartMs = 1_000;

/** Whether the error, or one of those that it sums up, is a database that could not be used. */
function lostDatabase(error: unknown): boolean {
  return error instanceof AggregateError ? error.errors.some(lostDatabase) : unavailable(error);
}

/**
 * Keeps a worker working. A run that lost a statement of its own cannot be trusted: it may hold a job that
 * nobody works on. So another run begins, within a second or as soon as the database is back, while the first
 * finishes its jobs and gives the rest back. A run of which nothing is heard, since the whole process hangs or
 * died, is replaced by whoever supervises the process, and its jobs are given back by other workers. While the
 * database has no room for what a run writes, none begins.
 *
 * graphile-worker also ends a run by itself when it is notified of a breaking migration. Any database user
 * can send that notice, so another run begins then too.
 */
export function createWorker(services: Services): WorkerHandle {
  const { log, watch, room } = services;
  const history = startHistory(services);
  const relay = startRelay(services);
  const started = Promise.withResolvers<void>();
  const stopping = new AbortController();
  /** Runs that finish their jobs. */
  const ending = new Set<Promise<void>>();
  let current: WorkerRun | null = null;

  const rest = (): Promise<void> =>
    pause(restartMs, undefined, { signal: stopping.signal }).catch(() => undefined);

  async function begin(): Promise<WorkerRun | null> {
    while (!stopping.signal.aborted) {
      try {
        if (watch.problem() === null && room.problem() === null)
          return await startRun(services, history);
      } catch (error) {
        const message = error instanceof Error ? error.message : 'unknown';
        log.warn({ message }, 'the worker cannot start and tries again');
      }
      await rest();
    }
    return null;
  }

  function retire(run: WorkerRun): void {
    const end = run.end(stopping.signal).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : 'unknown';
      log.error(
        { message },
        'a run did not end well; its jobs come back when its heartbeat is missed',
      );
    });
    ending.add(end);
    void end.then(() => ending.delete(end));
  }

  async function keepWorking(): Promise<void> {
    for (let run = await begin(); run !== null; run = await begin()) {
      const began = performance.now();
      current = run;
      started.resolve();
      const reason = await Promise.race([run.broken, stopped]);
      current = null;
      retire(run);
      if (reason === null) return;
      log.warn({ reason }, 'the worker begins another run');
      if (performance.now() - began < restartMs) await rest();
      // graphile-worker sets it, since it expects the process to end with the run.
      process.exitCode = undefined;
    }
  }

  const stopped = new Promise<null>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve(null));
  });
  const breakFor = (problem: string | null): void => {
    if (problem !== null) current?.break(problem);
  };
  const forgetting = [watch.onChange(breakFor), room.onChange(breakFor)];
  const working = keepWorking().finally(() => started.resolve());
  return {
    started: started.promise,
    mends(rejection) {
      if (!lostDatabase(rejection)) return false;
      current?.break('the connection was lost while the end of a job was written');
      return true;
    },
    async stop() {
      stopping.abort();
      for (const forget of forgetting) forget();
      await working;
      await Promise.all(ending);
      await relay.stop();
      await history.stop();
    },
  };
}

/** Starts a worker; resolves with its first run. */
export async function startWorker(services: Services): Promise<WorkerHandle> {
  const worker = createWorker(services);
  await worker.started;
  return worker;
}

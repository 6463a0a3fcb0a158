import { EventEmitter } from 'node:events';
import { Logger, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type { Log } from '../src/log.ts';
import type { Services } from '../src/services.ts';
import { startHeartbeat } from './heartbeat.ts';
import { crontab, tasks } from './tasks.ts';
import type { Task } from './task.ts';

/** graphile-worker's own messages, without the job's payload. */
function workerLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({ worker: message }, 'worker');
    else if (level === 'warning') log.warn({ worker: message }, 'worker');
    else log.debug({ worker: message }, 'worker');
  });
}

function toTaskList(services: Services): TaskList {
  return Object.fromEntries(
    tasks.map((entry) => {
      const { name, schema, handle } = entry as Task;
      return [
        name,
        async (payload: unknown) => {
          const started = performance.now();
          await handle(schema.parse(payload), services);
          services.log.debug({ task: name, ms: Math.round(performance.now() - started) }, 'job');
        },
      ];
    }),
  );
}

export interface WorkerHandle {
  /** Finishes the jobs under way, takes no new ones, and ends. */
  stop(): Promise<void>;
}

interface Run extends WorkerHandle {
  /** Settles when the worker ends; rejects when it loses the database. */
  readonly ended: Promise<void>;
}

/** Starts graphile-worker with our tasks, crontab and heartbeat, once. */
async function startRun(services: Services): Promise<Run> {
  const events: WorkerEvents = new EventEmitter();
  const poolId = new Promise<string>((resolve) => {
    events.once('pool:create', ({ workerPool }) => resolve(workerPool.id));
  });
  const runner = await run({
    pgPool: services.pool,
    taskList: toTaskList(services),
    crontab,
    concurrency: services.config.WORKER_CONCURRENCY,
    pollInterval: 1_000,
    noHandleSignals: true,
    logger: workerLogger(services.log),
    events,
  });
  const heartbeat = await startHeartbeat(services, await poolId);
  services.log.info({ tasks: tasks.length }, 'worker started');
  return {
    ended: runner.promise.catch((error: unknown) => {
      heartbeat.fallSilent();
      throw error;
    }),
    async stop() {
      await runner.stop();
      await heartbeat.stop();
    },
  };
}

const pauseMs = 1_000;

/**
 * Starts a worker and keeps it working: when PostgreSQL goes away the run breaks off, and a new one
 * is begun every second until it is back. Resolves with the first run. The jobs of a run that broke
 * off are given back when its heartbeat has been silent for a while.
 */
export async function startWorker(services: Services): Promise<WorkerHandle> {
  let stopping = false;
  let current: Run | null = null;

  async function begin(): Promise<Run | null> {
    while (!stopping) {
      try {
        return await startRun(services);
      } catch (error) {
        const message = error instanceof Error ? error.message : 'unknown';
        services.log.warn({ message }, 'the worker cannot start yet');
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
    return null;
  }

  async function keepWorking(): Promise<void> {
    while (current !== null && !stopping) {
      try {
        await current.ended;
        return;
      } catch (error) {
        const message = error instanceof Error ? error.message : 'unknown';
        services.log.warn({ message }, 'the worker broke off');
        current = await begin();
      }
    }
  }

  current = await begin();
  const working = keepWorking();
  return {
    async stop() {
      stopping = true;
      await current?.stop().catch(() => undefined);
      await working;
    },
  };
}

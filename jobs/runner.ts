import { EventEmitter } from 'node:events';
import { Logger, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import { newId } from '../src/values/ids.ts';
import type { Log } from '../src/process/log.ts';
import type { Services } from '../src/process/services.ts';
import { traced, traceOf } from '../src/process/tracing.ts';
import { tellableError } from './failure.ts';
import { readPausedTasks, startHeartbeat, type Heartbeat } from './heartbeat.ts';
import { runOf, startHistory, type JobHistory } from './history.ts';
import { pausable } from './pausable.ts';
import { crontab, declarationOf, taskNames } from '../src/queue/tasks.ts';
import { handlers } from './handlers.ts';

/** graphile-worker's own messages, without the job's payload. */
function workerLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({ worker: message }, 'worker');
    else if (level === 'warning') log.warn({ worker: message }, 'worker');
    else log.debug({ worker: message }, 'worker');
  });
}

/** Thrown so that a run does not complete a job that another worker has taken over. */
class JobLost extends Error {
  constructor() {
    super('this worker stopped responding for so long that its job was given to another');
  }
}

/** The functions that graphile-worker calls, by the names of the tasks. */
function toTaskList(services: Services, heartbeat: Promise<Heartbeat>): TaskList {
  const list = taskNames.map((name) => {
    const { payload: schema } = declarationOf(name);
    // The payload that a task's schema gives is the one that its handler takes.
    const handle = handlers[name] as (payload: unknown, services: Services) => Promise<void>;
    const handler: TaskList[string] = async (payload, { job }) => {
      const started = performance.now();
      const startedAt = Date.now();
      try {
        await traced({ name: `job ${name}`, kind: 'consumer', parent: traceOf(payload) }, () =>
          handle(schema.parse(payload), services),
        );
        if (!(await (await heartbeat).holds(job.id, startedAt))) throw new JobLost();
      } catch (error) {
        throw tellableError(error);
      }
      services.log.debug({ task: name, ms: Math.round(performance.now() - started) }, 'job');
    };
    return [name, handler];
  });
  return Object.fromEntries(list) as TaskList;
}

/** Tells the history and the metrics of each job that ends, whether it succeeded or failed. */
function tellHistory(
  { metrics }: Services,
  events: WorkerEvents,
  history: JobHistory,
  workerId: string,
): void {
  const starts = new WeakMap<object, Date>();
  events.on('job:start', ({ job }) => starts.set(job, new Date()));
  events.on('job:complete', ({ job, error }) => {
    const startedAt = starts.get(job) ?? new Date();
    const milliseconds = Date.now() - startedAt.getTime();
    const outcome = error === undefined || error === null ? 'ok' : 'failed';
    metrics?.job({ task: job.task_identifier, outcome, milliseconds });
    history.record(runOf(workerId, job, startedAt, error instanceof Error ? error.message : null));
  });
}

export interface WorkerHandle {
  /** Finishes the jobs under way, takes no new ones, and ends. */
  stop(): Promise<void>;
}

interface Run extends WorkerHandle {
  /** Resolves when the run ends, whoever ended it; rejects when it loses the database. */
  readonly ended: Promise<void>;
}

/** One run of graphile-worker with the tasks, the crontab, the history and the heartbeat. */
async function startRun(services: Services, history: JobHistory): Promise<Run> {
  const id = newId('worker');
  const events: WorkerEvents = new EventEmitter();
  const poolId = new Promise<string>((resolve) => {
    events.once('pool:create', ({ workerPool }) => resolve(workerPool.id));
  });
  const beating = Promise.withResolvers<Heartbeat>();
  const taken = pausable(toTaskList(services, beating.promise));
  taken.pause(await readPausedTasks(services));
  tellHistory(services, events, history, id);
  const runner = await run({
    pgPool: services.pool,
    taskList: taken.list,
    crontab,
    concurrency: services.config.WORKER_CONCURRENCY,
    pollInterval: 1_000,
    noHandleSignals: true,
    logger: workerLogger(services.log),
    events,
  });
  const heartbeat = await startHeartbeat(services, { id, poolId }, taken.pause).catch(
    async (error: unknown) => {
      // Other workers would take a run without a heartbeat for dead.
      beating.reject(error);
      await runner.stop();
      throw error;
    },
  );
  beating.resolve(heartbeat);
  services.log.info({ worker: id, tasks: taskNames.length }, 'worker started');
  return {
    ended: runner.promise.then(
      () => heartbeat.stop(),
      (error: unknown) => {
        heartbeat.fallSilent();
        throw error;
      },
    ),
    async stop() {
      await runner.stop();
      await heartbeat.stop();
    },
  };
}

const restartMs = 1_000;

/**
 * Starts a worker and keeps it working: when PostgreSQL goes away the run breaks off, and a new one is
 * tried every second until PostgreSQL is back. graphile-worker also ends a run by itself when it is
 * notified of a breaking migration. Any database user can send that notice, so the worker starts
 * again. Resolves with the first run. The jobs of a run that broke off are given back once its
 * heartbeat has been missing for a while.
 */
export async function startWorker(services: Services): Promise<WorkerHandle> {
  const history = startHistory(services);
  let stopping = false;
  let current: Run | null = null;

  async function begin(): Promise<Run | null> {
    while (!stopping) {
      try {
        const run = await startRun(services, history);
        if (!stopping) return run;
        // The worker was told to stop while this run was starting, so nothing else stops it.
        await run.stop();
      } catch (error) {
        const message = error instanceof Error ? error.message : 'unknown';
        services.log.warn({ message }, 'the worker cannot start and tries again');
        await new Promise((resolve) => setTimeout(resolve, restartMs));
      }
    }
    return null;
  }

  async function keepWorking(): Promise<void> {
    while (current !== null && !stopping) {
      try {
        await current.ended;
        if (stopping) return;
        services.log.warn('the worker ended by itself and is started again');
        // graphile-worker sets it, since it expects the process to end with the run.
        process.exitCode = undefined;
        await new Promise((resolve) => setTimeout(resolve, restartMs));
      } catch (error) {
        const message = error instanceof Error ? error.message : 'unknown';
        services.log.warn({ message }, 'the worker lost the database and is started again');
      }
      current = await begin();
    }
  }

  current = await begin();
  const working = keepWorking();
  return {
    async stop() {
      stopping = true;
      await current?.stop().catch(() => undefined);
      await working;
      await history.stop();
    },
  };
}

import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger, run, type WorkerEvents } from 'graphile-worker';
import { unavailable } from '../src/db/unavailable.ts';
import type { Log } from '../src/process/log.ts';
import type { Services } from '../src/process/services.ts';
import { crontab, taskNames } from '../src/queue/tasks.ts';
import { newId } from '../src/values/ids.ts';
import { readPausedTasks, startHeartbeat, type Heartbeat } from './heartbeat.ts';
import { runOf, type JobHistory } from './history.ts';
import { pausable } from './pausable.ts';
import { queuePool } from './queue-pool.ts';
import { toTaskList } from './task-list.ts';

/** graphile-worker's own messages, without the job's payload. */
function workerLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({ worker: message }, 'worker');
    else if (level === 'warning') log.warn({ worker: message }, 'worker');
    else log.debug({ worker: message }, 'worker');
  });
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

export interface WorkerRun {
  /** Resolves with the reason when the run can no longer be trusted, or ended by itself. */
  readonly broken: Promise<string>;
  /** Breaks the run. It goes on until it is told to end. */
  break(reason: string): void;
  /**
   * Takes no further jobs, finishes those under way and gives back whatever the run still holds. While the
   * database is away that waits until `hurried`; then the locks are left to others, who miss the heartbeat.
   */
  end(hurried: AbortSignal): Promise<void>;
}

/** How long a run may take to fall quiet before its own account of what it still does is given up. */
const settleMs = 1_000;

/** One run of graphile-worker with the tasks, the crontab, the history and the heartbeat. */
export async function startRun(services: Services, history: JobHistory): Promise<WorkerRun> {
  await services.clock.ask(services.pool);
  const scheduled = services.clock.problem() === null;
  const id = newId('worker');
  const events: WorkerEvents = new EventEmitter();
  const poolId = new Promise<string>((resolve) => {
    events.once('pool:create', ({ workerPool }) => resolve(workerPool.id));
  });
  const beating = Promise.withResolvers<Heartbeat>();
  const broken = Promise.withResolvers<string>();
  const tasks = toTaskList(services, beating.promise);
  const taken = pausable(tasks.list);
  taken.pause(await readPausedTasks(services));
  tellHistory(services, events, history, id);
  // Whether the statement took a job is unknown; if it did, nobody works on that job.
  events.on('worker:getJob:error', ({ error }) => {
    if (unavailable(error)) broken.resolve('the connection was lost while a job was taken');
  });
  // A server that restarted may have undone what it had confirmed of a job's end, and cuts this session too. One that is
  // refused at once says nothing of that.
  let listensSince = Infinity;
  events.on('pool:listen:success', () => {
    listensSince = performance.now();
  });
  events.on('pool:listen:error', () => {
    if (performance.now() - listensSince < settleMs) return;
    broken.resolve('the session that listens for jobs was lost');
  });
  // It listens for jobs, which needs a session of its own.
  const queue = queuePool(services.directPool);
  const runner = await run({
    pgPool: queue.pool,
    taskList: taken.list,
    // A clock that is ahead would keep every worker from starting these tasks until its time comes.
    crontab: scheduled ? crontab : '',
    concurrency: services.config.WORKER_CONCURRENCY,
    pollInterval: 1_000,
    noHandleSignals: true,
    logger: workerLogger(services.log),
    events,
  });
  const forgetClock = services.clock.onChange(() => broken.resolve('its clock changed'));
  runner.promise.then(
    () => broken.resolve('the run ended by itself'),
    () => broken.resolve('the run broke off'),
  );
  const stop = (): Promise<void> => runner.stop().catch(() => undefined); // it ends by itself already
  const heartbeat = await startHeartbeat(services, { id, poolId }, taken.pause).catch(
    (error: unknown) => {
      // Other workers would take a run without a heartbeat for dead.
      beating.reject(error);
      void stop();
      throw error;
    },
  );
  beating.resolve(heartbeat);
  services.log.info({ worker: id, tasks: taskNames.length, scheduled }, 'worker started');

  /** graphile-worker's own account may wait a minute for its clock, or end before its jobs do. */
  async function fallQuiet(): Promise<void> {
    await Promise.race([stop(), pause(settleMs)]);
    while (tasks.underWay() > 0) await pause(20);
  }

  return {
    broken: broken.promise,
    break: broken.resolve,
    async end(hurried) {
      forgetClock();
      await fallQuiet();
      await heartbeat.giveBack(hurried);
      queue.close();
    },
  };
}

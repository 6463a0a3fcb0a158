import {
  countedJobs,
  listJobs,
  listTasks,
  listWorkers,
  type ListedWorker,
  type QueuedJob,
  type TaskHealth,
} from '../../src/domain/operator/queue.ts';
import { bool, float, id, int, of, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { connectionOf } from '../lists/connections.ts';
import { describedEnum } from '../common/described-enum.ts';
import { listArgs } from './args.ts';
import { OperatorPlace, placeOf } from './listed.ts';
import { operatorPage, operatorPageCost } from './page.ts';

const OperatorTask = builder.objectRef<TaskHealth>('OperatorTask').implement({
  description: `A task of the worker and how its jobs fare. The first ${countedJobs.toLocaleString('en')} jobs and as many of the latest runs are counted.`,
  fields: (t) =>
    shown(t, {
      name: text('Name of the task, for example disburse_payout.'),
      description: text('What it does.'),
      clock: text.orNull('When it runs by itself, as a cron expression in UTC; null for no clock.'),
      pausedAt: time.orNull('Since when no worker starts its jobs; null while they do.'),
      pausedBy: text.orNull('Who paused it: a login of the database, or the id of an operator.'),
      pauseReason: text.orNull('Why.'),
      ready: int('Jobs that are due for the first time.'),
      oldestReadySeconds: int.orNull(
        'For how many seconds the oldest job that is due has waited; null for none.',
      ),
      scheduled: int('Jobs for later.'),
      retrying: int('Jobs that failed and are tried again.'),
      running: int('Jobs that a worker runs.'),
      dead: int('Jobs whose last attempt failed.'),
      runsPerMinute: float('Runs that ended a minute, over the last 15 minutes.'),
      failedLately: int('Runs that failed in the last 15 minutes.'),
      p95Ms: int.orNull('Milliseconds that 95 of 100 of these runs stayed below; null for no run.'),
    }),
});

const JobStateEnum = describedEnum<QueuedJob['state']>('OperatorJobState', 'Where a job stands.', {
  ready: 'Due, and waits for a worker.',
  scheduled: 'Due later.',
  retrying: 'Failed, and is tried again later.',
  running: 'A worker runs it.',
  paused: 'Its task is paused.',
  dead: 'Its last attempt failed; operatorJobRetry starts it again.',
});

const OperatorJob = builder.objectRef<QueuedJob>('OperatorJob').implement({
  description: 'A job of the worker that has not ended.',
  fields: (t) =>
    shown(t, {
      id: id('Number of the job: id of operatorJobRetry.'),
      task: text('Name of its task.'),
      of: t.field({
        type: OperatorPlace,
        nullable: true,
        description: 'Whose it is; null for a job of the whole platform.',
        resolve: placeOf,
      }),
      subjectId: id.orNull(
        'What it is about, for example a payout; null for nothing in particular.',
      ),
      state: of(JobStateEnum, 'Where it stands.'),
      attempts: int('Attempts so far.'),
      maxAttempts: int('Attempts that it has in all.'),
      runAt: time('When it is, or was, due.'),
      lastError: text.orNull('The error of its last attempt, on one line; null where none failed.'),
      createdAt: time('When it was added.'),
      takenBy: text.orNull(
        'Which operator works on it, since when and with what note; null for nobody.',
      ),
    }),
});

const Jobs = connectionOf(OperatorJob, 'OperatorJobConnection', 'A page of jobs, newest first.');

const OperatorWorker = builder.objectRef<ListedWorker>('OperatorWorker').implement({
  description: 'A process that runs jobs.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the worker, as logs and ops show it.'),
      alive: bool('Whether its heartbeat is recent.'),
      silentSeconds: int.orNull('Seconds since its last heartbeat; null where it sent none.'),
      jobsHeld: int('Jobs that it runs.'),
      oldestHeldSince: time.orNull('Since when it runs the oldest of them; null for none.'),
      hostname: text.orNull('Name of its machine; null where it told nothing of itself.'),
      startedAt: time.orNull('When it was started; null where it told nothing of itself.'),
    }),
});

builder.queryFields((t) => ({
  operatorTasks: t.field({
    type: [OperatorTask],
    description:
      'Operators only. Every task of the worker by name, whether it is paused, and how its jobs fare.',
    complexity: { field: 20, multiplier: 25 },
    resolve: (_root, _args, context) => listTasks(context.operatorCall),
  }),
  operatorJobs: t.field({
    type: Jobs,
    description:
      'Operators only. Jobs that have not ended, newest first. Those that no worker has taken over yet have no number and are not here.',
    args: {
      ...listArgs,
      task: t.arg.string({ description: 'Only of this task.' }),
      subjectId: t.arg.id({ description: 'Only about this, for example a payout.' }),
      state: t.arg({ type: JobStateEnum, description: 'Only in this state.' }),
    },
    complexity: operatorPageCost,
    resolve: (_root, { first, after, ...args }, context) => {
      const businessId = args.businessId ?? null;
      const choice = {
        task: args.task ?? null,
        subjectId: args.subjectId ?? null,
        state: args.state ?? null,
      };
      return operatorPage(context, {
        list: 'operatorJobs',
        filter: { businessId, ...choice },
        first,
        after,
        fetch: (call, at, take) => listJobs(call, choice, { businessId, after: at, take }),
        position: ({ id }) => id,
      });
    },
  }),
  operatorWorkers: t.field({
    type: [OperatorWorker],
    description: 'Operators only. The workers, those first that were started last; at most 100.',
    complexity: { field: 20, multiplier: 25 },
    resolve: (_root, _args, context) => listWorkers(context.operatorCall),
  }),
}));

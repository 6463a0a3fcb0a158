import {
  countedJobs,
  listJobs,
  listTasks,
  listWorkers,
  type ListedWorker,
  type QueuedJob,
  type TaskHealth,
} from '../../src/domain/operator/queue.ts';
import { builder } from '../builder.ts';
import { describedValues } from '../common/enum-values.ts';
import { listArgs } from './args.ts';
import { OperatorPlace, placeOf } from './listed.ts';
import { operatorPage, operatorPageCost } from './page.ts';

const OperatorTask = builder.objectRef<TaskHealth>('OperatorTask').implement({
  description: `A task of the worker and how its jobs fare. The first ${countedJobs.toLocaleString('en')} jobs and as many of the latest runs are counted.`,
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the task, for example disburse_payout.' }),
    description: t.exposeString('description', { description: 'What it does.' }),
    clock: t.exposeString('clock', {
      nullable: true,
      description: 'When it runs by itself, as a cron expression in UTC; null for no clock.',
    }),
    pausedAt: t.expose('pausedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when no worker starts its jobs; null while they do.',
    }),
    pausedBy: t.exposeString('pausedBy', {
      nullable: true,
      description: 'Who paused it: a login of the database, or the id of an operator.',
    }),
    pauseReason: t.exposeString('pauseReason', { nullable: true, description: 'Why.' }),
    ready: t.exposeInt('ready', { description: 'Jobs that are due for the first time.' }),
    oldestReadySeconds: t.exposeInt('oldestReadySeconds', {
      nullable: true,
      description: 'For how many seconds the oldest job that is due has waited; null for none.',
    }),
    scheduled: t.exposeInt('scheduled', { description: 'Jobs for later.' }),
    retrying: t.exposeInt('retrying', { description: 'Jobs that failed and are tried again.' }),
    running: t.exposeInt('running', { description: 'Jobs that a worker runs.' }),
    dead: t.exposeInt('dead', { description: 'Jobs whose last attempt failed.' }),
    runsPerMinute: t.exposeFloat('runsPerMinute', {
      description: 'Runs that ended a minute, over the last 15 minutes.',
    }),
    failedLately: t.exposeInt('failedLately', {
      description: 'Runs that failed in the last 15 minutes.',
    }),
    p95Ms: t.exposeInt('p95Ms', {
      nullable: true,
      description: 'Milliseconds that 95 of 100 of these runs stayed below; null for no run.',
    }),
  }),
});

const JobStateEnum = builder.enumType('OperatorJobState', {
  description: 'Where a job stands.',
  values: describedValues<QueuedJob['state']>({
    ready: 'Due, and waits for a worker.',
    scheduled: 'Due later.',
    retrying: 'Failed, and is tried again later.',
    running: 'A worker runs it.',
    paused: 'Its task is paused.',
    dead: 'Its last attempt failed; operatorJobRetry starts it again.',
  }),
});

const OperatorJob = builder.objectRef<QueuedJob>('OperatorJob').implement({
  description: 'A job of the worker that has not ended.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Number of the job: id of operatorJobRetry.' }),
    task: t.exposeString('task', { description: 'Name of its task.' }),
    of: t.field({
      type: OperatorPlace,
      nullable: true,
      description: 'Whose it is; null for a job of the whole platform.',
      resolve: placeOf,
    }),
    subjectId: t.exposeID('subjectId', {
      nullable: true,
      description: 'What it is about, for example a payout; null for nothing in particular.',
    }),
    state: t.expose('state', { type: JobStateEnum, description: 'Where it stands.' }),
    attempts: t.exposeInt('attempts', { description: 'Attempts so far.' }),
    maxAttempts: t.exposeInt('maxAttempts', { description: 'Attempts that it has in all.' }),
    runAt: t.expose('runAt', { type: 'DateTime', description: 'When it is, or was, due.' }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'The error of its last attempt, on one line; null where none failed.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
    takenBy: t.exposeString('takenBy', {
      nullable: true,
      description: 'Which operator works on it, since when and with what note; null for nobody.',
    }),
  }),
});

const Jobs = builder.connectionObject({
  type: OperatorJob,
  name: 'OperatorJobConnection',
  description: 'A page of jobs, newest first.',
});

const OperatorWorker = builder.objectRef<ListedWorker>('OperatorWorker').implement({
  description: 'A process that runs jobs.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the worker, as logs and ops show it.' }),
    alive: t.exposeBoolean('alive', { description: 'Whether its heartbeat is recent.' }),
    silentSeconds: t.exposeInt('silentSeconds', {
      nullable: true,
      description: 'Seconds since its last heartbeat; null where it sent none.',
    }),
    jobsHeld: t.exposeInt('jobsHeld', { description: 'Jobs that it runs.' }),
    oldestHeldSince: t.expose('oldestHeldSince', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it runs the oldest of them; null for none.',
    }),
    hostname: t.exposeString('hostname', {
      nullable: true,
      description: 'Name of its machine; null where it told nothing of itself.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was started; null where it told nothing of itself.',
    }),
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

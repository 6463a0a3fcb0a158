import {
  replayDeliveries,
  resendMail,
  type Replayed,
  type ResentMail,
} from '../../src/domain/operator/dead-letters.ts';
import {
  pauseTask,
  resumeTask,
  retryJob,
  scheduleJob,
  type ChangedJob,
  type ChangedTask,
} from '../../src/domain/operator/tasks-and-jobs.ts';
import { bool, id, int, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { deliveredEventTypes } from '../webhook/event-types.ts';
import { reasonArg, tenantArgs } from './args.ts';

const note = 'What else there is to know; null for nothing.';
const actionId = 'Id of the line of ops.action_log that records it.';

const OperatorTaskChange = builder.objectRef<ChangedTask>('OperatorTaskChange').implement({
  description: 'A task that an operator paused or resumed.',
  fields: (t) =>
    shown(t, {
      name: text('Name of the task.'),
      pausedAt: time.orNull('Since when it is paused; null after it was resumed.'),
      pausedBy: text.orNull('Who paused it first; null after it was resumed.'),
      note: text.orNull(note),
      actionId: id.orNull(actionId),
    }),
});

const OperatorJobChange = builder.objectRef<ChangedJob>('OperatorJobChange').implement({
  description: 'A job that an operator retried or added.',
  fields: (t) =>
    shown(t, {
      id: id.orNull('Number of the job; null for an order, which gets one when a worker takes it.'),
      task: text('Name of its task.'),
      subjectId: id.orNull('What it is about; null for nothing in particular.'),
      runsAt: time('When it is due.'),
      note: text.orNull(note),
      actionId: id.orNull(actionId),
    }),
});

const OperatorMailResend = builder.objectRef<ResentMail>('OperatorMailResend').implement({
  description: 'A mail with a collection link that is sent again.',
  fields: (t) =>
    shown(t, {
      requestId: id('The collection request.'),
      note: text.orNull(note),
      actionId: id.orNull(actionId),
    }),
});

const OperatorReplay = builder.objectRef<Replayed>('OperatorReplay').implement({
  description: 'Dead deliveries that are sent again, or would be.',
  fields: (t) =>
    shown(t, {
      count: int('How many.'),
      remaining: int('How many more are in the window.'),
      dryRun: bool('True when nothing is sent.'),
      startsAt: time.orNull('When the first is sent; null where none is.'),
      endsAt: time.orNull('When the last is sent; null where none is.'),
      note: text.orNull(note),
      actionId: id.orNull('Id of the line of ops.action_log that records it; null for a dry run.'),
    }),
});

const taskArgs = () => ({
  ...builder.args((t) => ({
    task: t.string({ required: true, description: 'Name of the task, as operatorTasks has it.' }),
  })),
  ...reasonArg(),
});

builder.mutationFields((t) => ({
  operatorTaskPause: t.field({
    nullable: true,
    type: OperatorTaskChange,
    description:
      'Operators only. Within seconds no worker starts the jobs of a task; running ones finish. Of a paused task it changes nothing. Throws not_found for an unknown task.',
    args: taskArgs(),
    resolve: (_root, args, context) => pauseTask(context.operatorCall, args),
  }),
  operatorTaskResume: t.field({
    nullable: true,
    type: OperatorTaskChange,
    description:
      'Operators only. Lets the workers start the jobs of a paused task again. Throws not_found for an unknown task, conflict for one that is not paused.',
    args: taskArgs(),
    resolve: (_root, args, context) => resumeTask(context.operatorCall, args),
  }),
  operatorJobRetry: t.field({
    nullable: true,
    type: OperatorJobChange,
    description:
      'Operators only. Runs a job now that is dead or waits for its next attempt, and resets its attempts. Throws not_found for a job that has ended, conflict while it runs.',
    args: {
      id: t.arg.id({ required: true, description: 'Number of the job.' }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => retryJob(context.operatorCall, args),
  }),
  operatorJobSchedule: t.field({
    nullable: true,
    type: OperatorJobChange,
    description:
      'Operators only. Adds a job that is missing, as the next step of a payout that stands still says. Throws not_found for an unknown task or id, validation_failed for a task that is not added by hand, conflict where the task does nothing in the state of the id.',
    args: {
      task: t.arg.string({ required: true, description: 'Name of the task.' }),
      subjectId: t.arg.id({
        description: 'What the job is about; left out for a task of the clock.',
      }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => scheduleJob(context.operatorCall, args),
  }),
  operatorMailResend: t.field({
    nullable: true,
    type: OperatorMailResend,
    description:
      'Operators only. Sends the mail of a live collection request again; the links of earlier mails still work. Throws not_found, and conflict for a request that has ended.',
    args: {
      requestId: t.arg.id({ required: true, description: 'The collection request.' }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => resendMail(context.operatorCall, args),
  }),
  operatorDeliveriesReplay: t.field({
    nullable: true,
    type: OperatorReplay,
    description:
      "Operators only. Sends a business's dead deliveries of a window again, oldest first, spread over ten minutes and after new ones. Throws not_found for the business, conflict without an enabled subscription.",
    args: {
      ...tenantArgs(),
      createdSince: t.arg({
        type: 'DateTime',
        required: true,
        description: 'Created at this time or later.',
      }),
      createdBefore: t.arg({
        type: 'DateTime',
        required: true,
        description: 'Created before this time, which must be later than createdSince.',
      }),
      eventType: t.arg.string({ description: `Of events of this type. ${deliveredEventTypes}` }),
      limit: t.arg.int({ description: 'Most to send: 1 to 10,000, which is the default.' }),
      dryRun: t.arg.boolean({
        description: 'Whether to count the deliveries and send none; false by default.',
      }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => replayDeliveries(context.operatorCall, args),
  }),
}));

import {
  deadLetterPosition,
  endpointPosition,
  listActions,
  listDeadLetters,
  listFailingEndpoints,
  listProviders,
  type DeadLetter,
  type FailingEndpoint,
  type LoggedAction,
  type ProviderHealth,
} from '../../src/domain/operator/health.ts';
import { bool, id, int, json, of, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { connectionOf } from '../lists/connections.ts';
import { EnvironmentEnum } from '../business/enums.ts';
import { describedEnum } from '../common/described-enum.ts';
import { listArgs } from './args.ts';
import { listPage, OperatorListed, OperatorPlace, placeOf, taken } from './listed.ts';
import { operatorPage, operatorPageCost } from './page.ts';

const DeadLetterKindEnum = describedEnum<DeadLetter['kind']>(
  'OperatorDeadLetterKind',
  'What was given up.',
  {
    delivery:
      'A webhook delivery; operatorDeliveriesReplay sends those of a business again, a window at a time.',
    mail: 'The mail with a collection link; operatorMailResend sends it again.',
  },
);

const OperatorDeadLetter = builder.objectRef<DeadLetter>('OperatorDeadLetter').implement({
  description: 'A delivery or a mail whose last attempt failed.',
  interfaces: [OperatorListed],
  fields: (t) =>
    shown(t, {
      kind: of(DeadLetterKindEnum, 'What was given up.'),
      subjectId: id('The delivery, or the collection request whose mail it is.'),
      what: text('Type of the event, or whose collection link it is.'),
      since: time('When it was given up.'),
      error: text.orNull(
        'The error of the last attempt, without addresses; null where none was told.',
      ),
      ...taken,
    }),
});

const DeadLetters = connectionOf(
  OperatorDeadLetter,
  'OperatorDeadLetterConnection',
  'A page of dead letters, those first that were given up last.',
);

type CircuitState = NonNullable<ProviderHealth['circuits']>[string];

const CircuitStateEnum = describedEnum<CircuitState>(
  'CircuitState',
  'Whether a worker calls a provider.',
  {
    closed: 'It calls the provider.',
    open: 'The provider failed several times in a row: for a while it is not called.',
    half_open: 'That while is over: the next call, or the one under way, decides.',
  },
);

const OperatorCircuit = builder
  .objectRef<{ readonly workerId: string; readonly state: CircuitState }>('OperatorCircuit')
  .implement({
    description: "A worker's circuit breaker for a provider.",
    fields: (t) =>
      shown(t, {
        workerId: id('The worker.'),
        state: of(CircuitStateEnum, 'Whether the worker calls the provider.'),
      }),
  });

const OperatorProvider = builder.objectRef<ProviderHealth>('OperatorProvider').implement({
  description: 'How a provider answers in one environment.',
  fields: (t) =>
    shown(t, {
      provider: text('Name of the provider.'),
      environment: of.orNull(
        EnvironmentEnum,
        'In which environment; null for a provider that was asked nothing of late.',
      ),
      attempts: int('Submissions of the last hour.'),
      submitted: int('Those of them that it took.'),
      rejected: int('Those of them that it refused.'),
      unclear: int('Those of them without a clear answer.'),
      unknownNow: int('Submissions, of any time, whose outcome is unknown at this moment.'),
      oldestUnknownSeconds: int.orNull(
        'For how many seconds the oldest of them is unknown; null for none.',
      ),
      needsOperator: int('Submissions that need an operator.'),
      p95Ms: int.orNull('Milliseconds in which 95 of 100 calls of the last hour were answered.'),
      lastEventAt: time.orNull('When its latest event came, of either environment; null for none.'),
      eventsWaiting: int('Its events that are stored and not applied.'),
      oldestEventSeconds: int.orNull(
        'For how many seconds the oldest of them has waited; null for none.',
      ),
      eventsUnmatched: int('Its events of the last seven days that are about nothing we know.'),
      circuits: t.field({
        type: [OperatorCircuit],
        description: 'The circuit breaker of each worker that is alive and has the provider.',
        resolve: ({ circuits }) =>
          Object.entries(circuits ?? {}).map(([workerId, state]) => ({ workerId, state })),
      }),
    }),
});

const OperatorEndpoint = builder.objectRef<FailingEndpoint>('OperatorEndpoint').implement({
  description: "A business's webhook endpoint whose latest attempt failed.",
  interfaces: [OperatorListed],
  fields: (t) =>
    shown(t, {
      subscriptionId: id('The subscription.'),
      enabled: bool('Whether events are delivered to it.'),
      failingSince: time('When it began to refuse deliveries.'),
      failures: int('Failed attempts since then.'),
      lastFailedAt: time('When the latest attempt failed.'),
      lastStatusCode: int.orNull('HTTP status of the latest attempt; null where no answer came.'),
      lastError: text.orNull('What went wrong in the latest attempt.'),
      waiting: int('Deliveries that wait for it, counted up to 1,000.'),
      nextAttemptAt: time.orNull('When the next attempt is due; null for none.'),
      what: text('All of it in a sentence.'),
      ...taken,
    }),
});

const Endpoints = connectionOf(
  OperatorEndpoint,
  'OperatorEndpointConnection',
  'A page of endpoints, those first that have failed for longest.',
);

const OperatorAction = builder.objectRef<LoggedAction>('OperatorAction').implement({
  description: 'A line of ops.action_log: what an operator did, in SQL or over GraphQL.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the line.'),
      at: time('When it was done.'),
      who: text('Who did it: a login of the database, or the id of an operator.'),
      person: text('Name of the person, in small letters.'),
      action: text('What was done: a function of ops, or a mutation.'),
      of: t.field({
        type: OperatorPlace,
        nullable: true,
        description: 'Which tenant it concerned; null for no single one.',
        resolve: placeOf,
      }),
      subjectId: id.orNull('What it was about; null for nothing with an id.'),
      reason: text('Why; empty where none was asked for.'),
      detail: json('Further facts.'),
      affected: int('How many rows or jobs it concerned.'),
      outcome: text.orNull('What became of an order that the worker carries out; null until then.'),
      outcomeAt: time.orNull('When the worker carried it out.'),
    }),
});

const Actions = connectionOf(
  OperatorAction,
  'OperatorActionConnection',
  'A page of the log, newest first.',
);

builder.queryFields((t) => ({
  operatorDeadLetters: t.field({
    type: DeadLetters,
    description:
      'Operators only. Deliveries or mails whose last attempt failed, those first that were given up last. Dead jobs are in operatorJobs.',
    args: {
      ...listArgs,
      kind: t.arg({ type: DeadLetterKindEnum, required: true, description: 'Which of them.' }),
    },
    complexity: operatorPageCost,
    resolve: (_root, { kind, first, after, ...args }, context) => {
      const businessId = args.businessId ?? null;
      return operatorPage(context, {
        list: 'operatorDeadLetters',
        filter: { businessId, kind },
        first,
        after,
        fetch: (call, at, take) => listDeadLetters(call, kind, { businessId, after: at, take }),
        position: deadLetterPosition,
      });
    },
  }),
  operatorProviders: t.field({
    type: [OperatorProvider],
    description:
      'Operators only. How each provider answers, what it has told, and whether workers call it.',
    complexity: { field: 50, multiplier: 10 },
    resolve: (_root, _args, context) => listProviders(context.operatorCall),
  }),
  operatorEndpoints: t.field({
    type: Endpoints,
    description: 'Operators only. Webhook endpoints of businesses whose latest attempt failed.',
    args: listArgs,
    complexity: operatorPageCost,
    resolve: listPage('operatorEndpoints', listFailingEndpoints, endpointPosition),
  }),
  operatorActions: t.field({
    type: Actions,
    description:
      'Operators only. What operators did, newest first: over GraphQL, on the pages for operators and in SQL.',
    args: {
      ...listArgs,
      subjectId: t.arg.id({ description: 'Only about this, for example a payout.' }),
    },
    complexity: operatorPageCost,
    resolve: (_root, { subjectId: about, first, after, ...args }, context) => {
      const businessId = args.businessId ?? null;
      const subjectId = about ?? null;
      return operatorPage(context, {
        list: 'operatorActions',
        filter: { businessId, subjectId },
        first,
        after,
        fetch: (call, at, take) => listActions(call, subjectId, { businessId, after: at, take }),
        position: ({ id }) => id,
      });
    },
  }),
}));

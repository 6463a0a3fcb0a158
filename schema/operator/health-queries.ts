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
import { builder } from '../builder.ts';
import { EnvironmentEnum } from '../business/enums.ts';
import { describedValues } from '../common/enum-values.ts';
import { listArgs } from './args.ts';
import { listPage, OperatorListed, OperatorPlace, placeOf } from './listed.ts';
import { operatorPage, operatorPageCost } from './page.ts';

const takenBy = 'Which operator works on it, since when and with what note; null for nobody.';

const DeadLetterKindEnum = builder.enumType('OperatorDeadLetterKind', {
  description: 'What was given up.',
  values: describedValues<DeadLetter['kind']>({
    delivery:
      'A webhook delivery; operatorDeliveriesReplay sends those of a business again, a window at a time.',
    mail: 'The mail with a collection link; operatorMailResend sends it again.',
  }),
});

const OperatorDeadLetter = builder.objectRef<DeadLetter>('OperatorDeadLetter').implement({
  description: 'A delivery or a mail whose last attempt failed.',
  interfaces: [OperatorListed],
  fields: (t) => ({
    kind: t.expose('kind', { type: DeadLetterKindEnum, description: 'What was given up.' }),
    subjectId: t.exposeID('subjectId', {
      description: 'The delivery, or the collection request whose mail it is.',
    }),
    what: t.exposeString('what', {
      description: 'Type of the event, or whose collection link it is.',
    }),
    since: t.expose('since', { type: 'DateTime', description: 'When it was given up.' }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'The error of the last attempt, without addresses; null where none was told.',
    }),
    takenBy: t.exposeString('takenBy', { nullable: true, description: takenBy }),
  }),
});

const DeadLetters = builder.connectionObject({
  type: OperatorDeadLetter,
  name: 'OperatorDeadLetterConnection',
  description: 'A page of dead letters, those first that were given up last.',
});

type CircuitState = NonNullable<ProviderHealth['circuits']>[string];

const CircuitStateEnum = builder.enumType('CircuitState', {
  description: 'Whether a worker calls a provider.',
  values: describedValues<CircuitState>({
    closed: 'It calls the provider.',
    open: 'The provider failed several times in a row: for a while it is not called.',
    half_open: 'That while is over: the next call, or the one under way, decides.',
  }),
});

const OperatorCircuit = builder
  .objectRef<{ readonly workerId: string; readonly state: CircuitState }>('OperatorCircuit')
  .implement({
    description: "A worker's circuit breaker for a provider.",
    fields: (t) => ({
      workerId: t.exposeID('workerId', { description: 'The worker.' }),
      state: t.expose('state', {
        type: CircuitStateEnum,
        description: 'Whether the worker calls the provider.',
      }),
    }),
  });

const OperatorProvider = builder.objectRef<ProviderHealth>('OperatorProvider').implement({
  description: 'How a provider answers in one environment.',
  fields: (t) => ({
    provider: t.exposeString('provider', { description: 'Name of the provider.' }),
    environment: t.expose('environment', {
      type: EnvironmentEnum,
      nullable: true,
      description: 'In which environment; null for a provider that was asked nothing of late.',
    }),
    attempts: t.exposeInt('attempts', { description: 'Hand-overs of the last hour.' }),
    submitted: t.exposeInt('submitted', { description: 'Those of them that it took.' }),
    rejected: t.exposeInt('rejected', { description: 'Those of them that it refused.' }),
    unclear: t.exposeInt('unclear', { description: 'Those of them without a clear answer.' }),
    unknownNow: t.exposeInt('unknownNow', {
      description: 'Hand-overs, of any time, whose outcome is unknown at this moment.',
    }),
    oldestUnknownSeconds: t.exposeInt('oldestUnknownSeconds', {
      nullable: true,
      description: 'For how many seconds the oldest of them is unknown; null for none.',
    }),
    needsOperator: t.exposeInt('needsOperator', {
      description: 'Hand-overs that need an operator.',
    }),
    p95Ms: t.exposeInt('p95Ms', {
      nullable: true,
      description: 'Milliseconds in which 95 of 100 calls of the last hour were answered.',
    }),
    lastEventAt: t.expose('lastEventAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its latest event came, of either environment; null for none.',
    }),
    eventsWaiting: t.exposeInt('eventsWaiting', {
      description: 'Its events that are stored and not applied.',
    }),
    oldestEventSeconds: t.exposeInt('oldestEventSeconds', {
      nullable: true,
      description: 'For how many seconds the oldest of them has waited; null for none.',
    }),
    eventsUnmatched: t.exposeInt('eventsUnmatched', {
      description: 'Its events of the last seven days that are about nothing we know.',
    }),
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
  fields: (t) => ({
    subscriptionId: t.exposeID('subscriptionId', { description: 'The subscription.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether events are delivered to it.' }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      description: 'When it began to refuse deliveries.',
    }),
    failures: t.exposeInt('failures', { description: 'Failed attempts since then.' }),
    lastFailedAt: t.expose('lastFailedAt', {
      type: 'DateTime',
      description: 'When the latest attempt failed.',
    }),
    lastStatusCode: t.exposeInt('lastStatusCode', {
      nullable: true,
      description: 'HTTP status of the latest attempt; null where no answer came.',
    }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'What went wrong in the latest attempt.',
    }),
    waiting: t.exposeInt('waiting', {
      description: 'Deliveries that wait for it, counted up to 1,000.',
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the next attempt is due; null for none.',
    }),
    what: t.exposeString('what', { description: 'All of it in a sentence.' }),
    takenBy: t.exposeString('takenBy', { nullable: true, description: takenBy }),
  }),
});

const Endpoints = builder.connectionObject({
  type: OperatorEndpoint,
  name: 'OperatorEndpointConnection',
  description: 'A page of endpoints, those first that have failed for longest.',
});

const OperatorAction = builder.objectRef<LoggedAction>('OperatorAction').implement({
  description: 'A line of ops.action_log: what an operator did, in SQL or over GraphQL.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the line.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it was done.' }),
    who: t.exposeString('who', {
      description: 'Who did it: a login of the database, or the id of an operator.',
    }),
    person: t.exposeString('person', { description: 'Name of the person, in small letters.' }),
    action: t.exposeString('action', {
      description: 'What was done: a function of ops, or a mutation.',
    }),
    of: t.field({
      type: OperatorPlace,
      nullable: true,
      description: 'Which tenant it concerned; null for no single one.',
      resolve: placeOf,
    }),
    subjectId: t.exposeID('subjectId', {
      nullable: true,
      description: 'What it was about; null for nothing with an id.',
    }),
    reason: t.exposeString('reason', { description: 'Why; empty where none was asked for.' }),
    detail: t.expose('detail', { type: 'JSON', description: 'Further facts.' }),
    affected: t.exposeInt('affected', { description: 'How many rows or jobs it concerned.' }),
    outcome: t.exposeString('outcome', {
      nullable: true,
      description: 'What became of an order that the worker carries out; null until then.',
    }),
    outcomeAt: t.expose('outcomeAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the worker carried it out.',
    }),
  }),
});

const Actions = builder.connectionObject({
  type: OperatorAction,
  name: 'OperatorActionConnection',
  description: 'A page of the log, newest first.',
});

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

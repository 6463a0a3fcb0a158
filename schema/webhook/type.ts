import { readAttempts } from '../../src/domain/webhook/delivery/attempt-list.ts';
import type { DeliveryStatus } from '../../src/domain/webhook/delivery/delivery-store.ts';
import { readPendingAddress } from '../../src/domain/webhook/subscription/address.ts';
import { builder } from '../builder.ts';
import { EnvironmentEnum } from '../business/enums.ts';
import { describedValues } from '../common/enum-values.ts';
import { childrenBy, childrenCost } from '../lists/children.ts';
import { promised, rowById } from '../lists/rows.ts';
import { deliveredEventTypes, knownEventTypes } from './event-types.ts';

export const WebhookSubscription = builder.prismaNode('WebhookSubscription', {
  description: "The tenant's webhook endpoint. A tenant has one at most.",
  id: { resolve: (subscription) => subscription.id },
  findUnique: (id, context) => ({ tenantId_id: { tenantId: context.call.scope.tenantId, id } }),
  nullable: true,
  fields: (t) => ({
    environment: t.field({
      type: EnvironmentEnum,
      description: 'sandbox or production.',
      resolve: (_subscription, _args, context) => context.call.scope.environment,
    }),
    url: t.exposeString('url', { description: 'The https URL that events are posted to.' }),
    pendingUrl: t.string({
      nullable: true,
      description:
        'A URL that waits until a second owner or admin sends it, in production; null where none does. Until then events go to url.',
      resolve: (_subscription, _args, context) => readPendingAddress(context.call),
    }),
    enabledEvents: t.exposeStringList('enabledEvents', {
      description: `Event types that are delivered. ${knownEventTypes}`,
    }),
    enabled: t.exposeBoolean('enabled', {
      description: 'Whether events are delivered.',
    }),
    apiVersion: t.exposeString('apiVersion', {
      description: 'API version of the payloads, fixed when the subscription was created.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  }),
});

export const WebhookDeliveryStatusEnum = builder.enumType('WebhookDeliveryStatus', {
  description: 'State of a delivery.',
  values: describedValues<DeliveryStatus>({
    pending: 'Another attempt is due.',
    delivered: 'The endpoint answered with a 2xx status.',
    dead: 'Every attempt failed.',
    canceled: 'The subscription was deleted.',
  }),
});

export const Event = builder.prismaObject('Event', {
  description: 'A fact about a payout that subscribers are told.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description:
        'Id of the event, the same on each attempt. Receivers recognise repetitions by it.',
    }),
    type: t.exposeString('type', { description: `Event type. ${deliveredEventTypes}` }),
    payoutId: t.exposeID('payoutId', {
      nullable: true,
      description: 'The payout that it is about; null for a test event.',
    }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When it happened.' }),
    sequence: t.float({
      description: 'Orders events of one payout with equal occurredAt; an integer.',
      resolve: (event) => Number(event.sequence),
    }),
    data: t.expose('data', { type: 'JSON', description: 'The payload that subscribers get.' }),
  }),
});

const attemptsOf = childrenBy(readAttempts);

const eventById = rowById((prisma, ids) => prisma.event.findMany({ where: { id: { in: ids } } }));

const WebhookDeliveryAttempt = builder.prismaObject('WebhookDeliveryAttempt', {
  description: 'One POST to the endpoint and its outcome.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Number of the attempt, from 1.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it was made.' }),
    latencyMs: t.exposeInt('latencyMs', { description: 'How long it took, in milliseconds.' }),
    statusCode: t.exposeInt('statusCode', {
      nullable: true,
      description: 'HTTP status of the answer; null when there was none.',
    }),
    answer: t.exposeString('answer', {
      nullable: true,
      description: 'Up to 1 KiB of the answer; null when there was none.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why there was no answer; null when there was one.',
    }),
  }),
});

export const WebhookDelivery = builder.prismaNode('WebhookDelivery', {
  description: 'One event on its way to the endpoint, with all of its attempts.',
  id: { resolve: (delivery) => delivery.id },
  findUnique: (id, context) => ({ tenantId_id: { tenantId: context.call.scope.tenantId, id } }),
  nullable: true,
  fields: (t) => ({
    subscriptionId: t.exposeID('subscriptionId', {
      description: 'The subscription, which may have been deleted since.',
    }),
    status: t.field({
      type: WebhookDeliveryStatusEnum,
      description: 'State of the delivery.',
      // The column's CHECK constraint holds the same values.
      resolve: (delivery) => delivery.status as DeliveryStatus,
    }),
    attemptCount: t.exposeInt('attempts', { description: 'Attempts made so far.' }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the next attempt is due; null when there is none.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the delivery was created.',
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was delivered, given up or canceled.',
    }),
    event: t.field({
      type: Event,
      description: 'The event.',
      resolve: async ({ eventId }, _args, context) => promised(await eventById(context, eventId)),
    }),
    attempts: t.field({
      type: [WebhookDeliveryAttempt],
      description: 'The latest 100 attempts, oldest first.',
      args: {
        before: t.arg.int({ description: 'Only attempts before the one with this number.' }),
      },
      complexity: childrenCost,
      resolve: ({ id }, { before }, context) => attemptsOf(context, { id, before: before ?? null }),
    }),
  }),
});

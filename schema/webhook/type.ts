import { readAttempts } from '../../src/domain/webhook/delivery/attempt-list.ts';
import type { DeliveryStatus } from '../../src/domain/webhook/delivery/delivery-store.ts';
import { readPendingAddress } from '../../src/domain/webhook/subscription/address.ts';
import { bool, id, int, json, stored, text, texts, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { EnvironmentEnum } from '../business/enums.ts';
import { describedEnum } from '../common/described-enum.ts';
import { childrenBy, childrenCost } from '../lists/children.ts';
import { promised, rowById } from '../lists/rows.ts';
import { deliveredEventTypes, knownEventTypes } from './event-types.ts';

export const WebhookSubscription = builder.prismaNode('WebhookSubscription', {
  description: "The tenant's webhook endpoint. A tenant has one at most.",
  id: { resolve: (subscription) => subscription.id },
  findUnique: (id, context) => ({ tenantId_id: { tenantId: context.call.scope.tenantId, id } }),
  nullable: true,
  fields: (t) =>
    shown(t, {
      environment: t.field({
        type: EnvironmentEnum,
        description: 'sandbox or production.',
        resolve: (_subscription, _args, context) => context.call.scope.environment,
      }),
      url: text('The https URL that events are posted to.'),
      pendingUrl: t.string({
        nullable: true,
        description:
          'A URL that waits until a second owner or admin sends it, in production; null where none does. Until then events go to url.',
        resolve: (_subscription, _args, context) => readPendingAddress(context.call),
      }),
      enabledEvents: texts(`Event types that are delivered. ${knownEventTypes}`),
      enabled: bool('Whether events are delivered.'),
      apiVersion: text('API version of the payloads, fixed when the subscription was created.'),
      createdAt: time('Time of creation.'),
      updatedAt: time('Time of the last change.'),
    }),
});

export const WebhookDeliveryStatusEnum = describedEnum<DeliveryStatus>(
  'WebhookDeliveryStatus',
  'State of a delivery.',
  {
    pending: 'Another attempt is due.',
    delivered: 'The endpoint answered with a 2xx status.',
    dead: 'Every attempt failed.',
    canceled: 'The subscription was deleted.',
  },
);

export const Event = builder.prismaObject('Event', {
  description: 'A fact that subscribers are told.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the event, the same on each attempt. Receivers recognise repetitions by it.'),
      type: text(`Event type. ${deliveredEventTypes}`),
      payoutId: id.orNull('The payout that it is about; null where it is about none.'),
      subjectId: id.orNull(
        'The payee, the bank account or the collection request that it is about; null for an event of a payout.',
      ),
      occurredAt: time('When it happened.'),
      recordedAt: time('When it was written: the order of a list with since, and the next since.'),
      sequence: t.float({
        description: 'Orders events of one payout with equal occurredAt; an integer.',
        resolve: (event) => Number(event.sequence),
      }),
      data: json('The payload that subscribers get.'),
    }),
});

const attemptsOf = childrenBy(readAttempts);

const eventById = rowById((prisma, ids) => prisma.event.findMany({ where: { id: { in: ids } } }));

const WebhookDeliveryAttempt = builder.prismaObject('WebhookDeliveryAttempt', {
  description: 'One POST to the endpoint and its outcome.',
  fields: (t) =>
    shown(t, {
      number: int('Number of the attempt, from 1.'),
      startedAt: time('When it was made.'),
      latencyMs: int('How long it took, in milliseconds.'),
      statusCode: int.orNull('HTTP status of the answer; null when there was none.'),
      answer: text.orNull('Up to 1 KiB of the answer; null when there was none.'),
      error: text.orNull('Why there was no answer; null when there was one.'),
    }),
});

export const WebhookDelivery = builder.prismaNode('WebhookDelivery', {
  description: 'One event on its way to the endpoint, with all of its attempts.',
  id: { resolve: (delivery) => delivery.id },
  findUnique: (id, context) => ({ tenantId_id: { tenantId: context.call.scope.tenantId, id } }),
  nullable: true,
  fields: (t) =>
    shown(t, {
      subscriptionId: id('The subscription, which may have been deleted since.'),
      status: stored(WebhookDeliveryStatusEnum, 'State of the delivery.'),
      attemptCount: t.exposeInt('attempts', { description: 'Attempts made so far.' }),
      nextAttemptAt: time.orNull('When the next attempt is due; null when there is none.'),
      createdAt: time('When the delivery was created.'),
      completedAt: time.orNull('When it was delivered, given up or canceled.'),
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
        resolve: ({ id }, { before }, context) =>
          attemptsOf(context, { id, before: before ?? null }),
      }),
    }),
});

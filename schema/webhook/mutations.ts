import { deleteSubscription } from '../../src/domain/webhook/subscription/delete.ts';
import {
  endedStatuses,
  redeliverWindow,
} from '../../src/domain/webhook/delivery/redeliver-window.ts';
import type { RedeliveredWindow } from '../../src/domain/webhook/delivery/redeliver-window.ts';
import { redeliverWebhook } from '../../src/domain/webhook/delivery/redeliver.ts';
import {
  registerSubscription,
  type RegisteredSubscription,
} from '../../src/domain/webhook/subscription/register.ts';
import { testWebhook } from '../../src/domain/webhook/delivery/test-event.ts';
import { updateSubscription } from '../../src/domain/webhook/subscription/update.ts';
import { builder } from '../builder.ts';
import { WebhookDelivery, WebhookSubscription } from './type.ts';

const WebhookSubscriptionUpsertInput = builder.inputType('WebhookSubscriptionUpsertInput', {
  description: 'The endpoint to be registered.',
  fields: (t) => ({
    url: t.string({ required: true, description: 'An https URL on the public internet.' }),
    enabledEvents: t.stringList({
      required: true,
      description: 'Event types to be delivered; not empty.',
    }),
  }),
});

const WebhookSubscriptionUpdateInput = builder.inputType('WebhookSubscriptionUpdateInput', {
  description: 'What is to change; what is left out stays, and nothing can be null.',
  fields: (t) => ({
    url: t.string({ description: 'An https URL on the public internet.' }),
    enabledEvents: t.stringList({ description: 'Event types to be delivered; not empty.' }),
    enabled: t.boolean({ description: 'Whether deliveries are planned and made.' }),
  }),
});

const WebhookSubscriptionUpsertPayload = builder
  .objectRef<RegisteredSubscription>('WebhookSubscriptionUpsertPayload')
  .implement({
    description: 'Answer to a registration.',
    fields: (t) => ({
      subscription: t.field({
        type: WebhookSubscription,
        description: 'The endpoint.',
        resolve: (registered) => registered.subscription,
      }),
      secret: t.exposeString('secret', {
        description: 'The key of the signatures, shown here and never again.',
      }),
      created: t.exposeBoolean('created', {
        description: 'False when there was an endpoint, whose secret was rotated.',
      }),
    }),
  });

const EndedDeliveryStatusEnum = builder.enumType('EndedWebhookDeliveryStatus', {
  description:
    'How deliveries ended: dead: every attempt failed; delivered: a 2xx came; canceled: the subscription was deleted.',
  values: endedStatuses,
});

const WebhookDeliveriesRedeliverInput = builder.inputType('WebhookDeliveriesRedeliverInput', {
  description: 'Which deliveries are to be sent again. Conditions that all hold.',
  fields: (t) => ({
    createdSince: t.field({
      type: 'DateTime',
      required: true,
      description: 'Planned at this time or later.',
    }),
    createdBefore: t.field({
      type: 'DateTime',
      required: true,
      description: 'Planned before this time, which is later than createdSince.',
    }),
    status: t.field({
      type: EndedDeliveryStatusEnum,
      description:
        'With this status; dead by default. What was delivered again less than an hour ago is left alone.',
    }),
    eventType: t.string({ description: 'Of events of this type.' }),
    payoutId: t.id({ description: 'Of events of this payout.' }),
    limit: t.int({ description: 'How many at most, the oldest first: 1 to 10,000, the default.' }),
    dryRun: t.boolean({ description: 'Whether to count them and send nothing; false by default.' }),
  }),
});

const WebhookDeliveriesRedeliverPayload = builder
  .objectRef<RedeliveredWindow>('WebhookDeliveriesRedeliverPayload')
  .implement({
    description: 'What is sent again, or would be.',
    fields: (t) => ({
      count: t.exposeInt('count', { description: 'Deliveries that are sent again.' }),
      remaining: t.exposeInt('remaining', {
        description:
          'How many more there are, counted up to 100,000; the same call made again takes them.',
      }),
      startsAt: t.expose('startsAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When the first of them is due; null when there is none.',
      }),
      endsAt: t.expose('endsAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When the last of them is due; null when there is none.',
      }),
      dryRun: t.exposeBoolean('dryRun', { description: 'True when nothing is sent.' }),
    }),
  });

builder.mutationFields((t) => ({
  webhookSubscriptionUpsert: t.field({
    nullable: true,
    type: WebhookSubscriptionUpsertPayload,
    description:
      'Registers the endpoint or, where there is one, replaces it and rotates its secret; the old secret signs nothing from then on.',
    args: {
      input: t.arg({
        type: WebhookSubscriptionUpsertInput,
        required: true,
        description: 'The endpoint.',
      }),
    },
    resolve: (_root, { input }, context) => registerSubscription(context.call, input),
  }),
  webhookSubscriptionUpdate: t.field({
    nullable: true,
    type: WebhookSubscription,
    description: 'Changes the endpoint without rotating its secret.',
    args: {
      input: t.arg({
        type: WebhookSubscriptionUpdateInput,
        required: true,
        description: 'What is to change.',
      }),
    },
    resolve: (_root, { input }, context) => updateSubscription(context.call, input),
  }),
  webhookSubscriptionDelete: t.id({
    nullable: true,
    description: 'Deletes the endpoint, cancels what is on its way to it, and returns its id.',
    resolve: (_root, _args, context) => deleteSubscription(context.call),
  }),
  webhookDeliveryRedeliver: t.field({
    nullable: true,
    type: WebhookDelivery,
    description: 'Sends a delivery again with the same event id and a fresh budget of attempts.',
    args: { id: t.arg.id({ required: true, description: 'The delivery.' }) },
    resolve: (_root, { id }, context) => redeliverWebhook(context.call, id),
  }),
  webhookDeliveriesRedeliver: t.field({
    nullable: true,
    type: WebhookDeliveriesRedeliverPayload,
    description:
      'Sends the deliveries of a window of time again, each with the same event id and a fresh budget of attempts, spread over time and after all others.',
    args: {
      input: t.arg({
        type: WebhookDeliveriesRedeliverInput,
        required: true,
        description: 'Which deliveries.',
      }),
    },
    resolve: (_root, { input }, context) => redeliverWindow(context.call, input),
  }),
  webhookTest: t.field({
    nullable: true,
    type: WebhookDelivery,
    description: 'Sends an event of the type webhook.test to the endpoint.',
    resolve: (_root, _args, context) => testWebhook(context.call),
  }),
}));

import { standardSecret } from '../../src/crypto/standard-webhooks.ts';
import { deleteSubscription } from '../../src/domain/webhook/subscription/delete.ts';
import { redeliverWindow } from '../../src/domain/webhook/delivery/redeliver-window.ts';
import type {
  RedeliveredWindow,
  endedStatuses,
} from '../../src/domain/webhook/delivery/redeliver-window.ts';
import { redeliverWebhook } from '../../src/domain/webhook/delivery/redeliver.ts';
import {
  registerSubscription,
  type RegisteredSubscription,
} from '../../src/domain/webhook/subscription/register.ts';
import { testWebhook } from '../../src/domain/webhook/delivery/test-event.ts';
import { updateSubscription } from '../../src/domain/webhook/subscription/update.ts';
import { bool, int, of, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { describedEnum } from '../common/described-enum.ts';
import { deliveredEventTypes, knownEventTypes } from './event-types.ts';
import { WebhookDelivery, WebhookSubscription } from './type.ts';

const WebhookSubscriptionUpsertInput = builder.inputType('WebhookSubscriptionUpsertInput', {
  description: 'The endpoint to be registered.',
  fields: (t) => ({
    url: t.string({ required: true, description: 'An https URL on the public internet.' }),
    enabledEvents: t.stringList({
      required: true,
      description: `Event types to be delivered; not empty. ${knownEventTypes}`,
    }),
  }),
});

const WebhookSubscriptionUpdateInput = builder.inputType('WebhookSubscriptionUpdateInput', {
  description: 'What is to change. An absent field stays as it is; none can be null.',
  fields: (t) => ({
    url: t.string({ description: 'An https URL on the public internet.' }),
    enabledEvents: t.stringList({
      description: `Event types to be delivered; not empty. ${knownEventTypes}`,
    }),
    enabled: t.boolean({ description: 'Whether events are delivered.' }),
  }),
});

const WebhookSubscriptionUpsertPayload = builder
  .objectRef<RegisteredSubscription>('WebhookSubscriptionUpsertPayload')
  .implement({
    description: 'Answer to a registration.',
    fields: (t) =>
      shown(t, {
        subscription: of(WebhookSubscription, 'The endpoint.'),
        secret: text('The key of the signatures. It is shown only here.'),
        standardWebhooksSecret: t.string({
          description:
            'The same key as libraries of Standard Webhooks (standardwebhooks.com) take it: `whsec_` and base64. It is shown only here.',
          resolve: ({ secret }) => standardSecret(secret),
        }),
        created: bool(
          'Whether the endpoint is new; false when one existed, whose secret is rotated.',
        ),
      }),
  });

const EndedDeliveryStatusEnum = describedEnum<(typeof endedStatuses)[number]>(
  'EndedWebhookDeliveryStatus',
  'How a delivery ended.',
  {
    dead: 'Every attempt failed.',
    delivered: 'The endpoint answered with a 2xx status.',
    canceled: 'The subscription was deleted.',
  },
);

const WebhookDeliveriesRedeliverInput = builder.inputType('WebhookDeliveriesRedeliverInput', {
  description: 'Which deliveries are to be sent again. All conditions must hold.',
  fields: (t) => ({
    createdSince: t.field({
      type: 'DateTime',
      required: true,
      description: 'Created at this time or later.',
    }),
    createdBefore: t.field({
      type: 'DateTime',
      required: true,
      description: 'Created before this time, which must be later than createdSince.',
    }),
    status: t.field({
      type: EndedDeliveryStatusEnum,
      description:
        'With this status; dead by default. A delivery that was sent again less than an hour ago is left out.',
    }),
    eventType: t.string({ description: `Of events of this type. ${deliveredEventTypes}` }),
    payoutId: t.id({ description: 'Of events of this payout.' }),
    limit: t.int({
      description: 'Most deliveries to send, oldest first: 1 to 10,000, which is the default.',
    }),
    dryRun: t.boolean({
      description: 'Whether to count the deliveries and send none; false by default.',
    }),
  }),
});

const WebhookDeliveriesRedeliverPayload = builder
  .objectRef<RedeliveredWindow>('WebhookDeliveriesRedeliverPayload')
  .implement({
    description: 'What is sent again, or would be in a dry run.',
    fields: (t) =>
      shown(t, {
        count: int('Number of deliveries that are sent again.'),
        remaining: int(
          'Deliveries that remain, counted up to 100,000. Repeat the call to send them.',
        ),
        startsAt: time.orNull('When the first of them is due; null when there is none.'),
        endsAt: time.orNull('When the last of them is due; null when there is none.'),
        dryRun: bool('True when nothing is sent.'),
      }),
  });

builder.mutationFields((t) => ({
  webhookSubscriptionUpsert: t.field({
    nullable: true,
    type: WebhookSubscriptionUpsertPayload,
    description:
      'Registers the endpoint. If there is one, it is replaced and its secret is rotated: nothing is signed with the old secret afterwards.',
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
    description: 'Deletes the endpoint, cancels its pending deliveries and returns its id.',
    resolve: (_root, _args, context) => deleteSubscription(context.call),
  }),
  webhookDeliveryRedeliver: t.field({
    nullable: true,
    type: WebhookDelivery,
    description: 'Sends a delivery again, with the same event id and a new set of attempts.',
    args: { id: t.arg.id({ required: true, description: 'The delivery.' }) },
    resolve: (_root, { id }, context) => redeliverWebhook(context.call, id),
  }),
  webhookDeliveriesRedeliver: t.field({
    nullable: true,
    type: WebhookDeliveriesRedeliverPayload,
    description:
      'Sends the deliveries of a window of time again. Each keeps its event id and gets a new set of attempts. They are spread over time and yield to new deliveries.',
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

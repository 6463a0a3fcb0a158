import { deleteSubscription } from '../../src/domain/webhook/delete.ts';
import { redeliverWebhook } from '../../src/domain/webhook/redeliver.ts';
import {
  registerSubscription,
  type RegisteredSubscription,
} from '../../src/domain/webhook/register.ts';
import { testWebhook } from '../../src/domain/webhook/test-event.ts';
import { updateSubscription } from '../../src/domain/webhook/update.ts';
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
  webhookTest: t.field({
    nullable: true,
    type: WebhookDelivery,
    description: 'Sends an event of the type webhook.test to the endpoint.',
    resolve: (_root, _args, context) => testWebhook(context.call),
  }),
}));

import { z } from 'zod';
import { deliveredTypes, eventTypes } from '../../src/domain/event/types.ts';
import { dateTime, text } from '../../src/values/fields.ts';
import { environment, id, nextCursor, pageQuery, pathId, timestamp } from './common.ts';
import { schemaEnum } from './schema-enum.ts';

const eventType = z.enum(eventTypes);
const deliveredType = z.enum(deliveredTypes);

/** A webhook subscription as it is answered, without its secret. */
const subscription = z
  .object({
    id,
    environment,
    url: z.string(),
    pending_url: z.string().nullable().meta({
      description:
        'A URL that waits until a second owner or admin of the business sends it, in production; null where none does. Until then events go to url.',
    }),
    enabled_events: z.array(eventType),
    enabled: z.boolean(),
    api_version: z.string().meta({
      description: 'API version of the payloads, fixed when the subscription was created.',
    }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'WebhookSubscription' });

// The command checks where it points, with an error code for each reason.
const url = text(2_048).meta({
  format: 'uri',
  description: 'An https URL on the public internet.',
});
const enabledEvents = z.array(eventType).min(1).max(100);

export const subscriptionBody = z
  .strictObject({ url, enabled_events: enabledEvents })
  .meta({ id: 'WebhookSubscriptionCreate' });

export const subscriptionPatch = z
  .strictObject({
    url: url.optional(),
    enabled_events: enabledEvents.optional(),
    enabled: z.boolean().optional(),
  })
  .meta({ id: 'WebhookSubscriptionUpdate' });

export const subscriptionEnvelope = z.object({ subscription });

export const registrationEnvelope = z.object({
  subscription,
  secret: z.string().meta({ description: 'The key of the signatures. It is shown only here.' }),
  standard_webhooks_secret: z.string().meta({
    description:
      'The same key as libraries of Standard Webhooks (standardwebhooks.com) take it: `whsec_` and base64. It is shown only here.',
  }),
});

const deliveryStatus = schemaEnum('WebhookDeliveryStatus');

const deliveryFields = {
  id,
  event_id: z.string(),
  event_type: deliveredType,
  payout_id: z.string().nullable().meta({ description: 'Null where it is about no payout.' }),
  subject_id: z.string().nullable().meta({
    description:
      'The payee, the bank account or the collection request that it is about; null for an event of a payout.',
  }),
  subscription_id: z.string(),
  status: deliveryStatus,
  attempt_count: z.int(),
  next_attempt_at: timestamp.nullable(),
  created_at: timestamp,
  completed_at: timestamp.nullable(),
};

/** One event on its way to the endpoint. */
const delivery = z.object(deliveryFields).meta({ id: 'WebhookDelivery' });

const attempt = z
  .object({
    number: z.int(),
    started_at: timestamp,
    latency_ms: z.int(),
    status_code: z.int().nullable(),
    answer: z.string().nullable().meta({ description: 'Up to 1 KiB of the answer.' }),
    error: z.string().nullable().meta({ description: 'Why there was no answer.' }),
  })
  .meta({ id: 'WebhookDeliveryAttempt' });

const deliveryWithAttempts = z
  .object({ ...deliveryFields, attempts: z.array(attempt) })
  .meta({ id: 'WebhookDeliveryWithAttempts' });

export const deliveryEnvelope = z.object({ delivery });
export const deliveryDetailEnvelope = z.object({ delivery: deliveryWithAttempts });
export const deliveryList = z.object({ deliveries: z.array(delivery), next_cursor: nextCursor });

export const deliveryListQuery = z.strictObject({
  ...pageQuery,
  event_type: deliveredType.optional().meta({ description: 'Of events of this type.' }),
  status: deliveryStatus.optional().meta({ description: 'With this status.' }),
  payout_id: text().optional().meta({ description: 'Of events of this payout.' }),
  created_since: dateTime.optional().meta({ description: 'Created at this time or later.' }),
  created_before: dateTime.optional().meta({ description: 'Created before this time.' }),
});

export const deliveryParams = z.strictObject({ deliveryId: pathId('delivery') });

const hasOrder = ({ created_since: since, created_before: before }: Record<string, unknown>) =>
  Date.parse(String(since)) < Date.parse(String(before));

export const redeliveryBody = z
  .strictObject({
    created_since: dateTime.meta({ description: 'Created at this time or later.' }),
    created_before: dateTime.meta({
      description: 'Created before this time, which must be later than created_since.',
    }),
    status: schemaEnum('EndedWebhookDeliveryStatus').optional().meta({
      description:
        'With this status; dead by default. A delivery that was sent again less than an hour ago is left out.',
    }),
    event_type: deliveredType.optional().meta({ description: 'Of events of this type.' }),
    payout_id: text().optional().meta({ description: 'Of events of this payout.' }),
    limit: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .meta({ description: 'Most deliveries to send, oldest first; 10,000 by default.' }),
    dry_run: z
      .boolean()
      .optional()
      .meta({ description: 'Whether to count the deliveries and send none; false by default.' }),
  })
  .refine(hasOrder, {
    path: ['created_before'],
    message: 'Must be later than the beginning of the window.',
    params: { code: 'invalid_value' },
  })
  .meta({ id: 'WebhookRedeliveryRequest' });

/** A window of deliveries that is sent again. */
const redelivery = z
  .object({
    count: z.int().meta({ description: 'Deliveries that are sent again.' }),
    remaining: z.int().meta({
      description: 'Deliveries that remain, counted up to 100,000. Repeat the call to send them.',
    }),
    starts_at: timestamp.nullable().meta({ description: 'When the first of them is due.' }),
    ends_at: timestamp.nullable().meta({ description: 'When the last of them is due.' }),
    dry_run: z.boolean().meta({ description: 'True when nothing is sent.' }),
  })
  .meta({ id: 'WebhookRedelivery' });

export const redeliveryEnvelope = z.object({ redelivery });

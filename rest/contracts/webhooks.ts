import { z } from 'zod';
import { deliveredTypes, eventTypes } from '../../src/domain/event/types.ts';
import { dateTime, text } from '../../src/values/fields.ts';
import { environment, id, nextCursor, pageQuery, pathId, timestamp } from './common.ts';

/** Event types that can be subscribed to. */
export const eventType = z.enum(eventTypes);

/** Webhook subscription of specification 2.9. */
const subscription = z
  .object({
    id,
    environment,
    url: z.string(),
    enabled_events: z.array(eventType),
    enabled: z.boolean(),
    api_version: z.string().meta({ description: 'Version of the shape of data.' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'WebhookSubscription' });

// Where it may point is the command's to judge, with a code for each reason.
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
  secret: z.string().meta({ description: 'Key of the signatures; shown here and never again.' }),
});

const deliveryStatus = z.enum(['pending', 'delivered', 'dead', 'canceled']);

const deliveryFields = {
  id,
  event_id: z.string(),
  event_type: z.string(),
  payout_id: z.string().nullable().meta({ description: 'Null for a test event.' }),
  subscription_id: z.string(),
  status: deliveryStatus,
  attempt_count: z.int(),
  next_attempt_at: timestamp.nullable(),
  created_at: timestamp,
  completed_at: timestamp.nullable(),
};

/** An event on its way to the endpoint (decisions 9). */
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
  event_type: z.enum(deliveredTypes).optional().meta({ description: 'Of events of this type.' }),
  status: deliveryStatus.optional().meta({ description: 'With this status.' }),
  payout_id: text().optional().meta({ description: 'Of events of this payout.' }),
  created_since: dateTime.optional().meta({ description: 'Planned at this time or later.' }),
  created_before: dateTime.optional().meta({ description: 'Planned before this time.' }),
});

export const deliveryParams = z.strictObject({ deliveryId: pathId('delivery') });

const hasOrder = ({ created_since: since, created_before: before }: Record<string, unknown>) =>
  Date.parse(String(since)) < Date.parse(String(before));

export const redeliveryBody = z
  .strictObject({
    created_since: dateTime.meta({ description: 'Planned at this time or later.' }),
    created_before: dateTime.meta({
      description: 'Planned before this time, which is later than created_since.',
    }),
    status: z.enum(['dead', 'delivered', 'canceled']).optional().meta({
      description:
        'With this status; dead by default. What was delivered again less than an hour ago is left alone.',
    }),
    event_type: z.enum(deliveredTypes).optional().meta({ description: 'Of events of this type.' }),
    payout_id: text().optional().meta({ description: 'Of events of this payout.' }),
    limit: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .meta({ description: 'How many at most, the oldest first; 10,000 by default.' }),
    dry_run: z
      .boolean()
      .optional()
      .meta({ description: 'Whether to count them and send nothing; false by default.' }),
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
      description:
        'How many more there are, counted up to 100,000; the same call made again takes them.',
    }),
    starts_at: timestamp.nullable().meta({ description: 'When the first of them is due.' }),
    ends_at: timestamp.nullable().meta({ description: 'When the last of them is due.' }),
    dry_run: z.boolean().meta({ description: 'True when nothing is sent.' }),
  })
  .meta({ id: 'WebhookRedelivery' });

export const redeliveryEnvelope = z.object({ redelivery });

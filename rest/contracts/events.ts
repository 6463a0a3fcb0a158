import { z } from 'zod';
import { deliveredTypes } from '../../src/domain/event/types.ts';
import { dateTime } from '../../src/values/fields.ts';
import { id, nextCursor, pageQuery, pathId, repeatable, timestamp } from './common.ts';
import { schemaEnum } from './schema-enum.ts';

const type = z.enum(deliveredTypes);

/** What became of an event at one endpoint. */
const eventDelivery = z
  .object({
    id,
    subscription_id: z.string().meta({ description: 'The endpoint.' }),
    status: schemaEnum('WebhookDeliveryStatus'),
    attempt_count: z.int(),
    next_attempt_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
  })
  .meta({ id: 'EventDelivery' });

const event = z
  .object({
    id,
    type,
    occurred_at: timestamp,
    recorded_at: timestamp.meta({
      description: 'When it was written: the order of a list with `since`, and the next `since`.',
    }),
    sequence: z.int(),
    payout_id: z.string().nullable().meta({ description: 'Null where it is about no payout.' }),
    subject_id: z.string().nullable().meta({
      description:
        'The payee, the bank account or the collection request that it is about; null for an event of a payout.',
    }),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The payload that endpoints get: see the webhook of the type.' }),
    deliveries: z
      .array(eventDelivery)
      .meta({ description: 'What was sent; empty where no endpoint took it.' }),
  })
  .meta({ id: 'Event' });

export const eventEnvelope = z.object({ event });
export const eventList = z.object({ events: z.array(event), next_cursor: nextCursor });
export const eventParams = z.strictObject({ id: pathId('event') });

export const eventListQuery = z.strictObject({
  ...pageQuery,
  type: repeatable(type).meta({ description: 'Of this type; may be repeated.' }),
  since: dateTime.optional().meta({
    description:
      'Recorded at this time or later. The list then runs oldest first: a feed for pollers.',
  }),
});

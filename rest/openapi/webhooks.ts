import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { eventCores, type EventDeclaration } from '../../src/domain/event/declaration.ts';
import { deliveredEvents } from '../../src/domain/event/types.ts';
import { timestamp } from '../contracts/common.ts';
import { eventExample } from './examples.ts';

/** Headers of a delivery. */
const headers = z.object({
  'X-Service-Signature': z.string().meta({
    description:
      '`t=<seconds since 1970>,v1=<hex>`: `v1` is the HMAC-SHA256 of `t`, a full stop and the raw body, in lowercase hexadecimal, keyed with the whole secret of the endpoint, `whsec_` included. Refuse a delivery whose signature differs (compare in constant time) or whose `t` is more than 300 seconds from your clock.',
    examples: ['t=1795262400,v1=c8bc5e90911df3002045025a9cca928851a3738448a8d70b79597985e42c0b85'],
  }),
  'webhook-id': z.string().meta({
    description: 'The `id` of the body, as Standard Webhooks (standardwebhooks.com) sends it.',
    examples: ['evt_test'],
  }),
  'webhook-timestamp': z.string().meta({
    description: 'Seconds since 1970 of the attempt: the `t` of `X-Service-Signature`.',
    examples: ['1795262400'],
  }),
  'webhook-signature': z.string().meta({
    description:
      '`v1,<base64>`: the HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the raw body with full stops between them, with the same key. Libraries of Standard Webhooks verify it with `standard_webhooks_secret`.',
    examples: ['v1,ltQQ+I99U8jXj251UB06c+ebZkDYoF1ogMRvv4gTbaA='],
  }),
  'X-Event-Id': z
    .string()
    .meta({ description: 'The `id` of the body, for logs; it is not signed.' }),
  'X-Event-Type': z
    .string()
    .meta({ description: 'The `type` of the body, for logs; it is not signed.' }),
  'X-Delivery-Attempt': z
    .string()
    .meta({ description: 'Number of the attempt, from 1; it is not signed.', examples: ['1'] }),
});

/** `payout.settled` as `PayoutSettled`. */
function pascalCase(type: string): string {
  return type.replaceAll(/(?:^|[._])([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function eventSchema(type: string, { about, tail }: EventDeclaration) {
  return z
    .object({
      id: z.string().meta({
        description:
          'Id of the event, the same in all attempts and redeliveries: skip an id that you have stored.',
      }),
      type: z.literal(type),
      api_version: z.string().meta({
        description: 'Version of the shape of data, fixed when the subscription was created.',
        examples: ['2026-11-01'],
      }),
      occurred_at: timestamp.meta({
        description: 'When it happened; the same in all attempts.',
      }),
      created_at: timestamp.meta({ description: 'When this attempt was prepared.' }),
      sequence: z.int().meta({
        description:
          'Orders events of one occurred_at; it grows over the whole platform, with gaps.',
      }),
      data: z
        .object({ ...eventCores[about], ...tail })
        .meta({ description: 'What it is about, as it was at the event, and fields of the type.' }),
    })
    .meta({ id: `${pascalCase(type)}Event` });
}

const answers = {
  '2XX': {
    description:
      'Delivered. Answer as soon as the event is stored; at most 64 KiB of the answer are read.',
  },
  default: {
    description:
      'Not delivered, as is no complete answer within 15 seconds; a redirect is not followed. The event is sent again after 30 s, 2 min, 10 min, 30 min, 1 h, 2 h and 4 h, each up to 20 % more or less. A Retry-After makes the wait longer, up to twice as long. After eight attempts the delivery is dead and can be redelivered.',
  },
};

/** What arrives at a webhook endpoint, for each declared type of event. */
export function webhooks(): ZodOpenApiPathsObject {
  return Object.fromEntries(
    Object.entries(deliveredEvents).map(([type, declared]) => {
      const { sentWhen, howOften } = declared;
      const value = eventExample(type);
      return [
        type,
        {
          post: {
            operationId: `receive${pascalCase(type)}`,
            summary: `Sent when ${sentWhen}`,
            description: `Sent ${howOften}. It may arrive more than once and in any order: skip an \`id\` that you have stored, and compare (\`occurred_at\`, \`sequence\`) before you overwrite what you know.`,
            tags: ['Webhooks'],
            // The signature authenticates a delivery; it carries no API key.
            security: [],
            requestParams: { header: headers },
            requestBody: {
              required: true,
              content: {
                'application/json': {
                  schema: eventSchema(type, declared),
                  ...(value === undefined ? {} : { example: value }),
                },
              },
            },
            responses: answers,
          },
        },
      ];
    }),
  );
}

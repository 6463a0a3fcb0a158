import { z } from 'zod';
import { count, list, secondsList } from './schemas.ts';
import { setting } from './setting.ts';

/** Where webhooks may go, and when they are sent again. */
export const webhookSettings = {
  WEBHOOK_ALLOWED_HOSTS: setting({
    schema: list,
    fallback: '',
    description:
      'Hosts off the public internet that webhooks may reach nevertheless, separated by commas; for local development. Refused in production.',
  }),
  WEBHOOK_EXTRA_CA_FILE: setting({
    schema: z.string().min(1),
    fallback: null,
    description:
      'PEM file of a further certificate authority that webhook endpoints may use. It is read again when it changes.',
  }),
  WEBHOOK_TESTS_PER_HOUR: setting({
    schema: count,
    fallback: '60',
    description:
      'Test events (`POST /v1/webhook-subscriptions/test`) an hour of one business in one environment; a further one is answered with 429.',
  }),
  WEBHOOK_RETRY_DELAYS: setting({
    schema: secondsList,
    fallback: '30,120,600,1800,3600,7200,14400',
    description:
      'Seconds to wait after each failed attempt of a delivery, separated by commas. There is one attempt more than there are delays.',
  }),
} as const;

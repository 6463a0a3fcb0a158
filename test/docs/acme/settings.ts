import { z } from 'zod';
import { previousSecret } from '../../../src/providers/adapter.ts';

export const acmeSettings = {
  ACME_URL: {
    schema: z.url({ protocol: /^https?$/ }),
    fallback: null,
    required: true,
    url: true,
    description: 'Where Acme is. Required with `PROVIDER=acme`. In production `https`.',
  },
  ACME_API_KEY: {
    schema: z.string().min(16),
    fallback: null,
    required: true,
    secret: true,
    description: 'Credential that the service shows to Acme. Required with `PROVIDER=acme`.',
  },
  ACME_WEBHOOK_SECRET: {
    schema: z.string().min(16),
    fallback: null,
    required: true,
    secret: true,
    description:
      'Secret that signs its events, which Acme posts to `/provider-webhooks/acme`. Required with `PROVIDER=acme`.',
  },
  ACME_WEBHOOK_SECRET_PREVIOUS: {
    schema: z.string().min(16),
    fallback: null,
    secret: true,
    description: previousSecret('ACME_WEBHOOK_SECRET'),
  },
} as const;

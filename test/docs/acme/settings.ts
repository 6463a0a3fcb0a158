import { z } from 'zod';

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
} as const;

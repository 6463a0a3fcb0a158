import { z } from 'zod';
import { previousSecret } from '../adapter.ts';

/** Where the simulator is, which pays in the sandbox. It speaks the gateway's protocol. */
export const simulatorSettings = {
  SIMULATOR_URL: {
    schema: z.url(),
    fallback: 'http://127.0.0.1:3001',
    description:
      'The sandbox provider (the simulator). In production `https`, unless it is this machine or a name without a dot.',
  },
  SIMULATOR_API_KEY: {
    schema: z.string().min(16),
    fallback: 'simulator-development-key',
    developmentOnly: true,
    description: 'Credential that the service shows to the simulator.',
  },
  SIMULATOR_WEBHOOK_SECRET: {
    schema: z.string().min(16),
    fallback: 'simulator-development-webhook-secret',
    developmentOnly: true,
    description: "Secret that signs the simulator's events.",
  },
} as const;

/** Where the gateway is that pays in production. */
export const gatewaySettings = {
  PROVIDER_URL: {
    schema: z.url({ protocol: /^https?$/ }),
    fallback: null,
    required: true,
    url: true,
    description:
      'Where the production provider is. Required with `PROVIDER`. In production `https`, unless it is this machine.',
  },
  PROVIDER_API_KEY: {
    schema: z.string().min(16),
    fallback: null,
    required: true,
    secret: true,
    description: 'Credential that the service shows to it. Required with `PROVIDER`.',
  },
  PROVIDER_WEBHOOK_SECRET: {
    schema: z.string().min(16),
    fallback: null,
    required: true,
    secret: true,
    description:
      'Secret that signs its events, which it posts to `/provider-webhooks/<PROVIDER>`. Required with `PROVIDER`.',
  },
  PROVIDER_WEBHOOK_SECRET_PREVIOUS: {
    schema: z.string().min(16),
    fallback: null,
    secret: true,
    description: previousSecret('PROVIDER_WEBHOOK_SECRET'),
  },
} as const;

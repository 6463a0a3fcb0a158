import { z } from 'zod';
import { setting } from './setting.ts';

/** The adapters that may pay in production (src/providers/registry.ts). */
const productionProviders = ['gateway'] as const;

/** Who pays in the sandbox and in production. */
export const providerSettings = {
  SIMULATOR_URL: setting({
    schema: z.url(),
    fallback: 'http://127.0.0.1:3001',
    description:
      'URL of the provider that pays in the sandbox (the simulator). In production it must be `https`, unless it names this machine or a host without a dot.',
  }),
  SIMULATOR_API_KEY: setting({
    schema: z.string().min(16),
    fallback: 'simulator-development-key',
    developmentOnly: true,
    description: 'Credential with which the service calls the simulator.',
  }),
  SIMULATOR_WEBHOOK_SECRET: setting({
    schema: z.string().min(16),
    fallback: 'simulator-development-webhook-secret',
    developmentOnly: true,
    description: "Secret that signs the simulator's events.",
  }),
  PROVIDER: setting({
    schema: z.enum(productionProviders),
    fallback: null,
    description:
      "The adapter that pays in production. `gateway`: a service of yours that speaks the simulator's protocol (simulator/README.md). Absent: production payouts wait.",
  }),
  PROVIDER_URL: setting({
    schema: z.url({ protocol: /^https?$/ }),
    fallback: null,
    description:
      'URL of the production provider. Required with `PROVIDER`. In production it must be `https`, unless it names this machine.',
  }),
  PROVIDER_API_KEY: setting({
    schema: z.string().min(16),
    fallback: null,
    description:
      'Credential with which the service calls the production provider. Required with `PROVIDER`.',
  }),
  PROVIDER_WEBHOOK_SECRET: setting({
    schema: z.string().min(16),
    fallback: null,
    description:
      "Secret that signs the production provider's events, which it posts to `/provider-webhooks/<PROVIDER>`. Required with `PROVIDER`.",
  }),
} as const;

import { z } from 'zod';
import { isCountry } from '../../reference/countries.ts';
import { isCurrency } from '../../reference/currencies.ts';
import { callsPerSecond, callsSchema, previousSecret } from '../adapter.ts';

/** 32 bytes, as Adyen's Customer Area shows them. */
const hmacKey = z.string().regex(/^[0-9A-Fa-f]{64}$/, 'must have 64 hexadecimal digits');

const priority = z.enum(['regular', 'fast', 'instant', 'wire', 'crossBorder', 'internal']);

export const adyenSettings = {
  ADYEN_ENVIRONMENT: {
    schema: z.enum(['test', 'live']),
    fallback: null,
    required: true,
    description:
      'Which of its two platforms Adyen is asked on, `test` or `live`; each has its own host, keys and accounts. Webhooks of the other one are refused. Required with `PROVIDER=adyen`.',
  },
  ADYEN_API_KEY: {
    schema: z.string().min(16),
    fallback: null,
    required: true,
    secret: true,
    description:
      'API key of that platform, with the role to initiate transfers. Required with `PROVIDER=adyen`.',
  },
  ADYEN_BALANCE_ACCOUNT: {
    schema: z.string().regex(/^[A-Za-z0-9]{8,64}$/),
    fallback: null,
    required: true,
    description: 'Id of the balance account that pays. Required with `PROVIDER=adyen`.',
  },
  ADYEN_PRIORITIES: {
    schema: z
      .string()
      .transform((names) => names.split(',').map((name) => name.trim()))
      .pipe(z.array(priority).min(1)),
    fallback: 'regular',
    description:
      'How fast transfers are made, in the order in which Adyen tries them: `regular`, `fast`, `instant`, `wire`, `crossBorder`, `internal`. An account that is known by its number and BIC is always paid by `crossBorder`.',
  },
  ADYEN_CURRENCIES: {
    schema: z
      .string()
      .transform((codes) => codes.split(',').map((code) => code.trim()))
      .pipe(z.array(z.string().refine(isCurrency, 'must be a currency of ISO 4217')).min(1)),
    fallback: null,
    description:
      'What the balance account pays in, as `EUR,USD`. A route that leads anything else to Adyen is refused. Absent: nothing is known of it.',
  },
  ADYEN_COUNTRIES: {
    schema: z
      .string()
      .transform((codes) => codes.split(',').map((code) => code.trim()))
      .pipe(z.array(z.string().refine(isCountry, 'must be a country of ISO 3166-1')).min(1)),
    fallback: null,
    description:
      'Countries of the accounts that may be paid, as `DE,FR`, as agreed with Adyen. A route that leads to another one is refused. Absent: nothing is known of it.',
  },
  ADYEN_WEBHOOK_USERNAME: {
    schema: z.string().min(1),
    fallback: null,
    required: true,
    description: 'User of the login that its webhooks show. Required with `PROVIDER=adyen`.',
  },
  ADYEN_WEBHOOK_PASSWORD: {
    schema: z.string().min(16),
    fallback: null,
    required: true,
    secret: true,
    description: 'Password of that login. Required with `PROVIDER=adyen`.',
  },
  ADYEN_WEBHOOK_PASSWORD_PREVIOUS: {
    schema: z.string().min(16),
    fallback: null,
    secret: true,
    description: previousSecret('ADYEN_WEBHOOK_PASSWORD'),
  },
  ADYEN_WEBHOOK_HMAC_KEY: {
    schema: hmacKey,
    fallback: null,
    required: true,
    secret: true,
    description:
      'HMAC key that signs its webhooks, which it posts to `/provider-webhooks/adyen`. Required with `PROVIDER=adyen`.',
  },
  ADYEN_WEBHOOK_HMAC_KEY_PREVIOUS: {
    schema: hmacKey,
    fallback: null,
    secret: true,
    description: previousSecret('ADYEN_WEBHOOK_HMAC_KEY'),
  },
  ADYEN_CALLS_PER_SECOND: {
    schema: callsSchema,
    fallback: null,
    description: callsPerSecond('Adyen'),
  },
  ADYEN_TEST_URL: {
    schema: z.url({ protocol: /^https?$/ }),
    fallback: null,
    url: true,
    description:
      "A stand-in for Adyen's test platform. Refused with `ADYEN_ENVIRONMENT=live`. Absent: Adyen itself.",
  },
} as const;

import { z } from 'zod';
import { isCountry } from '../../reference/countries.ts';
import { isCurrency } from '../../reference/currencies.ts';
import { callsPerSecond, callsSchema, previousSecret } from '../adapter.ts';

/** What Stripe can be asked to pay by (Stripe API v2, `preferred_networks` of an outbound payment). */
const network = z.enum(['ach', 'fedwire', 'fps', 'rtp', 'sepa', 'swift']);
export type Network = z.infer<typeof network>;

const listOf = <Item extends z.ZodType<unknown, string>>(item: Item) =>
  z
    .string()
    .transform((names) => names.split(',').map((name) => name.trim()))
    .pipe(z.array(item).min(1));

export const stripeSettings = {
  STRIPE_ENVIRONMENT: {
    schema: z.enum(['test', 'live']),
    fallback: null,
    required: true,
    description:
      'Which mode of Stripe pays, `test` or `live`. Keys of the other one are refused at the start, and so are its webhooks. Required with `PROVIDER=stripe`.',
  },
  STRIPE_API_KEY: {
    schema: z
      .string()
      .regex(/^(sk|rk)_(test|live)_\w{8,}$/, 'must be a secret or a restricted key'),
    fallback: null,
    required: true,
    secret: true,
    description:
      'Secret or restricted key of that mode, which may write recipients and outbound payments. Required with `PROVIDER=stripe`.',
  },
  STRIPE_FINANCIAL_ACCOUNT: {
    schema: z.string().regex(/^fa_\w{4,64}$/),
    fallback: null,
    required: true,
    description: 'Id of the financial account that pays. Required with `PROVIDER=stripe`.',
  },
  STRIPE_CURRENCIES: {
    schema: listOf(z.string().refine(isCurrency, 'must be a currency of ISO 4217')),
    fallback: null,
    description:
      'What the financial account holds, as `USD,EUR`. A route that leads anything else to Stripe is refused. Absent: nothing is known of it.',
  },
  STRIPE_COUNTRIES: {
    schema: listOf(z.string().refine(isCountry, 'must be a country of ISO 3166-1')),
    fallback: null,
    description:
      'Countries of the accounts that may be paid, as `DE,FR`, as agreed with Stripe. A route that leads to another one is refused. Absent: nothing is known of it.',
  },
  STRIPE_NETWORKS: {
    schema: listOf(network),
    fallback: null,
    description:
      'The networks that are preferred: `ach`, `fedwire`, `fps`, `rtp`, `sepa`, `swift`. Of them each payment names those that reach its account. Absent: Stripe chooses.',
  },
  STRIPE_VERIFY_COUNTRIES: {
    schema: listOf(z.string().regex(/^[A-Z]{2}$/)),
    fallback: null,
    description:
      'Countries of accounts whose holder Stripe has to verify before it pays, as `GB,DE`. A name that does not match fails the payout. Absent: none.',
  },
  STRIPE_STATEMENT_DESCRIPTOR: {
    schema: z.string().min(3).max(22),
    fallback: null,
    description:
      "What payees read on their statements. Absent: as the Stripe account's own settings say.",
  },
  STRIPE_RETURN_DAYS: {
    schema: z.coerce.number().int().min(1).max(30),
    fallback: '7',
    description:
      'Days after which a payment that left the account, and that no bank returned, is settled.',
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: z.string().min(16),
    fallback: null,
    required: true,
    secret: true,
    description:
      'Secret that signs its events, which it posts to `/provider-webhooks/stripe`. Required with `PROVIDER=stripe`.',
  },
  STRIPE_WEBHOOK_SECRET_PREVIOUS: {
    schema: z.string().min(16),
    fallback: null,
    secret: true,
    description: previousSecret('STRIPE_WEBHOOK_SECRET'),
  },
  STRIPE_CALLS_PER_SECOND: {
    schema: callsSchema,
    fallback: null,
    description: callsPerSecond('Stripe'),
  },
  STRIPE_TEST_URL: {
    schema: z.url({ protocol: /^https?$/ }),
    fallback: null,
    url: true,
    description:
      'A stand-in for Stripe. Refused with `STRIPE_ENVIRONMENT=live`. Absent: Stripe itself.',
  },
} as const;

import type Stripe from 'stripe';
import { z } from 'zod';

/*
 * What Stripe takes, at run time. Stripe publishes no schema of these requests but its types: each shape has exactly the
 * keys of its type, or does not compile, and what it reads is of the type.
 */

type AccountParams = Stripe.V2.Core.AccountCreateParams;
type SetupParams = Stripe.V2.MoneyManagement.OutboundSetupIntentCreateParams;
type PaymentParams = Stripe.V2.MoneyManagement.OutboundPaymentCreateParams;
type VerificationParams = Stripe.V2.MoneyManagement.RecipientVerificationCreateParams;

/** A schema for each key of a type. */
type Keys<Type> = Readonly<Record<keyof Required<NonNullable<Type>>, z.ZodType>>;

const text = z.string().min(1);
const currency = z.string().regex(/^[a-z]{3}$/);
const country = z.string().regex(/^[A-Z]{2}$/);
/** Not used by the adapter: sent all the same, it is a mistake. */
const unused = z.never();
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.exactOptional();

const amount = z.strictObject({
  value: z.int().min(1),
  currency,
} satisfies Keys<PaymentParams['amount']>);

/** At most 50 keys, with values of 500 characters (docs.stripe.com/api/metadata). */
const metadata = z.record(z.string().max(40), z.string().max(500));

const addressKeys = {
  line1: text,
  line2: optional(text),
  city: text,
  state: optional(text),
  country,
};

const individual = z.strictObject({
  given_name: optional(text),
  surname: optional(text),
  date_of_birth: optional(z.strictObject({ year: z.int(), month: z.int(), day: z.int() })),
  address: optional(
    z.strictObject({
      ...addressKeys,
      postal_code: optional(text),
      town: optional(unused),
    } satisfies Keys<NonNullable<NonNullable<AccountParams['identity']>['individual']>['address']>),
  ),
  phone: optional(text),
});

const company = z.strictObject({
  registered_name: text,
  address: optional(z.strictObject({ ...addressKeys, postal_code: optional(text) })),
});

const requested = optional(z.strictObject({ requested: z.literal(true) }));

type RecipientCapabilities = NonNullable<
  NonNullable<NonNullable<AccountParams['configuration']>['recipient']>['capabilities']
>;

const bankAccounts = z.strictObject({
  ach: requested,
  fedwire: requested,
  fps: requested,
  local: requested,
  rtp: requested,
  sepa: requested,
  swift: requested,
} satisfies Keys<RecipientCapabilities['bank_accounts']>);

export const accountShape = z.strictObject({
  account_token: optional(unused),
  configuration: z.strictObject({
    recipient: z.strictObject({ capabilities: z.strictObject({ bank_accounts: bankAccounts }) }),
  }),
  contact_email: z.email(),
  contact_phone: optional(unused),
  dashboard: optional(unused),
  defaults: optional(unused),
  display_name: text,
  identity: z.discriminatedUnion('entity_type', [
    z.strictObject({ country, entity_type: z.literal('individual'), individual }),
    z.strictObject({ country, entity_type: z.literal('company'), business_details: company }),
  ]),
  include: optional(unused),
  metadata,
} satisfies Keys<AccountParams>);

export const setupShape = z.strictObject({
  payout_method: optional(unused),
  payout_method_data: z.strictObject({
    type: z.literal('bank_account'),
    bank_account: z.strictObject({
      account_number: z.string().regex(/^[A-Z0-9]{3,34}$/),
      bank_account_type: optional(z.enum(['checking', 'savings'])),
      branch_number: optional(unused),
      country,
      currency,
      routing_number: optional(z.string().regex(/^[A-Z0-9]{3,12}$/)),
      swift_code: optional(z.string().regex(/^[A-Z0-9]{8}(?:[A-Z0-9]{3})?$/)),
    } satisfies Keys<NonNullable<SetupParams['payout_method_data']>['bank_account']>),
  }),
  usage_intent: z.literal('payment'),
} satisfies Keys<SetupParams>);

const networks = z.enum(['ach', 'fedwire', 'fps', 'rtp', 'sepa', 'swift']);

export const paymentShape = z.strictObject({
  amount,
  from: z.strictObject({ currency, financial_account: text } satisfies Keys<PaymentParams['from']>),
  to: z.strictObject({
    currency,
    payout_method: text,
    payout_method_options: optional(
      z.strictObject({
        bank_account: z.strictObject({ preferred_networks: z.array(networks).min(1) }),
      }),
    ),
    recipient: text,
  } satisfies Keys<PaymentParams['to']>),
  description: text,
  metadata,
  recipient_notification: z.strictObject({ setting: z.enum(['configured', 'none']) }),
  recipient_verification: optional(text),
  statement_descriptor: optional(z.string().min(3).max(22)),
} satisfies Keys<PaymentParams>);

export const verificationShape = z.strictObject({
  payout_method: text,
  recipient: text,
} satisfies Keys<VerificationParams>);

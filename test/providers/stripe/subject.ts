import { createHash } from 'node:crypto';
import type { ConnectedProvider } from '../../../src/providers/adapter.ts';
import type { Destination } from '../../../src/providers/port.ts';
import { stripeAdapter } from '../../../src/providers/stripe/adapter.ts';
import { referenceKey } from '../../../src/providers/stripe/wire.ts';
import {
  refusal,
  restrictedName,
  startFakeStripe,
  stripeSignature,
  thinEvent,
  type FakePayment,
  type FakeStripe,
} from '../../support/provider-kit/stripe.ts';
import type { ConformanceCase, EventWish, ProviderAnswer } from '../conformance/subject.ts';
import { enrollRequest, submitRequest } from '../support.ts';

export const apiKey = 'sk_test_0123456789abcdef';
export const financialAccount = 'fa_test_0001';
const secrets = {
  current: 'whsec_now_0123456789',
  previous: 'whsec_before_0123456789',
  forged: 'whsec_nobody_0123456789',
};
export const webhookSecret = secrets.current;
export const returnDays = 7;

/** The settings of an adapter of this subject, as they are written. */
export const stripeWords = (url: string) => ({
  STRIPE_ENVIRONMENT: 'test',
  STRIPE_API_KEY: apiKey,
  STRIPE_FINANCIAL_ACCOUNT: financialAccount,
  STRIPE_WEBHOOK_SECRET: secrets.current,
  STRIPE_WEBHOOK_SECRET_PREVIOUS: secrets.previous,
  STRIPE_TEST_URL: url,
});

/** The same, as they are read, with what is absent. */
export const stripeValues = (url: string) => ({
  ...stripeWords(url),
  STRIPE_CURRENCIES: null,
  STRIPE_COUNTRIES: null,
  STRIPE_CALLS_PER_SECOND: null,
  STRIPE_NETWORKS: null,
  STRIPE_VERIFY_COUNTRIES: null,
  STRIPE_STATEMENT_DESCRIPTOR: null,
  STRIPE_RETURN_DAYS: returnDays,
});

export const connectStripe = (url: string, more: object = {}): ConnectedProvider =>
  stripeAdapter.connect('stripe', { ...stripeValues(url), ...more });

const said = (status: number, type: string, message = 'm') => {
  const { body } = refusal(status, type, message);
  return { status, body: JSON.stringify(body) };
};

/** The errors of an outbound payment by Stripe's types, and the others that its library knows. */
const answers: readonly ProviderAnswer[] = [
  {
    what: 'insufficient_funds',
    ...said(400, 'insufficient_funds'),
    verdict: 'rejected',
    code: 'insufficient_provider_funds',
  },
  {
    what: 'blocked_by_stripe',
    ...said(400, 'blocked_by_stripe'),
    verdict: 'rejected',
    code: 'compliance_rejected',
  },
  {
    what: 'capability_not_enabled',
    ...said(400, 'capability_not_enabled'),
    verdict: 'held',
    code: 'compliance_rejected',
  },
  { what: 'quota_exceeded', ...said(400, 'quota_exceeded'), verdict: 'rejected' },
  {
    what: 'recipient_not_notifiable',
    ...said(400, 'recipient_not_notifiable'),
    verdict: 'rejected',
  },
  { what: 'feature_not_enabled', ...said(400, 'feature_not_enabled'), verdict: 'retry' },
  {
    what: 'financial_account_not_open',
    ...said(400, 'financial_account_not_open'),
    verdict: 'retry',
  },
  {
    what: 'invalid_payout_method',
    ...said(400, 'invalid_payout_method'),
    verdict: 'rejected',
    code: 'invalid_account',
  },
  {
    what: 'invalid_fields, which has no type',
    status: 400,
    body: '{"error":{"code":"invalid_fields","message":"m"}}',
    verdict: 'rejected',
  },
  {
    what: 'an unknown recipient',
    ...said(404, 'not_found'),
    verdict: 'rejected',
    code: 'invalid_account',
  },
  { what: 'a wrong key', ...said(401, 'invalid_request_error'), verdict: 'retry' },
  { what: 'a key without the permission', ...said(403, 'invalid_request_error'), verdict: 'retry' },
  { what: 'rate_limit', ...said(429, 'rate_limit'), verdict: 'retry' },
  { what: 'idempotency_error', ...said(400, 'idempotency_error'), verdict: 'unknown' },
  { what: 'an error that is new', ...said(400, 'something_new'), verdict: 'unknown' },
  { what: '500 in its own shape', ...said(500, 'api_error'), verdict: 'unknown' },
];

const dayMs = 24 * 60 * 60 * 1000;

/** A payment at the stand-in to which this has happened. */
function happened(
  fake: FakeStripe,
  { type = 'failed', occurredAt, reference = 'ten_1.dat_1' }: EventWish,
  timestamp: number,
): FakePayment {
  const at = occurredAt ?? new Date((timestamp - 3_600) * 1_000).toISOString();
  // Nothing says that a payment is settled but the days without a return.
  const postedAt =
    type === 'settled' ? new Date(Date.parse(at) - returnDays * dayMs).toISOString() : at;
  const states = {
    disbursed: { status: 'posted', status_transitions: { posted_at: postedAt } },
    settled: { status: 'posted', status_transitions: { posted_at: postedAt } },
    failed: {
      status: 'failed',
      status_details: { failed: { reason: 'payout_method_does_not_exist' } },
      status_transitions: { failed_at: at },
    },
    returned: {
      status: 'returned',
      status_details: { returned: { reason: 'payout_method_closed' } },
      status_transitions: { posted_at: postedAt, returned_at: at },
    },
  } as const satisfies Record<string, Partial<FakePayment>>;
  const digest = createHash('sha256')
    .update(`${type} ${occurredAt ?? ''} ${reference}`)
    .digest('hex');
  const amount = { value: 1250, currency: 'usd' };
  const made: FakePayment = {
    id: `obp_${digest.slice(0, 20)}`,
    object: 'v2.money_management.outbound_payment',
    amount,
    cancelable: false,
    created: new Date(Date.parse(postedAt) - 60_000).toISOString(),
    from: { debited: amount, financial_account: financialAccount },
    livemode: false,
    metadata: { [referenceKey]: reference },
    recipient_notification: { setting: 'none' },
    statement_descriptor: 'STRIPE',
    to: { credited: amount, recipient: 'acct_0' },
    ...states[type],
  };
  if (!fake.payments.some(({ id }) => id === made.id)) fake.payments.push(made);
  return made;
}

function signed(body: string, timestamp: number, secret: EventWish['secret'] = 'current') {
  return {
    rawBody: Buffer.from(body),
    headers: { 'stripe-signature': stripeSignature(body, secrets[secret], timestamp) },
  };
}

const pix: Destination = {
  accountHolderName: 'Ada Byron',
  country: 'BR',
  currency: 'BRL',
  pixKey: 'ada@example.org',
};

export const stripeCase: ConformanceCase = {
  answers,
  holds: true,
  enrolls: true,
  datedSignatures: true,
  pages: true,
  findsByReference: false,
  async start() {
    const fake = await startFakeStripe({ apiKey, financialAccount, pageSize: 2 });
    return {
      url: fake.url,
      connect: connectStripe,
      enrollRequest(kind) {
        const request = enrollRequest();
        if (kind === 'refused') return { ...request, destination: pix };
        if (kind === 'good') return request;
        const accountHolderName = `${restrictedName} Byron`;
        return { ...request, destination: { ...request.destination, accountHolderName } };
      },
      submitRequest,
      taken: (reference) =>
        Promise.resolve(
          fake.payments.filter(({ metadata }) => metadata?.[referenceKey] === reference).length,
        ),
      paymentsIn: (answer) => (answer as { data?: [] }).data ?? [answer as Record<string, unknown>],
      write(payment, part, value) {
        const amount = payment['amount'] as Record<string, unknown>;
        if (part === 'reference')
          payment['metadata'] = value === null ? {} : { [referenceKey]: value };
        else if (part === 'amount') amount['value'] = value ?? undefined;
        else if (part === 'currency')
          amount['currency'] = value === null ? undefined : String(value).toLowerCase();
        else payment[part] = value ?? undefined;
      },
      emptyList: '{"data":[],"next_page_url":null,"previous_page_url":null}',
      refusalSaying: (text) => said(400, 'insufficient_funds', text),
      payoutEvent(timestamp, wish = {}) {
        const payment = happened(fake, wish, timestamp);
        const type = {
          disbursed: 'posted',
          settled: 'updated',
          failed: 'failed',
          returned: 'returned',
        };
        const body = thinEvent(payment, {
          id: `evt_${payment.id}`,
          type: `v2.money_management.outbound_payment.${type[wish.type ?? 'failed']}`,
          created: new Date(timestamp * 1_000).toISOString(),
        });
        return signed(body, timestamp, wish.secret);
      },
      signed: (timestamp, body) => signed(body, timestamp),
      recipientEvent: null,
      secrets: [apiKey, secrets.current, secrets.previous],
      async close() {
        await fake.close();
        if (fake.violations.length > 0) throw new Error(fake.violations.join('\n'));
      },
    };
  },
};

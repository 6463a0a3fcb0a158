import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { z } from 'zod';
import { accountShape, paymentShape, setupShape, verificationShape } from './stripe-shapes.ts';

export type FakePayment = Stripe.V2.MoneyManagement.OutboundPayment;

export interface FakeStripe {
  readonly url: string;
  readonly payments: FakePayment[];
  /** Requests that Stripe's types do not permit: faults of the adapter, of which a test wants to know. */
  readonly violations: readonly string[];
  close(): Promise<void>;
}

interface FakeOptions {
  readonly apiKey: string;
  readonly financialAccount: string;
  readonly pageSize: number;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** A refusal in the shape of the API's version 2. */
export const refusal = (status: number, type: string, message = 'm'): Reply => ({
  status,
  body: { error: { type, code: type, message } },
});

/** What the stand-in answers in place of a success. */
class Refused extends Error {
  readonly reply: Reply;
  constructor(...given: Parameters<typeof refusal>) {
    super('refused');
    this.reply = refusal(...given);
  }
}

/** Holders of such a name have more to tell before Stripe pays them. */
export const restrictedName = 'Restricted';
/** A bank knows the holder of an account by another name, or answers no such question. */
export const otherName = 'Other';
export const unansweredName = 'Unanswered';

async function jsonOf(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? undefined : JSON.parse(text);
}

const payment = (
  id: string,
  params: z.output<typeof paymentShape>,
  more: Partial<FakePayment> = {},
): FakePayment => ({
  id,
  object: 'v2.money_management.outbound_payment',
  amount: params.amount,
  cancelable: true,
  created: new Date().toISOString(),
  description: params.description,
  from: { debited: params.amount, financial_account: params.from.financial_account },
  livemode: false,
  metadata: params.metadata,
  recipient_notification: params.recipient_notification,
  statement_descriptor: params.statement_descriptor ?? 'STRIPE',
  status: 'processing',
  to: {
    credited: params.amount,
    recipient: params.to.recipient,
    payout_method: params.to.payout_method,
  },
  ...more,
});

/** A stand-in for Stripe's Global Payouts, held to Stripe's types. */
export async function startFakeStripe(options: FakeOptions): Promise<FakeStripe> {
  const { apiKey, financialAccount, pageSize } = options;
  const payments: FakePayment[] = [];
  const violations: string[] = [];
  /** By its id: a recipient's name. */
  const recipients = new Map<string, string>();
  const payoutMethods = new Map<string, string>();
  const verifications = new Map<string, Stripe.V2.MoneyManagement.RecipientVerification>();
  const keys = new Map<string, { asked: string; id: string; again: () => unknown }>();
  let count = 0;
  const newId = (prefix: string): string => `${prefix}_${(count += 1)}`;

  function read<Shape extends z.ZodType>(shape: Shape, body: unknown): z.output<Shape> {
    const parsed = shape.safeParse(body);
    if (parsed.success) return parsed.data;
    violations.push(z.prettifyError(parsed.error));
    throw new Refused(400, 'invalid_fields', 'a field is wrong');
  }

  function makeAccount(body: unknown) {
    const params: Stripe.V2.Core.AccountCreateParams = read(accountShape, body);
    const account = {
      id: newId('acct'),
      object: 'v2.core.account',
      applied_configurations: ['recipient'],
      created: new Date().toISOString(),
      livemode: false,
      ...(params.metadata !== undefined && { metadata: params.metadata as Stripe.Metadata }),
    } satisfies Stripe.V2.Core.Account;
    recipients.set(account.id, params.display_name ?? '');
    return account;
  }

  function makeSetupIntent(body: unknown, context: string) {
    const params: Stripe.V2.MoneyManagement.OutboundSetupIntentCreateParams = read(
      setupShape,
      body,
    );
    if (!recipients.has(context)) throw new Refused(404, 'not_found');
    const bank = params.payout_method_data?.bank_account;
    const created = new Date().toISOString();
    const payoutMethod = {
      id: newId('usba'),
      object: 'v2.money_management.payout_method',
      archived: false,
      bank_account: {
        bank_account_type: 'checking',
        bank_name: 'A bank',
        country: bank?.country ?? '',
        last4: (bank?.account_number ?? '').slice(-4),
        supported_currencies: [bank?.currency ?? ''],
      },
      created,
      livemode: false,
      restricted: false,
      type: 'bank_account',
      usage_status: { payments: 'eligible', transfers: 'eligible' },
    } satisfies Stripe.V2.MoneyManagement.PayoutMethod;
    payoutMethods.set(payoutMethod.id, context);
    return {
      id: newId('osi'),
      object: 'v2.money_management.outbound_setup_intent',
      created,
      livemode: false,
      payout_method: payoutMethod,
      status: 'succeeded',
      usage_intent: 'payment',
    } satisfies Stripe.V2.MoneyManagement.OutboundSetupIntent;
  }

  function makePayment(body: unknown) {
    const params = read(paymentShape, body);
    // What is read is what Stripe's type permits.
    params satisfies Stripe.V2.MoneyManagement.OutboundPaymentCreateParams;
    const { recipient, payout_method: payoutMethod } = params.to;
    if (params.from.financial_account !== financialAccount) throw new Refused(404, 'not_found');
    if (payoutMethods.get(payoutMethod) !== recipient) throw new Refused(404, 'not_found');
    if (recipients.get(recipient)?.includes(restrictedName) === true) {
      throw new Refused(400, 'capability_not_enabled', 'The recipient has requirements.');
    }
    const id = params.recipient_verification;
    const verified = id === undefined ? undefined : verifications.get(id);
    if (id !== undefined && !['verified', 'acknowledged'].includes(verified?.status ?? '')) {
      throw new Refused(400, 'verification_not_initiated');
    }
    const made = payment(newId('obp'), params);
    payments.push(made);
    return made;
  }

  function makeVerification(body: unknown) {
    const params: Stripe.V2.MoneyManagement.RecipientVerificationCreateParams = read(
      verificationShape,
      body,
    );
    const name = recipients.get(params.recipient ?? '') ?? '';
    const result = name.includes(otherName)
      ? 'no_match'
      : name.includes(unansweredName)
        ? 'unavailable'
        : 'match';
    const made = {
      id: newId('recver'),
      object: 'v2.money_management.recipient_verification',
      created: new Date().toISOString(),
      livemode: false,
      match_result: result,
      match_result_details: { message: 'm', provided_name: name },
      payout_method: params.payout_method,
      status: result === 'match' ? 'verified' : 'awaiting_acknowledgement',
      verification_type: 'verification_of_payee',
    } satisfies Stripe.V2.MoneyManagement.RecipientVerification;
    verifications.set(made.id, made);
    return made;
  }

  function acknowledge(id: string) {
    const known = verifications.get(id);
    if (known === undefined) throw new Refused(404, 'not_found');
    known.status = 'acknowledged';
    return known;
  }

  function list(query: URLSearchParams) {
    const at = Number(query.get('page') ?? '0');
    const size = Math.min(pageSize, Number(query.get('limit')));
    // The newest first, as Stripe lists.
    const found = payments.filter(({ to }) => to.recipient === query.get('recipient')).reverse();
    const next = new URLSearchParams(query);
    next.set('page', String(at + size));
    return {
      data: found.slice(at, at + size),
      next_page_url:
        at + size < found.length ? `/v2/money_management/outbound_payments?${next}` : null,
      previous_page_url: null,
    } satisfies Stripe.V2List<FakePayment>;
  }

  /**
   * Version 2 keeps no answer: a key that succeeded is answered with what is now of what it made, and one that failed
   * runs again.
   */
  function once(key: string, asked: string, run: () => { readonly id: string }): unknown {
    const known = keys.get(key);
    if (known !== undefined && known.asked !== asked) throw new Refused(400, 'idempotency_error');
    if (known !== undefined) return known.again();
    const made = run();
    const again = () => payments.find(({ id }) => id === made.id) ?? made;
    keys.set(key, { asked, id: made.id, again });
    return made;
  }

  const money = '/v2/money_management';

  const account = () =>
    ({
      id: financialAccount,
      object: 'v2.money_management.financial_account',
      balance: {
        available: { usd: { value: 1_000_000, currency: 'usd' } },
        inbound_pending: {},
        outbound_pending: {},
      },
      country: 'US',
      created: new Date().toISOString(),
      livemode: false,
      status: 'open',
      type: 'storage',
    }) satisfies Stripe.V2.MoneyManagement.FinancialAccount;

  function answer(incoming: IncomingMessage, body: unknown): unknown {
    const url = new URL(incoming.url ?? '', 'http://fake');
    const header = (name: string) => String(incoming.headers[name] ?? '');
    if (header('authorization') !== `Bearer ${apiKey}`)
      throw new Refused(401, 'invalid_request_error');
    if (header('stripe-version') !== Stripe.API_VERSION) throw new Refused(400, 'invalid_fields');
    if (incoming.method === 'GET') {
      if (url.pathname === `${money}/outbound_payments`) return list(url.searchParams);
      if (url.pathname === `${money}/financial_accounts/${financialAccount}`) return account();
      const found = payments.find(({ id }) => url.pathname === `${money}/outbound_payments/${id}`);
      if (found === undefined) throw new Refused(404, 'not_found');
      return found;
    }
    const context = header('stripe-context');
    const [, seen] = /recipient_verifications\/(\w+)\/acknowledge$/.exec(url.pathname) ?? [];
    const run = () => {
      if (seen !== undefined) return acknowledge(seen);
      switch (url.pathname) {
        case '/v2/core/accounts':
          return makeAccount(body);
        case `${money}/outbound_setup_intents`:
          return makeSetupIntent(body, context);
        case `${money}/recipient_verifications`:
          return makeVerification(body);
        case `${money}/outbound_payments`:
          return makePayment(body);
        default:
          throw new Refused(404, 'not_found');
      }
    };
    return once(header('idempotency-key'), JSON.stringify([url.pathname, context, body]), run);
  }

  const server = createServer((incoming, outgoing) => {
    void (async () => {
      let reply: Reply;
      try {
        reply = { status: 200, body: answer(incoming, await jsonOf(incoming)) };
      } catch (error) {
        reply = error instanceof Refused ? error.reply : refusal(500, 'api_error', String(error));
      }
      outgoing.writeHead(reply.status, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify(reply.body));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    payments,
    violations,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Notification = Stripe.V2.Core.EventNotification;

/** The body of a thin event about a payment. */
export function thinEvent(
  { id: paymentId, livemode }: Pick<FakePayment, 'id' | 'livemode'>,
  { id, type, created }: { id: string; type: string; created: string },
): string {
  const event = {
    id,
    object: 'v2.core.event',
    type: type as 'v2.money_management.outbound_payment.posted',
    created,
    livemode,
    related_object: {
      id: paymentId,
      type: 'v2.money_management.outbound_payment',
      url: `/v2/money_management/outbound_payments/${paymentId}`,
    },
  } satisfies Omit<
    Extract<Notification, { type: 'v2.money_management.outbound_payment.posted' }>,
    'fetchEvent' | 'fetchRelatedObject'
  >;
  return JSON.stringify(event);
}

/**
 * The header of an event, by Stripe's own library.
 * @param timestamp seconds since 1970
 */
export const stripeSignature = (payload: string, secret: string, timestamp: number): string =>
  new Stripe('none').webhooks.generateTestHeaderString({ payload, secret, timestamp });

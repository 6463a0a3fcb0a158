import { sign } from '../../src/crypto/signature.ts';
import type { ConnectedProvider } from '../../src/providers/adapter.ts';
import type {
  ConformanceCase,
  EventWish,
  ProviderAnswer,
  SignedEvent,
} from './conformance/subject.ts';
import { apiKey, enrollRequest, startWorld, submitRequest, webhookSecret } from './support.ts';

/** The secret before the last rotation, which an adapter of this subject is to accept as well. */
export const previousWebhookSecret = 'test-simulator-webhook-secret-before';

const endingOf = { good: '6789', refused: '0004', held: '0005' } as const;
const secretOf = {
  current: webhookSecret,
  previous: previousWebhookSecret,
  forged: 'somebody-elses-secret',
} as const;

const refusal = (code: string, message = 'm') => JSON.stringify({ error: { code, message } });

type Meaning = Pick<ProviderAnswer, 'verdict' | 'code'>;

/** Every refusal of the protocol (simulator/README.md). */
const refusals: readonly (readonly [number, string, Meaning])[] = [
  [400, 'malformed_json', { verdict: 'rejected', code: 'provider_rejected' }],
  [400, 'invalid_request', { verdict: 'rejected', code: 'provider_rejected' }],
  [400, 'idempotency_key_required', { verdict: 'rejected', code: 'provider_rejected' }],
  [401, 'unauthorized', { verdict: 'retry' }],
  [403, 'forbidden', { verdict: 'retry' }],
  [404, 'not_found', { verdict: 'unknown' }],
  [405, 'method_not_allowed', { verdict: 'unknown' }],
  [408, 'timeout', { verdict: 'unknown' }],
  [409, 'idempotency_conflict', { verdict: 'unknown' }],
  [409, 'request_in_progress', { verdict: 'retry' }],
  [413, 'body_too_large', { verdict: 'rejected', code: 'provider_rejected' }],
  [422, 'recipient_unknown', { verdict: 'rejected', code: 'provider_rejected' }],
  [422, 'recipient_suspended', { verdict: 'rejected', code: 'provider_rejected' }],
  [422, 'recipient_closed', { verdict: 'rejected', code: 'account_closed' }],
  [422, 'currency_mismatch', { verdict: 'rejected', code: 'provider_rejected' }],
  [422, 'provider_rejected', { verdict: 'rejected', code: 'provider_rejected' }],
  [422, 'bank_rejected', { verdict: 'rejected', code: 'invalid_account' }],
  [422, 'compliance_hold', { verdict: 'held', code: 'compliance_rejected' }],
  [422, 'new_to_everybody', { verdict: 'rejected', code: 'provider_rejected' }],
  [429, 'rate_limited', { verdict: 'retry' }],
  [500, 'internal', { verdict: 'unknown' }],
  [503, 'unavailable', { verdict: 'unknown' }],
];

export const simulatorAnswers = (): ProviderAnswer[] =>
  refusals.map(([status, code, meaning]) => ({
    what: `${status} ${code}`,
    status,
    body: refusal(code),
    ...meaning,
  }));

function signed(timestamp: number, body: string, secret: string = webhookSecret): SignedEvent {
  const rawBody = Buffer.from(body);
  return { rawBody, headers: { 'x-service-signature': sign(secret, timestamp, rawBody) } };
}

function payoutEvent(timestamp: number, wish: EventWish = {}): SignedEvent {
  const { type = 'failed', occurredAt = '2026-11-21T09:30:00.000Z' } = wish;
  const failure = { code: 'invalid_account', message: 'The account does not exist.' };
  const body = {
    id: `sev_${type}`,
    type: `payout.${type}`,
    occurred_at: occurredAt,
    data: {
      payout_id: 'po_1',
      reference: wish.reference ?? 'dat_1',
      amount_minor: 1250,
      currency: 'USD',
      status: type,
      rail_ref: null,
      expected_delivery_date: null,
      failure: type === 'failed' || type === 'returned' ? failure : null,
    },
  };
  return signed(timestamp, JSON.stringify(body), secretOf[wish.secret ?? 'current']);
}

const recipientEvent = {
  id: 'sev_2',
  type: 'recipient.suspended',
  occurred_at: '2026-11-21T09:30:00.000Z',
  data: { recipient_id: 'rcp_1', reference: 'enr_1', status: 'suspended', reason: null },
};

const wireNames = {
  id: 'id',
  reference: 'reference',
  amount: 'amount_minor',
  currency: 'currency',
  status: 'status',
} as const;

/**
 * The conformance case of an adapter that speaks the simulator's protocol: the simulator itself.
 * @param connect makes the adapter for a provider at `url`, with the API key of support.ts and both secrets
 */
export function simulatorCase(
  connect: (url: string) => ConnectedProvider,
  answers: readonly ProviderAnswer[] = simulatorAnswers(),
): ConformanceCase {
  return {
    answers,
    holds: true,
    enrolls: true,
    datedSignatures: true,
    pages: false,
    findsByReference: true,
    async start() {
      const world = await startWorld();
      return {
        url: world.simulator.url,
        connect,
        enrollRequest: (kind) => enrollRequest(endingOf[kind]),
        submitRequest,
        async taken(reference) {
          return (await world.ledger()).filter((line) => line.reference === reference).length;
        },
        paymentsIn: (answer) =>
          (answer as { data?: [] }).data ?? [answer as Record<string, unknown>],
        write: (payment, part, value) => void (payment[wireNames[part]] = value ?? undefined),
        emptyList: '{"data":[]}',
        refusalSaying: (text) => ({ status: 422, body: refusal('provider_rejected', text) }),
        payoutEvent,
        signed,
        recipientEvent: (timestamp) => signed(timestamp, JSON.stringify(recipientEvent)),
        secrets: [apiKey, webhookSecret, previousWebhookSecret],
        close: () => world.close(),
      };
    },
  };
}

import type { ConnectedProvider } from '../../../src/providers/adapter.ts';
import { adyenAdapter } from '../../../src/providers/adyen/adapter.ts';
import type { Destination } from '../../../src/providers/port.ts';
import {
  adyenHeaders,
  adyenWebhook,
  readAdyenDescriptions,
  startFakeAdyen,
  type AdyenDescriptions,
} from '../../support/provider-kit/adyen.ts';
import { descriptionsOf } from '../../support/provider-kit/config.ts';
import type { ConformanceCase, EventWish, ProviderAnswer } from '../conformance/subject.ts';
import { enrollRequest, submitRequest } from '../support.ts';

export const { path: adyenFolder, missing: adyenMissing } = descriptionsOf('adyen');

export const apiKey = 'test-adyen-api-key-0123456789';
export const balanceAccountId = 'BA00000000000000000000001';
const username = 'adyen';
const passwords = { current: 'webhook-password-now', previous: 'webhook-password-before' };
const hmacKeys = { current: 'a1'.repeat(32), previous: 'b2'.repeat(32) };
const forgedKey = 'c3'.repeat(32);

/** How the webhooks of this subject are proved. */
export const webhookLogin = { username, password: passwords.current, hmacKey: hmacKeys.current };

/** The settings of an adapter of this subject, as they are written. */
export const adyenWords = (url: string) => ({
  ADYEN_ENVIRONMENT: 'test',
  ADYEN_API_KEY: apiKey,
  ADYEN_BALANCE_ACCOUNT: balanceAccountId,
  ADYEN_WEBHOOK_USERNAME: username,
  ADYEN_WEBHOOK_PASSWORD: passwords.current,
  ADYEN_WEBHOOK_PASSWORD_PREVIOUS: passwords.previous,
  ADYEN_WEBHOOK_HMAC_KEY: hmacKeys.current,
  ADYEN_WEBHOOK_HMAC_KEY_PREVIOUS: hmacKeys.previous,
  ADYEN_TEST_URL: url,
});

/** The same, as they are read. */
export const adyenValues = (url: string) => ({
  ...adyenWords(url),
  ADYEN_PRIORITIES: ['regular'],
  ADYEN_CURRENCIES: null,
  ADYEN_COUNTRIES: null,
  ADYEN_CALLS_PER_SECOND: null,
});

export const connectAdyen = (url: string): ConnectedProvider =>
  adyenAdapter.connect('adyen', adyenValues(url));

const said = (status: number, errorCode: string, more: object = {}) => ({
  status,
  body: JSON.stringify({ type: 'x', title: 't', detail: 'd', status, errorCode, ...more }),
});

/** Adyen's refusals of a transfer, by the statuses of its description, and what others on the way may answer. */
const adyenAnswers: readonly ProviderAnswer[] = [
  { what: '401, as its own description has it', ...said(401, '000'), verdict: 'retry' },
  {
    what: '401 in the older shape',
    status: 401,
    body: '{"errorCode":"000","errorType":"security","message":"m","status":401}',
    verdict: 'retry',
  },
  { what: '403', ...said(403, '00_403'), verdict: 'retry' },
  { what: '422', ...said(422, '30_112'), verdict: 'rejected', code: 'provider_rejected' },
  {
    what: '422 for the account',
    ...said(422, '30_031', {
      invalidFields: [
        { name: 'counterparty.bankAccount.accountIdentification.iban', message: 'm', value: 'v' },
      ],
    }),
    verdict: 'rejected',
    code: 'invalid_account',
  },
  { what: '422 for a key in use', ...said(422, '704'), verdict: 'unknown' },
  { what: '429', ...said(429, '00_429'), verdict: 'retry' },
  { what: '500', ...said(500, '00_500'), verdict: 'unknown' },
  { what: '400, which is not described', ...said(400, '00_400'), verdict: 'unknown' },
  { what: '404, which is not described', ...said(404, '00_404'), verdict: 'unknown' },
  { what: '409, which is not described', ...said(409, '00_409'), verdict: 'unknown' },
];

const happenings = {
  disbursed: { status: 'booked', sequenceNumber: 3 },
  settled: {
    status: 'booked',
    sequenceNumber: 4,
    tracking: { type: 'confirmation', status: 'credited' },
  },
  failed: { status: 'failed', reason: 'counterpartyAccountNotFound', sequenceNumber: 3 },
  returned: { status: 'returned', reason: 'counterpartyAccountClosed', sequenceNumber: 5 },
} as const;

function signed(body: string, secret: EventWish['secret'] = 'current') {
  const keys = { ...hmacKeys, forged: forgedKey };
  const password = passwords[secret === 'forged' ? 'current' : secret];
  return {
    rawBody: Buffer.from(body),
    headers: adyenHeaders(Buffer.from(body), { hmacKey: keys[secret], username, password }),
  };
}

/** A webhook of the stand-in about a payment of ours. */
export function posted(
  descriptions: AdyenDescriptions,
  { type = 'failed', occurredAt, reference = 'ten_1.dat_1', secret }: EventWish = {},
  change: object = {},
) {
  const transfer = {
    id: '6JKRLZ8LOT47J7RY',
    reference,
    amount: { currency: 'EUR', value: 1250 },
    balanceAccount: { id: balanceAccountId },
  };
  const at = occurredAt ?? '2026-11-21T09:30:00.000Z';
  const happening = { ...happenings[type], at, ...change };
  return signed(adyenWebhook(descriptions, transfer, happening), secret);
}

const iban: Destination = {
  accountHolderName: 'Ada Byron',
  country: 'DE',
  currency: 'EUR',
  iban: 'DE02120300000000202051',
};
const pix: Destination = {
  accountHolderName: 'Ada Byron',
  country: 'BR',
  currency: 'BRL',
  pixKey: 'ada@example.org',
};

const pathOf = {
  id: ['id'],
  reference: ['reference'],
  amount: ['amount', 'value'],
  currency: ['amount', 'currency'],
  status: ['status'],
} as const;

export const adyenCase: ConformanceCase = {
  answers: adyenAnswers,
  holds: false,
  enrolls: false,
  datedSignatures: false,
  pages: true,
  findsByReference: true,
  async start() {
    const descriptions = readAdyenDescriptions(adyenFolder);
    const fake = await startFakeAdyen(descriptions, { apiKey, balanceAccountId, pageSize: 2 });
    return {
      url: fake.url,
      connect: connectAdyen,
      enrollRequest: (kind) => ({
        ...enrollRequest(),
        destination: kind === 'refused' ? pix : iban,
      }),
      submitRequest: (recipientId) => ({
        ...submitRequest(recipientId),
        account: { payee: enrollRequest().payee, destination: iban },
      }),
      taken: (reference) =>
        Promise.resolve(fake.transfers.filter((one) => one.reference === reference).length),
      paymentsIn: (answer) => (answer as { data?: [] }).data ?? [answer as Record<string, unknown>],
      write(payment, part, value) {
        const path = pathOf[part];
        const holder = path.length === 1 ? payment : (payment['amount'] as typeof payment);
        holder[path[path.length - 1] ?? part] = value ?? undefined;
      },
      emptyList: '{"data":[]}',
      refusalSaying: (text) => said(422, '30_112', { detail: text }),
      payoutEvent: (_timestamp, wish) => posted(descriptions, wish),
      signed: (_timestamp, body) => signed(body),
      recipientEvent: null,
      secrets: [apiKey, ...Object.values(passwords), ...Object.values(hmacKeys)],
      async close() {
        if (fake.violations.length > 0) throw new Error(fake.violations.join('\n'));
        await fake.close();
      },
    };
  },
};

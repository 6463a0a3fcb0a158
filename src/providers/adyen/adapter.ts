import type { z } from 'zod';
import { defineAdapter, presentSecrets, type ConnectedProvider } from '../adapter.ts';
import { abilitiesOf, paidScheme, type PaidScheme } from '../capabilities.ts';
import { createHttpCaller, type HttpAnswer, type Turn } from '../http-caller.ts';
import { ProviderError, type ProviderPayout, type SubmitRequest } from '../port.ts';
import { parseReference } from '../reference.ts';
import { idBoundary, isId } from '../../values/ids.ts';
import { accountIdentification, bankAccountOf } from './counterparty.ts';
import { checkAdyenHead, parseAdyenEvents, type WebhookAccess } from './events.ts';
import { toAdyen } from './money.ts';
import { adyenSettings } from './settings.ts';
import { errorOfAnswer, unreadable } from './verdict.ts';
import { meaningOf, paymentOf, transfer, transferList, type Transfer } from './wire.ts';

const hosts = {
  test: 'https://balanceplatform-api-test.adyen.com/btl/v4',
  live: 'https://balanceplatform-api-live.adyen.com/btl/v4',
} as const;

interface AdyenAccess extends WebhookAccess {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly priorities: readonly string[];
  readonly turn: Turn | undefined;
  /** What the account pays in, ISO 4217; null where that is not known. */
  readonly currencies: readonly string[] | null;
  /** Where it pays to, ISO 3166-1 alpha-2; null where that is not known. */
  readonly countries: readonly string[] | null;
}

/** What is paid by each priority: an account that is known by its number and BIC is always paid across borders. */
function paidBy({ priorities, currencies, countries }: AdyenAccess): PaidScheme[] {
  const all = [...new Set([...priorities, 'crossBorder'])];
  return all.map((priority) => paidScheme(priority, { currencies, countries }));
}

const dayMs = 24 * 60 * 60 * 1000;

/** Adyen promises 31 days; an hour is kept for a clock that goes wrong. */
const idempotencyWindowMs = 31 * dayMs - 60 * 60 * 1000;

/** Adyen lists no more than six months at once. */
const lookUpDays = 180;
const pageSize = 100;

/** As many pages as nobody's reference fills: a list that goes in circles ends here. */
const mostPages = 100;

/** Whether a reference is of an attempt that was made before everything that a look-up lists. */
function isOlder(reference: string): boolean {
  const attemptId = parseReference(reference)?.subjectId;
  if (attemptId === undefined || !isId('disbursementAttempt', attemptId)) return false;
  return attemptId < idBoundary('disbursementAttempt', Date.now() - lookUpDays * dayMs);
}

function toProviderPayout(said: Transfer, { status, date }: HttpAnswer): ProviderPayout {
  const payment = paymentOf(said);
  const statusAt = said.updatedAt ?? said.createdAt ?? said.creationDate ?? date;
  if (payment === null || statusAt === null) throw unreadable(status);
  const { unclear, ...told } = meaningOf(said);
  return { ...payment, ...told, statusAt, railRef: null, ...(unclear !== null && { unclear }) };
}

/** The body of POST /transfers, field by field, so that nothing else is sent. */
function transferInfo(access: AdyenAccess, request: SubmitRequest): object {
  const { account, amountMinor, currency, reference, purpose } = request;
  if (account === undefined) throw new Error('Adyen is told of the account with each payment');
  const { type } = accountIdentification(account.destination);
  return {
    amount: { currency, value: toAdyen(amountMinor, currency) },
    balanceAccountId: access.balanceAccountId,
    category: 'bank',
    counterparty: { bankAccount: bankAccountOf(account) },
    priorities: type === 'numberAndBic' ? ['crossBorder'] : access.priorities,
    reference,
    // Banks take no underscore.
    description: purpose.replaceAll('_', ' '),
  };
}

/** Adyen's Transfers API, version 4: payments from one balance account to bank accounts. */
function createAdyen(access: AdyenAccess): ConnectedProvider {
  const { apiKey, passwords, hmacKeys } = access;
  const secrets = [apiKey, ...passwords, ...hmacKeys];
  const caller = createHttpCaller(access.baseUrl, secrets, access.turn);

  async function ask<Schema extends z.ZodType>(
    shape: Schema,
    question: { path: string; key?: string; body?: object },
    signal: AbortSignal | undefined,
  ): Promise<{ said: z.output<Schema>; answer: HttpAnswer }> {
    const { path, key, body } = question;
    const headers = { 'x-api-key': apiKey, ...(key !== undefined && { 'idempotency-key': key }) };
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await caller.send({ method, path, headers, body }, signal);
    if (answer.status < 200 || answer.status > 299) throw errorOfAnswer(answer);
    const read = shape.safeParse(answer.json);
    if (!read.success) throw unreadable(answer.status);
    return { said: read.data, answer };
  }

  async function findAll(reference: string, signal: AbortSignal | undefined) {
    const now = Date.now();
    const query = new URLSearchParams({
      balanceAccountId: access.balanceAccountId,
      reference,
      createdSince: new Date(now - lookUpDays * dayMs).toISOString(),
      createdUntil: new Date(now + dayMs).toISOString(),
      limit: String(pageSize),
    });
    const found: ProviderPayout[] = [];
    for (let page = 0; page < mostPages; page += 1) {
      const { said, answer } = await ask(transferList, { path: `/transfers?${query}` }, signal);
      const outgoing = said.data.filter(({ direction }) => direction !== 'incoming');
      found.push(...outgoing.map((one) => toProviderPayout(one, answer)));
      const next = said._links?.next?.href;
      if (next === undefined) return found;
      // Only its cursor is taken: the key goes to no other host.
      const cursor = new URL(next, access.baseUrl).searchParams.get('cursor');
      if (cursor === null || cursor === query.get('cursor')) throw unreadable(answer.status);
      query.set('cursor', cursor);
    }
    throw new ProviderError('unknown', 'other', 'Adyen tells of more pages than can be true.');
  }

  return {
    name: access.name,
    capabilities: {
      idempotencyWindowMs,
      accountWithPayment: true,
      pays: paidBy(access),
      can: abilitiesOf('estimatesArrival'),
    },

    async enroll({ idempotencyKey, reference, ...account }) {
      // Adyen hears of the account with each payment. What it cannot pay is refused here.
      bankAccountOf(account);
      return { recipientId: idempotencyKey, reference };
    },

    async submit(request, signal) {
      const question = {
        path: '/transfers',
        key: request.idempotencyKey,
        body: transferInfo(access, request),
      };
      const { said, answer } = await ask(transfer, question, signal);
      return toProviderPayout(said, answer);
    },

    async lookUp({ reference }, signal) {
      try {
        const found = await findAll(reference, signal);
        if (found.length > 0 || !isOlder(reference)) return found;
        throw new ProviderError('unknown', 'other', 'Adyen lists nothing that is so old.');
      } catch (error) {
        const message = error instanceof ProviderError ? error.message : 'The look-up failed.';
        throw new ProviderError('unknown', 'other', message);
      }
    },

    async prove(signal) {
      await findAll('check', signal);
      const { environment, balanceAccountId } = access;
      return [
        `The key opens Adyen's ${environment} platform and may read the transfers of ${balanceAccountId}. Whether it may make them, the first payment tells.`,
      ];
    },

    checkHead: (header) => checkAdyenHead(access, header),
    parseEvents: async (rawBody, header) => parseAdyenEvents(access, rawBody, header),
    close: () => caller.close(),
  };
}

/** Adyen, on its test or its live platform. */
export const adyenAdapter = defineAdapter({
  description: "Adyen's Transfers API (docs/adyen.md).",
  settings: adyenSettings,
  ownAccounts: 'ADYEN_',
  connect(name, values, pace) {
    const { ADYEN_ENVIRONMENT: environment, ADYEN_TEST_URL: standIn } = values;
    if (environment === 'live' && standIn !== null) {
      throw new Error('ADYEN_TEST_URL: not with ADYEN_ENVIRONMENT=live');
    }
    return createAdyen({
      name,
      environment,
      baseUrl: standIn ?? hosts[environment],
      apiKey: values.ADYEN_API_KEY,
      balanceAccountId: values.ADYEN_BALANCE_ACCOUNT,
      priorities: values.ADYEN_PRIORITIES,
      turn: pace(values.ADYEN_CALLS_PER_SECOND),
      currencies: values.ADYEN_CURRENCIES,
      countries: values.ADYEN_COUNTRIES,
      username: values.ADYEN_WEBHOOK_USERNAME,
      passwords: presentSecrets(
        values.ADYEN_WEBHOOK_PASSWORD,
        values.ADYEN_WEBHOOK_PASSWORD_PREVIOUS,
      ),
      hmacKeys: presentSecrets(
        values.ADYEN_WEBHOOK_HMAC_KEY,
        values.ADYEN_WEBHOOK_HMAC_KEY_PREVIOUS,
      ),
    });
  },
});

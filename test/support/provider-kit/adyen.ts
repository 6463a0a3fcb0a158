import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { startDescribedServer, type Reply } from './described-server.ts';
import {
  readDescription,
  type DescribedRequest,
  type Description,
  type Example,
} from './description.ts';

/*
 * A stand-in for Adyen's Transfers API, made from Adyen's descriptions. What it does beyond them is what Adyen's
 * documentation says of idempotency keys and pages.
 */

type Fields = Record<string, unknown>;

interface Amount {
  readonly currency: string;
  readonly value: number;
}

interface TransferInfo extends Fields {
  readonly amount: Amount;
  readonly reference?: string;
  readonly category: string;
  readonly counterparty: Readonly<Record<string, unknown>>;
  readonly priority?: string;
  readonly priorities?: readonly string[];
}

/** A transfer as the fake keeps it: Adyen's own object, without what only its webhooks say. */
export interface FakeTransfer extends Fields {
  readonly id: string;
  readonly amount: Amount;
  readonly reference: string;
  readonly createdAt: string;
  status: string;
  reason: string;
  sequenceNumber: number;
}

export interface AdyenDescriptions {
  readonly transfers: Description;
  readonly notifications: Description;
}

/** @param folder where Adyen's documents are */
export const readAdyenDescriptions = (folder: string): AdyenDescriptions => ({
  transfers: readDescription(join(folder, 'TransferService-v4.json')),
  notifications: readDescription(join(folder, 'BalancePlatformTransferNotification-v4.json')),
});

export interface AdyenAccess {
  readonly apiKey: string;
  readonly balanceAccountId: string;
  /** Transfers on one page, at most. */
  readonly pageSize: number;
}

export interface FakeAdyen {
  readonly url: string;
  readonly violations: readonly string[];
  /** Every transfer, oldest first. */
  readonly transfers: readonly FakeTransfer[];
  close(): Promise<void>;
}

const kindOf = ({ category, counterparty }: Pick<TransferInfo, 'category' | 'counterparty'>) => {
  const account = counterparty['bankAccount'] as
    | { accountIdentification?: { type?: string } }
    | undefined;
  const [party] = Object.keys(counterparty);
  return [category, party, account?.accountIdentification?.type].join(' ');
};

/** The answer of the description whose transfer is most like this one. */
function likeliest(examples: readonly Example[], info: TransferInfo): Fields {
  const values = examples.map(({ value }) => value as TransferInfo);
  const found =
    values.find((value) => kindOf(value) === kindOf(info)) ??
    values.find(({ category }) => category === info.category) ??
    values[0];
  return structuredClone(found ?? {});
}

const problem = (status: number, errorCode: string, title: string, detail: string): Reply => ({
  status,
  body: { type: 'https://docs.adyen.com/errors/validation', errorCode, title, detail, status },
});

function hasFilter(query: URLSearchParams): boolean {
  return ['balancePlatform', 'accountHolderId', 'balanceAccountId'].some((name) => query.has(name));
}

/** Starts the stand-in, with no transfers. */
export async function startFakeAdyen(
  { transfers: description }: AdyenDescriptions,
  { apiKey, balanceAccountId, pageSize }: AdyenAccess,
): Promise<FakeAdyen> {
  const transfers: FakeTransfer[] = [];
  const remembered = new Map<string, Reply>();
  const create = description.find('POST', '/transfers')?.operation;

  function transfer({ headers, body }: DescribedRequest): Reply {
    const key = headers['idempotency-key'];
    if (key !== undefined && key.length > 64) {
      return problem(422, '00_400', 'Invalid key', 'The Idempotency-Key is too long.');
    }
    const before = key === undefined ? undefined : remembered.get(key);
    if (before !== undefined) return before;
    const info = body as TransferInfo;
    const like = likeliest(create?.answers[202] ?? [], info);
    const id = `FAKE${String(transfers.length + 1).padStart(12, '0')}`;
    const { bankAccount } = info.counterparty;
    const priority = info.priority ?? info.priorities?.[0];
    const answer: FakeTransfer = {
      ...like,
      id,
      amount: info.amount,
      reference: info.reference ?? id,
      createdAt: new Date().toISOString(),
      direction: 'outgoing',
      status: 'received',
      reason: 'pending',
      ...(bankAccount !== undefined && { counterparty: { bankAccount } }),
      ...(priority !== undefined && { categoryData: { type: 'bank', priority } }),
      sequenceNumber: 1,
    };
    transfers.push(answer);
    const { sequenceNumber: _number, ...told } = answer;
    const reply = {
      status: 202,
      body: told,
      headers: key === undefined ? {} : { 'idempotency-key': key },
    };
    if (key !== undefined) remembered.set(key, reply);
    return reply;
  }

  function list({ query }: DescribedRequest): Reply {
    if (!hasFilter(query)) {
      return problem(422, '30_001', 'Invalid query', 'An account is required.');
    }
    const limit = Math.min(Number(query.get('limit') ?? 10), pageSize);
    const since = Date.parse(query.get('createdSince') ?? '');
    const until = Date.parse(query.get('createdUntil') ?? '');
    const halfYearMs = 184 * 24 * 60 * 60 * 1000;
    if (until - since > halfYearMs) {
      return problem(422, '30_002', 'Invalid query', 'The period is longer than six months.');
    }
    const account = query.get('balanceAccountId') ?? balanceAccountId;
    const found = transfers.filter(
      ({ reference, createdAt }) =>
        account === balanceAccountId &&
        (query.get('reference') ?? reference) === reference &&
        Date.parse(createdAt) >= since &&
        Date.parse(createdAt) <= until,
    );
    const start = Number(Buffer.from(query.get('cursor') ?? '', 'base64url').toString() || 0);
    const end = start + limit;
    const next = new URLSearchParams(query);
    next.set('cursor', Buffer.from(String(end)).toString('base64url'));
    const href = `https://balanceplatform-api-test.adyen.com/btl/v4/transfers?${next}`;
    return {
      status: 200,
      body: {
        data: found.slice(start, end),
        ...(end < found.length && { _links: { next: { href } } }),
      },
    };
  }

  const server = await startDescribedServer({
    description,
    basePath: '/btl/v4',
    authenticate(operation, { headers }) {
      if (headers['x-api-key'] === apiKey) return null;
      const said = problem(401, '00_401', 'Unauthorized', 'The API key is not known.');
      // One operation still answers in the older shape.
      if (operation.faultsOfAnswer(401, said.body).length === 0) return said;
      const body = {
        errorCode: '000',
        errorType: 'security',
        message: 'Unauthorized',
        status: 401,
      };
      return { status: 401, body };
    },
    refuse: (_operation, faults) =>
      problem(422, '30_000', 'Invalid request', faults.join('; ').slice(0, 500)),
    handlers: { 'post-transfers': transfer, 'get-transfers': list },
  });
  return { ...server, transfers };
}

/** What changes a transfer, as its webhook says it. */
export interface Happening {
  readonly status: string;
  readonly reason?: string;
  readonly at: string;
  readonly sequenceNumber: number;
  readonly tracking?: Readonly<Record<string, unknown>>;
}

/**
 * A webhook about an outgoing transfer, made from the description's example and validated against it. Throws where
 * the description does not permit it.
 */
export function adyenWebhook(
  { notifications }: AdyenDescriptions,
  transfer: Readonly<Record<string, unknown>>,
  { status, reason = 'approved', at, sequenceNumber, tracking }: Happening,
): string {
  const type = status === 'received' ? 'created' : 'updated';
  const webhook = notifications.webhooks.find(
    ({ name }) => name === `balancePlatform.transfer.${type}`,
  );
  const example = webhook?.examples.find(({ name }) =>
    /payout-booked|outgoing-external/.test(name),
  );
  if (webhook === undefined || example === undefined) throw new Error(`no example of ${type}`);
  const posted = structuredClone(example.value) as { data: Fields };
  const body = {
    ...posted,
    timestamp: at,
    data: {
      ...posted.data,
      ...transfer,
      events: [{ bookingDate: at, id: `EV${sequenceNumber}`, status, type: 'accounting' }],
      sequenceNumber,
      status,
      reason,
      updatedAt: at,
      ...(tracking && { tracking }),
    },
  };
  const faults = webhook.faultsOf(body);
  if (faults.length > 0) throw new Error(`the webhook is not as described: ${faults.join('; ')}`);
  return JSON.stringify(body);
}

/** The headers by which Adyen proves a webhook: HMAC of the body, and the endpoint's own login. */
export const adyenHeaders = (
  body: string | Buffer,
  { hmacKey, username, password }: Readonly<Record<'hmacKey' | 'username' | 'password', string>>,
): Record<string, string> => ({
  'content-type': 'application/json',
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  protocol: 'HmacSHA256',
  hmacsignature: createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(body).digest('base64'),
});

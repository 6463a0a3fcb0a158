import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const ledgerAnswer = z.object({
  data: z.array(
    z.object({
      payout_id: z.string(),
      idempotency_key: z.string(),
      reference: z.string(),
      recipient_id: z.string(),
      amount_minor: z.number().int(),
      currency: z.string(),
      status: z.string(),
      accepted_at: z.string(),
    }),
  ),
});
/** One disbursement that the provider accepted. */
export type LedgerEntry = z.infer<typeof ledgerAnswer>['data'][number];

/** Throws when nobody answers. */
async function fetchControl(baseUrl: string, apiKey: string, path: string): Promise<Response> {
  return fetch(`${baseUrl}/control/${path}`, {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(60_000),
  }).catch((cause: unknown) => {
    throw new Error(`the provider's books cannot be read from ${baseUrl}`, { cause });
  });
}

async function bodyOf(response: Response): Promise<unknown> {
  if (response.ok) return response.json();
  throw new Error(`the provider answered ${response.status} to the request for its books`);
}

/** The provider whose ledger is read. Of any other the verifier has no book. */
export const simulatorName = 'simulator';

/** Everything that the provider simulator accepted, in order. Throws when it does not answer. */
export async function fetchLedger(baseUrl: string, apiKey: string): Promise<LedgerEntry[]> {
  return ledgerAnswer.parse(await bodyOf(await fetchControl(baseUrl, apiKey, 'ledger'))).data;
}

const bankAnswer = z.object({
  orders: z.array(
    z.object({
      id: z.string(),
      customer: z.string(),
      file_sha256: z.string(),
      message_id: z.string(),
      instruction_id: z.string().nullable(),
      trace_number: z.string().nullable(),
      amount: z.string(),
      currency: z.string(),
      account_currency: z.string(),
      status: z.string(),
    }),
  ),
  accounts: z.array(
    z.object({
      entries: z.array(
        z.object({
          id: z.string(),
          customer: z.string(),
          order_id: z.string().nullable(),
          what: z.string(),
          amount: z.string(),
          currency: z.string(),
        }),
      ),
    }),
  ),
});

/** What the sandbox bank took and booked. */
export interface BankBook {
  readonly orders: z.infer<typeof bankAnswer>['orders'];
  readonly entries: z.infer<typeof bankAnswer>['accounts'][number]['entries'];
}

/** The sandbox bank's own book; an empty one where the simulator is no bank. Throws when it does not answer. */
export async function fetchBankBook(baseUrl: string, apiKey: string): Promise<BankBook> {
  const answer = await fetchControl(baseUrl, apiKey, 'bank/book');
  if (answer.status === 404) return { orders: [], entries: [] };
  const { orders, accounts } = bankAnswer.parse(await bodyOf(answer));
  return { orders, entries: accounts.flatMap(({ entries }) => entries) };
}

const envelope = z.object({
  id: z.string(),
  type: z.string(),
  occurred_at: z.string(),
  sequence: z.number().int(),
  // An event of a payee or an account names no payout.
  data: z.looseObject({ payout_id: z.string().nullish() }),
});

/** One webhook as a receiver took it. */
export interface Received {
  readonly id: string;
  readonly type: string;
  readonly occurred_at: string;
  readonly sequence: number;
  readonly payout_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads the body of one webhook (docs/webhooks.md). Throws ZodError or SyntaxError. */
export function parseReceived(body: string): Received {
  const { data, ...rest } = envelope.parse(JSON.parse(body));
  return { ...rest, payout_id: data.payout_id ?? null, data };
}

/** Reads a receiver's log: the body of each webhook that it took, one on each line. */
export async function readReceiverLog(file: string): Promise<Received[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    try {
      return parseReceived(line);
    } catch (error) {
      throw new Error(`${file}: line ${index + 1} is not a webhook`, { cause: error });
    }
  });
}

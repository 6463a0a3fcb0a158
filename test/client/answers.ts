import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  createPayoutClient,
  type ClientOptions,
  type PayoutClient,
} from '../../client/src/client.ts';

export type Handler = (response: ServerResponse) => void;

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answering {
  readonly client: PayoutClient;
  readonly baseUrl: string;
  /** Every request, in the order of arrival. */
  readonly seen: readonly Seen[];
  close(): void;
}

/** A client of a server that answers the nth request by the nth handler, and the last one after. */
export async function answering(
  handlers: readonly Handler[],
  options: Partial<ClientOptions> = {},
): Promise<Answering> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers, body });
      handlers[Math.min(seen.length, handlers.length) - 1]?.(response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    client: createPayoutClient({ baseUrl, apiKey: 'pos_sandbox_test', ...options }),
    baseUrl,
    seen,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export const answer =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Handler =>
  (response) =>
    void response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

/** An error as the service answers it. */
export const refusal = (status: number, code: string, headers?: Record<string, string>): Handler =>
  answer(status, { error: { code, message: `It is ${code}.`, request_id: 'req_1' } }, headers);

export const cut: Handler = (response) => void response.destroy();

export const cutInBody: Handler = (response) => {
  response.writeHead(201, { 'Content-Length': '100', 'Content-Type': 'application/json' });
  response.write('{"half":', () => response.destroy());
};

export const silence: Handler = () => {};

/** A payout that can be asked for, as far as the client cares. */
export const payoutBody = {
  beneficiary_id: 'ben_1',
  bank_account_id: 'bac_1',
  amount_minor: 1_000,
  currency: 'EUR',
  purpose_of_payment: 'invoice_payment',
} as const;

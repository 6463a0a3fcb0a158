import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What came back from the provider, or is to be said in its place. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One request on its way, which a trouble may forward, answer, or lose. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Hands the request to the provider and returns what it answers. */
  forward(): Promise<Answer>;
  /** Gives the caller an answer. */
  answer(answer: Answer): void;
}

/** What befalls a request. */
export type Trouble = (exchange: Exchange) => void | Promise<void>;

/** The line between an adapter and its provider. */
export interface Line {
  readonly url: string;
  /** How many requests have arrived. */
  arrived(): number;
  /** What befalls the next requests, one after another; the others pass. */
  next(...troubles: readonly Trouble[]): void;
  /** Everything passes again. */
  mend(): void;
  close(): Promise<void>;
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function forwardTo(target: string, incoming: IncomingMessage): Promise<Answer> {
  const body = await bytesOf(incoming);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { host: _host, connection: _connection, ...headers } = incoming.headers;
  const base = target.replace(/\/+$/, '');
  const outgoing = httpRequest(`${base}${incoming.url ?? ''}`, {
    method: incoming.method,
    headers,
    agent: false,
  });
  outgoing.on('response', resolve).on('error', reject).end(body);
  const reply = await promise;
  return {
    status: reply.statusCode ?? 0,
    headers: { 'content-type': reply.headers['content-type'] ?? 'text/plain' },
    body: (await bytesOf(reply)).toString('utf8'),
  };
}

/** A line to `target`, on a free port of the loopback address. */
export async function startLine(target: string): Promise<Line> {
  const waiting: Trouble[] = [];
  let arrived = 0;
  const pass: Trouble = async ({ forward, answer }) => answer(await forward());
  const server = createServer((request, response) => {
    arrived += 1;
    const exchange: Exchange = {
      request,
      response,
      forward: () => forwardTo(target, request),
      answer: ({ status, headers, body }) => void response.writeHead(status, headers).end(body),
    };
    const trouble = waiting.shift() ?? pass;
    // A provider that ends the connection is one whose caller sees it end.
    Promise.resolve(trouble(exchange)).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    arrived: () => arrived,
    next: (...troubles) => void waiting.push(...troubles),
    mend: () => void waiting.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The request is never read, nor answered. */
export const swallow: Trouble = () => undefined;

/** The connection is cut before the provider hears of the request. */
export const cutBefore: Trouble = async ({ request, response }) => {
  await bytesOf(request);
  response.destroy();
};

/** The provider has answered, and the connection is cut. */
export const cutAfter: Trouble = async ({ forward, response }) => {
  await forward();
  response.destroy();
};

/** The provider has answered, and nothing comes back. */
export const silence: Trouble = async ({ forward }) => void (await forward());

/** The connection is cut in the middle of the answer. */
export const truncate: Trouble = async ({ forward, response }) => {
  const { status, body } = await forward();
  response.writeHead(status, { 'content-length': Buffer.byteLength(body) });
  response.write(body.slice(0, body.length / 2), () => response.destroy());
};

/** The answer ends before its JSON does. */
export const halve: Trouble = async ({ forward, answer }) => {
  const { status, body } = await forward();
  answer({ status, body: body.slice(0, body.length / 2) });
};

/** More follows the answer than anybody reads. */
export const bloat: Trouble = async ({ forward, answer }) => {
  const { status, body } = await forward();
  answer({ status, body: body + ' '.repeat(2 * 1024 * 1024) });
};

/** The answer has no end. */
export const endless: Trouble = async ({ forward, response }) => {
  await forward();
  response.writeHead(200);
  const chunk = Buffer.alloc(64 * 1024, 0x20);
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
};

/** Somebody on the way answers, and the provider hears of nothing. */
export const instead =
  (said: Answer): Trouble =>
  async ({ request, answer }) => {
    await bytesOf(request);
    answer(said);
  };

/** The provider does as it was asked, and its caller is told something else. */
export const afterwards =
  (said: Answer): Trouble =>
  async ({ forward, answer }) => {
    await forward();
    answer(said);
  };

/** The answer's JSON is changed on the way. */
export const altered =
  (change: (json: unknown) => void): Trouble =>
  async ({ forward, answer }) => {
    const said = await forward();
    const json: unknown = JSON.parse(said.body);
    change(json);
    answer({ ...said, body: JSON.stringify(json) });
  };

import { once } from 'node:events';
import { appendFile, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { verifyWebhook, WebhookError } from '../../client/src/index.ts';

/** The fields of a webhook event that the demo reads; docs/webhooks.md lists all of them. */
const envelope = z.object({
  id: z.string().startsWith('evt_'),
  type: z.string(),
  sequence: z.number().int(),
  occurred_at: z.iso.datetime(),
  data: z.object({ payout_id: z.string() }),
});
export type WebhookEvent = z.infer<typeof envelope>;

export interface Delivery {
  readonly event: WebhookEvent;
  readonly verification: 'valid' | WebhookError['reason'];
  /** The event's id was seen before. A real receiver answers 2xx and does nothing else. */
  readonly duplicate: boolean;
}

export interface Receiver {
  readonly url: string;
  /** The authority of its certificate, as a PEM file. */
  readonly caFile: string;
  /** The subscription's secret; a rotation replaces it. */
  setSecret(secret: string): void;
  /** In the order of arrival, with refused deliveries and duplicates. */
  deliveries(): readonly Delivery[];
  /** Resolves when a verified event of each type has come. Rejects when the signal aborts. */
  waitFor(types: readonly string[], signal: AbortSignal): Promise<void>;
  /** Starts a new log file with one line for each verified event. */
  logTo(file: string): Promise<void>;
  close(): Promise<void>;
}

const maxBodyBytes = 64 * 1024;
const pollMs = 25;

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBodyBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseEvent(body: Buffer): WebhookEvent | null {
  try {
    return envelope.parse(JSON.parse(body.toString('utf8')));
  } catch {
    return null;
  }
}

async function verify(
  secret: string | null,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<Delivery['verification']> {
  // No subscription was answered yet, so nothing is known to compare with.
  if (secret === null) return 'mismatch';
  try {
    await verifyWebhook({ body, headers, secret });
    return 'valid';
  } catch (error) {
    if (error instanceof WebhookError) return error.reason;
    throw error;
  }
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/**
 * Listens on both loopback addresses, since `localhost` may mean either. Falls back to IPv4 alone
 * where the machine has no IPv6 or another program uses that port there.
 */
async function listenOnLoopback(makeServer: () => Server): Promise<[number, Server[]]> {
  const first = makeServer();
  const port = await listen(first, '127.0.0.1', 0);
  const second = makeServer();
  try {
    await listen(second, '::1', port);
    return [port, [first, second]];
  } catch {
    return [port, [first]];
  }
}

/**
 * An HTTPS receiver as a business would run it: it verifies the signature over the raw bytes,
 * remembers event ids, and answers 2xx only to events that it verified.
 */
export async function startReceiver(
  certificate: { cert: string; key: string },
  caFile: string,
): Promise<Receiver> {
  let secret: string | null = null;
  const deliveries: Delivery[] = [];
  const seen = new Set<string>();
  let logFile: string | null = null;

  /** Records one delivery and returns the status to answer. */
  async function take(headers: IncomingHttpHeaders, body: Buffer): Promise<number> {
    const verification = await verify(secret, headers, body);
    const event = parseEvent(body);
    if (event === null) return 400;
    deliveries.push({ event, verification, duplicate: seen.has(event.id) });
    if (verification !== 'valid') return 401;
    seen.add(event.id);
    // Before the answer, so that every delivery that counts as delivered is in the log.
    if (logFile !== null) {
      await appendFile(logFile, `${JSON.stringify(JSON.parse(body.toString('utf8')))}\n`);
    }
    return 204;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const known = request.method === 'POST' && request.url === '/webhooks';
    const status = () => take(request.headers, body ?? Buffer.of());
    response.writeHead(body === null ? 413 : known ? await status() : 404).end();
  }

  const [port, servers] = await listenOnLoopback(() =>
    createServer(certificate, (request, response) => {
      handle(request, response).catch(() => response.destroy());
    }),
  );
  const have = (type: string): boolean =>
    deliveries.some(({ event, verification }) => event.type === type && verification === 'valid');
  return {
    url: `https://localhost:${port}/webhooks`,
    caFile,
    setSecret: (next) => {
      secret = next;
    },
    deliveries: () => deliveries,
    async logTo(file) {
      await writeFile(file, '', { mode: 0o600 });
      logFile = file;
    },
    async waitFor(types, signal) {
      while (!types.every(have)) await sleep(pollMs, undefined, { signal });
    },
    async close() {
      await Promise.all(
        servers.map(async (server) => {
          const closed = once(server, 'close');
          server.close();
          server.closeAllConnections();
          await closed;
        }),
      );
    },
  };
}

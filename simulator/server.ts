import { setMaxListeners } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBook } from './book.ts';
import type { SimulatorConfig } from './config.ts';
import { createDelivery } from './delivery.ts';
import { createEmitter } from './emitter.ts';
import { createFaults, type Faults } from './faults.ts';
import { WireError, isAuthorized, readJson, sendJson } from './http.ts';
import { openLedger } from './ledger.ts';
import { createLife } from './life.ts';
import { matchRoute } from './routes.ts';
import type { RouteContext } from './routes.ts';
import type { SimulatorAnswer, Route } from './route.ts';
import { openBank, type Bank } from './bank/bank.ts';
import { startSftp, type SftpServer } from './bank/sftp.ts';

export interface Simulator {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string;
  /** Changes where events are sent, for receivers whose port is known only later. */
  setWebhookUrl(url: string): void;
  /** The sandbox bank, and where it serves SFTP; null where the settings have none. */
  readonly bank: Bank | null;
  readonly sftp: SftpServer | null;
  /**
   * Resolves with the error when the ledger or the bank's book cannot be written: every answer from then on is an error,
   * and the program has to end.
   */
  readonly broken: Promise<Error>;
  /** Ends requests, plans and deliveries. The next start goes on with them. */
  close(): Promise<void>;
}

/** How long requests under way may take to end when the simulator closes. */
const drainMs = 2_000;

function refuseBefore(fault: ReturnType<Faults['takeBefore']>): void {
  switch (fault) {
    case 'refuse':
      throw new WireError(422, 'provider_rejected', 'The provider refuses this request.');
    case 'rate_limited':
      throw new WireError(429, 'rate_limited', 'Too many requests.', { 'retry-after': '1' });
    case 'error_before_accept':
      throw new WireError(500, 'internal_error', 'The provider failed.');
    case null:
  }
}

function findRoute(
  request: IncomingMessage,
  url: URL | null,
): { route: Route<RouteContext>; id: string } {
  const match = matchRoute(request.method ?? '', url?.pathname ?? '');
  if ('route' in match) return match;
  if (match.allow.length === 0) throw new WireError(404, 'not_found', 'There is no such path.');
  throw new WireError(405, 'method_not_allowed', 'The path has no such method.', {
    allow: match.allow.join(', '),
  });
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly context: RouteContext;
  readonly apiKey: string;
  readonly stopping: AbortSignal;
}

/** Answers one request. What the answer says is on disk first. */
async function exchange({ request, response, context, apiKey, stopping }: Exchange): Promise<void> {
  const url = URL.parse(request.url ?? '/', 'http://simulator');
  const { route, id } = findRoute(request, url);
  if (!route.open && !isAuthorized(request, apiKey)) {
    throw new WireError(401, 'unauthorized', 'The API key is missing or wrong.', {
      'www-authenticate': 'Bearer',
    });
  }
  const hasBody = route.method === 'POST' || route.method === 'PUT';
  const body = hasBody ? await readJson(request) : undefined;
  const { target } = route;
  if (target !== undefined) {
    const slowMs = context.faults.slowMs(target);
    if (slowMs > 0) await sleep(slowMs, undefined, { signal: stopping });
    refuseBefore(context.faults.takeBefore(target));
  }
  const query = url?.searchParams ?? new URLSearchParams();
  const call = { id, query, headers: request.headers, body };
  const answer = await route.handle(context, call);
  await context.ledger.durable();
  finish(response, answer, target === undefined ? null : context.faults.takeAfter(target));
}

function finish(
  response: ServerResponse,
  answer: SimulatorAnswer,
  fault: ReturnType<Faults['takeAfter']>,
): void {
  if (fault === 'silent') return;
  if (fault === 'drop_after_accept') response.destroy();
  else if (fault === 'error_after_accept') {
    sendJson(response, 500, { error: { code: 'internal_error', message: 'The provider failed.' } });
  } else if (answer.body === undefined) response.writeHead(answer.status).end();
  else sendJson(response, answer.status, answer.body);
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) response.destroy();
  else if (error instanceof WireError) {
    const { status, code, message, headers } = error;
    sendJson(response, status, { error: { code, message } }, headers);
  } else {
    sendJson(response, 500, { error: { code: 'internal_error', message: 'The provider failed.' } });
  }
}

/** The sandbox bank and its SFTP server, where the settings have them. */
async function startBank(
  config: SimulatorConfig,
): Promise<{ bank: Bank; sftp: SftpServer | null } | null> {
  if (config.bank === null) return null;
  const { folder, daysBehind, sftp } = config.bank;
  const bank = await openBank({ folder, daysBehind, stepDelayMs: config.stepDelayMs });
  try {
    return {
      bank,
      sftp: sftp === null ? null : await startSftp(bank, { ...sftp, folder, host: config.host }),
    };
  } catch (error) {
    await bank.close();
    throw error;
  }
}

/**
 * Starts the simulator: rebuilds its memory from the ledger, goes on with every plan and delivery that a
 * stop or a crash interrupted, and listens. Throws when the ledger is damaged or the port
 * is taken.
 */
export async function startSimulator(config: SimulatorConfig): Promise<Simulator> {
  const book = createBook();
  const ledger = await openLedger(config.ledgerFile, (record) => book.apply(record));
  const faults = createFaults();
  const bank = await startBank(config);
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const operations = { book, ledger, keyWindowMs: config.keyWindowMs, now: Date.now };
  const delivery = createDelivery({
    url: config.webhookUrl,
    secret: config.webhookSecret,
    faults,
    book,
    // If the line is lost in a crash, the delivery is repeated. Receivers have to expect that.
    onDelivered(eventId) {
      book.apply({ kind: 'delivered', event_id: eventId });
      ledger.append({ kind: 'delivered', event_id: eventId }).catch(() => undefined);
    },
    isQuiet: (queue) => life.isQuiet(queue),
  });
  const emitter = createEmitter(
    operations,
    delivery,
    () => Date.now() + faults.current().clock_skew_ms,
  );
  const life = createLife(operations, emitter, config.stepDelayMs);
  const context: RouteContext = { ...operations, emitter, life, faults, bank: bank?.bank ?? null };

  const underWay = new Set<Promise<void>>();
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    const job = exchange({
      request,
      response,
      context,
      apiKey: config.apiKey,
      stopping: stopping.signal,
    })
      .catch((error: unknown) => refuse(response, error))
      .finally(() => underWay.delete(job));
    underWay.add(job);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  });
  for (const event of book.owedEvents()) void delivery.enqueue(event);
  for (const { payout } of book.allPayouts()) life.schedule(payout.id);

  async function close(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    life.stop();
    stopping.abort();
    const deliveryStopped = delivery.stop();
    await Promise.race([Promise.allSettled(underWay), sleep(drainMs, undefined, { ref: false })]);
    server.closeAllConnections();
    await Promise.all([closed, deliveryStopped, bank?.sftp?.close()]);
    await bank?.bank.close();
    await ledger.close();
  }

  const { port } = server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return {
    url: `http://${host}:${port}`,
    setWebhookUrl: (next) => delivery.setUrl(next),
    bank: bank?.bank ?? null,
    sftp: bank?.sftp ?? null,
    broken: Promise.race([ledger.broken, ...(bank === null ? [] : [bank.bank.broken])]),
    close,
  };
}

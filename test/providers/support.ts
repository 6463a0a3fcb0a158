import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { verify } from '../../src/crypto/signature.ts';
import type { Verification } from '../../src/crypto/signature.ts';
import type { SimulatorConfig } from '../../simulator/config.ts';
import type { Destination, EnrollRequest, SubmitRequest } from '../../src/providers/port.ts';
import type { SimulatorEvent } from '../../simulator/model.ts';
import { startSimulator } from '../../simulator/server.ts';
import type { Simulator } from '../../simulator/server.ts';
import { conditionMs } from '../support/patience.ts';

export const apiKey = 'test-simulator-api-key';
export const webhookSecret = 'test-simulator-webhook-secret';

export interface ListeningServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on a free port of the loopback address. */
export async function listen(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<ListeningServer> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An event, or several that travel together. */
type Posted = SimulatorEvent | { readonly events: readonly SimulatorEvent[] };

export interface Received {
  readonly event: SimulatorEvent;
  readonly rawBody: Buffer;
  readonly signature: string;
  readonly verification: Verification;
}

export interface Receiver extends ListeningServer {
  readonly received: Received[];
  /** Answers the next deliveries with these statuses, then with 200. */
  answerWith(...statuses: number[]): void;
  types(): string[];
}

/** A webhook receiver that checks each signature on the raw bytes. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let answers: number[] = [];
  const server = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const rawBody = Buffer.concat(chunks);
      const signature = String(request.headers['x-service-signature']);
      const now = Math.floor(Date.now() / 1000);
      const verification = verify(webhookSecret, signature, rawBody, now);
      const body = JSON.parse(rawBody.toString('utf8')) as Posted;
      const events = 'events' in body ? body.events : [body];
      received.push(...events.map((event) => ({ event, rawBody, signature, verification })));
      const [status = 200, ...rest] = answers;
      answers = rest;
      response.writeHead(status).end();
    });
  });
  return {
    ...server,
    received,
    answerWith: (...statuses) => {
      answers = statuses;
    },
    types: () => received.map(({ event }) => event.type),
  };
}

/** A folder of its own for one test. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'simulator-'));
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // The shape differs from call to call, and each test asserts what it reads.
  readonly body: Record<string, unknown>;
}

export interface World {
  readonly config: SimulatorConfig;
  readonly receiver: Receiver;
  simulator: Simulator;
  call(method: string, path: string, body?: unknown, key?: string): Promise<Reply>;
  /** Enrolls an account with this ending and returns the recipient's id. */
  recipient(ending?: string): Promise<string>;
  /** Submits 1,250 EUR cents; the key is the reference unless given. */
  payout(recipientId: string, reference: string, key?: string): Promise<Reply>;
  ledger(): Promise<Record<string, unknown>[]>;
  restart(settings?: Partial<SimulatorConfig>): Promise<void>;
  close(): Promise<void>;
}

let counter = 0;

export function recipientBody(ending: string, reference = 'enr_1') {
  return {
    reference,
    payee: { type: 'person', first_name: 'Ada', last_name: 'Byron', email: 'ada@example.org' },
    destination: {
      account_holder_name: 'Ada Byron',
      country: 'DE',
      currency: 'EUR',
      account_number: `12345${ending}`,
    },
  };
}

/** A simulator in this process with a receiver for its events; steps are a millisecond apart. */
export async function startWorld(settings: Partial<SimulatorConfig> = {}): Promise<World> {
  const folder = await temporaryFolder();
  const receiver = await startReceiver();
  const config: SimulatorConfig = {
    host: '127.0.0.1',
    port: 0,
    ledgerFile: path.join(folder.path, 'ledger.jsonl'),
    apiKey,
    webhookUrl: receiver.url,
    webhookSecret,
    stepDelayMs: 1,
    keyWindowMs: 86_400_000,
    bank: null,
    ...settings,
  };
  const world: World = {
    config,
    receiver,
    simulator: await startSimulator(config),
    call: (method, target, body, key) => call(world.simulator.url, method, target, body, key),
    async recipient(ending = '6789') {
      counter += 1;
      const reply = await world.call(
        'POST',
        '/recipients',
        recipientBody(ending),
        `enr-${counter}`,
      );
      expect(reply.status).toBe(201);
      return String(reply.body.id);
    },
    payout: (recipientId, reference, key = reference) =>
      world.call('POST', '/payouts', payoutBody(recipientId, reference), key),
    async ledger() {
      return (await world.call('GET', '/control/ledger')).body.data as Record<string, unknown>[];
    },
    async restart(changes = {}) {
      await world.simulator.close();
      world.simulator = await startSimulator({ ...config, ...changes });
    },
    async close() {
      await world.simulator.close();
      await receiver.close();
      await folder.remove();
    },
  };
  return world;
}

export function payoutBody(recipientId: string, reference: string) {
  return {
    reference,
    recipient_id: recipientId,
    amount_minor: 1250,
    currency: 'EUR',
    purpose: 'payroll',
  };
}

/** One call to a simulator with the test's API key. */
export async function call(
  url: string,
  method: string,
  target: string,
  body?: unknown,
  key?: string,
): Promise<Reply> {
  const response = await fetch(`${url}${target}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}

export const errorCode = (reply: Reply): unknown =>
  (reply.body.error as { code?: unknown } | undefined)?.code;

/** Waits until the assertion holds. */
export const eventually = (assertion: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(assertion, { timeout: conditionMs, interval: 10 });

/** A destination with the given ending, as the port knows it. */
function destination(ending: string): Destination {
  return {
    accountHolderName: 'Ada Byron',
    country: 'US',
    currency: 'USD',
    accountNumber: `98765${ending}`,
    routingCode: '021000021',
    accountType: 'checking',
  };
}

export function enrollRequest(ending = '6789'): EnrollRequest {
  counter += 1;
  return {
    idempotencyKey: `enr_${counter}`,
    reference: `enr_${counter}`,
    payee: {
      type: 'person',
      firstName: 'Ada',
      lastName: 'Byron',
      email: 'ada@example.org',
      dateOfBirth: '1990-02-03',
      taxNumber: '123-45-6789',
      address: { line1: '1 Main St', city: 'London', postalCode: 'N1', country: 'GB' },
    },
    destination: destination(ending),
  };
}

export function submitRequest(recipientId: string): SubmitRequest {
  counter += 1;
  return {
    idempotencyKey: `dat_${counter}`,
    reference: `dat_${counter}`,
    recipientId,
    amountMinor: 1250n,
    currency: 'USD',
    purpose: 'payroll',
  };
}

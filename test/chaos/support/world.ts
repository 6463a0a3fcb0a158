import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { programs } from '../../../dev/stack/services.ts';
import { fetchBankBook, fetchLedger, parseReceived } from '../../../tools/verify/sources.ts';
import { type Finding, verify } from '../../../tools/verify/verify.ts';
import { conditionMs } from '../../support/patience.ts';
import { startReceiver, type WebhookReceiver } from '../../support/receiver.ts';
import type { Address } from './client.ts';
import { freePort } from '../../support/free-port.ts';
import { type Member, startMember } from './member.ts';
import { type BankWay, startMortalProvider, startProvider } from './provider.ts';

/** The service as processes that die and come back, beside a receiver that does not, and a simulator. */
export interface World {
  /** Of the processes of the API, in turn. */
  readonly address: Address;
  /** The first of each; most worlds have no other. */
  readonly api: Member;
  readonly worker: Member;
  /** The simulator, where it dies too. */
  readonly simulator: Member | null;
  /** Every process. */
  readonly members: readonly Member[];
  readonly receiver: WebhookReceiver;
  /** Replaces all faults of the simulator. */
  setFaults(faults: object): Promise<void>;
  /** A call to the simulator's control. */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Compares everything with the invariants; returns what is violated. */
  violations(atRest: boolean): Promise<Finding[]>;
  close(): Promise<void>;
}

interface WorldOptions {
  /** As the service connects. */
  readonly databaseUrl: string;
  /** As the verifier does, which makes temporary tables. */
  readonly ownerUrl: string;
  readonly environment?: NodeJS.ProcessEnv;
  /**
   * With the sandbox bank, in a simulator that can be killed. Asked before each life of a process of the service:
   * how it reaches that bank.
   */
  readonly bank?: () => BankWay;
  /** How many processes of each kind; one by default. */
  readonly ofEach?: number;
  /** CRASH_POINT of the next life of a process. */
  readonly crashPoint?: (name: 'api' | 'worker') => string | null;
  readonly onKilled?: (name: 'api' | 'worker') => void;
}

/** Everything that waits is short, so that a crash costs a second or two. */
const shortWaits: NodeJS.ProcessEnv = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'warn',
  PROVIDER_TIMEOUT_MS: '300',
  PROVIDER_RETRY_DELAYS: '0.2,0.4,1',
  WORKER_HEARTBEAT_MS: '200',
  WEBHOOK_RETRY_DELAYS: '1,1,1,1,1,1,1',
  DATABASE_POOL_SIZE: '12',
  RATE_LIMIT_THIN: '1000000',
  RATE_LIMIT_GENEROUS: '1000000',
  REGISTRATION_RATE_LIMIT: '1000000',
  WEBHOOK_ALLOWED_HOSTS: 'localhost,127.0.0.1',
};

export async function startWorld(options: WorldOptions): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'chaos-'));
  const ports = await Promise.all(Array.from({ length: options.ofEach ?? 1 }, freePort));
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const baseUrl = urls[0] ?? '';
  const place = { folder, webhookUrl: `${baseUrl}/provider-webhooks/simulator` };
  const provider = await (options.bank === undefined
    ? startProvider(place)
    : startMortalProvider(place, options.bank));
  const receiver = await startReceiver();
  const environment: NodeJS.ProcessEnv = {
    ...shortWaits,
    DATABASE_URL: options.databaseUrl,
    PUBLIC_URL: baseUrl,
    WEBHOOK_EXTRA_CA_FILE: receiver.caFile,
    ...options.environment,
  };
  const member = (name: 'api' | 'worker', entry: string, port: number): Member =>
    startMember({
      name,
      entry,
      environment: () => ({
        ...provider.environment(),
        ...environment,
        PORT: String(port),
        CRASH_POINT: options.crashPoint?.(name) ?? '',
      }),
      onKilled: () => options.onKilled?.(name),
    });
  const apis = ports.map((port) => member('api', programs.api, port));
  const workers = ports.map((port) => member('worker', programs.worker, port));
  const [api, worker] = [apis[0], workers[0]];
  if (api === undefined || worker === undefined) throw new Error('a world has processes');

  async function control(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${provider.url}/control${path}`, {
      method,
      headers: {
        authorization: `Bearer ${provider.apiKey}`,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    return response.status === 204 ? null : response.json();
  }

  await Promise.all(urls.map((url, index) => untilReady(url, apis[index] ?? api)));
  let requests = 0;
  return {
    address: () => urls[(requests += 1) % urls.length] ?? baseUrl,
    api,
    worker,
    simulator: provider.member,
    members: [...apis, ...workers, ...(provider.member === null ? [] : [provider.member])],
    receiver,
    setFaults: async (faults) => void (await control('PUT', '/faults', faults)),
    control,
    async violations(atRest) {
      const findings = await verify({
        databaseUrl: options.ownerUrl,
        ledger: () => fetchLedger(provider.url, provider.apiKey),
        ...(provider.isBank ? { bank: () => fetchBankBook(provider.url, provider.apiKey) } : {}),
        received: () =>
          Promise.resolve(
            receiver.received.map(({ rawBody }) => parseReceived(rawBody.toString('utf8'))),
          ),
        atRest,
      });
      return findings.filter((finding) => finding.violations.length > 0);
    },
    async close() {
      await Promise.all([...apis, ...workers].map((one) => one.stop()));
      await provider.close();
      await receiver.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(baseUrl: string, api: Member): Promise<void> {
  for (const end = Date.now() + conditionMs; Date.now() < end;) {
    const ready = await fetch(`${baseUrl}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await sleep(50);
  }
  throw new Error(`the API does not start:\n${api.lines()}`);
}

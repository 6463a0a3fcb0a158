import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWorker, type WorkerHandle } from '../../jobs/runner.ts';
import { createApp } from '../../rest/app.ts';
import { createHttpServer } from '../../rest/http/server.ts';
import { createGraphql } from '../../schema/server.ts';
import { createAuthenticate } from '../../src/access/authenticate.ts';
import { loadConfig, type Config } from '../../src/process/config.ts';
import type { Bank } from '../../simulator/bank/bank.ts';
import { startSimulator, type Simulator } from '../../simulator/server.ts';
import { readSimulatorConfig, type SimulatorConfig } from '../../simulator/config.ts';
import { closeServices, createServices, type Services } from '../../src/process/services.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { credentialHeaders } from './credential.ts';
import { startShipped, type Shipped } from './shipped.ts';
import { checkContract } from './matrix/contract.ts';
import { recordSql, type SqlRecording } from './matrix/record-sql.ts';
import { tenantTables, withoutTenant } from './matrix/tenant-statements.ts';

export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  // The shape is what a test asserts; naming it for each call would repeat the contract.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly text: string;
}

export interface RestOptions {
  /** An API key, or a session as `asKey` of sessions.ts makes it. */
  readonly key?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface Harness {
  readonly baseUrl: string;
  readonly database: TestDatabase;
  readonly services: Services;
  readonly simulatorUrl: string;
  /** The sandbox bank, where the options ask for it. */
  readonly bank: Bank | null;
  /** What the service sends to its database; `close` checks that each statement names its tenant. */
  readonly sql: SqlRecording;
  rest(method: string, path: string, options?: RestOptions): Promise<RestAnswer>;
  graphql(
    key: string | undefined,
    query: string,
    variables?: Record<string, unknown>,
  ): Promise<RestAnswer>;
  close(): Promise<void>;
}

interface HarnessOptions {
  /** Settings that differ from the defaults. */
  readonly env?: Record<string, string>;
  /** Whether jobs run; true by default. */
  readonly worker?: boolean;
  /** Makes the URL of a pooler in front of the database, through which the service then works. */
  readonly pooler?: (url: string) => string;
  /** For what depends on PUBLIC_URL, which `env` then names with it; any free port where it is absent. */
  readonly port?: number;
  /** Pause between the events of a payout's life at the simulator. */
  readonly stepDelayMs?: number;
  /** How files go to the sandbox bank, which is a part of the simulator; none by default. */
  readonly bank?: 'folder' | 'sftp';
  /**
   * Whether the API and the worker are processes of generated/bundle, as they are shipped. `services` then belongs to
   * the test alone, and `sql` is what the test itself sends.
   */
  readonly shipped?: boolean;
}

async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function databaseUrls(url: string, pooler: HarnessOptions['pooler']): Record<string, string> {
  if (pooler === undefined) return { DATABASE_URL: url };
  return { DATABASE_URL: pooler(url), DIRECT_DATABASE_URL: url };
}

const bankPassword = 'the-password-of-a-test';

function bankSettings(way: HarnessOptions['bank'], folder: string): SimulatorConfig['bank'] {
  if (way === undefined) return null;
  return {
    folder,
    daysBehind: 14,
    sftp: way === 'sftp' ? { port: 0, password: bankPassword } : null,
  };
}

/** The settings by which the service reaches the bank that the simulator is. */
function bankEnvironment({ bank, sftp }: Simulator): Record<string, string> {
  if (bank === null) return {};
  if (sftp === null) return { SANDBOX_BANK_FOLDER: bank.customers };
  return {
    SANDBOX_BANK_SFTP_URL: `sftp://sandbox@127.0.0.1:${sftp.port}`,
    SANDBOX_BANK_SFTP_HOST_KEY: sftp.hostKey,
    SANDBOX_BANK_SFTP_PASSWORD: bankPassword,
  };
}

interface Running {
  readonly baseUrl: string;
  /** Starts the worker, which finds the API by then. */
  readonly startWorker: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** API and worker in the test's own process, from the sources. */
async function runSources(services: Services, port: number): Promise<Running> {
  const authenticate = createAuthenticate(services.pool);
  const graphql = createGraphql(services);
  const app = createApp(services, authenticate, graphql);
  const server = createHttpServer(app, services.config.PUBLIC_URL);
  const baseUrl = await listen(server, port);
  let worker: WorkerHandle | null = null;
  return {
    baseUrl,
    async startWorker() {
      worker = await startWorker(services);
    },
    async close() {
      await worker?.stop();
      await graphql.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const readyPollMs = 20;

/** API and worker as processes of the bundle. */
async function runShipped(
  environment: Record<string, string>,
  { PUBLIC_URL }: Config,
  port: number,
): Promise<Running> {
  const env = { ...environment, PUBLIC_URL, SHUTDOWN_DELAY_MS: '0' };
  const api = startShipped('api', { ...env, PORT: String(port) });
  let worker: Shipped | null = null;
  const started = await api.said('API started');
  const baseUrl = `http://127.0.0.1:${String(started['port'])}`;
  // It listens before it has looked whether the keyring is that of the data.
  while (!(await fetch(`${baseUrl}/readyz`)).ok) await sleep(readyPollMs);
  return {
    baseUrl,
    startWorker() {
      worker = startShipped('worker', env);
      return Promise.resolve();
    },
    async close() {
      await Promise.all([api.stop(), worker?.stop()]);
    },
  };
}

/**
 * The whole service: API over HTTP, worker, and the simulator over HTTP, on a database of its own; in the test's own
 * process unless it is to be what is shipped. What it starts, `close` ends.
 */
export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const database = await testDatabase();
  const sql = recordSql(database.url);
  const folder = await mkdtemp(join(tmpdir(), 'harness-'));
  const simulator = await startSimulator({
    ...readSimulatorConfig({}),
    port: 0,
    ledgerFile: join(folder, 'ledger.jsonl'),
    stepDelayMs: options.stepDelayMs ?? 10,
    webhookUrl: 'http://127.0.0.1:9/not-yet',
    // A fortnight ago no payment of today can come back any more.
    bank: bankSettings(options.bank, join(folder, 'bank')),
  });
  const environment: Record<string, string> = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'error',
    ...databaseUrls(database.url, options.pooler),
    DATABASE_POOL_SIZE: '12',
    SIMULATOR_URL: simulator.url,
    ...bankEnvironment(simulator),
    WEBHOOK_ALLOWED_HOSTS: 'localhost,127.0.0.1',
    // The limits have tests of their own, which set them lower.
    RATE_LIMIT_THIN: '1000000',
    RATE_LIMIT_GENEROUS: '1000000',
    REGISTRATION_RATE_LIMIT: '1000000',
    FAILED_AUTHENTICATION_LIMIT: '1000000',
    KEYLESS_RATE_LIMIT: '1000000',
    COLLECTION_LINK_RATE_LIMIT: '1000000',
    COLLECTION_ADDRESS_RATE_LIMIT: '1000000',
    COLLECTION_MAILS_PER_DAY_THIN: '1000000',
    COLLECTION_MAILS_PER_DAY: '1000000',
    MAILS_PER_MAILBOX_HOUR: '1000000',
    MAILS_PER_MAILBOX_DAY: '1000000',
    SIGN_IN_RATE_LIMIT: '1000000',
    WEBHOOK_TESTS_PER_HOUR: '1000000',
    TENANT_REQUESTS_WAITING: '1000000',
    TENANT_BULKS_WAITING: '1000000',
    TENANT_WAIT_MS: '30000',
    ...options.env,
  };
  const config: Config = loadConfig(environment);
  const services = createServices(config, 'api');
  const port = options.port ?? 0;
  const running =
    options.shipped === true
      ? await runShipped(environment, config, port)
      : await runSources(services, port);
  const { baseUrl } = running;
  simulator.setWebhookUrl(`${baseUrl}/provider-webhooks/simulator`);
  if (options.worker !== false) await running.startWorker();

  async function rest(method: string, path: string, given: RestOptions = {}): Promise<RestAnswer> {
    const answer = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(given.key === undefined ? {} : credentialHeaders(given.key, config.PUBLIC_URL)),
        ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...given.headers,
      },
      ...(given.body === undefined
        ? {}
        : { body: typeof given.body === 'string' ? given.body : JSON.stringify(given.body) }),
    });
    const text = await answer.text();
    checkContract(method, path, { status: answer.status, headers: answer.headers, text });
    const isJson = (answer.headers.get('content-type') ?? '').includes('json');
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : null,
    };
  }

  return {
    baseUrl,
    database,
    services,
    sql,
    simulatorUrl: simulator.url,
    bank: simulator.bank,
    rest,
    graphql: (key, query, variables = {}) =>
      rest('POST', '/graphql', { key, body: { query, variables } }),
    async close() {
      await running.close();
      await simulator.close();
      await closeServices(services);
      sql.stop();
      const problems = withoutTenant(sql.distinct.values(), await tenantTables(database.pool));
      await database.drop();
      await rm(folder, { recursive: true, force: true });
      if (problems.length > 0) throw new Error(problems.join('\n\n'));
    },
  };
}

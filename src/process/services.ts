import type { Pool } from 'pg';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Config } from './config.ts';
import type { Keyring } from '../crypto/keyring.ts';
import { noDatabase } from '../db/development.ts';
import { createProcessClock, type ProcessClock } from '../db/clock.ts';
import { DatabaseLine } from '../db/line.ts';
import { createPace } from '../db/pace.ts';
import { createPool } from '../db/pool.ts';
import { onSilence, silentNodes } from '../db/reach.ts';
import { createPrisma, createScopedPrisma, type ScopedPrisma } from '../db/prisma.ts';
import { createRoom, tryRoom, type DiskSpace } from '../db/room.ts';
import { createWatch, type DatabaseWatch } from '../db/watch.ts';
import { createKeys, type Keys } from './keys.ts';
import { createLog, type Log } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { serveMetrics } from './metrics/serve.ts';
import { createStored } from './metrics/stored.ts';
import { announceOver } from '../db/wake.ts';
import { mailWarning } from './no-mail.ts';
import { warnOfOneOperator } from './one-operator.ts';
import { ConfigError } from './settings/setting.ts';
import { createProviders, type Providers } from '../providers/registry.ts';
import type { OperatorScope, Scope } from '../access/scope.ts';
import { flushTraces } from './tracing.ts';

/** The parts that a process makes once and hands to every call. */
export interface Services {
  readonly config: Config;
  readonly log: Log;
  readonly pool: Pool;
  /** Whether the database can be used. The programs start it, and then the pools refuse at once while it cannot. */
  readonly watch: DatabaseWatch;
  /** Whether the database has room for what is written. */
  readonly room: DiskSpace;
  /** The clock of the process beside the database's. The watch keeps it compared. */
  readonly clock: ProcessClock;
  /** Connections whose session is the process's own, for LISTEN; the same pool unless DIRECT_DATABASE_URL is set. */
  readonly directPool: Pool;
  readonly prisma: PrismaClient;
  readonly scopedPrisma: (scope: Scope) => ScopedPrisma;
  readonly keyring: Keyring;
  /** Keeps the keyring fresh. The programs start it. */
  readonly keys: Keys;
  readonly providers: Providers;
  /** Null when METRICS_PORT is not set. */
  readonly metrics: Metrics | null;
}

/** What every command of the domain is called with: who asks, and the parts of the process. */
export interface Call {
  readonly scope: Scope;
  readonly services: Services;
  /** Absent in jobs: they have no caller whose requests are limited. */
  readonly allowance?: BulkAllowance;
}

/** Limits the bulk work of a caller. */
interface BulkAllowance {
  /**
   * Runs `work` for this number of rows, which count in the caller's rate limit. Throws RATE_LIMITED,
   * too_many_requests, and whatever `work` throws.
   */
  bulk<T>(rows: number, work: () => Promise<T>): Promise<T>;
}

/** Runs `work` for this number of rows within the caller's limits. Throws as `BulkAllowance.bulk`. */
export function inBulk<T>({ allowance }: Call, rows: number, work: () => Promise<T>): Promise<T> {
  return allowance === undefined ? work() : allowance.bulk(rows, work);
}

/** What the commands of the platform's operators are called with. */
export interface OperatorCall {
  readonly operator: OperatorScope;
  readonly services: Services;
}

/** One connection listens for jobs; the others take jobs and put them back. Only the worker opens them. */
const mostDirect = 5;

/** @throws ConfigError when DATABASE_URL is not set */
export function createServices(config: Config, processName: 'api' | 'worker'): Services {
  if (config.DATABASE_URL === null) throw new ConfigError(noDatabase(config.DATA_DIR));
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: size, DATABASE_SILENCE_MS: silenceMs } = config;
  const { DIRECT_DATABASE_URL: directUrl } = config;
  const log = createLog(config.LOG_LEVEL, processName, config.LOG_FORMAT);
  warnOfOneOperator(config, log);
  const noMail = mailWarning(config);
  if (noMail !== null) log.warn(noMail);
  const applicationName = `payouts-${processName}`;
  const line = new DatabaseLine();
  const pool = createPool(url, size, applicationName, undefined, line);
  const directPool =
    directUrl === null ? pool : createPool(directUrl, mostDirect, applicationName, undefined, line);
  announceOver(pool);
  const room = createRoom(() => tryRoom(pool), log);
  line.onServerError = (code) => room.note(code);
  onSilence(pool, (nodes) => {
    if (nodes.length === 0) log.info('all nodes of the database answer again');
    else log.error({ nodes }, 'nodes of the database do not answer: their tenants are left out');
  });
  const prisma = createPrisma(pool);
  const metrics = config.METRICS_PORT === null ? null : createMetrics(processName);
  const keys = createKeys(config, log);
  const clock = createProcessClock(config.CLOCK_TOLERANCE_SECONDS * 1_000, log, processName);
  const services: Services = {
    config,
    log,
    pool,
    directPool,
    watch: createWatch({ url, applicationName, silenceMs, line, log, clock }),
    room,
    clock,
    prisma,
    scopedPrisma: createScopedPrisma(prisma),
    keyring: keys.keyring,
    keys,
    providers: createProviders({
      settings: config,
      timeoutMs: config.PROVIDER_TIMEOUT_MS,
      pace: createPace(pool),
      onUnclear: (told) =>
        log.error(told, 'a provider gives a payment a status that is not known here: it waits'),
      ...(metrics === null ? {} : { onCall: (call) => metrics.providerCall(call) }),
    }),
    metrics,
  };
  metrics?.watch({
    pool,
    databaseProblem: () => services.watch.problem(),
    databaseFull: () => room.problem() !== null,
    clockAhead: () => clock.aheadSeconds(),
    silentNodes: () => silentNodes(pool),
    circuits: () => services.providers.circuits(),
    keys: () => ({
      ids: keys.keyring.keyIds,
      unread: keys.unread() !== null,
      wrong: keys.problem() !== null,
    }),
    stored: createStored(url, processName),
  });
  return services;
}

/** Serves the metrics of the process if METRICS_PORT is set; see `serveMetrics`. */
export async function startMetrics({ config, log, metrics }: Services): Promise<void> {
  if (metrics === null || config.METRICS_PORT === null) return;
  await serveMetrics(metrics, { host: config.HOST, port: config.METRICS_PORT }, log);
}

export async function closeServices(services: Services): Promise<void> {
  services.keys.stop();
  services.room.stop();
  await services.watch.stop();
  await services.providers.close();
  await services.prisma.$disconnect();
  await services.metrics?.close();
  await flushTraces();
  await services.pool.end();
  if (services.directPool !== services.pool) await services.directPool.end();
}

import type { Pool } from 'pg';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Config } from './config.ts';
import { createKeyring, type Keyring } from '../crypto/keyring.ts';
import { createPool } from '../db/pool.ts';
import { createPrisma, createScopedPrisma, type ScopedPrisma } from '../db/prisma.ts';
import { createLog, type Log } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { serveMetrics } from './metrics/serve.ts';
import { createStored } from './metrics/stored.ts';
import { createProviders, type Providers } from '../providers/registry.ts';
import type { OperatorScope, Scope } from '../access/scope.ts';
import { flushTraces } from './tracing.ts';

/** The parts that a process makes once and hands to every call. */
export interface Services {
  readonly config: Config;
  readonly log: Log;
  readonly pool: Pool;
  readonly prisma: PrismaClient;
  readonly scopedPrisma: (scope: Scope) => ScopedPrisma;
  readonly keyring: Keyring;
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

export function createServices(config: Config, processName: 'api' | 'worker'): Services {
  if (config.DATABASE_URL === null) throw new Error('DATABASE_URL is not set');
  const pool = createPool(config.DATABASE_URL, config.DATABASE_POOL_SIZE, `payouts-${processName}`);
  const prisma = createPrisma(pool);
  const metrics = config.METRICS_PORT === null ? null : createMetrics(processName);
  const services: Services = {
    config,
    log: createLog(config.LOG_LEVEL, processName),
    pool,
    prisma,
    scopedPrisma: createScopedPrisma(prisma),
    keyring: createKeyring(config.ENCRYPTION_KEYS),
    providers: createProviders({
      settings: config,
      timeoutMs: config.PROVIDER_TIMEOUT_MS,
      ...(metrics === null ? {} : { onCall: (call) => metrics.providerCall(call) }),
    }),
    metrics,
  };
  if (metrics !== null) {
    const stored = createStored(config.DATABASE_URL, processName);
    metrics.watch({ pool, circuits: () => services.providers.circuits(), stored });
  }
  return services;
}

/** Serves the metrics of the process if METRICS_PORT is set; see `serveMetrics`. */
export async function startMetrics({ config, log, metrics }: Services): Promise<void> {
  if (metrics === null || config.METRICS_PORT === null) return;
  await serveMetrics(metrics, { host: config.HOST, port: config.METRICS_PORT }, log);
}

export async function closeServices(services: Services): Promise<void> {
  await services.providers.close();
  await services.prisma.$disconnect();
  await services.metrics?.close();
  await flushTraces();
  await services.pool.end();
}

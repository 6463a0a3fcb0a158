import type { Pool } from 'pg';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Config } from './config.ts';
import { createKeyring, type Keyring } from '../crypto/keyring.ts';
import { createPool } from '../db/pool.ts';
import { createPrisma, createScopedPrisma, type ScopedPrisma } from '../db/prisma.ts';
import { createLog, type Log } from './log.ts';
import { createMetrics, serveMetrics, type Metrics } from './metrics.ts';
import { createProviders, type Providers } from '../providers/registry.ts';
import type { OperatorScope, Scope } from '../access/scope.ts';

/** The parts that a process makes once and hands to every call. */
export interface Services {
  readonly config: Config;
  readonly log: Log;
  readonly pool: Pool;
  readonly prisma: PrismaClient;
  readonly scopedPrisma: (scope: Scope) => ScopedPrisma;
  readonly keyring: Keyring;
  readonly providers: Providers;
  /** Null where METRICS_PORT is not set: nothing is counted. */
  readonly metrics: Metrics | null;
}

/** What every command of the domain is called with: who asks, and the parts to do it with. */
export interface Call {
  readonly scope: Scope;
  readonly services: Services;
  /** Absent in jobs, which have no caller that could ask for too much. */
  readonly allowance?: BulkAllowance;
}

/** What a caller may do in bulk. */
interface BulkAllowance {
  /**
   * Does a bulk of so many rows, which count in the caller's rate. Throws RATE_LIMITED,
   * too_many_requests, and as `work`.
   */
  bulk<T>(rows: number, work: () => Promise<T>): Promise<T>;
}

/** Does a bulk of so many rows within what the caller may. Throws as `BulkAllowance.bulk`. */
export function inBulk<T>({ allowance }: Call, rows: number, work: () => Promise<T>): Promise<T> {
  return allowance === undefined ? work() : allowance.bulk(rows, work);
}

/** As `Call`, for the commands of the platform's operators. */
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
  metrics?.watch({ pool, circuits: () => services.providers.circuits() });
  return services;
}

/** Serves the process's metrics where METRICS_PORT asks for it; see `serveMetrics`. */
export async function startMetrics({ config, log, metrics }: Services): Promise<void> {
  if (metrics === null || config.METRICS_PORT === null) return;
  await serveMetrics(metrics, { host: config.HOST, port: config.METRICS_PORT }, log);
}

export async function closeServices(services: Services): Promise<void> {
  await services.providers.close();
  await services.prisma.$disconnect();
  await services.pool.end();
}

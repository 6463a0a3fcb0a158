import type { Pool } from 'pg';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { Config } from './config.ts';
import { createKeyring, type Keyring } from './crypto/keyring.ts';
import { createPool } from './db/pool.ts';
import { createPrisma, createScopedPrisma, type ScopedPrisma } from './db/prisma.ts';
import { createLog, type Log } from './log.ts';
import { createProviders, type Providers } from './providers/registry.ts';
import type { OperatorScope, Scope } from './access/scope.ts';

/** The parts that a process makes once and hands to every call. */
export interface Services {
  readonly config: Config;
  readonly log: Log;
  readonly pool: Pool;
  readonly prisma: PrismaClient;
  readonly scopedPrisma: (scope: Scope) => ScopedPrisma;
  readonly keyring: Keyring;
  readonly providers: Providers;
}

/** What every command of the domain is called with: who asks, and the parts to do it with. */
export interface Call {
  readonly scope: Scope;
  readonly services: Services;
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
  return {
    config,
    log: createLog(config.LOG_LEVEL, processName),
    pool,
    prisma,
    scopedPrisma: createScopedPrisma(prisma),
    keyring: createKeyring(config.ENCRYPTION_KEYS),
    providers: createProviders({
      sandbox: {
        url: config.SIMULATOR_URL,
        apiKey: config.SIMULATOR_API_KEY,
        webhookSecret: config.SIMULATOR_WEBHOOK_SECRET,
      },
      timeoutMs: config.PROVIDER_TIMEOUT_MS,
    }),
  };
}

export async function closeServices(services: Services): Promise<void> {
  await services.providers.close();
  await services.prisma.$disconnect();
  await services.pool.end();
}

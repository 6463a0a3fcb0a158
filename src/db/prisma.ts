import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import type { Scope } from '../access/scope.ts';
import type { Share } from './share.ts';

/**
 * Prisma reads; it never writes (commands are guarded statements, see each `store.ts`). It shares
 * the pool, and its statements are prepared by name, which nearly halves PostgreSQL's work for them.
 */
export function createPrisma(pool: Pool): PrismaClient {
  const adapter = new PrismaPg(pool, {
    statementNameGenerator: ({ sql }) =>
      `prisma_${createHash('md5').update(sql).digest('hex').slice(0, 16)}`,
  });
  return new PrismaClient({ adapter });
}

/** Tables that lead to a tenant instead of belonging to one, and how a scope narrows them. */
const platformFilters: Partial<Record<Prisma.ModelName, (scope: Scope) => Record<string, string>>> =
  {
    Business: (scope) => ({ id: scope.businessId }),
    Membership: (scope) => ({ businessId: scope.businessId }),
  };

const tenantModels = new Set<string>(
  Object.values(Prisma.ModelName).filter((model) =>
    Object.hasOwn(
      (Prisma as unknown as Record<string, object>)[`${model}ScalarFieldEnum`] ?? {},
      'tenantId',
    ),
  ),
);
// The tenant of an inbound event is known only later.
tenantModels.delete('ProviderEvent');

const reads = new Set([
  'findUnique',
  'findUniqueOrThrow',
  'findFirst',
  'findFirstOrThrow',
  'findMany',
  'count',
  'aggregate',
  'groupBy',
]);

/** The filter that keeps a model within a scope. Throws for a model that cannot be scoped. */
function scopeFilter(model: string, scope: Scope): Record<string, string> {
  if (tenantModels.has(model)) return { tenantId: scope.tenantId };
  const filter = platformFilters[model as Prisma.ModelName];
  if (filter === undefined) throw new Error(`${model} cannot be read through a tenant's client`);
  return filter(scope);
}

function extend(prisma: PrismaClient, scope: Scope, share: Share | null) {
  return prisma.$extends({
    name: 'tenant',
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }) {
          if (!reads.has(operation)) throw new Error(`${operation} is not allowed through Prisma`);
          const filter = scopeFilter(model, scope);
          const where: object = ('where' in args ? args.where : undefined) ?? {};
          // Beside the caller's condition, not merged into it: the caller cannot override it.
          const scoped = { ...where, AND: [filter, ...conditions(where)] };
          const read = () => query({ ...args, where: scoped });
          return share === null ? read() : share.run(read);
        },
      },
    },
  });
}

function conditions(where: object): object[] {
  const and = (where as { AND?: object | object[] }).AND ?? [];
  return Array.isArray(and) ? (and as object[]) : [and];
}

export type ScopedPrisma = ReturnType<typeof extend>;

const cacheSize = 1_000;

/**
 * Makes the function that gives a scope its client; one is kept for each tenant in use.
 * @param share of the pool, within which the clients stay; null: the whole pool
 */
export function createScopedPrisma(
  prisma: PrismaClient,
  share: Share | null = null,
): (scope: Scope) => ScopedPrisma {
  const clients = new Map<string, ScopedPrisma>();
  return (scope) => {
    let client = clients.get(scope.tenantId);
    if (client === undefined) {
      client = extend(prisma, scope, share);
      if (clients.size >= cacheSize) clients.clear();
      clients.set(scope.tenantId, client);
    }
    return client;
  };
}

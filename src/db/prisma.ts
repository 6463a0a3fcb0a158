import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import type { Share } from './share.ts';
import { queryBehind, setTenant, type Config } from './tenant.ts';

/** The tenant that a read is for, from a scope's client to the statements that Prisma makes of the read. */
const tenantOfRead = new AsyncLocalStorage<string>();

/**
 * Prisma only reads; commands are guarded statements (see each `store.ts`). It uses the pool, and prepares its
 * statements by name, which nearly halves PostgreSQL's work for them.
 */
export function createPrisma(pool: Pool): PrismaClient {
  const query = (config: Config) => {
    const tenant = tenantOfRead.getStore();
    return tenant === undefined
      ? pool.query(config)
      : queryBehind(pool, [setTenant(tenant)], config);
  };
  const adapter = new PrismaPg(Object.create(pool, { query: { value: query } }) as Pool, {
    statementNameGenerator: ({ sql }) =>
      `prisma_${createHash('md5').update(sql).digest('hex').slice(0, 16)}`,
  });
  return new PrismaClient({ adapter });
}

/**
 * The ids that narrow a read. Callers pass a `Scope`, which only src/access can make: `Services.scopedPrisma`
 * asks for one.
 */
interface TenantIds {
  readonly tenantId: string;
  readonly businessId: string;
}

/** Tables by which a tenant is found, which have no tenant's id, and how a scope narrows them. */
const platformFilters: Partial<
  Record<Prisma.ModelName, (scope: TenantIds) => Record<string, string>>
> = {
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
// An inbound event is stored before its tenant is known.
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

/**
 * Prisma gathers the `findUnique`s of one tick, whoever asked for them, and reads them in one transaction. A scope's
 * client reads the first row of the same key instead, which Prisma does at once, by itself.
 */
const firsts: Readonly<Record<string, First>> = {
  findUnique: 'findFirst',
  findUniqueOrThrow: 'findFirstOrThrow',
};

type First = 'findFirst' | 'findFirstOrThrow';

/** A model of the plain client. */
function reader(prisma: PrismaClient, model: string) {
  const name = `${model.charAt(0).toLowerCase()}${model.slice(1)}` as 'payout';
  return prisma[name] as unknown as Readonly<Record<First, (args: object) => PromiseLike<unknown>>>;
}

/** A key of several columns, such as `{ tenantId_id: { tenantId, id } }`, as a condition on each of them. */
const byColumns = (where: object): object =>
  Object.fromEntries(
    Object.entries(where).flatMap(([key, value]) =>
      key.includes('_') ? Object.entries(value as object) : [[key, value]],
    ),
  );

/** The filter that keeps a model within a scope. Throws for a model that cannot be scoped. */
function scopeFilter(model: string, scope: TenantIds): Record<string, string> {
  if (tenantModels.has(model)) return { tenantId: scope.tenantId };
  const filter = platformFilters[model as Prisma.ModelName];
  if (filter === undefined) throw new Error(`${model} cannot be read through a tenant's client`);
  return filter(scope);
}

/**
 * The models as the plain client has them: the extension adds conditions and no field. The compiler does not
 * come to an end when it compares the types of an extended client with those of the schema's builder.
 */
export type ScopedPrisma = PrismaClient;

function extend(prisma: PrismaClient, scope: TenantIds, share: Share | null): ScopedPrisma {
  const extended = prisma.$extends({
    name: 'tenant',
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }) {
          if (!reads.has(operation)) throw new Error(`${operation} is not allowed through Prisma`);
          const filter = scopeFilter(model, scope);
          const where = byColumns(('where' in args ? args.where : undefined) ?? {});
          // Added beside the caller's condition and not merged into it, so that the caller cannot override it.
          const scoped = { ...where, AND: [filter, ...conditions(where)] };
          const first = firsts[operation];
          const send =
            first === undefined ? query : (given: object) => reader(prisma, model)[first](given);
          // Prisma sends nothing before its promise is waited for.
          const read = () =>
            tenantOfRead.run(scope.tenantId, async () => await send({ ...args, where: scoped }));
          return share === null ? read() : share.run(read);
        },
      },
    },
  });
  return extended as unknown as ScopedPrisma;
}

function conditions(where: object): object[] {
  const and = (where as { AND?: object | object[] }).AND ?? [];
  return Array.isArray(and) ? (and as object[]) : [and];
}

const cacheSize = 1_000;

/**
 * Makes the function that returns the client of a scope. It keeps one for each tenant in use.
 * @param share the part of the pool that the clients use; null for the whole pool
 */
export function createScopedPrisma(
  prisma: PrismaClient,
  share: Share | null = null,
): (scope: TenantIds) => ScopedPrisma {
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

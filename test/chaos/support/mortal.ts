import type { Pool, PoolClient } from 'pg';
import type { ProviderPort } from '../../../src/providers/port.ts';
import type { Services } from '../../../src/process/services.ts';

/** What every statement and every call says in a process that has died. */
export class Died extends Error {
  constructor() {
    super('the process died');
  }
}

/** The life of a process that ends before one of its steps. */
export interface Life {
  readonly services: Services;
  readonly died: () => boolean;
  /** The steps so far: statements, BEGIN and COMMIT among them, and both ends of each call of a provider. */
  readonly steps: () => number;
}

/**
 * The parts of a process that dies before its step number `last`. What it had not committed is rolled back, and
 * nothing reaches the database or the provider any more. Statements of Prisma, which only reads, are not steps.
 */
export function mortal(services: Services, last: number): Life {
  let steps = 0;
  let dead = false;

  function step(): void {
    if (dead) throw new Died();
    steps += 1;
    dead = steps >= last;
    if (dead) throw new Died();
  }

  async function counted<T>(work: () => Promise<T>): Promise<T> {
    step();
    return work();
  }

  const countedQuery =
    (target: Pool | PoolClient) =>
    async (...query: unknown[]) => {
      try {
        return await counted(() => run(target, query));
      } catch (error) {
        // A query object that a client is given answers by its callback.
        const { callback } = query[0] as { readonly callback?: (error: unknown) => void };
        if (callback === undefined) throw error;
        return callback(error);
      }
    };

  const clients = new WeakMap<PoolClient, PoolClient>();
  function mortalClient(client: PoolClient): PoolClient {
    const known = clients.get(client);
    if (known !== undefined) return known;
    const made = new Proxy(client, {
      get: (target, name) => {
        if (name === 'query') return countedQuery(target);
        // The connection of a dead process is cut, so that PostgreSQL rolls back what it had open.
        if (name === 'release')
          return (error?: Error | boolean) => target.release(dead ? true : error);
        return bound(target, name);
      },
    });
    clients.set(client, made);
    return made;
  }

  const pool = new Proxy(services.pool, {
    get: (target, name) => {
      if (name === 'query') return countedQuery(target);
      if (name === 'connect') {
        return async () => {
          if (dead) throw new Died();
          return mortalClient(await target.connect());
        };
      }
      return bound(target, name);
    },
  });

  /** An answer that arrives after the death is never seen. */
  async function called<T>(call: () => Promise<T>): Promise<T> {
    step();
    try {
      return await call();
    } finally {
      step();
    }
  }

  const mortalPort = (port: ProviderPort): ProviderPort => ({
    ...port,
    enroll: (request) => called(() => port.enroll(request)),
    submit: (request) => called(() => port.submit(request)),
    lookUp: (request) => called(() => port.lookUp(request)),
  });

  const orNull = (port: ProviderPort | null): ProviderPort | null =>
    port === null ? null : mortalPort(port);
  const { providers } = services;
  return {
    services: {
      ...services,
      pool,
      directPool: pool,
      providers: {
        ...providers,
        forEnvironment: (environment) => orNull(providers.forEnvironment(environment)),
        byName: (name) => orNull(providers.byName(name)),
      },
    },
    died: () => dead,
    steps: () => steps,
  };
}

// pg's `query` has overloads that a spread of its parameters does not meet.
function run(target: Pool | PoolClient, query: unknown[]): Promise<unknown> {
  return (target.query as (...given: unknown[]) => Promise<unknown>).apply(target, query);
}

function bound(target: object, name: string | symbol): unknown {
  const part: unknown = Reflect.get(target, name, target);
  return typeof part === 'function' ? (part.bind(target) as unknown) : part;
}

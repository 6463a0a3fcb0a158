import pg, {
  Pool,
  type ClientBase,
  type Connection,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
  type Submittable,
} from 'pg';

/*
 * Where row-level security is given its tenant. The policy of each tenant table compares with the setting `app.tenant`
 * of the transaction under way (policies.ts), so without it the service finds no row. There are three ways to set it:
 *
 * - `rows` and `firstRow` (pool.ts) are given the tenant as the first value of a `Statement`. What sets it travels ahead
 *   of the statement, in the same round trip (`queryBehind`).
 * - A command sets it by itself: it is a function in the database, whose first parameter is the tenant (command.ts).
 * - A read of Prisma is made by a client that belongs to a scope (prisma.ts), which uses `queryBehind` too.
 *
 * The setting lasts for one transaction, so a pooler may lend the connection to anyone after it.
 */
export const tenantSetting = 'app.tenant';

/** What travels ahead of a statement, prepared on each connection of a pool. */
export interface Ahead {
  readonly statement: keyof typeof prepared;
  readonly values: string[];
}

const prepared = {
  begin: 'BEGIN',
  set_tenant: `SELECT set_config('${tenantSetting}', $1, true)`,
};

export const begin: Ahead = { statement: 'begin', values: [] };

export const setTenant = (tenant: string): Ahead => ({ statement: 'set_tenant', values: [tenant] });

/** A statement as `pg` takes it. Its types leave the limit out. */
export type Config = QueryConfig<unknown[]> & { readonly query_timeout?: number };

/** `pg` calls these, and its types leave them out. */
interface Handlers {
  callback?: ((error: Error | null, result?: unknown) => void) | undefined;
  submit(connection: Connection): Error | null;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}

const Query = pg.Query as unknown as new (config: Config) => Handlers;

/** Has PostgreSQL parse what travels ahead of statements. */
class Preparation implements Submittable {
  callback: (error: Error | null) => void;

  constructor(callback: (error: Error | null) => void) {
    this.callback = callback;
  }

  submit(connection: Connection): void {
    for (const [name, text] of Object.entries(prepared)) {
      connection.parse({ name, text, types: [] }, true);
    }
    connection.sync();
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleError(error: Error): void {
    this.callback(error);
  }
}

/** To be done once with each new connection of a pool, before it is lent. */
export const prepareAhead = (client: ClientBase): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(new Preparation((error) => (error === null ? resolve() : reject(error))));
  });

/**
 * A statement behind what travels ahead of it. All is sent before one Sync, which makes it one transaction where none is
 * open. https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 */
class LedQuery extends Query {
  readonly query_timeout: number | undefined;
  readonly ahead: readonly Ahead[];
  /** How many answers come before the statement's own. */
  #before = 0;

  constructor(config: Config, ahead: readonly Ahead[]) {
    super(config);
    this.query_timeout = config.query_timeout;
    this.ahead = ahead;
  }

  override submit(connection: Connection): Error | null {
    connection.stream.cork();
    try {
      for (const { statement, values } of this.ahead) {
        connection.bind({ statement, values }, true);
        connection.execute({}, true);
        this.#before += 1;
      }
      const problem = super.submit(connection);
      // Two statements of one name: what was sent already has no end.
      if (problem !== null) connection.stream.destroy(problem);
      return problem;
    } finally {
      connection.stream.uncork();
    }
  }

  override handleDataRow(message: unknown): void {
    if (this.#before === 0) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#before > 0) this.#before -= 1;
    else super.handleCommandComplete(message, connection);
  }
}

/** Sends a statement behind something else, in one round trip. `client` is of a pool of pool.ts, or such a pool. */
export function queryBehind(
  client: Pool | PoolClient,
  ahead: readonly Ahead[],
  config: Config,
): Promise<QueryResult> {
  const query = new LedQuery(config, ahead);
  if (client instanceof Pool) return client.query(query) as unknown as Promise<QueryResult>;
  return new Promise((resolve, reject) => {
    query.callback = (error, result) => (error ? reject(error) : resolve(result as QueryResult));
    client.query(query);
  });
}

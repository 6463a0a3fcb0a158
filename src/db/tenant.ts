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
 *   of the statement, in the same round trip (`queryAs`).
 * - A command sets it by itself: it is a function in the database, whose first parameter is the tenant (command.ts).
 * - A read of Prisma is made by a client that belongs to a scope (prisma.ts), which calls `queryAs` too.
 *
 * The setting lasts for one transaction, so a pooler may lend the connection to anyone after it.
 */
export const tenantSetting = 'app.tenant';

const setTenant = {
  name: 'set_tenant',
  text: `SELECT set_config('${tenantSetting}', $1, true)`,
};

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

/** The connections that have parsed what sets a tenant. No other one belongs to a pool of the service. */
const prepared = new WeakSet<Connection>();

/** Has PostgreSQL parse what sets a tenant. */
class Preparation implements Submittable {
  callback: (error: Error | null) => void;

  constructor(callback: (error: Error | null) => void) {
    this.callback = callback;
  }

  submit(connection: Connection): void {
    connection.parse({ ...setTenant, types: [] }, true);
    connection.sync();
    prepared.add(connection);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleError(error: Error): void {
    this.callback(error);
  }
}

/** To be done once with each new connection of a pool, before it is lent. */
export const prepareTenant = (client: ClientBase): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(new Preparation((error) => (error === null ? resolve() : reject(error))));
  });

/**
 * A statement behind what sets its tenant. All is sent before one Sync, which makes it one transaction where none is
 * open. https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 */
class TenantQuery extends Query {
  readonly query_timeout: number | undefined;
  readonly tenant: string;
  /** Whether the answer to what sets the tenant is still to come. */
  #setting = false;

  constructor(config: Config, tenant: string) {
    super(config);
    this.query_timeout = config.query_timeout;
    this.tenant = tenant;
  }

  override submit(connection: Connection): Error | null {
    connection.stream.cork();
    try {
      this.#setting = prepared.has(connection);
      if (this.#setting) {
        connection.bind({ statement: setTenant.name, values: [this.tenant] }, true);
        connection.execute({}, true);
      }
      const problem = super.submit(connection);
      // Two statements of one name: what was sent already has no end.
      if (this.#setting && problem !== null) connection.stream.destroy(problem);
      return problem;
    } finally {
      connection.stream.uncork();
    }
  }

  override handleDataRow(message: unknown): void {
    if (!this.#setting) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#setting) this.#setting = false;
    else super.handleCommandComplete(message, connection);
  }
}

/** Sends a statement for the rows of `tenant`: in the transaction that `client` has open, or in one of its own. */
export function queryAs(
  client: Pool | PoolClient,
  tenant: string,
  config: Config,
): Promise<QueryResult> {
  const query = new TenantQuery(config, tenant);
  if (client instanceof Pool) return client.query(query) as unknown as Promise<QueryResult>;
  return new Promise((resolve, reject) => {
    query.callback = (error, result) => (error ? reject(error) : resolve(result as QueryResult));
    client.query(query);
  });
}

import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import {
  Pool,
  types,
  type CustomTypesConfig,
  type PoolClient,
  type PoolConfig,
  type QueryResultRow,
} from 'pg';
import { asError } from '../errors/as-error.ts';
import { lostConnection, readOnlyServer } from './errors.ts';
import { DatabaseLine } from './line.ts';
import { begin, prepareAhead, queryBehind, setTenant, type Ahead } from './tenant.ts';

/** Runs a statement: on any connection, or on the one of a transaction. */
export type Queryable = Pool | PoolClient;

/** PostgreSQL parses and plans it once for each connection. Operators see its name in pg_prepared_statements. */
interface Prepared {
  readonly name: string;
  readonly text: string;
  /** Milliseconds to wait for the answer, if not the pool's limit. */
  readonly query_timeout?: number;
}

/** A prepared statement of one tenant: `$1` is the tenant, whose rows alone PostgreSQL shows it (tenant.ts). */
export interface Statement extends Prepared {
  readonly tenant?: undefined;
}

/** The values of a statement of one tenant. */
export type TenantValues = readonly [tenant: string, ...further: unknown[]];

/**
 * A prepared statement of no tenant: it reads tables of the platform or a view across tenants, and finds no row of a
 * tenant's table.
 */
export interface PlatformStatement extends Prepared {
  readonly tenant: 'none';
}

export const platformStatement = (statement: Prepared) => ({
  ...statement,
  tenant: 'none' as const,
});

/** A prepared statement that calls a command (command.ts), which sets its tenant, `$1`, by itself. */
export interface CommandStatement extends Prepared {
  readonly tenant: 'set by itself';
}

/** For a statement that sets its own `statement_timeout`: the longest time of a timer, 24 days. */
export const noAnswerLimitMs = 2 ** 31 - 1;

/** A little more than PostgreSQL may work on a statement of the service (limits.ts), in milliseconds. */
const usualAnswerMs = 35_000;

type Lend = Parameters<Pool['connect']>[0];

/** A pool that does not even try to connect while its line is cut: a try may cost a look-up of the host's name. */
class LinePool extends Pool {
  readonly #line: DatabaseLine;

  constructor(line: DatabaseLine, options: PoolConfig) {
    super({ ...options, stream: () => line.socket() });
    this.#line = line;
  }

  override connect(): Promise<PoolClient>;
  override connect(lend: Lend): void;
  override connect(lend?: Lend): Promise<PoolClient> | undefined {
    const problem = this.#line.problem();
    if (lend === undefined) return problem === null ? super.connect() : Promise.reject(problem);
    if (problem === null) super.connect(lend);
    else process.nextTick(() => lend(problem, undefined, () => undefined));
    return undefined;
  }
}

/**
 * At most `max` connections to `url`, which PostgreSQL lists under `applicationName`. A call waits
 * five seconds for one. How long a statement may run and a transaction may idle are limits of the login
 * (limits.ts): a pooler that lends connections for one transaction refuses limits of a connection. If no
 * answer arrives within `answerMs` milliseconds, the statement fails and its connection is closed; much
 * sooner where a watch (src/db/watch.ts) sees the database and cuts `line`.
 */
export function createPool(
  url: string,
  max: number,
  applicationName: string,
  answerMs = usualAnswerMs,
  line: DatabaseLine = new DatabaseLine(),
): Pool {
  const pool = new LinePool(line, {
    connectionString: url,
    max,
    application_name: applicationName,
    // A request must not hang when the server is lost: it fails, and the caller retries.
    connectionTimeoutMillis: 5_000,
    // A server that vanished closes no connection: this limit detects it during a statement, and keep-alive
    // probes while the connection is idle.
    query_timeout: answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // The pool waits for it, which its types do not say.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: prepareAhead,
  });
  // A broken connection (a restart of the server) is replaced on the next use. Without listeners its error
  // would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    hearErrors(client, line);
  });
  return pool;
}

/**
 * Tells the line of each error of the server, and ends a session as soon as its server says that it takes no writes.
 * A pool would keep it, and fail with it again and again, though a new connection may lead to the new primary.
 */
function hearErrors(client: PoolClient, line: DatabaseLine): void {
  // pg tells of the server's errors in general only on this part, which its types leave out.
  const { connection } = client as unknown as {
    connection: EventEmitter & { readonly stream: Socket };
  };
  connection.on('errorMessage', (error: { readonly code?: string }) => {
    line.onServerError(error.code);
    if (error.code === readOnlyServer) setImmediate(() => connection.stream.destroy());
  });
}

/** bigint columns arrive as BigInt, as Prisma gives them: an amount never passes through a float. */
const columnTypes: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    // pg types the parsers as any; the caller's row type states what a column holds.
    // oxlint-disable-next-line typescript/no-unsafe-return
    oid === types.builtins.INT8
      ? BigInt
      : types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text'),
};

/** The transaction of `inTransaction` that a connection is lent for. */
interface Transaction {
  /** BEGIN travels ahead of the first statement. */
  begun: boolean;
  tenant: string | null;
}

const transactions = new WeakMap<Queryable, Transaction>();

function aheadOf(
  client: Queryable,
  { tenant: kind }: Statement | CommandStatement | PlatformStatement,
  [first]: readonly unknown[],
): Ahead[] {
  const transaction = transactions.get(client);
  const ahead: Ahead[] = [];
  if (transaction?.begun === false) {
    ahead.push(begin);
    beginsNow(client, transaction);
  }
  if (kind === 'none') return ahead;
  const tenant = first as string;
  if (kind === undefined && transaction?.tenant !== tenant) ahead.push(setTenant(tenant));
  if (transaction !== undefined) transaction.tenant = tenant;
  return ahead;
}

/** A transaction that begins with its first statement, also where that is sent in another way than by `rows`. */
function beginLater(client: PoolClient): Transaction {
  const transaction: Transaction = { begun: false, tenant: null };
  transactions.set(client, transaction);
  const query = (...given: unknown[]): unknown => {
    beginsNow(client, transaction);
    // Its error is that of the statement too.
    client.query('BEGIN').catch(() => undefined);
    return Reflect.apply(client.query, client, given) as unknown;
  };
  Object.assign(client, { query });
  return transaction;
}

/** From now on the connection sends what it is given. */
function beginsNow(client: Queryable, transaction: Transaction): void {
  transaction.begun = true;
  Reflect.deleteProperty(client, 'query');
}

/** A statement and its values. Those of a tenant's begin with the tenant. */
type Sent =
  | readonly [statement: Statement | CommandStatement, values: TenantValues]
  | readonly [statement: PlatformStatement, values: readonly unknown[]];

/** Runs a prepared statement and returns its rows. */
export async function rows<R extends QueryResultRow>(
  client: Queryable,
  ...[statement, values]: Sent
): Promise<R[]> {
  const config = { ...statement, values: [...values], types: columnTypes };
  const ahead = aheadOf(client, statement, values);
  const sent = ahead.length === 0 ? client.query<R>(config) : queryBehind(client, ahead, config);
  return (await sent).rows as R[];
}

/** Runs a prepared statement and returns its first row, or null. */
export async function firstRow<R extends QueryResultRow>(
  client: Queryable,
  ...sent: Sent
): Promise<R | null> {
  const [row] = await rows<R>(client, ...sent);
  return row ?? null;
}

type AfterCommit = (pool: Pool) => void;

/** What follows the transaction that a connection has open, if it commits. */
const followers = new WeakMap<PoolClient, Set<AfterCommit>>();

/**
 * Calls `follow` once after the transaction of `inTransaction` that `client` has open has committed, and not
 * at all after a rollback. A process that dies in between never calls it.
 */
export function afterCommit(client: PoolClient, follow: AfterCommit): void {
  const known = followers.get(client);
  if (known === undefined) followers.set(client, new Set([follow]));
  else known.add(follow);
}

/**
 * Runs `work` in one transaction on one connection: commits when it returns, rolls back when it
 * throws. Nothing outside the database may be called in `work`.
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const transaction = beginLater(client);
  const end = async (how: 'COMMIT' | 'ROLLBACK') => {
    if (transaction.begun) await client.query(how);
    else beginsNow(client, transaction);
  };
  let broken: Error | undefined;
  try {
    const result = await work(client);
    await end('COMMIT');
    followers.get(client)?.forEach((follow) => follow(pool));
    return result;
  } catch (error) {
    if (lostConnection(error)) broken = error;
    else {
      await end('ROLLBACK').catch((failure: unknown) => {
        broken = asError(failure);
      });
    }
    throw error;
  } finally {
    followers.delete(client);
    transactions.delete(client);
    client.release(broken);
  }
}

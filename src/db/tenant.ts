import pg from 'pg';

/**
 * The setting of PostgreSQL that names the tenant of the transaction under way. The policy of each tenant
 * table compares with it (policies.ts), so a statement without it finds no row.
 */
export const tenantSetting = 'app.tenant';

/** A prepared statement may say which of its values is the tenant, where its text does not show it. */
export interface OfTenant {
  /** The place among the values, from 0. */
  readonly tenant?: number;
}

/** Where a text names its tenant: it compares the column with a value, or writes it. In a row the tenant is first. */
const comparison = /\btenant_id"?\s*=\s*\$(\d+)(?!\d|::text\[\])/;
const row =
  /\(\s*(?:"?\w+"?\.)*"?tenant_id"?\s*(?:,[^()]*)?\)\s*(?:=|IN)\s*\(+(?:SELECT\s+)?\$(\d+)/i;
const written =
  /\bINTO\s+\S+(?:\s+AS\s+\w+)?\s*\(\s*"?tenant_id"?\s*,[^)]*\)\s*(?:VALUES\s*\(\s*|SELECT\s+)\$(\d+)/i;
/** A command sets its tenant itself (command.ts). */
const commanded = /\bcommand\.\w+\(_tenant => \$(\d+)/;

/** Texts come from the source and from Prisma, which makes a bounded number of them; more would be a leak. */
const mostTexts = 5_000;
const places = new Map<string, Place | null>();

interface Place {
  /** Among the values, from 0. */
  readonly index: number;
  readonly setByItself: boolean;
}

function findPlace(text: string): Place | null {
  const own = commanded.exec(text)?.[1];
  const given = own ?? [comparison, row, written].map((one) => one.exec(text)?.[1]).find(Boolean);
  return given === undefined ? null : { index: Number(given) - 1, setByItself: own !== undefined };
}

/**
 * Which value of a statement is its tenant; null for one that names none. The value comes from a scope
 * (src/access/scope.ts), as every value of a tenant does.
 */
export function tenantPlace(text: string): Place | null {
  let place = places.get(text);
  if (place === undefined) {
    place = findPlace(text);
    if (places.size >= mostTexts) places.clear();
    places.set(text, place);
  }
  return place;
}

/** A statement as callers give it to `query`. */
interface Config extends OfTenant {
  readonly text: string;
  readonly name?: string;
  readonly values?: readonly unknown[];
  readonly types?: unknown;
  readonly query_timeout?: number;
}

type Answer = (error: Error | null | undefined, result?: unknown) => void;

/** What `pg` has and its types leave out. */
interface Connection {
  readonly parsedStatements: Record<string, string | undefined>;
  readonly submittedNamedStatements: Record<string, string | undefined>;
  parse(message: { name: string; text: string; types?: unknown }): void;
  bind(message: { statement: string; values: string[] }): void;
  execute(message: object): void;
  close(message: { type: 'S'; name: string }): void;
  on(event: 'readyForQuery', listener: (message: { status: string }) => void): void;
  on(event: 'commandComplete', listener: (message: { text: string }) => void): void;
}

interface PreparedQuery {
  readonly name?: string;
  readonly text: string;
  readonly types?: unknown;
  hasBeenParsed(connection: Connection): boolean;
  prepare(connection: Connection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}

const PreparedQuery = pg.Query as unknown as new (config: Config) => PreparedQuery;

/**
 * After these commands the setting may be another one although a transaction is open: `ROLLBACK TO` a savepoint
 * undoes it, and `COMMIT AND CHAIN` begins a new transaction.
 */
const mayChangeSetting = /^(?:COMMIT|ROLLBACK|SET|RESET|DISCARD)\b/;

/** The tenant of the transaction that a connection has open; null where it is not known. */
class Session {
  tenant: string | null = null;

  /** After each command, by its tag. */
  completed(tag: string): void {
    if (mayChangeSetting.test(tag)) this.tenant = null;
  }

  /** After each statement: the setting ends with its transaction. */
  ready(status: string): void {
    if (status !== 'T') this.tenant = null;
  }
}

/** What sets the tenant. PostgreSQL parses it once for each connection. */
const setTenant = {
  name: 'set_tenant',
  text: `SELECT set_config('${tenantSetting}', $1, true)`,
};

/** What begins a transaction, prepared so that it can travel with the first statement. */
const begin = { name: 'begin', text: 'BEGIN' };

/** What goes ahead of a statement. */
interface Ahead {
  readonly tenant: Tenant | null;
  /** Whether the statement is the first one of a transaction. */
  readonly begins: boolean;
}

/**
 * A statement with what begins its transaction and sets its tenant before it, in one round trip: all are sent
 * before one Sync. Without a transaction PostgreSQL makes them one, and a pooler gives them one connection.
 * https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 */
class LedQuery extends PreparedQuery {
  readonly query_timeout: number | undefined;
  readonly #session: Session;
  readonly #ahead: Ahead;
  /** The answers that come before the statement's own. */
  readonly #expected: (typeof begin)[] = [];

  constructor(config: Config, ahead: Ahead, session: Session) {
    super(config);
    this.query_timeout = config.query_timeout;
    this.#ahead = ahead;
    this.#session = session;
  }

  /** Called when everything that was sent before has ended. */
  override prepare(connection: Connection): void {
    const { tenant, begins } = this.#ahead;
    if (begins) this.#lead(connection, begin, []);
    if (tenant !== null) {
      const isSet = this.#session.tenant === tenant.id || tenant.setByItself;
      if (!isSet) this.#setTenant(connection, tenant.id);
      this.#session.tenant = tenant.id;
    }
    super.prepare(connection);
  }

  #lead(connection: Connection, { name, text }: typeof begin, values: string[]): void {
    connection.bind({ statement: name, values });
    connection.execute({});
    this.#expected.push({ name, text });
  }

  #setTenant(connection: Connection, id: string): void {
    // This statement first, since `pg` takes the first answer to a Parse for that of the statement.
    if (this.name !== undefined && !this.hasBeenParsed(connection)) {
      connection.parse({ name: this.name, text: this.text, types: this.types });
      connection.submittedNamedStatements[this.name] = this.text;
    }
    if (connection.parsedStatements[setTenant.name] === undefined) {
      // PostgreSQL may have parsed it for a statement that failed before it ran. To close it is never an error.
      connection.close({ type: 'S', name: setTenant.name });
      connection.parse(setTenant);
    }
    this.#lead(connection, setTenant, [id]);
  }

  override handleDataRow(message: unknown): void {
    if (this.#expected.length === 0) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    const led = this.#expected.shift();
    if (led === undefined) super.handleCommandComplete(message, connection);
    else connection.parsedStatements[led.name] = led.text;
  }
}

interface Tenant {
  readonly id: string;
  /** A command sets its tenant itself. */
  readonly setByItself: boolean;
}

/** The tenant of a statement with values; null where it names none. */
function tenantOf(config: unknown): Tenant | null {
  if (typeof config !== 'object' || config === null || isStream(config)) return null;
  const { text, values, tenant } = config as Partial<Config>;
  if (typeof text !== 'string' || !Array.isArray(values)) return null;
  const place = tenant === undefined ? tenantPlace(text) : { index: tenant, setByItself: false };
  const id: unknown = place === null ? null : values[place.index];
  return place === null || typeof id !== 'string' ? null : { id, setByItself: place.setByItself };
}

const isStream = (config: unknown): boolean =>
  typeof config === 'object' && config !== null && 'submit' in config;

/** Whether something can go ahead of the statement: one that is prepared under a name. */
const isNamed = (config: unknown): boolean =>
  !isStream(config) && typeof (config as Partial<Config> | null)?.name === 'string';

const nothing = { command: '', rowCount: null, rows: [], fields: [] };

/**
 * A connection that sets the tenant of each statement that names one, once for each transaction. `BEGIN` waits for
 * the first statement and travels with it; a transaction without a statement is never begun.
 */
export class TenantClient extends pg.Client {
  readonly #session = new Session();
  /** Whether a transaction begins with the next statement. */
  #begins = false;

  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { readonly connection: Connection };
    connection.on('commandComplete', ({ text }) => this.#session.completed(text));
    connection.on('readyForQuery', ({ status }) => this.#session.ready(status));
  }

  // The class declares many overloads of `query`; this one hands on whatever it gets.
  override query(...given: unknown[]): never {
    const [first, ...further] = given;
    if (given.length === 1 && first === begin.text) {
      this.#begins = true;
      return Promise.resolve(nothing) as never;
    }
    if (this.#begins) return this.#beginWith(first, given);
    const config = typeof first === 'string' ? { text: first, values: further[0] } : first;
    const tenant = tenantOf(config);
    if (tenant === null) return this.#send(given);
    return this.#sendLed(config as Config, { tenant, begins: false }, further);
  }

  /** Sends the first statement of a transaction. */
  #beginWith(first: unknown, given: readonly unknown[]): never {
    this.#begins = false;
    if (first === 'COMMIT' || first === 'ROLLBACK') return Promise.resolve(nothing) as never;
    const { connection } = this as unknown as { readonly connection: Connection };
    const isPrepared = connection.parsedStatements[begin.name] !== undefined;
    if (isPrepared && isNamed(first)) {
      const ahead = { tenant: tenantOf(first), begins: true };
      return this.#sendLed(first as Config, ahead, given.slice(1));
    }
    const begun = this.#send([begin]) as Promise<unknown>;
    if (!isStream(first)) return begun.then(() => this.query(...given)) as never;
    // Whoever asks for a stream gets it at once, and the connection keeps the order.
    begun.catch(() => undefined);
    return this.#send(given);
  }

  #sendLed(config: Config, ahead: Ahead, further: readonly unknown[]): never {
    const query = new LedQuery(config, ahead, this.#session);
    const answer = further.findLast((one) => typeof one === 'function');
    if (answer !== undefined) return this.#send([query, answer]);
    return new Promise((resolve, reject) => {
      const settle: Answer = (error, result) => (error ? reject(error) : resolve(result));
      this.#send([query, settle]);
    }) as never;
  }

  #send(sent: readonly unknown[]): never {
    return Reflect.apply(super.query, this, sent) as never;
  }
}

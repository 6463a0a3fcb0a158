import pg from 'pg';

/** One statement as the service sent it; `name` where it is prepared. */
export interface SentStatement {
  readonly name: string | null;
  readonly text: string;
}

export interface SqlRecording {
  /** Every distinct text so far. */
  readonly distinct: ReadonlyMap<string, SentStatement>;
  /** Runs `work` and returns what the service sent to this database meanwhile, in order. */
  during<T>(work: () => Promise<T>): Promise<{ result: T; sent: readonly SentStatement[] }>;
  stop(): void;
}

type Listener = (statement: SentStatement) => void;

const listeners = new Map<string, Set<Listener>>();

function statementOf(config: unknown): SentStatement | null {
  if (typeof config === 'string') return { name: null, text: config };
  if (typeof config !== 'object' || config === null || !('text' in config)) return null;
  const { text } = config;
  if (typeof text !== 'string') return null; // a submittable keeps its text to itself
  const name = 'name' in config && typeof config.name === 'string' ? config.name : null;
  return { name, text };
}

interface Connected {
  readonly connectionParameters: { database?: string; application_name?: string };
}

function listenersOf(client: Connected): Set<Listener> | undefined {
  const { database, application_name: application } = client.connectionParameters;
  // A test looks at rows through a pool of its own, which has no such name.
  if (database === undefined || !(application ?? '').startsWith('payouts-')) return undefined;
  return listeners.get(database);
}

const { query } = pg.Client.prototype;

// The class declares many overloads of `query`; this one hands on whatever it gets.
pg.Client.prototype.query = function recordAndQuery(this: pg.Client, ...given: unknown[]) {
  const heard = listenersOf(this as unknown as Connected);
  if (heard !== undefined) {
    const statement = statementOf(given[0]);
    if (statement !== null) for (const listener of heard) listener(statement);
  }
  return Reflect.apply(query, this, given) as unknown;
} as typeof query;

/**
 * Records what the service itself sends to the database of `url` from now on: its connections are
 * known by their application name. Works in this process only.
 */
export function recordSql(url: string): SqlRecording {
  const database = decodeURIComponent(new URL(url).pathname.slice(1));
  const distinct = new Map<string, SentStatement>();
  const heard = listeners.get(database) ?? new Set<Listener>();
  listeners.set(database, heard);
  heard.add((statement) => distinct.set(statement.text, statement));
  return {
    distinct,
    async during(work) {
      const sent: SentStatement[] = [];
      const listener: Listener = (statement) => sent.push(statement);
      heard.add(listener);
      try {
        return { result: await work(), sent };
      } finally {
        heard.delete(listener);
      }
    },
    stop: () => void listeners.delete(database),
  };
}

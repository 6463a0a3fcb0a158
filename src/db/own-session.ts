import pg from 'pg';

/** The URL leads to a pooler whose connections to PostgreSQL serve one client after another. */
export class SharedSessionError extends Error {
  override readonly name = 'SharedSessionError';
  constructor() {
    super(
      'This URL leads to a pooler in transaction mode, which keeps neither locks nor temporary tables from one transaction to the next. Set MIGRATION_DATABASE_URL, or DIRECT_DATABASE_URL, to an address of PostgreSQL itself.',
    );
  }
}

const mostRounds = 5;
const answerMs = 5_000;

/**
 * Makes sure that all transactions of a client run in one session of PostgreSQL, as locks of a session and
 * temporary tables need. A connection to PostgreSQL itself costs one statement.
 *
 * @param url of the client; used for a second one, if a pooler is between
 * @throws SharedSessionError when a pooler gives each transaction any session (PgBouncer's pool_mode
 *   `transaction`; https://www.pgbouncer.org/features.html)
 */
export async function requireOwnSession(client: pg.Client, url: string): Promise<void> {
  if (await sharesSessions(client, url)) throw new SharedSessionError();
}

/** Whether the URL leads to a pooler of the kind that `requireOwnSession` refuses. Throws if nothing answers. */
export async function leadsToSharedSessions(url: string): Promise<boolean> {
  const client = newClient(url);
  try {
    await client.connect();
    return await sharesSessions(client, url);
  } finally {
    await client.end();
  }
}

function newClient(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  });
  client.on('error', () => undefined);
  return client;
}

async function sharesSessions(client: pg.Client, url: string): Promise<boolean> {
  // A pooler names no process of PostgreSQL to its clients, since it has many.
  const first = await sessionOf(client);
  if (first === (client as pg.Client & { readonly processID: number | null }).processID) {
    return false;
  }
  const other = newClient(url);
  try {
    await other.connect();
    return await meet(client, first, other);
  } catch {
    // A pooler that has no second session free gives each client one of its own.
    return false;
  } finally {
    await other.end();
  }
}

/**
 * Whether the client's session serves the other, or the client finds itself in another one. While a round
 * runs, the other keeps the session that it found, which is the client's if the pooler lends it.
 */
async function meet(client: pg.Client, first: number, other: pg.Client): Promise<boolean> {
  for (let round = 1; round <= mostRounds; round += 1) {
    await other.query('BEGIN');
    const theirs = await sessionOf(other);
    if (theirs === first) return true;
    const ours = await sessionOf(client);
    await other.query('ROLLBACK');
    if (ours !== first) return true;
  }
  return false;
}

/** The process of PostgreSQL that serves a statement of this client. */
async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}

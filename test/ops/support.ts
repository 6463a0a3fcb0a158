import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestDatabase } from '../support/database.ts';

/** A person who works in psql: a login role of their own in one of the operators' group roles. */
export interface Operator {
  /** Name of the login role, which ops.action_log records. */
  readonly name: string;
  readonly url: string;
  /** Runs SQL as this person and returns the rows. */
  sql<R extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<R[]>;
  /** The one row of a statement. */
  row<R extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<R>;
  /** Another session of the same person, for what happens at once; ended by `leave`. */
  session(): Promise<pg.Client>;
  /** What a statement is refused with. */
  refusal(text: string, values?: unknown[]): Promise<Refusal>;
  /** Ends the sessions and drops the role. */
  leave(): Promise<void>;
}

export interface Refusal {
  readonly code: string | undefined;
  readonly message: string;
  readonly hint: string | undefined;
}

/** bigint as a number: the numbers of jobs and the counts of tests are small. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text'),
};

/**
 * Makes a login role in `group` and connects as it. Roles belong to the cluster, which the test files
 * share, so each gets a name of its own.
 */
export async function makeOperator(
  database: TestDatabase,
  group: 'ops_read' | 'ops_operate',
): Promise<Operator> {
  const name = `ada_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  await database.pool.query(`CREATE ROLE ${name} LOGIN PASSWORD '${password}' IN ROLE ${group}`);
  const url = new URL(database.url);
  url.username = name;
  url.password = password;
  const sessions: pg.Client[] = [];

  async function session(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url.href, types });
    client.on('error', () => undefined);
    await client.connect();
    sessions.push(client);
    return client;
  }
  const own = await session();

  async function sql<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
    return (await own.query(text, values)).rows as R[];
  }

  return {
    name,
    url: url.href,
    sql,
    session,
    async row<R extends object>(text: string, values: unknown[] = []): Promise<R> {
      const [first, ...more] = await sql<R>(text, values);
      if (first === undefined || more.length > 0) throw new Error(`not one row: ${text}`);
      return first;
    },
    async refusal(text, values = []) {
      try {
        await own.query(text, values);
      } catch (error) {
        if (!(error instanceof pg.DatabaseError)) throw error;
        return { code: error.code, message: error.message, hint: error.hint };
      }
      throw new Error(`was not refused: ${text}`);
    },
    async leave() {
      await Promise.all(sessions.map((client) => client.end()));
      await database.pool.query(`DROP ROLE ${name}`);
    },
  };
}

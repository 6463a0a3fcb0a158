import pg from 'pg';
import { inject } from 'vitest';
import { tenantSetting } from '../../src/db/tenant.ts';

/** A statement as the service sent it. */
export interface SentWithValues {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The tenant that it was sent for, or null. */
  readonly tenant: string | null;
  /** A command sets its tenant itself. */
  readonly isCommand: boolean;
}

/** As `rows` gives it to `pg`: with the tenant, or with what kind of statement it is. */
interface Config {
  readonly text?: unknown;
  readonly name?: string;
  readonly values?: readonly unknown[];
  readonly tenant?: string;
}

function sentOf({ text, name, values = [], tenant }: Config): SentWithValues | null {
  if (typeof text !== 'string') return null;
  const isCommand = tenant === 'set by itself';
  // In a transaction that has its tenant a statement is sent as it is.
  const [first] = isCommand || (tenant === undefined && name !== undefined) ? values : [tenant];
  const isTenant = typeof first === 'string' && first.startsWith('ten_');
  return { text, values, tenant: isTenant ? first : null, isCommand };
}

/** Keeps what this process sends whose text `matches`, until `stop` is called. */
export function recordStatements(matches: (text: string) => boolean): {
  readonly sent: SentWithValues[];
  stop(): void;
} {
  const sent: SentWithValues[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function recordAndQuery(this: pg.Client, ...given: unknown[]) {
    const one = sentOf(given[0] as Config);
    if (one !== null && matches(one.text)) sent.push(one);
    return Reflect.apply(query, this, given) as unknown;
  } as typeof query;
  return {
    sent,
    stop() {
      pg.Client.prototype.query = query;
    },
  };
}

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** The rows that any step of a plan looked at. */
function looked(plan: Plan): number {
  const removed =
    (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0);
  const own = (plan['Actual Rows'] + removed) * plan['Actual Loops'];
  return Math.max(own, ...(plan.Plans ?? []).map(looked));
}

function literal(client: pg.PoolClient, value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  const plain = (one: unknown) => (one instanceof Date ? one.toISOString() : one);
  if (!Array.isArray(value)) {
    const one = plain(value);
    return client.escapeLiteral(typeof one === 'string' ? one : JSON.stringify(one));
  }
  const items = value.map((item) => `"${String(plain(item))}"`).join(',');
  return client.escapeLiteral(`{${items}}`);
}

/** Until RESET, the client has the rights of the service, in the scope of the statement's tenant. */
async function actAsService(client: pg.PoolClient, { tenant }: SentWithValues) {
  const { username } = new URL(inject('serviceUrl'));
  await client.query('SELECT set_config($1, $2, false)', [tenantSetting, tenant ?? '']);
  await client.query(`SET ROLE ${client.escapeIdentifier(username)}`);
}

/**
 * What a statement of the service looks at, planned for its values and planned for any.
 * @param small false: as in a table that is too large to be read whole, which a small one may be
 */
export async function rowsLookedAt(
  pool: pg.Pool,
  sent: SentWithValues,
  small = true,
): Promise<number[]> {
  const { text, values } = sent;
  const client = await pool.connect();
  try {
    const whole = small ? 'on' : 'off';
    await client.query(`SET enable_bitmapscan = ${whole}; SET enable_seqscan = ${whole}`);
    await actAsService(client, sent);
    const counts: number[] = [];
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`SET plan_cache_mode = ${mode}`);
      await client.query(`PREPARE list AS ${text}`);
      const given = values.map((value) => literal(client, value)).join(', ');
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE list(${given})`,
      );
      counts.push(looked(rows[0]?.['QUERY PLAN'][0].Plan ?? ({} as Plan)));
      await client.query('DEALLOCATE list');
    }
    return counts;
  } finally {
    await client.query(
      `RESET plan_cache_mode; RESET enable_bitmapscan; RESET enable_seqscan; RESET ROLE; RESET ${tenantSetting}`,
    );
    client.release();
  }
}

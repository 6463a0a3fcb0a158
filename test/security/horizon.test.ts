import pg, { type Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { makeOperator, type Operator } from '../ops/support.ts';
import { eventually, payoutBody } from '../support/factory.ts';
import { within } from '../support/given-server.ts';
import { words } from '../support/matrix/tenant-statements.ts';
import { readSource } from '../support/source.ts';
import { useHarness, usePayee, useTenant } from '../support/use-harness.ts';

/**
 * What a poller with `updatedSince` is shown while some session keeps a transaction open: everything,
 * unless that transaction has changed a payout, and then nothing that could run past the change.
 */
let reader: Operator;
let operator: Operator;
const sessions: Client[] = [];

const harness = useHarness({ shipped: true, worker: false });
const tenant = useTenant(harness);
const payee = usePayee(harness, tenant);

beforeAll(async () => {
  reader = await makeOperator(harness.database, 'ops_read');
  operator = await makeOperator(harness.database, 'ops_operate');
});
afterAll(async () => {
  await Promise.all(sessions.map((client) => client.end()));
  await reader.leave();
  await operator.leave();
});

let since: string;
beforeEach(async () => {
  const { rows } = await harness.database.pool.query<{ at: Date }>('SELECT now() AS at');
  since = rows[0]?.at.toISOString() ?? '';
});

async function create(): Promise<string> {
  const answer = await harness.rest('POST', '/v1/payouts', {
    key: tenant.key,
    body: payoutBody(payee),
  });
  expect(answer.status, answer.text).toBe(201);
  return (answer.body as { payout: { id: string } }).payout.id;
}

async function poll(): Promise<string[]> {
  const query = new URLSearchParams({ updatedSince: since, limit: '100' });
  const answer = await harness.rest('GET', `/v1/payouts?${query.toString()}`, { key: tenant.key });
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as { payouts: { id: string }[] }).payouts.map(({ id }) => id);
}

/** Whether a change made at this moment reaches a poller within a while. */
const shows = (id: string) => eventually(async () => (await poll()).includes(id) || null);

async function session(url: string, applicationName = 'psql'): Promise<Client> {
  const client = new pg.Client({ connectionString: url, application_name: applicationName });
  client.on('error', () => undefined);
  await client.connect();
  sessions.push(client);
  return client;
}

async function touch(client: Client, id: string): Promise<void> {
  await client.query("SELECT set_config('app.tenant', $1, true)", [tenant.tenantId]);
  const { rowCount } = await client.query(
    'UPDATE payout SET updated_at = command.clock() WHERE tenant_id = $1 AND id = $2',
    [tenant.tenantId, id],
  );
  expect(rowCount).toBe(1);
}

describe('a transaction that changes no payout holds back no poller', () => {
  it('of a reader that has taken an id', async () => {
    const client = await reader.session();
    await client.query('BEGIN; SELECT pg_current_xact_id()');
    await shows(await create());
    await client.query('ROLLBACK');
  });

  it('of a reader that prepares to change what it may not even read', async () => {
    const { rows } = await harness.database.pool.query<{ name: string; column: string }>(
      `SELECT format('%I.%I', c.table_schema, c.table_name) AS name, min(c.column_name) AS column
       FROM information_schema.columns c
       WHERE c.table_schema = 'ops' OR (c.table_schema, c.table_name) = ('public', 'payout')
       GROUP BY 1`,
    );
    expect(rows.length).toBeGreaterThan(5);
    for (const { name, column } of rows) {
      const client = await reader.session();
      await client.query('BEGIN');
      // PREPARE locks the table before anybody asks for the right to change it.
      await client
        .query(`PREPARE hold AS UPDATE ${name} SET "${column}" = "${column}"`)
        .catch(() => undefined);
      const { rows: locks } = await harness.database.pool.query(
        `SELECT FROM pg_locks l JOIN pg_stat_activity s USING (pid)
         WHERE s.usename = $1 AND l.relation = 'payout'::regclass AND l.mode = 'RowExclusiveLock'`,
        [reader.name],
      );
      expect(locks, name).toEqual([]);
      await client.query('ROLLBACK');
    }
  });

  it('of an operator that has acted and not committed', async () => {
    const client = await operator.session();
    await client.query(`BEGIN; SELECT ops.pause_task('write_export', 'a while')`);
    await shows(await create());
    await client.query('ROLLBACK');
  });

  it('of the service itself that only reads', async () => {
    const client = await session(harness.database.url);
    await client.query('BEGIN; SELECT count(*) FROM payout; SELECT pg_current_xact_id()');
    await shows(await create());
    await client.query('ROLLBACK');
  });
});

describe('a transaction that changes a payout is never run past', () => {
  /** Holds a change of one payout open, while another payout changes and commits. */
  async function held(client: Client, change: (id: string) => Promise<unknown>): Promise<void> {
    const slow = await create();
    await shows(slow);
    await client.query('BEGIN');
    await change(slow);
    since = new Date(Date.now() - 1).toISOString();
    const fast = await create();
    for (let times = 0; times < 5; times += 1) {
      expect(await poll()).not.toContain(fast);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    await client.query('COMMIT');
    await shows(fast);
  }

  it('of the service', async () => {
    const client = await session(harness.database.url, 'payouts-worker');
    await held(client, (id) => touch(client, id));
  });

  it('of the owner of the tables, under any name', async () => {
    const client = await session(harness.database.ownerUrl);
    await held(client, (id) => touch(client, id));
  });

  it('of an operator, through a function with the right of its owner', async () => {
    await harness.database.pool.query(
      `CREATE OR REPLACE FUNCTION ops.touch(of_tenant text, of_payout text) RETURNS void LANGUAGE sql SECURITY DEFINER
       BEGIN ATOMIC UPDATE payout SET updated_at = command.clock() WHERE tenant_id = of_tenant AND id = of_payout; END;
       GRANT EXECUTE ON FUNCTION ops.touch TO ops_operate`,
    );
    const client = await operator.session();
    await held(client, (id) => client.query('SELECT ops.touch($1, $2)', [tenant.tenantId, id]));
  });

  const nodes = inject('citusNodes');
  it.runIf(nodes.length > 0)('of a session on any node of Citus', async () => {
    const name = new URL(harness.database.ownerUrl).pathname.slice(1);
    for (const node of nodes) {
      const client = await session(within(node, name));
      await held(client, (id) => touch(client, id));
    }
  });

  it('that began before the poll and changes the payout after it', async () => {
    const slow = await create();
    await shows(slow);
    const client = await session(harness.database.url, 'payouts-api');
    await client.query('BEGIN; SELECT pg_current_xact_id()');
    const fast = await create();
    await shows(fast);
    // A poller is past everything that it has been shown.
    const { rows } = await harness.database.pool.query<{ at: Date }>(
      'SELECT max(updated_at) AS at FROM payout',
    );
    since = new Date((rows[0]?.at.getTime() ?? 0) + 1).toISOString();
    await touch(client, slow);
    await client.query('COMMIT');
    await shows(slow);
  });
});

/** What each UPDATE of a payout in a statement sets, as one line. */
function changesOfPayouts(sql: string): string[] {
  const all = words(sql);
  return all.flatMap((word, index) => {
    if (word !== 'update' || all[index + 1] !== 'payout') return [];
    const rest = all.slice(index + 2);
    return [rest.slice(rest.indexOf('set'), rest.indexOf('where')).join(' ')];
  });
}

describe('a change of a payout is dated by the clock', () => {
  const dated = 'updated_at = command . clock ( )';

  it('where nothing is said', async () => {
    const { rows } = await harness.database.pool.query(
      `SELECT column_default FROM information_schema.columns
       WHERE (table_schema, table_name, column_name) = ('public', 'payout', 'updated_at')`,
    );
    expect(rows).toEqual([{ column_default: 'clock_timestamp()' }]);
  });

  it('that goes on within a transaction, and within a statement', async () => {
    const { rows } = await harness.database.pool.query(
      `SELECT command.clock() > now() AS after_begin, command.clock() < (
         SELECT command.clock() FROM (SELECT pg_sleep(0.01)) AS slept
       ) AS goes_on`,
    );
    expect(rows).toEqual([{ after_begin: true, goes_on: true }]);
  });

  it('in every statement of the service', () => {
    const { statements, others, unread } = readSource();
    expect(unread).toEqual([]);
    const changes = [...statements, ...others].flatMap(({ place, text }) =>
      changesOfPayouts(text).map((set) => ({ place, set })),
    );
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.filter(({ set }) => !set.includes(dated))).toEqual([]);
  });

  it('in every function of the database', async () => {
    const { rows } = await harness.database.pool.query<{ name: string; text: string }>(
      `SELECT p.oid::regprocedure::text AS name, pg_get_functiondef(p.oid) AS text
       FROM pg_proc p
       WHERE p.pronamespace IN ('public'::regnamespace, 'ops'::regnamespace, 'command'::regnamespace) AND p.prokind IN ('f', 'p')`,
    );
    expect(rows.length).toBeGreaterThan(10);
    const changes = rows.flatMap(({ name, text }) =>
      changesOfPayouts(text.replaceAll('$', ' ')).map((set) => ({ name, set })),
    );
    expect(changes.length).toBeGreaterThan(2);
    expect(changes.filter(({ set }) => !set.includes(dated))).toEqual([]);
  });
});

import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { migrate } from '../../src/db/migrate.ts';
import { migrationsDir } from '../../src/db/ready.ts';
import { serviceRole } from '../../src/db/roles.ts';
import { tableRights } from '../../src/db/table-rights.ts';
import { makeOperator, type Operator } from '../ops/support.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

/**
 * What is left to whoever takes over a connection of the service or of an operator. The database is
 * migrated here and not copied: what is set on a database as a whole is not part of a copy.
 */
let database: TestDatabase;
let service: pg.Client;
let reader: Operator;
let operator: Operator;

beforeAll(async () => {
  database = await testDatabase({ migrated: false });
  await migrate(database.ownerUrl, migrationsDir);
  service = await connect(database.url);
  reader = await makeOperator(database, 'ops_read');
  operator = await makeOperator(database, 'ops_operate');
});
afterAll(async () => {
  await service.end();
  await reader.leave();
  await operator.leave();
  await database.drop();
});

const denied = '42501';

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function owner<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
  return (await database.pool.query(text, values)).rows as R[];
}

async function refusal(client: pg.Client, text: string): Promise<string | undefined> {
  try {
    await client.query(text);
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error.code;
    throw error;
  }
  return 'accepted';
}

describe('the service', () => {
  it('owns nothing and is a member of nothing but its role', async () => {
    const { rows } = await service.query<{ name: string }>('SELECT current_user AS name');
    const [name] = rows.map((row) => row.name);
    expect(
      await owner(
        `SELECT c.oid FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner WHERE r.rolname IN ($1, $2)
         UNION ALL SELECT p.oid FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner WHERE r.rolname IN ($1, $2)
         UNION ALL SELECT n.oid FROM pg_namespace n JOIN pg_roles r ON r.oid = n.nspowner WHERE r.rolname IN ($1, $2)`,
        [name, serviceRole],
      ),
    ).toEqual([]);
    const roles = await owner<{ name: string }>(
      `SELECT r.rolname AS name FROM pg_roles r WHERE pg_has_role($1, r.oid, 'MEMBER')`,
      [name],
    );
    expect(new Set(roles.map((role) => role.name))).toEqual(new Set([name, serviceRole]));
    expect(
      await owner(
        `SELECT rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication
         FROM pg_roles WHERE rolname IN ($1, $2) AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls OR rolreplication)`,
        [name, serviceRole],
      ),
    ).toEqual([]);
  });

  it.each([
    'CREATE TABLE trick ()',
    'CREATE TABLE graphile_worker.trick ()',
    'CREATE TEMPORARY TABLE trick ()',
    'CREATE SCHEMA trick',
    'CREATE FUNCTION trick() RETURNS integer RETURN 1',
    'CREATE EXTENSION pg_trgm',
    'CREATE ROLE trick',
    'DROP TABLE payout',
    'TRUNCATE payout CASCADE',
    'ALTER TABLE payout DISABLE TRIGGER ALL',
    'ALTER TABLE payout_transition DROP CONSTRAINT payout_transition_pkey',
    'ALTER TABLE graphile_worker._private_jobs DISABLE ROW LEVEL SECURITY',
    'DROP INDEX disbursement_attempt_one_live_key',
    'DO $$ BEGIN LOCK TABLE payout IN ACCESS EXCLUSIVE MODE; END $$',
    'CREATE POLICY trick ON payout',
    'SET session_replication_role = replica',
    'SET ROLE ops_operate',
    'SELECT lo_create(0)',
    `SELECT pg_logical_emit_message(false, 'x', 'x')`,
    `COPY payout TO PROGRAM 'true'`,
    'SELECT ops.look_up_payout(NULL, NULL)',
    `UPDATE schema_migration SET sha256 = ''`,
    'DELETE FROM graphile_worker.migrations',
    `INSERT INTO payout_permitted_transition (from_state, to_state) VALUES ('failed', 'settled')`,
    `UPDATE ops.action_log SET who = 'eve'`,
    'DELETE FROM ops.action_log',
    `INSERT INTO operator_key (id, name, secret_hash) VALUES ('opk_x', 'Eve', '\\x00')`,
    `UPDATE operator_key SET revoked_at = NULL`,
    `UPDATE operator_key SET name = 'Ada'`,
    'DELETE FROM operator_key',
    `INSERT INTO operator_user (id, email, email_key, name) VALUES ('opu_x', 'e@x.example', 'e@x.example', 'Eve')`,
    `UPDATE operator_user SET email = 'eve@example.com'`,
    `UPDATE operator_user SET email_key = 'eve@example.com'`,
    'UPDATE operator_user SET revoked_at = NULL',
    'DELETE FROM operator_user',
  ])('may not: %s', async (text) => {
    // Whoever owns nothing is told so, or that the thing is not theirs to find.
    expect(await refusal(service, text)).toBe(denied);
  });

  it('writes and answers for operators with a key, and in no other name', async () => {
    const { id: key } = await issueOperatorKey(database.pool, 'Ada');
    const line = (who: string) =>
      `INSERT INTO ops.action_log (who, action, reason, affected)
       VALUES (${who}, 'resolve_payout', 'x', 1) RETURNING id`;
    for (const other of [`'ada'`, `'opk_unknown'`, 'DEFAULT', 'current_user']) {
      expect(await refusal(service, line(other)), other).toBe(denied);
    }
    const { rows } = await service.query<{ id: string }>(line(`'${key}'`));
    const order = `'${rows[0]?.id ?? ''}'`;
    const answer = (who: string) =>
      `INSERT INTO ops.order_confirmation AS o (action_id, answer, answered_at, answered_by)
       VALUES (${order}, 'confirmed', now(), ${who})
       ON CONFLICT (action_id) DO UPDATE SET
         answer = excluded.answer, answered_at = excluded.answered_at, answered_by = excluded.answered_by
       WHERE o.answer IS NULL`;
    const ask = `INSERT INTO ops.order_confirmation (action_id) VALUES (${order})`;
    const overwrite = `UPDATE ops.order_confirmation
      SET answer = 'confirmed', answered_at = now(), answered_by = 'ada' WHERE action_id = ${order}`;
    expect(await refusal(service, answer(`'ada'`))).toBe(denied);
    expect(await refusal(service, ask)).toBe('accepted');
    expect(await refusal(service, answer(`'ada'`))).toBe(denied);
    expect(await refusal(service, overwrite)).toBe(denied);
    expect(await refusal(service, answer(`'${key}'`))).toBe('accepted');
    expect(await owner(`SELECT answered_by FROM ops.order_confirmation`)).toEqual([
      { answered_by: key },
    ]);
  });

  it('adds to the records of what happened, and changes and deletes none', async () => {
    const records = Object.entries(tableRights).filter(
      ([, { changes, deletes }]) => changes?.length === 0 && deletes !== true,
    );
    expect(records.length).toBeGreaterThan(5);
    for (const [name] of records) {
      const [table] = await owner<{ may: boolean; column: string }>(
        `SELECT has_table_privilege('${serviceRole}', '${name}', 'INSERT') AS may,
           (SELECT min(attname) FROM pg_attribute WHERE attrelid = '${name}'::regclass AND attnum > 0) AS column`,
      );
      expect(table?.may, name).toBe(true);
      const column = pg.escapeIdentifier(table?.column ?? '');
      for (const text of [
        `UPDATE ${name} SET ${column} = ${column}`,
        `DELETE FROM ${name}`,
        `TRUNCATE ${name}`,
      ]) {
        expect(await refusal(service, text), text).toBe(denied);
      }
    }
  });

  it('moves a payout on, and never changes what was approved', async () => {
    for (const column of tableRights['public.payout']?.fixed ?? []) {
      const text = `UPDATE payout SET ${column} = ${column}`;
      expect(await refusal(service, text), text).toBe(denied);
    }
    expect(await refusal(service, 'UPDATE payout SET state = state')).toBe('accepted');
    expect(await refusal(service, 'DELETE FROM payout')).toBe(denied);
  });

  it.each([
    `UPDATE provider_contradiction SET said = 'nothing'`,
    'UPDATE provider_contradiction SET payout_id = NULL',
    `UPDATE provider_contradiction SET subject_id = 'another'`,
    'DELETE FROM provider_contradiction',
    'UPDATE api_key SET membership_id = created_by_membership_id',
    `UPDATE api_key SET role = 'owner'`,
    `UPDATE api_key SET secret_hash = ''`,
    `UPDATE operator_key SET secret_hash = ''`,
    'UPDATE member_invitation SET membership_id = membership_id',
    `UPDATE member_invitation SET expires_at = now() + interval '1 year'`,
  ])('leaves what was said, and whose a key is, as it was: %s', async (text) => {
    expect(await refusal(service, text)).toBe(denied);
  });

  it('has rules for tables and columns that there are', async () => {
    for (const [name, { changes = [], fixed = [] }] of Object.entries(tableRights)) {
      const columns = await owner<{ name: string }>(
        `SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
        [name],
      );
      const known = columns.map((column) => column.name);
      expect(known.length, name).toBeGreaterThan(0);
      expect(known, name).toEqual(expect.arrayContaining([...changes, ...fixed]));
    }
  });

  it('gets its rights on a new table with the next migration, and loses what it was given beside', async () => {
    await owner('CREATE TABLE later (id integer)');
    await owner(`GRANT ALL ON payout, payout_transition TO ${serviceRole}`);
    expect(await refusal(service, 'SELECT * FROM later')).toBe(denied);
    expect(await refusal(service, 'DELETE FROM payout_transition')).toBe('accepted');
    const told: string[] = [];
    await migrate(database.ownerUrl, migrationsDir, { warn: (problem) => told.push(problem) });
    expect(told).toEqual([]);
    expect(await refusal(service, 'INSERT INTO later VALUES (1)')).toBe('accepted');
    expect(await refusal(service, 'DELETE FROM later')).toBe(denied);
    expect(await refusal(service, 'DELETE FROM payout_transition')).toBe(denied);
    await owner('DROP TABLE later');
  });
});

describe('an operator', () => {
  it('may make nothing that stays or fills the disk', async () => {
    for (const person of [reader, operator]) {
      for (const text of [
        'CREATE TEMPORARY TABLE trick ()',
        'CREATE TABLE public.trick ()',
        'SELECT lo_create(0)',
        `SELECT lo_from_bytea(0, '\\x00')`,
        'SELECT lo_creat(-1)',
        `SELECT lo_put(1, 0, '\\x00')`,
        `SELECT lowrite(0, '\\x00')`,
        `SELECT pg_logical_emit_message(false, 'x', 'x')`,
      ]) {
        expect(await person.refusal(text), text).toMatchObject({ code: denied });
      }
    }
  });

  it('may not even name a table of the service', async () => {
    for (const person of [reader, operator]) {
      const { code, message } = await person.refusal(
        'PREPARE a AS UPDATE public.payout SET id = id',
      );
      expect([code, message]).toEqual([denied, 'permission denied for schema public']);
    }
  });

  it('is cut off when it forgets a transaction or starts an endless statement', async () => {
    for (const person of [reader, operator]) {
      expect(await person.row('SHOW statement_timeout')).toEqual({ statement_timeout: '5min' });
      expect(await person.row('SHOW idle_in_transaction_session_timeout')).toEqual({
        idle_in_transaction_session_timeout: '1min',
      });
    }
    // A migration takes as long as it takes.
    expect(await owner('SHOW statement_timeout')).toEqual([{ statement_timeout: '0' }]);
  });
});

describe('the migration', () => {
  const name = () => `payouts_${randomBytes(6).toString('hex')}`;

  function urlOf(role: string, password: string): string {
    const url = new URL(database.ownerUrl);
    url.username = role;
    url.password = encodeURIComponent(password);
    return url.href;
  }

  it('makes the login of the service, with its password, and leaves one that exists', async () => {
    const role = name();
    const url = urlOf(role, 'pass word: with % and ü');
    await migrate(database.ownerUrl, migrationsDir, { serviceUrl: url });
    try {
      const client = await connect(url);
      expect(await refusal(client, 'SELECT count(*) FROM payout')).toBe('accepted');
      expect(await refusal(client, 'DROP TABLE payout')).toBe(denied);
      await client.end();
      await migrate(database.ownerUrl, migrationsDir, { serviceUrl: urlOf(role, 'another') });
      await (await connect(url)).end();
      await expect(connect(urlOf(role, 'another'))).rejects.toMatchObject({ code: '28P01' });
    } finally {
      await owner(`DROP ROLE ${role}`);
    }
  });

  const limits = `SELECT current_setting('statement_timeout') AS statement,
    current_setting('idle_in_transaction_session_timeout') AS idle`;
  const usual = { statement: '30s', idle: '30s' };
  const limitsAs = async (url: string) => {
    const client = await connect(url);
    const { rows } = await client.query(limits);
    await client.end();
    return rows[0];
  };

  it('limits the logins of the service, and leaves a limit that somebody else set', async () => {
    const [made, given] = [name(), name()];
    const url = urlOf(made, 'made');
    await migrate(database.ownerUrl, migrationsDir, { serviceUrl: url });
    try {
      expect(await limitsAs(url)).toEqual(usual);
      await owner(`CREATE ROLE ${given} LOGIN PASSWORD 'given' IN ROLE ${serviceRole}`);
      await owner(`ALTER ROLE ${given} SET statement_timeout = '45s'`);
      await migrate(database.ownerUrl, migrationsDir, { serviceUrl: url });
      expect(await limitsAs(urlOf(given, 'given'))).toEqual({ statement: '45s', idle: '30s' });
    } finally {
      await owner(`DROP ROLE IF EXISTS ${made}, ${given}`);
    }
  });

  it('limits its own role where the service connects as that one, and itself has no limit', async () => {
    const alone = await testDatabase({ migrated: false });
    try {
      await migrate(alone.ownerUrl, migrationsDir, { serviceUrl: alone.ownerUrl });
      expect(await limitsAs(alone.ownerUrl)).toEqual(usual);
      const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
      await cp(migrationsDir, join(folder, 'migrations'), { recursive: true });
      await cp(join(migrationsDir, '../repeatable'), join(folder, 'repeatable'), {
        recursive: true,
      });
      await mkdir(join(folder, 'migrations/99991231000000_long'));
      await writeFile(
        join(folder, 'migrations/99991231000000_long/migration.sql'),
        `CREATE TABLE seen AS ${limits}`,
      );
      await migrate(alone.ownerUrl, join(folder, 'migrations'), { serviceUrl: alone.ownerUrl });
      await rm(folder, { recursive: true });
      const { rows } = await alone.pool.query('SELECT * FROM seen');
      expect(rows).toEqual([{ statement: '0', idle: '0' }]);
    } finally {
      await alone.drop();
    }
  });

  it('says what a role without the right to do so has to leave open, and does the rest', async () => {
    const [role, password] = [name(), randomBytes(8).toString('hex')];
    const plain = await testDatabase({ migrated: false });
    await plain.pool.query(`CREATE ROLE ${role} LOGIN CREATEROLE PASSWORD '${password}'`);
    try {
      await plain.pool.query(
        `GRANT CREATE ON DATABASE ${new URL(plain.ownerUrl).pathname.slice(1)} TO ${role};
         GRANT CREATE, USAGE ON SCHEMA public TO ${role};
         GRANT ops_read, ops_operate, ${serviceRole} TO ${role} WITH ADMIN OPTION`,
      );
      const url = new URL(plain.ownerUrl);
      url.username = role;
      url.password = password;
      const told: string[] = [];
      await migrate(url.href, migrationsDir, { warn: (problem) => told.push(problem) });
      expect(told).toHaveLength(4);
      const as = await connect(plain.url);
      expect(await refusal(as, 'SELECT count(*) FROM payout')).toBe('accepted');
      expect(await refusal(as, 'DELETE FROM payout_transition')).toBe(denied);

      // These belong to PostgreSQL's superuser, so the owner cannot withdraw them. What it says to do, does.
      const writes = ['SELECT lo_create(0)', `SELECT pg_logical_emit_message(false, 'x', 'x')`];
      for (const text of writes) expect(await refusal(as, text), text).toBe('accepted');
      const [statement] = told.flatMap((text) => /REVOKE EXECUTE .*;$/.exec(text) ?? []);
      await plain.pool.query(statement ?? 'missing');
      for (const text of writes) expect(await refusal(as, text), text).toBe(denied);
      const rest: string[] = [];
      await migrate(url.href, migrationsDir, { warn: (problem) => rest.push(problem) });
      expect(rest).toEqual(told.filter((text) => !text.includes('REVOKE EXECUTE')));
      await as.end();
    } finally {
      await plain.drop();
      await database.pool.query(`DROP ROLE ${role}`);
    }
  });
});

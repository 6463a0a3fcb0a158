import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { acrossRole, acrossSchema } from '../../src/db/across.ts';
import {
  createPool,
  inTransaction,
  platformStatement,
  rows,
  type Queryable,
  type Statement,
} from '../../src/db/pool.ts';
import { migrationsDir } from '../../src/db/ready.ts';
import { applyRepeatables } from '../../src/db/repeatable.ts';
import { grantRights, serviceRole } from '../../src/db/roles.ts';
import { readRepeatables } from '../../src/db/sql-files.ts';
import { tenantSetting } from '../../src/db/tenant.ts';
import { encryptedColumns } from '../../src/domain/encryption/columns.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { tenantTables } from '../support/matrix/tenant-statements.ts';

let database: TestDatabase;
let service: pg.Pool;

/** A table as a migration makes one; nobody says a word about row security. */
const newTable = `
  CREATE TABLE something (tenant_id text NOT NULL, id integer NOT NULL, PRIMARY KEY (tenant_id, id));
  INSERT INTO something VALUES ('ten_a', 1), ('ten_b', 2), ('ten_b', 3)`;

beforeAll(async () => {
  database = await testDatabase();
  service = createPool(database.url, 2, 'payouts-api');
  await database.pool.query(newTable);
  await grant();
});
afterAll(async () => {
  await service.end();
  await database.drop();
});

async function grant(): Promise<void> {
  const client = await database.pool.connect();
  await grantRights(client);
  client.release();
}

const all = platformStatement({ name: 'all_of_it', text: 'SELECT id FROM something ORDER BY id' });
const forgetful: Statement = {
  name: 'forgetful',
  text: 'SELECT id FROM something WHERE $1::text IS NOT NULL ORDER BY id',
};
const scoped: Statement = {
  name: 'scoped',
  text: 'SELECT id FROM something WHERE tenant_id = $1 ORDER BY id',
};
const add: Statement = {
  name: 'add_something',
  text: 'INSERT INTO something (tenant_id, id) VALUES ($1, $2)',
};

type Row = { readonly id: number };
const ids = (found: readonly Row[]) => found.map(({ id }) => id);
const idsOf = async (client: Queryable, statement: Statement, tenant: string) =>
  ids(await rows<Row>(client, statement, [tenant]));
const idsOfNone = async (client: Queryable) => ids(await rows<Row>(client, all, []));

/** Counts the round trips of a pool's only connection from now on. */
async function countTrips(alone: pg.Pool): Promise<() => number> {
  const client = await alone.connect();
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  let trips = 0;
  connection.on('readyForQuery', () => (trips += 1));
  client.release();
  return () => trips;
}

const refusal = async (text: string): Promise<string> =>
  service.query(text).then(
    () => 'done',
    (error: unknown) => (error as { code?: string }).code ?? '',
  );

/** Citus has no row security (docs/citus.md). */
const onePostgres = inject('citusNodes').length === 0;

describe.runIf(onePostgres)('a statement of the service', () => {
  it('finds nothing without a tenant', async () => {
    expect(await idsOfNone(service)).toEqual([]);
  });

  it('finds the rows of its tenant, and of no other where it forgets to compare', async () => {
    expect(await idsOf(service, scoped, 'ten_b')).toEqual([2, 3]);
    expect(await idsOf(service, forgetful, 'ten_a')).toEqual([1]);
    expect(await idsOf(service, forgetful, 'ten_b')).toEqual([2, 3]);
  });

  it('is not sent without a tenant: it does not compile', () => {
    // @ts-expect-error the first value is the tenant
    const none = () => rows(service, scoped, []);
    // @ts-expect-error a statement that does not say so is a tenant's
    const other = () => rows(service, { name: 'x', text: 'SELECT 1' }, [1]);
    expect([none, other]).toHaveLength(2);
  });

  it('leaves no tenant behind for the next one on its connection, in one round trip', async () => {
    const alone = createPool(database.url, 1, 'payouts-api');
    const trips = await countTrips(alone);
    expect(await idsOf(alone, scoped, 'ten_a')).toEqual([1]);
    expect(trips()).toBe(1);
    expect(await idsOfNone(alone)).toEqual([]);
    await alone.end();
  });

  it('keeps the tenant of its transaction, until another statement is of another', async () => {
    await inTransaction(service, async (client) => {
      expect(await idsOf(client, scoped, 'ten_a')).toEqual([1]);
      expect(await idsOfNone(client)).toEqual([1]);
      expect(await idsOf(client, forgetful, 'ten_b')).toEqual([2, 3]);
      expect(await idsOf(client, scoped, 'ten_a')).toEqual([1]);
    });
    expect(await idsOfNone(service)).toEqual([]);
  });

  it('is undone with its transaction, which leaves no tenant behind', async () => {
    const alone = createPool(database.url, 1, 'payouts-api');
    const undone = inTransaction(alone, async (client) => {
      await rows(client, add, ['ten_a', 8]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await idsOfNone(alone)).toEqual([]);
    expect(await idsOf(alone, scoped, 'ten_a')).toEqual([1]);
    await alone.end();
  });

  it('runs on a connection whose first attempt to set a tenant failed', async () => {
    const alone = createPool(database.url, 1, 'payouts-api');
    const client = await alone.connect();
    await expect(idsOf(client, scoped, 'ten\0a')).rejects.toMatchObject({ code: '22021' });
    expect(await idsOf(client, scoped, 'ten_a')).toEqual([1]);
    client.release();
    await alone.end();
  });

  it('adds and moves no row to another tenant', async () => {
    await inTransaction(service, async (client) => {
      await idsOf(client, scoped, 'ten_a');
      await expect(
        client.query(`INSERT INTO something (tenant_id, id) VALUES ('ten_b', 9)`),
      ).rejects.toMatchObject({ code: '42501' });
    }).catch(() => undefined);
    expect(await idsOf(service, scoped, 'ten_b')).toEqual([2, 3]);
  });

  it('fails as it would alone, and is prepared again where it failed', async () => {
    const wrong: Statement = {
      name: 'not_yet_there',
      text: 'SELECT id FROM something_else WHERE tenant_id = $1',
    };
    const client = await service.connect();
    await expect(idsOf(client, wrong, 'ten_a')).rejects.toMatchObject({ code: '42P01' });
    await database.pool.query(newTable.replaceAll('something', 'something_else'));
    await grant();
    expect(await idsOf(client, wrong, 'ten_a')).toEqual([1]);
    expect(await idsOf(client, wrong, 'ten_a')).toEqual([1]);
    client.release();
  });

  it('closes its connection where its name is that of another text', async () => {
    const alone = createPool(database.url, 1, 'payouts-api');
    expect(await idsOf(alone, scoped, 'ten_a')).toEqual([1]);
    const other: Statement = { name: 'scoped', text: 'SELECT 2 AS id WHERE $1::text <> $$$$' };
    await expect(idsOf(alone, other, 'ten_a')).rejects.toThrow('must be unique');
    expect(await idsOf(alone, scoped, 'ten_a')).toEqual([1]);
    await alone.end();
  });
});

describe.runIf(onePostgres)('the wall', () => {
  it('stands before every tenant table, also one that was just made', async () => {
    const { rows: closed } = await database.pool.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid
       WHERE c.relrowsecurity AND p.polname = 'tenant' ORDER BY 1`,
    );
    const tables = await tenantTables(database.pool);
    expect(tables).toContain('something');
    expect(closed.map(({ name }) => name)).toEqual([...tables].toSorted());
  });

  it('is not the service’s to switch off', async () => {
    const { username } = new URL(database.url);
    const { rows: roles } = await database.pool.query(
      `SELECT rolname, rolsuper, rolbypassrls, rolcreaterole FROM pg_roles
       WHERE pg_has_role($1, oid, 'MEMBER') ORDER BY rolname`,
      [username],
    );
    const weak = { rolsuper: false, rolbypassrls: false, rolcreaterole: false };
    const names = [username, serviceRole].toSorted();
    expect(roles).toEqual(names.map((rolname) => ({ rolname, ...weak })));
    const { rows: owned } = await database.pool.query(
      `SELECT relname FROM pg_class WHERE relowner IN (SELECT oid FROM pg_roles WHERE rolname = ANY ($1))`,
      [names],
    );
    expect(owned).toEqual([]);
    const owner = new URL(database.ownerUrl).username;
    for (const text of [
      'ALTER TABLE something DISABLE ROW LEVEL SECURITY',
      'DROP POLICY tenant ON something',
      'CREATE POLICY mine ON something USING (true)',
      `SET ROLE ${acrossRole}`,
      `SET ROLE ${owner}`,
      `SET SESSION AUTHORIZATION ${owner}`,
      'SET session_replication_role = replica',
      'SET row_security = off; SELECT id FROM something',
    ]) {
      expect(await refusal(text), text).toBe('42501');
    }
  });

  it('does not hinder the owner of the tables in psql', async () => {
    expect(await idsOfNone(database.pool)).toEqual([1, 2, 3]);
    expect(await idsOf(database.pool, forgetful, 'ten_a')).toEqual([1, 2, 3]);
  });

  it('has views across tenants that show their columns to the service, and change nothing', async () => {
    const { rows: views } = await database.pool.query<{ name: string; owner: string }>(
      `SELECT c.relname AS name, pg_get_userbyid(c.relowner) AS owner FROM pg_class c
       WHERE c.relnamespace = $1::regnamespace ORDER BY 1`,
      [acrossSchema],
    );
    expect(new Set(views.map(({ owner }) => owner))).toEqual(new Set([acrossRole]));
    const names = views.map(({ name }) => name);
    const walked = encryptedColumns.filter(({ tenant }) => tenant !== null);
    for (const { table } of walked) expect(names).toContain(table);
    for (const name of names) {
      const view = `${acrossSchema}.${name}`;
      expect(await refusal(`SELECT * FROM ${view}`), view).toBe('done');
      expect(await refusal(`DELETE FROM ${view}`), view).toBe('42501');
      expect(await refusal(`UPDATE ${view} SET tenant_id = ''`), view).toBe('42501');
    }
    const { rows: granted } = await database.pool.query<{ seen: string }>(
      `SELECT table_name || '.' || column_name AS seen FROM information_schema.column_privileges
       WHERE grantee = $1 AND table_schema = 'public' ORDER BY 1`,
      [acrossRole],
    );
    const { rows: shown } = await database.pool.query<{ seen: string }>(
      `SELECT table_name || '.' || column_name AS seen FROM information_schema.columns
       WHERE table_schema = $1 ORDER BY 1`,
      [acrossSchema],
    );
    expect(granted).toEqual(shown);
  });

  it('is named as operators find it', async () => {
    const { rows: found } = await database.pool.query<{ condition: string }>(
      `SELECT qual AS condition FROM pg_policies WHERE tablename = 'payout' AND policyname = 'tenant'`,
    );
    expect(found[0]?.condition).toContain(tenantSetting);
  });
});

it('a function that the service calls is granted to it with the files that make it', async () => {
  const client = await database.pool.connect();
  try {
    await client.query(
      `DROP FUNCTION ops.relay_batch(text, integer, integer, integer, boolean);
       DELETE FROM schema_repeatable`,
    );
    await applyRepeatables(client, await readRepeatables(migrationsDir));
    const { rows: found } = await client.query(
      `SELECT has_function_privilege($1, 'ops.relay_batch(text,integer,integer,integer,boolean)', 'EXECUTE') AS may`,
      [serviceRole],
    );
    expect(found).toEqual([{ may: true }]);
  } finally {
    client.release();
  }
});

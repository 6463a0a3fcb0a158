import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { migrationsDir } from '../support/given-server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Each view and function of operators, and who may use it. */
async function made(): Promise<object[]> {
  const { rows } = await database.pool.query<object>(
    `SELECT c.relname AS name, pg_get_viewdef(c.oid) AS definition, c.relacl::text AS rights
     FROM pg_class c WHERE c.relnamespace = 'ops'::regnamespace AND c.relkind = 'v'
     UNION ALL
     SELECT p.oid::regprocedure::text, p.prosrc, p.proacl::text
     FROM pg_proc p WHERE p.pronamespace = 'ops'::regnamespace
     ORDER BY name`,
  );
  return rows;
}

it('a later version makes the views and functions of operators again', async () => {
  const before = await made();
  await database.pool.query('DELETE FROM schema_repeatable');
  await migrate(database.ownerUrl, migrationsDir, { serviceUrl: database.url });
  expect(await made()).toEqual(before);
});

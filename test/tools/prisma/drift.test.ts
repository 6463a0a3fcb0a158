import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schemaDiff } from '../../../tools/prisma/schema-diff.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';

const HEAD = 'datasource db {\n  provider = "postgresql"\n}\n';
const FRUIT = 'model fruit {\n  id   BigInt @id\n  name String\n\n  @@index([name])\n}\n';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'drift-'));
  database = await testDatabase({ migrated: false });
  await database.pool.query(`
    CREATE TABLE fruit (id bigint PRIMARY KEY, name text NOT NULL COLLATE "C" CHECK (name <> ''));
    CREATE INDEX fruit_name_idx ON fruit (name);
    CREATE INDEX fruit_short_idx ON fruit (id) WHERE length(name) < 4;
    CREATE TABLE schema_migration (id int);
    CREATE TABLE schema_repeatable (id int);
    CREATE TABLE schema_repeatable_set (id int);
  `);
});

afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

function diff(schema: string): Promise<string> {
  const file = join(folder, 'schema.prisma');
  writeFileSync(file, schema);
  return schemaDiff(database.ownerUrl, file);
}

test('a schema that says the same is no drift; what Prisma cannot say does not count', async () => {
  expect(await diff(HEAD + FRUIT)).toBe('');
});

test('a column, an index and a table too many are drift, told as SQL', async () => {
  const schema = `${HEAD}model fruit {\n  id BigInt @id\n  name String\n  weight Int\n}\nmodel tree {\n  id Int @id\n}\n`;
  const sql = await diff(schema);
  expect(sql).toContain('DROP INDEX "fruit_name_idx"');
  expect(sql).toContain('ADD COLUMN     "weight" INTEGER NOT NULL');
  expect(sql).toContain('CREATE TABLE "tree"');
  expect(sql.match(/^-- /gm)).toHaveLength(3);
});

test('an invalid schema is an error, not an agreement', async () => {
  await expect(diff(`${HEAD}model fruit {\n`)).rejects.toThrow(/./);
});

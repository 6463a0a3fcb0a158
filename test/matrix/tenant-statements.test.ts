import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool, firstRow, platformStatement } from '../../src/db/pool.ts';
import { storedReading } from '../../src/process/metrics/stored-reading.ts';
import { commands } from '../support/commands.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { isPartOf, readSource } from '../support/source.ts';
import { recordSql } from '../support/matrix/record-sql.ts';
import {
  tablesIn,
  tenantBindings,
  tenantTables,
  withoutTenant,
} from '../support/matrix/tenant-statements.ts';

const known = new Set(['payout', 'event', 'webhook_delivery']);

describe('what the check sees in a statement', () => {
  it.each([
    ['SELECT * FROM payout p WHERE p.tenant_id = $1', ['payout'], 1],
    ['SELECT p.tenant_id FROM payout p WHERE p.id = $1', ['payout'], 0],
    ['SELECT id FROM payout WHERE id = $1 ORDER BY tenant_id', ['payout'], 0],
    ['SELECT 1 FROM "public"."payout" WHERE ("public"."payout"."tenant_id" = $1)', ['payout'], 1],
    ['SELECT 1 FROM payout p, event e WHERE p.tenant_id = $1', ['payout', 'event'], 1],
    ['SELECT 1 FROM payout JOIN event USING (tenant_id, payout_id)', ['payout', 'event'], 1],
    [
      'SELECT 1 FROM payout p JOIN event e ON e.tenant_id = p.tenant_id WHERE p.tenant_id = $1',
      ['payout', 'event'],
      2,
    ],
    ['SELECT 1 FROM payout WHERE (tenant_id, id) IN (SELECT $1, $2)', ['payout'], 1],
    ['INSERT INTO event (tenant_id, id) VALUES ($1, $2)', ['event'], 1],
    ['INSERT INTO event AS e (tenant_id, id) VALUES ($1, $2)', ['event'], 1],
    ['INSERT INTO event (id) VALUES ($1) RETURNING tenant_id', ['event'], 0],
    ["UPDATE payout SET state = 'tenant_id = 1' WHERE id = $1", ['payout'], 0],
    ['DELETE FROM event -- WHERE tenant_id = $1', ['event'], 0],
    ['COPY (SELECT id FROM payout WHERE tenant_id = $1) TO STDOUT', ['payout'], 1],
    ['SELECT 1 FROM business b WHERE b.id = $1 FOR UPDATE OF b', [], 0],
    ['SELECT p.tenant_id FROM across.payout p WHERE p.id = $1', [], 0],
  ])('%s', (sql, tables, bindings) => {
    expect([tablesIn(sql, known), tenantBindings(sql)]).toEqual([tables, bindings]);
    expect(withoutTenant([{ name: 'it', text: sql }], known)).toHaveLength(
      bindings < tables.length ? 1 : 0,
    );
  });
});

describe('the recorder', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  it('hears what the service sends, and not what a test asks', async () => {
    const recording = recordSql(database.url);
    const service = createPool(database.url, 1, 'payouts-api');
    const statement = platformStatement({ name: 'the_service', text: 'SELECT 1 AS one' });
    const { sent } = await recording.during(() => firstRow(service, statement, []));
    await database.pool.query('SELECT 2 AS a_test');
    await service.end();
    recording.stop();
    expect(sent).toEqual([{ name: statement.name, text: statement.text }]);
    expect([...recording.distinct.keys()]).toEqual(['SELECT 1 AS one']);
  });

  it('knows the tenant tables from their keys', async () => {
    const tables = await tenantTables(database.pool);
    expect([...tables]).toEqual(expect.arrayContaining(['beneficiary', 'payout', 'event']));
    for (const table of ['business', 'tenant', 'api_key', 'provider_event']) {
      expect(tables).not.toContain(table);
    }
    // A table with a tenant that does not lead its key would escape. These belong to no tenant yet, or
    // to a business, whose members stand in both of its tenants.
    const { rows } = await database.pool.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'tenant_id'`,
    );
    const others = rows.map(({ name }) => name).filter((name) => !tables.has(name));
    expect(others.toSorted()).toEqual([
      'api_key',
      'job_run',
      'member_invitation',
      'provider_event',
    ]);
  });
});

describe('the statements in the source', () => {
  const { statements, others, unread } = readSource();
  let tables: ReadonlySet<string>;

  beforeAll(async () => {
    const database = await testDatabase();
    tables = await tenantTables(database.pool);
    await database.drop();
  });

  it('are all read: each declaration of one has its text and its name', () => {
    expect(unread).toEqual([]);
    expect(statements.filter(({ names }) => names.length === 0)).toEqual([]);
    // Far fewer would mean that they are written in a way that is not seen here.
    expect(statements.length).toBeGreaterThan(150);
  });

  it('of no tenant touch no tenant table', () => {
    const ofPlatform = statements.filter((one) => one.ofPlatform);
    expect(ofPlatform.length).toBeGreaterThan(150);
    const touching = ofPlatform.filter(({ text }) => tablesIn(text, tables).length > 0);
    expect(touching.map(({ place }) => place)).toEqual([]);
  });

  it('bind every tenant table to a tenant, also those that no test sends', () => {
    const touching = statements.filter(({ text }) => tablesIn(text, tables).length > 0);
    expect(touching.length).toBeGreaterThan(100);
    // A part of a text that is made of several names the tenant elsewhere in it, or need not: each statement
    // of a command is checked as it is made (test/architecture/distributable.test.ts).
    const wholes = [...commands.map(({ definition }) => definition), storedReading.text];
    const alone = others.filter((one) => !wholes.some((whole) => isPartOf(one, whole)));
    const all = [...statements, ...alone].map(({ place, text }) => ({ name: place, text }));
    expect(withoutTenant(all, tables)).toEqual([]);
  });
});

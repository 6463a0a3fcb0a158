import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../support/commands.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { brokenRules, rules, statementsOf, type Rule } from './distributable.ts';
import { tablesIn, tenantTables, withoutTenant } from '../support/matrix/tenant-statements.ts';
import { readSource } from '../support/source.ts';
import { unconverted } from './unconverted.ts';

let database: TestDatabase;
let tables: ReadonlySet<string>;
beforeAll(async () => {
  database = await testDatabase();
  tables = await tenantTables(database.pool);
});
afterAll(() => database.drop());

/** For each rule a statement that breaks it and no other. */
const broken: Readonly<Record<Rule, string>> = {
  'no INSERT, UPDATE or DELETE among CTEs':
    'WITH made AS (INSERT INTO event (tenant_id, id) VALUES ($1, $2) RETURNING id) SELECT id FROM made',
  'no names of columns before the AS of a CTE of several SELECTs':
    'WITH part (n) AS (SELECT count(*) FROM payout WHERE tenant_id = $1 UNION ALL SELECT 1) SELECT n FROM part',
  'no now() inside CASE or COALESCE of a write':
    "UPDATE payout SET settled_at = CASE WHEN $2 = 'settled' THEN now() END WHERE tenant_id = $1",
  'command.clock() instead of clock_timestamp() in an UPDATE':
    'UPDATE payout SET updated_at = clock_timestamp() WHERE tenant_id = $1',
  'no stable function of a column in the SET of an UPDATE':
    "UPDATE payout p SET settled_at = p.updated_at + interval '1 day' WHERE p.tenant_id = $1",
  'the tenant by its parameter in EXISTS':
    'SELECT p.id, EXISTS (SELECT 1 FROM event e WHERE e.tenant_id = p.tenant_id AND e.payout_id = p.id) AS told FROM payout p WHERE p.tenant_id = $1',
  'no time minus interval in ON CONFLICT':
    'INSERT INTO event AS e (tenant_id, id) VALUES ($1, $2) ON CONFLICT (tenant_id, id) DO UPDATE SET id = $2 WHERE e.at < excluded.at - make_interval(hours => $3)',
  'no parameter in the ON CONFLICT of an INSERT of many rows':
    'INSERT INTO event AS e (tenant_id, id) SELECT $1, r.id FROM unnest($2) AS r (id) ON CONFLICT (tenant_id, id) DO UPDATE SET id = excluded.id WHERE e.at <= kept_since',
  'SELECT 1 in EXISTS':
    'SELECT EXISTS (SELECT FROM payout p WHERE p.tenant_id = $1 AND p.id = $2) AS found',
  'no function with statements of its own in a statement on a tenant’s table':
    'SELECT p.id FROM payout p WHERE p.tenant_id = $1 AND NOT ops.is_contradicted($1, p.id)',
};

describe('a statement for a distributed database', () => {
  it.each(Object.entries(broken))('breaks the rule: %s', (rule, text) => {
    expect(brokenRules(text, tables)).toEqual([rule]);
  });

  it('has a fixture for each rule', () => {
    expect(Object.keys(broken)).toEqual(Object.keys(rules));
  });

  it.each([
    'UPDATE payout p SET settled_at = CASE WHEN $2 THEN c.at END FROM (SELECT now() AS at) c WHERE p.tenant_id = $1',
    'SELECT CASE WHEN a.at < now() THEN 1 END FROM payout a WHERE a.tenant_id = $1 FOR NO KEY UPDATE',
    'INSERT INTO event AS e (tenant_id, id) VALUES ($1, $2) ON CONFLICT (tenant_id, id) DO UPDATE SET id = $2 WHERE e.at <= $3',
    'INSERT INTO event (tenant_id, id) SELECT $1, unnest($2) ON CONFLICT (tenant_id, id) DO UPDATE SET id = excluded.id RETURNING id, $3',
    'WITH ben AS (SELECT 1 FROM beneficiary WHERE tenant_id = $1 FOR SHARE) SELECT 1 FROM ben',
    'SELECT r.id FROM command.move_payout(_tenant => $1) AS r',
    'UPDATE payout SET updated_at = command.clock() WHERE tenant_id = $1',
    "UPDATE payout p SET settled_at = $2 + interval '1 day', state = p.state WHERE p.tenant_id = $1",
  ])('keeps them all: %s', (text) => {
    expect(brokenRules(text, tables)).toEqual([]);
  });
});

it('names in docs/citus.md each table that is not distributed by its tenant', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
       AND NOT c.relispartition`,
  );
  const elsewhere = rows.map(({ name }) => name).filter((name) => !tables.has(name));
  const page = readFileSync('docs/citus.md', 'utf8');
  const places = page.split('\n').filter((line) => /^\|.*\| (a copy on|on the)/.test(line));
  expect(places).toHaveLength(3);
  const told = places.flatMap((line) => [...line.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(told).toHaveLength(new Set(told).size);
  expect(new Set(told)).toEqual(new Set(['business', ...elsewhere]));
  // The script copies what the page says it does.
  const copied =
    /ARRAY\[([^\]]+)\]/.exec(readFileSync('prisma/citus/distribute.sql', 'utf8'))?.[1] ?? '';
  const names = [...copied.matchAll(/'(\w+)'/g)].map(([, name]) => name);
  expect([...(places[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(names);
});

describe('the commands', () => {
  const parts = () =>
    commands.flatMap(({ name, definition }) =>
      statementsOf(definition).map((text) => ({ name, text })),
    );

  it('are made of such statements', () => {
    expect(parts().length).toBeGreaterThan(50);
    const wrong = parts().flatMap(({ name, text }) =>
      brokenRules(text, tables).map((rule) => ({ name, rule, text })),
    );
    expect(wrong).toEqual([]);
  });

  it('name the tenant in each of them', () => {
    expect(withoutTenant(parts(), tables)).toEqual([]);
  });

  it('are called by the service and by nobody else', async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `SELECT p.proname AS name,
         has_function_privilege('payouts_service', p.oid, 'EXECUTE') AS service,
         has_function_privilege('public', p.oid, 'EXECUTE') AS everybody
       FROM pg_proc p WHERE p.pronamespace = 'command'::regnamespace`,
    );
    // The clock stands in the commands' statements and in the service's own, and an index holds what those of names answer:
    // migrations made them. The others are made from data.
    const others = ['clock', 'folded_name', 'name_parts', 'payee_names'].concat([
      'approval_rule_holds',
      'first_refusal',
      'is_unfinished',
      'one_other_approver',
      'posting',
    ]);
    const expected = [...commands.map(({ name }) => name), ...others].map((name) => ({
      name,
      service: true,
      everybody: false,
    }));
    expect(rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(
      expected.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    );
  });

  it('write rows whose foreign keys are checked at the end', async () => {
    const { rows } = await database.pool.query<{ name: string; child: string; parent: string }>(
      `SELECT conname AS name, conrelid::regclass::text AS child, confrelid::regclass::text AS parent
       FROM pg_constraint WHERE contype = 'f' AND NOT (condeferrable AND condeferred)`,
    );
    const writtenBy = (definition: string) =>
      new Set(
        statementsOf(definition)
          .filter((text) => text.startsWith('INSERT'))
          .flatMap((text) => tablesIn(text, tables)),
      );
    const early = commands.flatMap(({ name: command, definition }) => {
      const written = writtenBy(definition);
      return rows
        .filter(
          ({ child, parent }) => child !== parent && written.has(child) && written.has(parent),
        )
        .map(({ name }) => `${command}: ${name}`);
    });
    expect(early).toEqual([]);
  });
});

it('no other statement of the service is one that such a database refuses, but for those of the list', () => {
  const { statements } = readSource();
  const found = statements
    .filter(({ text }) => brokenRules(text, tables).length > 0)
    .flatMap(({ names }) => names);
  expect(found.toSorted()).toEqual(Object.keys(unconverted).toSorted());
});

describe('the functions and views of operators', () => {
  const files = readdirSync('prisma/repeatable').map((name) => ({
    name,
    text: readFileSync(`prisma/repeatable/${name}`, 'utf8'),
  }));
  /** What Citus refuses beside a tenant's table, whatever the rest of the statement is. */
  const refused = {
    'SELECT 1 in EXISTS': /\bEXISTS\s*\(\s*SELECT\s+FROM\s+(?!pg_)/i,
    'an array of the tenants instead of a look-up for each row of their table':
      /\bpublic\.tenant \w+ CROSS JOIN LATERAL \(\s*SELECT [^()]*FROM public\./i,
  };

  it.each(Object.entries(refused))('keep the rule: %s', (_rule, pattern) => {
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter(({ text }) => pattern.test(text)).map(({ name }) => name)).toEqual([]);
  });
});

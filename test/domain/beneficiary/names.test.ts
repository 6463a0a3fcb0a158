import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/values/ids.ts';
import { makeTenant, type TestTenant } from '../../support/factory.ts';
import { longTestMs } from '../../support/patience.ts';
import { useHarness, useTenant } from '../../support/use-harness.ts';

/* Payees by a part of a name, as the function in the database finds them (prisma/repeatable/16-names.sql). */

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

async function sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await harness.database.pool.query(text, values)).rows as Row[];
}

async function fold(name: string): Promise<string | undefined> {
  const [row] = await sql<{ name: string }>('SELECT command.folded_name($1) AS name', [name]);
  return row?.name;
}

it.each([
  ['Müller', 'muller'],
  ['MU\u0308LLER', 'muller'],
  ['  Straße & Söhne GmbH.', 'strasse sohne gmbh'],
  ['Łukasz Đorđević-Ærø', 'lukasz dordevic aero'],
  ['İSTANBUL ışık', 'istanbul isik'],
  ['Ｆｕｌｌ ﬁne', 'full fine'],
  ['Νίκος Петров', 'νικος петров'],
  ['李 明', '李 明'],
  ["O'Brien", 'o brien'],
  ['…', ''],
])('%s is looked for as %s', async (name, folded) => {
  expect(await fold(name)).toBe(folded);
});

/** Many payees whose names share a part, written past the commands, before the statistics know of them. */
function addPayees(tenantId: string, name: string, count: number): Promise<unknown> {
  return sql(
    `INSERT INTO beneficiary (tenant_id, id, beneficiary_type, email, email_key, business_name, compliance_status, transition_count)
     SELECT $1, 'ben_' || lpad(n::text, 26, '0'), 'business', n || '@x.example', n || '@x.example', $2 || ' ' || n, 'compliant', 1
     FROM generate_series(1, $3::integer) AS n`,
    [tenantId, name, count],
  );
}

interface Looked {
  readonly found: number;
  /** Pages of the table and its indexes that were looked at, those within the function too. */
  readonly pages: number;
}

async function lookFor(tenantId: string, text: string, take = 20): Promise<Looked> {
  const client = await harness.database.pool.connect();
  try {
    await client.query(`SELECT set_config('app.tenant', $1, false)`, [tenantId]);
    const call = `ops.payees_named('${tenantId}', ${client.escapeLiteral(text)}, ${take}, true)`;
    await client.query(`SELECT FROM ${call}`);
    type Explained = { 'QUERY PLAN': [{ Plan: Record<string, number> }] };
    const { rows } = await client.query<Explained>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT FROM ${call}`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
    const pages = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
    return { found: plan['Actual Rows'] ?? 0, pages };
  } finally {
    await client.query('RESET app.tenant');
    client.release();
  }
}

describe('among 60,000 payees of each of two tenants', () => {
  let other: TestTenant;
  beforeAll(async () => {
    other = await makeTenant(harness);
    await addPayees(tenant.tenantId, 'Commonplace Trading', 60_000);
    await addPayees(other.tenantId, 'Commonplace Baking', 60_000);
    await sql(
      `INSERT INTO beneficiary (tenant_id, id, beneficiary_type, email, email_key, first_name, last_name, compliance_status, transition_count)
       VALUES ($1, $2, 'person', 'h@x.example', 'h@x.example', 'Hannelore', 'Müller', 'compliant', 1)`,
      [tenant.tenantId, newId('beneficiary')],
    );
  }, longTestMs);

  it('one is found by a part of the name, by its index and few pages', async () => {
    for (const text of ['müller', 'ulle', 'anne', 'MULLER hanne', 'mu']) {
      const { found, pages } = await lookFor(tenant.tenantId, text);
      expect(found, text).toBe(1);
      expect(pages, text).toBeLessThan(200);
    }
  });

  it('a part of all names costs what the index has of the tenant, and no look at each payee', async () => {
    const { found, pages } = await lookFor(tenant.tenantId, 'ommonplac');
    expect(found).toBe(20);
    expect(pages).toBeLessThan(500);
  });

  it('what only another tenant has costs next to nothing', async () => {
    const { found, pages } = await lookFor(tenant.tenantId, 'baking');
    expect(found).toBe(0);
    expect(pages).toBeLessThan(40);
  });

  it('the index has less than 200 bytes of a payee', async () => {
    const [size] = await sql<{ bytes: number }>(
      `SELECT pg_relation_size('beneficiary_name_parts_idx')::float / 120000 AS bytes`,
    );
    expect(size?.bytes).toBeLessThan(200);
  });

  it('finds nobody outside of the tenant of the transaction', async () => {
    const client = await harness.database.pool.connect();
    try {
      const found = (of: string) =>
        client.query(`SELECT FROM ops.payees_named($1, 'commonplace', 5, false)`, [of]);
      expect((await found(other.tenantId)).rowCount).toBe(0);
      await client.query(`SELECT set_config('app.tenant', $1, false)`, [tenant.tenantId]);
      expect((await found(other.tenantId)).rowCount).toBe(0);
      expect((await found(tenant.tenantId)).rowCount).toBe(5);
    } finally {
      await client.query('RESET app.tenant');
      client.release();
    }
  });
});

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import pg from 'pg';
import { jobScope } from '../../../src/access/system.ts';
import type { Scope } from '../../../src/access/scope.ts';
import { makePayee, makeTenant, payoutBody } from '../../support/factory.ts';
import { changedPayouts } from './payout-list.ts';
import { useHarness } from '../../support/use-harness.ts';

/*
 * A writer whose transaction is old, and whose latest statement is not. The horizon has to stand at the start of the
 * transaction: what it wrote before that statement is dated before it.
 */
const harness = useHarness({ worker: false });
let scope: Scope;
let first: string;
let second: string;
let writer: pg.Client;

const touch =
  'UPDATE payout SET updated_at = command.clock() WHERE tenant_id = $1 AND id = $2 RETURNING updated_at';
/** The horizon of a node of Citus is the same rule in another text. It needs no Citus to be asked. */
async function nodeHorizon(): Promise<string> {
  const text = await readFile('prisma/repeatable/19-distributed-service.sql', 'utf8');
  const [made] =
    /CREATE OR REPLACE FUNCTION command\.node_horizon[\s\S]+?\$horizon\$;/.exec(text) ?? [];
  if (made === undefined) throw new Error('the horizon of a node is not where it was');
  return made;
}

/** The horizon lies a tenth of a second back, so dates have to be further apart than that to tell. */
const aWhile = 'SELECT pg_sleep(0.3)';

beforeAll(async () => {
  const { tenantId, key } = await makeTenant(harness);
  scope = await jobScope(harness.services.pool, tenantId, { type: 'system', name: 'test' });
  const payee = await makePayee(harness, key);
  const create = async (): Promise<string> => {
    const made = await harness.rest('POST', '/v1/payouts', { key, body: payoutBody(payee) });
    expect(made.status, made.text).toBe(201);
    return made.body.payout.id;
  };
  first = await create();
  second = await create();
  writer = new pg.Client({
    connectionString: harness.database.ownerUrl,
    application_name: 'payouts-api',
  });
  await writer.connect();
  await harness.database.pool.query(await nodeHorizon());
});
afterAll(() => writer.end());

async function poll(since: string, after: string | null = null) {
  return changedPayouts({ services: harness.services, scope }, { updatedSince: since }, after, 100);
}

it.each([
  ['wrote, waited, and asked something else', [touch, aWhile, 'SELECT 1']],
  ['wrote, waited, and wrote again', [touch, aWhile, touch, aWhile, 'SELECT 1']],
  ['waited, wrote, and waited', [aWhile, touch, aWhile, 'SELECT 1']],
])('a poller does not go past a transaction that %s', async (_name, statements) => {
  const { pool } = harness.database;
  const started = await pool.query<{ at: Date }>('SELECT command.clock() AS at');
  const since = started.rows[0]?.at.toISOString() ?? '';

  await writer.query('BEGIN');
  let written = '';
  for (const statement of statements) {
    const answer = await writer.query<{ updated_at: Date }>(
      statement,
      statement === touch ? [scope.tenantId, first] : [],
    );
    if (statement === touch) written = answer.rows[0]?.updated_at.toISOString() ?? '';
  }
  // Another change commits after the first was dated, and before the first can be seen.
  await pool.query(touch, [scope.tenantId, second]);
  const { rows: horizons } = await pool.query<{ at: Date }>(
    'SELECT at FROM ops.changes_horizon() UNION ALL SELECT command.node_horizon()',
  );
  expect(horizons.map(({ at }) => at.toISOString() < written)).toEqual([true, true]);
  const during = await poll(since);
  expect(during.ids).toEqual([]);

  await writer.query('COMMIT');
  await pool.query(aWhile);
  expect((await poll(since, during.end)).ids).toEqual([first, second]);
});

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { tenantSetting } from '../../src/db/tenant.ts';
import { commands } from '../support/commands.ts';
import { eventually } from '../support/factory.ts';
import { graphqlAttempt, restAttempt } from './support/attempt.ts';
import { graphqlOperations } from './support/graphql-operations.ts';
import { operations } from '../support/matrix/rest-operations.ts';
import { tablesIn, tenantIds, tenantTables } from '../support/matrix/tenant-statements.ts';
import { freshParts, makeWorlds, webhookBody, type World } from '../support/matrix/world.ts';
import { recordStatements, type SentWithValues } from '../support/plans.ts';
import { useHarness } from '../support/use-harness.ts';

/*
 * Each statement that the service sends for a tenant is sent again as if its author had forgotten the tenant,
 * with the values of a stranger, and in another tenant's scope. The row security alone stands between.
 */

const harness = useHarness({
  env: {
    WEBHOOK_RETRY_DELAYS: '3600,3600,3600,3600,3600,3600,3600',
    ENROLL_WAIT_MS: '1',
  },
  bank: 'folder',
});

let own: World;
let stranger: World;
let tables: ReadonlySet<string>;
/** The statements that were sent for the stranger, one for each text. */
const sent = new Map<string, SentWithValues>();
let client: pg.Client;

const writes = /\b(?:INSERT|UPDATE|DELETE)\b|\bcommand\./i;
const column = String.raw`(?:"?\w+"?\.)*"?tenant_id"?`;
const compared = new RegExp(String.raw`${column}\s*=\s*(\$\d+)(?!\d)`, 'g');
const joined = new RegExp(String.raw`${column}\s*=\s*${column}`, 'g');

/** The text without any comparison of a tenant. */
const withoutTenant = (text: string): string =>
  text.replace(joined, 'true').replace(compared, '$1::text IS NOT NULL');

/** The command that a statement calls, without any comparison of a tenant in it and in those that it calls. */
const forgetful = commands.map(({ definition }) =>
  definition
    .replace(joined, 'true')
    .replace(/(?:\w+\.)?tenant_id = _tenant\b/g, 'true')
    .replace(/(?:\w+\.)?tenant_id = _payout\.tenant_id\b/g, 'true'),
);

async function settled(): Promise<void> {
  await eventually(async () => {
    const { rows } = await harness.database.pool.query(
      `SELECT 1 FROM webhook_delivery WHERE attempts = 0 AND status = 'pending'
       UNION ALL SELECT 1 FROM graphile_worker.jobs
         WHERE locked_at IS NOT NULL OR (run_at <= now() AND attempts < max_attempts)`,
    );
    return rows.length === 0;
  });
}

beforeAll(async () => {
  const recorded = recordStatements(() => true);
  try {
    ({ own, stranger } = await makeWorlds(harness));
    tables = await tenantTables(harness.database.pool);
    for (const row of operations) {
      const attempted = restAttempt(harness, row);
      await harness.rest('POST', '/v1/webhook-subscriptions', {
        key: stranger.key,
        body: webhookBody,
      });
      const parts = attempted.writes ? await freshParts(harness, stranger) : {};
      await attempted.call({ ...stranger, ...parts }, []);
    }
    for (const operation of graphqlOperations) {
      if (operation.name === 'node') continue; // it has no sample, and reads as the others do
      await graphqlAttempt(harness, operation).call(stranger, []);
    }
    await settled();
  } finally {
    recorded.stop();
  }
  for (const one of recorded.sent) {
    if (one.tenant !== stranger.tenantId) continue;
    const concerns = one.isCommand || tablesIn(one.text, tables).length > 0;
    if (concerns) sent.set(one.text, one);
  }
  client = new pg.Client({ connectionString: harness.database.ownerUrl });
  await client.connect();
});
afterAll(() => client.end());

const idsOf = (tenantId: string): Promise<string[]> => tenantIds(client, tables, tenantId);

/** How many rows a tenant has, and how many of them the transaction has written. */
async function state(tenantId: string): Promise<string> {
  const each = [...tables].map(
    (table) =>
      `SELECT count(*) AS rows, count(*) FILTER (WHERE xmin = pg_current_xact_id()::xid) AS written
       FROM ${table} WHERE tenant_id = $1`,
  );
  const { rows } = await client.query<{ seen: string }>(
    `SELECT sum(rows) || ' rows, ' || sum(written) || ' written' AS seen FROM (${each.join(' UNION ALL ')}) t`,
    [tenantId],
  );
  return rows[0]?.seen ?? '';
}

interface Outcome {
  /** What it returned; its error where it was refused. */
  readonly answer: string;
  readonly changed: boolean;
}

/** Runs a text in a transaction that is rolled back; `scope` undefined for the owner of the tables. */
async function outcome(
  { text, values }: SentWithValues,
  scope: string | null | undefined,
  watched: string,
): Promise<Outcome> {
  const { username } = new URL(harness.database.url);
  const isWrite = writes.test(text);
  await client.query(`BEGIN; SET LOCAL lock_timeout = '5s'`);
  try {
    if (/\bcommand\./.test(text)) for (const one of forgetful) await client.query(one);
    const before = isWrite ? await state(watched) : '';
    if (scope !== undefined) {
      await client.query(`SET LOCAL ROLE ${client.escapeIdentifier(username)}`);
      await client.query('SELECT set_config($1, $2, true)', [tenantSetting, scope ?? '']);
    }
    let answer: string;
    try {
      await client.query('SAVEPOINT here');
      const { rows } = await client.query({ text, values: [...values] });
      answer = JSON.stringify(rows);
      await client.query('RESET ROLE');
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      await client.query('ROLLBACK TO here; RESET ROLE');
      return { answer: `refused: ${error.code ?? ''} ${error.message}`, changed: false };
    }
    return { answer, changed: isWrite && (await state(watched)) !== before };
  } finally {
    await client.query('ROLLBACK');
  }
}

/** Those of the ids in an answer that it did not get from the statement's own values. */
async function leaks(
  ids: readonly string[],
  { answer }: Outcome,
  statement: SentWithValues,
): Promise<string[]> {
  if (answer.startsWith('refused')) return [];
  const seen = ids.filter((id) => answer.includes(id));
  if (seen.length === 0) return [];
  const echo = await inEmptyTables(statement);
  return seen.filter((id) => !echo.includes(id));
}

/** What a statement answers where no tenant has a row. */
async function inEmptyTables({ text, values }: SentWithValues): Promise<string> {
  const empty = [...tables].map((table) => `DELETE FROM ${table}`);
  await client.query(
    ['BEGIN', 'SET LOCAL session_replication_role = replica', ...empty].join('; '),
  );
  try {
    return JSON.stringify((await client.query({ text, values: [...values] })).rows);
  } finally {
    await client.query('ROLLBACK');
  }
}

/** The statement with another tenant as its value: a command sets the tenant from it. */
function inScopeOf(tenantId: string, sent: SentWithValues): SentWithValues {
  if (!sent.isCommand) return { ...sent, text: withoutTenant(sent.text) };
  return { ...sent, values: sent.values.with(0, tenantId) };
}

// Citus has no row security (docs/citus.md).
describe.runIf(inject('citusNodes').length === 0)(
  'a statement whose author forgot the tenant',
  () => {
    it('is sent in many forms', () => {
      expect(sent.size).toBeGreaterThan(90);
      expect([...sent.keys()].filter((text) => /\bcommand\./.test(text)).length).toBeGreaterThan(4);
    });

    it('finds and changes nothing of another tenant, in the scope of its own', async () => {
      const theirs = await idsOf(stranger.tenantId);
      for (const one of sent.values()) {
        const forgot = inScopeOf(own.tenantId, one);
        const seen = await outcome(forgot, own.tenantId, stranger.tenantId);
        expect(await leaks(theirs, seen, forgot), forgot.text).toEqual([]);
        expect(seen.changed, forgot.text).toBe(false);
      }
    });

    it('finds and changes nothing of anybody, without a scope', async () => {
      const all = [...(await idsOf(stranger.tenantId)), ...(await idsOf(own.tenantId))];
      for (const one of sent.values()) {
        if (one.isCommand) continue; // it has the scope of its argument
        const forgot = inScopeOf(own.tenantId, one);
        const seen = await outcome(forgot, null, stranger.tenantId);
        expect(await leaks(all, seen, forgot), forgot.text).toEqual([]);
        expect(seen.changed, forgot.text).toBe(false);
      }
    });

    it('would find much for the owner of the tables, whom nothing binds', async () => {
      const theirs = await idsOf(stranger.tenantId);
      let found = 0;
      for (const one of sent.values()) {
        const forgot = inScopeOf(own.tenantId, one);
        const seen = await outcome(forgot, undefined, stranger.tenantId);
        if (seen.changed || (await leaks(theirs, seen, forgot)).length > 0) found += 1;
      }
      expect(found).toBeGreaterThan(35);
    });
  },
);

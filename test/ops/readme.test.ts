import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { members } from '../support/approval-world.ts';
import { newId } from '../../src/values/ids.ts';
import { newPayout } from '../support/payout-command.ts';
import { bankRows } from '../support/bank-rows.ts';
import { useOperatedPayouts } from './payouts-support.ts';
import { makeOperator, type Operator } from './support.ts';

const { world, parts, waiting } = useOperatedPayouts();
const { approved, sql } = world;

const root = join(import.meta.dirname, '../..');
const text = await readFile(join(root, 'prisma/operator/README.md'), 'utf8');
const runbooks = await readFile(join(root, 'docs/runbooks.md'), 'utf8');
const blocks = [text, runbooks].flatMap((page) =>
  [...page.matchAll(/```sql\n([^]*?)```/g)].map((match) => match[1] ?? ''),
);

let reader: Operator;
beforeAll(async () => {
  reader = await makeOperator(world.harness.database, 'ops_read');
});
afterAll(() => reader.leave());

/** Makes a row for everything that the page asks about. */
async function badNight(): Promise<Record<string, string>> {
  const { tenantId } = world.tenant;
  const payout = await waiting();
  const [event, delivery, dead] = [
    newId('event'),
    newId('webhookDelivery'),
    newId('webhookDelivery'),
  ];
  await sql(
    `INSERT INTO event (tenant_id, id, payout_id, type, data) VALUES ($1, $2, $3, 'payout.failed', '{}')`,
    [tenantId, event, payout],
  );
  await sql(
    `INSERT INTO webhook_subscription (tenant_id, id, url, enabled_events, api_version, secret_ciphertext)
     VALUES ($1, 'whs_x', 'https://example.com', '{payout.failed}', '2026-11-01', '')`,
    [tenantId],
  );
  await sql(
    `INSERT INTO webhook_delivery (tenant_id, id, event_id, event_type, subscription_id, status, next_attempt_at, completed_at)
     VALUES ($1, $2, $4, 'payout.failed', 'whs_x', 'pending', now() + interval '1 hour', NULL),
       ($1, $3, $4, 'payout.failed', 'whs_x', 'dead', NULL, now())`,
    [tenantId, delivery, dead, event],
  );
  await sql(
    `INSERT INTO ledger_balance (tenant_id, currency, slot, held_minor) VALUES ($1, 'USD', 77, 5)`,
    [tenantId],
  );
  // Money went out that the approved payouts need.
  await sql(`INSERT INTO ledger_mode (tenant_id, mode) VALUES ($1, 'enforced')`, [tenantId]);
  await sql(
    `INSERT INTO ledger_entry (tenant_id, id, kind, currency, amount_minor, debit_account, credit_account, source)
     VALUES ($1, $2, 'withdrawal', 'USD', 5, 'external', 'funds', 'x')`,
    [tenantId, newId('ledgerEntry')],
  );
  await sql(
    `INSERT INTO worker_heartbeat (id, pool_id, hostname, pid, beat_at) VALUES ('wrk_dead', 'pool', 'host', 1, now() - interval '1 minute')`,
  );
  await sql(
    `INSERT INTO paused_task (task, paused_by, reason) VALUES ('disburse_payout', 'grace', 'x')`,
  );
  await sql(`DELETE FROM graphile_worker._private_jobs`);
  const add = async () =>
    (
      await sql<{ id: string }>(`SELECT id FROM graphile_worker.add_job('disburse_payout', $1)`, [
        { tenantId, payoutId: payout },
      ])
    )[0]?.id ?? '';
  const [held, job] = [await add(), await add()];
  await sql(
    `UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'pool' WHERE id = $1`,
    [held],
  );
  await sql(
    `UPDATE graphile_worker._private_jobs SET attempts = max_attempts, last_error = 'Timeout' WHERE id = $1`,
    [job],
  );
  await sql(
    `INSERT INTO job_run (job_id, task, attempt, max_attempts, outcome, run_at, started_at, ended_at)
     VALUES (1, 'disburse_payout', 1, 20, 'succeeded', now(), now(), now())`,
  );
  await sql(
    `INSERT INTO access_change (business_id, environment, kind, subject_id, actor)
     VALUES ($1, 'sandbox', 'settings_changed', $1, '{"type": "member"}')`,
    [world.tenant.businessId],
  );
  await sql(
    `INSERT INTO job_outbox (tenant_id, task, payload) VALUES ($1, 'deliver_webhook', '{"deliveryId": "wdl_x"}')`,
    [tenantId],
  );
  await sql(
    `INSERT INTO watchlist_version (kind, status, problem_code, problem, loaded_by)
     VALUES ('un', 'refused', 'no_entries', 'The file has no entry.', 'grace')`,
  );
  const [creator] = await members(world, 'preparer', 1);
  await sql(`INSERT INTO approval_stuck (tenant_id, payout_id) VALUES ($1, $2)`, [
    tenantId,
    await newPayout(creator, world.payee),
  ]);
  await sql('INSERT INTO screening_policy (tenant_id) VALUES ($1)', [tenantId]);
  const screened = [tenantId, newId('screeningResult'), world.payee.beneficiaryId];
  await sql(
    `INSERT INTO screening_result (tenant_id, id, beneficiary_id, cause, engine, lists, incomplete, threshold, hits)
     VALUES ($1, $2, $3, 'payee', 'embedded', '[]', false, 0.75, 1)`,
    screened,
  );
  await sql(
    `INSERT INTO screening_hit (tenant_id, id, result_id, beneficiary_id, kind, ref, entry_digest, score, ofac)
     VALUES ($1, $4, $2, $3, 'own', 'B-1', '', 0.9, 90)`,
    [...screened, newId('screeningHit')],
  );
  const request = randomUUID();
  await sql(
    `INSERT INTO collection_request (tenant_id, id, beneficiary_id, scope, expires_at, mail_status, created_by)
     VALUES ($1, $2, $3, 'full_onboarding', now() + interval '1 day', 'dead', '{}')`,
    [tenantId, request, world.payee.beneficiaryId],
  );
  const [schedule] = await sql<{ id: string }>(
    `INSERT INTO export_schedule (tenant_id, kind, every, next_run_at, created_by)
     VALUES ($1, 'transactions', '1 day', now(), 'grace') RETURNING id`,
    [tenantId],
  );
  await sql(
    `INSERT INTO export (tenant_id, id, kind, filename, requested_by) VALUES ($1, $2, 'transactions', 'x.csv', '{}')`,
    [tenantId, newId('export')],
  );
  await parts.operator.sql(
    `SELECT ops.pause_task('rotate_keys', 'something that was done tonight')`,
  );
  const other = await approved();
  await parts.operator.sql(`SELECT * FROM ops.schedule('disburse_payout', $1, reason => 'x')`, [
    other,
  ]);
  await sql(
    `INSERT INTO ops.action_log (action, subject_id, reason, affected) VALUES ('look_up_payout', $1, 'x', 1)`,
    [payout],
  );
  await sql(
    `INSERT INTO personal_data_record (tenant_id, beneficiary_id, kind, actor)
     VALUES ($1, $2, 'exported', '{"type": "member", "membership_id": "mem_x"}')`,
    [tenantId, world.payee.beneficiaryId],
  );
  const [contradiction] = await sql<{ id: string }>(
    `INSERT INTO provider_contradiction (tenant_id, subject_id, payout_id, provider, kind, said, expected, source)
     SELECT tenant_id, id, payout_id, provider, 'amount', '77700', '777', 'event'
     FROM disbursement_attempt WHERE payout_id = $1 RETURNING id`,
    [payout],
  );
  await sql(
    `INSERT INTO webhook_endpoint_failure (tenant_id, subscription_id, failing_since, last_failed_at, last_status_code)
     VALUES ($1, 'whs_x', now(), now(), 503)`,
    [tenantId],
  );
  await world.handedOver('rejected');
  const asked = await world.handedOver('unknown_lost');
  await sql(`UPDATE payout SET updated_at = now() - interval '1 hour' WHERE id = $1`, [asked]);
  await sql(`INSERT INTO ops.taken (subject_id, who, note) VALUES ($1, 'grace', 'x')`, [asked]);
  const [order] = await sql<{ id: string }>(
    `INSERT INTO ops.action_log (who, action, tenant_id, subject_id, reason, affected)
     VALUES ('grace', 'resolve_payout', $1, $2, 'x', 1) RETURNING id`,
    [tenantId, await waiting()],
  );
  await sql(`INSERT INTO ops.order_confirmation (action_id) VALUES ($1)`, [order?.id]);
  // As a worker leaves it whose clock is ahead.
  await sql(
    `INSERT INTO graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     VALUES ('sweep_webhooks', now(), now() + interval '1 hour')`,
  );
  return {
    order: order?.id ?? '',
    change: await proposal(tenantId),
    contradiction: contradiction?.id ?? '',
    payout,
    event,
    delivery,
    request,
    job,
    tenant: tenantId,
    worker: 'wrk_dead',
    beneficiary: world.payee.beneficiaryId,
    schedule: schedule?.id ?? '',
    reason: 'why',
    ...(await badNightAtTheBank(payout)),
  };
}

/** Makes a change that waits for a second operator. */
async function proposal(tenantId: string): Promise<string> {
  const id = newId('proposedChange');
  await sql(
    `INSERT INTO proposed_change (tenant_id, id, kind, subject_id, shown, digest, payload_ciphertext, reason, proposed_by, expires_at)
     VALUES ($1, $2, 'routes_replace', 'x', '{}', sha256('x'), 'x', 'x', 'grace', now() + interval '1 day')`,
    [tenantId, id],
  );
  return id;
}

/** Makes a row for everything that the page asks about banks. */
async function badNightAtTheBank(payout: string): Promise<Record<string, string>> {
  // Before there is a route: the connection has no identifiers with which a file could be written.
  const queued = await approved();
  const { tenantId } = world.tenant;
  const [connection, manual] = [newId('bankConnection'), newId('bankConnection')];
  await sql(
    `INSERT INTO bank_connection (tenant_id, id, name, debtor_name, debtor_address, account_country, account_currency,
       account_last4, account_ciphertext, schemes, transport, cut_off_time, time_zone, calendar, lead_bank_days,
       return_bank_days, max_payments)
     SELECT $1, c.id, 'x', 'x', '{}', 'DE', 'USD', '3000', '', '{cross_border}', c.transport, '16:00',
       'Europe/Berlin', 'target', 1, 5, 100
     FROM (VALUES ($2, 'folder'), ($3, 'manual')) AS c (id, transport)`,
    [tenantId, connection, manual],
  );
  await sql('INSERT INTO payout_routing (tenant_id, version, routes) VALUES ($1, 1, 1)', [
    tenantId,
  ]);
  await sql(
    `INSERT INTO payout_route (tenant_id, position, provider, connection_id) VALUES ($1, 1, 'bank:' || $2, $2)`,
    [tenantId, connection],
  );
  await sql(
    `INSERT INTO bank_waiting (tenant_id, payout_id, connection_id, scheme, currency)
     VALUES ($1, $2, $3, 'cross_border', 'USD')`,
    [tenantId, queued, connection],
  );
  await sql(
    `INSERT INTO bank_sequence (tenant_id, connection_id, problem) VALUES ($1, $2, 'no company name')`,
    [tenantId, connection],
  );
  await sql(
    `INSERT INTO bank_fetch (tenant_id, connection_id, problem, problem_since) VALUES ($1, $2, 'no folder', now())`,
    [tenantId, connection],
  );
  const rows = bankRows(world.harness.database.pool, world.call);
  const troubled = { needs_operator: true, sending_at: new Date() };
  const batch = await rows.batch(connection, { ...troubled, status: 'unknown' });
  const byHand = { ...troubled, status: 'sending', downloaded_by: ['grace'] };
  const carried = await rows.batch(manual, byHand);
  const [paid] = await sql<{ attempt: string }>(
    `INSERT INTO bank_payment (tenant_id, attempt_id, batch_id, position, payout_id, connection_id, end_to_end_id, instruction_id)
     SELECT tenant_id, id, $2, 1, payout_id, $3, 'E1', 'I1' FROM disbursement_attempt WHERE payout_id = $1
     RETURNING attempt_id AS attempt`,
    [payout, batch, connection],
  );
  const unread = { status: 'unreadable', problem: 'empty_file', applied_at: null };
  const file = await rows.file(connection, unread);
  const line = await rows.line(connection, file);
  await rows.line(connection, file, { doubt: 'amount_differs', named_attempt: paid?.attempt });
  const answer = await rows.strayAnswer(connection, file);
  return { connection, batch, carried, line, answer, file };
}

/** As psql replaces them: `:'name'` by a literal, `:name` by the bare text. */
function fill(block: string, variables: Record<string, string>): string {
  return block.replaceAll(/(?<!:):('?)([a-z]+)\1/g, (_whole, quoted: string, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`no variable ${name}`);
    return quoted === '' ? value : pg.escapeLiteral(value);
  });
}

describe("the operators' page", () => {
  it('has a statement that runs, and finds something, in every block', async () => {
    expect(blocks.length).toBeGreaterThan(35);
    // A payout that the disbursement may still be asked for.
    const handedOut = await approved();
    const variables = await badNight();
    for (const block of blocks) {
      const [first = ''] = block.split('\n');
      const own = block.includes(`'disburse_payout', :'payout'`)
        ? { ...variables, payout: handedOut }
        : variables;
      const statement = fill(block, own);
      if (first === '-- owner') {
        await runAsOwner(statement);
        continue;
      }
      const person = first === '-- acts' ? parts.operator : reader;
      await person.sql('BEGIN');
      const rows = await person.sql(statement).catch((error: unknown) => {
        throw new Error(`${statement}\n${String(error)}`);
      });
      expect(rows.length, statement).toBeGreaterThan(0);
      await person.sql('ROLLBACK');
      if (first === '-- acts') {
        expect(await reader.refusal(statement), statement).toMatchObject({ code: '42501' });
      }
    }
  });

  it('names every view and every function that acts', async () => {
    const names = await parts.operator.sql<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c
       WHERE c.relnamespace = 'ops'::regnamespace AND c.relkind = 'v'
       UNION SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'ops'::regnamespace
         AND has_function_privilege('ops_operate', p.oid, 'EXECUTE') AND NOT has_function_privilege('ops_read', p.oid, 'EXECUTE')`,
    );
    const missing = names.filter(({ name }) => !new RegExp(`ops\\.${name}\\b`).test(text));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

/** Roles belong to the cluster that the test files share, so what the owner makes is taken back. */
async function runAsOwner(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: world.harness.database.ownerUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(statement);
    await client.query('ROLLBACK');
  } finally {
    await client.end();
  }
}

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storedReading } from '../../src/process/metrics/stored-reading.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
const payoutId = `pay_${'12345'.padStart(26, '0')}`;
beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query(seed);
});
afterAll(() => database.drop());

/** 200 tenants and 20,000 payouts with their attempts, events and deliveries. Foreign keys are off during the inserts. */
const seed = `
  SET session_replication_role = replica;
  INSERT INTO business (id, company_name) SELECT 'biz_' || n, 'Engines' FROM generate_series(1, 200) n;
  INSERT INTO tenant (id, business_id, environment) SELECT 'ten_' || n, 'biz_' || n, 'production' FROM generate_series(1, 200) n;
  INSERT INTO payout (tenant_id, id, beneficiary_id, beneficiary_name, beneficiary_type, bank_account_id, bank_account_version,
    amount_minor, amount, currency, purpose_of_payment, external_ref, idempotency_key, validator_strategy, state, transition_count,
    live_attempt_id, created_by)
  SELECT 'ten_' || 1 + n % 200, 'pay_' || lpad(n::text, 26, '0'), 'ben_1', 'x', 'person', 'bac_1', 1, 100, '1.00', 'USD', 'other',
    'ref_' || lpad(n::text, 26, '0'), n, 'auto', 'settled', 1, 'dat_' || n, '{}' FROM generate_series(1, 20000) n;
  INSERT INTO payout_transition (tenant_id, payout_id, seq, from_state, to_state, actor)
  SELECT tenant_id, id, 1, 'new', 'approved', '{"type": "system"}' FROM payout;
  INSERT INTO disbursement_attempt (tenant_id, id, payout_id, number, provider, recipient_id, amount_minor, currency,
    bank_account_id, bank_account_version, status, key_expires_at, provider_payout_id)
  SELECT tenant_id, live_attempt_id, id, 1, 'simulator', 'r', 100, 'USD', 'bac_1', 1, 'submitted', now(),
    replace(id, 'pay_', 'po_') FROM payout;
  INSERT INTO beneficiary (tenant_id, id, beneficiary_type, email, email_key, compliance_status, transition_count)
  SELECT id, 'ben_' || n, 'person', 'x', n, 'compliant', 1 FROM tenant CROSS JOIN generate_series(1, 100) n;
  INSERT INTO bank_account_version (tenant_id, bank_account_id, version, currency, country)
  SELECT id, 'bac_' || n, 1, 'USD', 'US' FROM tenant CROSS JOIN generate_series(1, 100) n;
  INSERT INTO provider_event (provider, event_id, event, status, tenant_id, subject_id)
  SELECT 'simulator', 'sev_' || id, '{}', 'applied', tenant_id, id FROM disbursement_attempt;
  INSERT INTO event (tenant_id, id, payout_id, type, data)
  SELECT tenant_id, replace(id, 'pay_', 'evt_'), id, 'payout.settled', '{}' FROM payout;
  INSERT INTO webhook_delivery (tenant_id, id, event_id, event_type, subscription_id, status)
  SELECT tenant_id, replace(id, 'evt_', 'wdl_'), id, type, 'whs_1', 'delivered' FROM event;
  INSERT INTO webhook_delivery_attempt (tenant_id, delivery_id, number, started_at, latency_ms)
  SELECT tenant_id, id, 1, now(), 1 FROM webhook_delivery;
  INSERT INTO job_run (job_id, task, tenant_id, subject_id, attempt, max_attempts, outcome, run_at, started_at, ended_at)
  SELECT 1, 'disburse_payout', tenant_id, id, 1, 20, 'succeeded', now(), now(), now() - interval '1 hour' FROM payout;
  SET session_replication_role = origin;
  ANALYZE`;

/** Rows of the large tables that the statement read without an index. */
async function readInSequence(
  statement: string,
  values: unknown[],
): Promise<Record<string, number>> {
  // A session of its own: what it reads is counted from its beginning.
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    const { rowCount } = await client.query(statement, values);
    expect(rowCount).toBeGreaterThan(0);
    const { rows } = await client.query<{ relname: string; n: string }>(
      `SELECT relname, seq_tup_read AS n FROM pg_stat_xact_user_tables
       WHERE schemaname = 'public' AND relname NOT IN ('tenant', 'business') AND seq_tup_read > 0`,
    );
    await client.query('ROLLBACK');
    return Object.fromEntries(rows.map(({ relname, n }) => [relname, Number(n)]));
  } finally {
    await client.end();
  }
}

describe('among 200 tenants no table is scanned', () => {
  it.each([
    'SELECT * FROM ops.find($1)',
    'SELECT * FROM ops.timeline($1)',
    'SELECT * FROM ops.deliveries_of($1)',
    'SELECT * FROM ops.deliveries WHERE payout_id = $1',
    `SELECT * FROM ops.payout_by_id($1, 'opu_1')`,
    `SELECT * FROM ops.payout_attempts('ten_146', $1, 25)`,
    `SELECT * FROM ops.payout_timeline('ten_146', $1, 200)`,
    'SELECT * FROM ops.find_page($1, 25)',
    `SELECT * FROM ops.find_page(replace($1, 'pay_', 'ref_'), 25)`,
    `SELECT * FROM ops.find_page(replace($1, 'pay_', 'po_'), 25)`,
    `SELECT * FROM ops.find(replace($1, 'pay_', 'wdl_'))`,
    `SELECT * FROM ops.deliveries_of(replace($1, 'pay_', 'evt_'))`,
    `SELECT * FROM ops.deliveries WHERE event_id = replace($1, 'pay_', 'evt_')`,
  ])('by %s', async (statement) => {
    expect(await readInSequence(statement, [payoutId])).toEqual({});
  });

  it('by the views of stuck payouts, dead letters and providers', async () => {
    const client = await database.pool.query(
      `UPDATE disbursement_attempt SET needs_operator = true, status = 'unknown' WHERE payout_id = $1`,
      [payoutId],
    );
    expect(client.rowCount).toBe(1);
    await database.pool.query(
      `UPDATE webhook_delivery SET status = 'dead' WHERE event_id = replace($1, 'pay_', 'evt_')`,
      [payoutId],
    );
    const small = [
      'beneficiary',
      'collection_request',
      'enrollment',
      'paused_task',
      'webhook_endpoint_failure',
      'worker_heartbeat',
    ];
    const views = ['stuck_payouts', 'dead_letters', 'provider_health', 'queue_health'];
    const statements = views.map((view) => [view, `SELECT * FROM ops.${view}`]);
    for (const [view, statement = ''] of [...statements, ['metrics', storedReading.text]]) {
      const read = await readInSequence(statement, []);
      expect(
        Object.keys(read).filter((table) => !small.includes(table)),
        view,
      ).toEqual([]);
    }
  });
});

/** Rows that a page reads, by an index or without one, once the function has a plan for any values. */
async function readForPage(statement: string, values: unknown[]): Promise<number> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    // PL/pgSQL may keep a plan for any values from the sixth time on.
    for (let time = 0; time < 6; time += 1) await client.query(statement, values);
    await client.query('BEGIN');
    const { rowCount } = await client.query(statement, values);
    expect(rowCount, statement).toBeGreaterThan(0);
    const { rows } = await client.query<{ most: string }>(
      `SELECT max(seq_tup_read + coalesce(idx_tup_fetch, 0)) AS most FROM pg_stat_xact_user_tables
       WHERE relname IN ('webhook_delivery', 'action_log', 'webhook_endpoint_failure', '_private_jobs')`,
    );
    await client.query('ROLLBACK');
    return Number(rows[0]?.most);
  } finally {
    await client.end();
  }
}

it('a page of a list for operators reads a few rows of the many there are', async () => {
  await database.pool.query(`
    SET session_replication_role = replica;
    UPDATE webhook_delivery SET status = 'dead',
      completed_at = '2026-01-01'::timestamptz + make_interval(secs => right(id, 26)::integer);
    INSERT INTO ops.action_log (who, action, subject_id, reason, detail, affected, tenant_id)
    SELECT 'postgres', 'note', 'pay_' || n % 500, 'r', '{}', 1, 'ten_' || 1 + n % 200 FROM generate_series(1, 20000) n;
    SET session_replication_role = origin;
    ANALYZE`);
  await database.pool.query(
    `SELECT graphile_worker.add_job('disburse_payout', json_build_object('tenantId', 'ten_1', 'payoutId', 'pay_' || n), max_attempts := 1)
     FROM generate_series(1, 5000) n`,
  );
  const middle = await database.pool.query(
    'SELECT id, completed_at FROM webhook_delivery ORDER BY completed_at OFFSET 10000 LIMIT 1',
  );
  const line = await database.pool.query(
    'SELECT id FROM ops.action_log ORDER BY id OFFSET 10000 LIMIT 1',
  );
  const job = await database.pool.query(
    'SELECT id FROM graphile_worker._private_jobs ORDER BY id OFFSET 2500 LIMIT 1',
  );
  const [delivery] = middle.rows;
  // A business of which few of the lines are.
  const rare = await database.pool.query(`SELECT business_id FROM tenant WHERE id = 'ten_1'`);
  const ofBusiness = rare.rows[0].business_id;
  const letters = 'SELECT * FROM ops.dead_letters_page($1, $2, $3, $4, 26)';
  const actions = 'SELECT * FROM ops.actions_page($1, $2, $3, 26)';
  const jobs = 'SELECT * FROM ops.jobs_page(NULL, NULL, NULL, NULL, $1, 26)';
  const pages: [string, unknown[]][] = [
    [letters, ['delivery', null, null, null]],
    [letters, ['delivery', null, delivery.completed_at, delivery.id]],
    [actions, [null, null, null]],
    [actions, [null, null, line.rows[0].id]],
    [actions, [null, 'pay_7', null]],
    [actions, [ofBusiness, null, null]],
    [actions, [ofBusiness, null, line.rows[0].id]],
    [jobs, [null]],
    [jobs, [job.rows[0].id]],
  ];
  for (const [statement, values] of pages) {
    expect(await readForPage(statement, values), `${statement} ${values.join()}`).toBeLessThan(
      1_000,
    );
  }
});

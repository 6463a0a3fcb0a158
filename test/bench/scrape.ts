import { readFile } from 'node:fs/promises';
import { createPool, rows } from '../../src/db/pool.ts';
import { storedReading } from '../../src/process/metrics/stored-reading.ts';
import { sizes } from './config.ts';
import { seed } from './seed.ts';
import { median, startBenchStack, type BenchStack } from './stack.ts';

const { payouts, samples } = sizes(
  { payouts: 1_000_000, samples: 40 },
  { payouts: 500, samples: 3 },
);

/** A day of trouble: a tenth of all payouts is open, each tenth of these is stuck, and jobs wait. */
async function fill({ pool }: BenchStack, tenantId: string, body: Record<string, unknown>) {
  await pool.query(
    `SET session_replication_role = replica;
     INSERT INTO payout (tenant_id, id, beneficiary_id, beneficiary_name, beneficiary_type, bank_account_id,
       bank_account_version, amount_minor, amount, currency, purpose_of_payment, idempotency_key, validator_strategy, state,
       transition_count, created_by, updated_at)
     SELECT '${tenantId}', 'pay_' || lpad(n::text, 26, '0'), '${String(body['beneficiary_id'])}', 'Ada Lovelace',
       'person', '${String(body['bank_account_id'])}', 1, n, n::text, 'USD', 'payroll', n::text, 'manual',
       CASE n % 40 WHEN 0 THEN 'pending_approval' WHEN 1 THEN 'approved' WHEN 2 THEN 'disbursed' WHEN 3 THEN 'compliance_hold' ELSE 'settled' END,
       CASE n % 40 WHEN 2 THEN 2 ELSE 1 END, '{}', now() - n * interval '1 second'
     FROM generate_series(1, ${payouts}) AS n;
     INSERT INTO payout_transition (tenant_id, payout_id, seq, previous_seq, from_state, to_state, actor)
     SELECT tenant_id, id, transition_count, nullif(transition_count - 1, 0),
       CASE transition_count WHEN 1 THEN 'new' ELSE 'approved' END, state, '{}' FROM payout WHERE state IN ('approved', 'disbursed', 'compliance_hold');
     INSERT INTO event (tenant_id, id, payout_id, type, data)
     SELECT tenant_id, replace(id, 'pay_', 'evt_'), id, 'payout.settled', '{}' FROM payout;
     INSERT INTO webhook_delivery (tenant_id, id, event_id, event_type, subscription_id, status, next_attempt_at, completed_at)
     SELECT tenant_id, replace(id, 'evt_', 'wdl_'), id, type, 'whs_1',
       CASE right(id, 2) WHEN '00' THEN 'pending' WHEN '01' THEN 'dead' ELSE 'delivered' END,
       CASE right(id, 2) WHEN '00' THEN now() END, CASE right(id, 2) WHEN '00' THEN NULL ELSE now() END
     FROM event;
     SET session_replication_role = origin;
     SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
       SELECT json_populate_record(null::graphile_worker.job_spec, json_build_object('identifier', 'disburse_payout',
         'payload', json_build_object('payoutId', id), 'job_key', 'disburse ' || id, 'run_at', now() + interval '1 hour'))
       FROM payout WHERE state = 'approved'));`,
  );
  await pool.query('VACUUM (ANALYZE)');
}

/** CPU time of a process, in milliseconds (Linux, 100 ticks a second). */
async function cpuMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** What a scrape reads among a million payouts, of which 100,000 are open. */
export async function run(): Promise<void> {
  const stack = await startBenchStack();
  const pool = createPool(stack.databaseUrl, 1, 'bench');
  try {
    const { tenantId, body } = await seed(stack);
    await fill(stack, tenantId, body);
    const [backend] = (await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
    const cpuBefore = await cpuMs(backend?.pid ?? 0);
    const took: number[] = [];
    for (let sample = 0; sample < samples; sample += 1) {
      const started = performance.now();
      await rows(pool, storedReading, []);
      took.push(performance.now() - started);
    }
    const cpu = ((await cpuMs(backend?.pid ?? 0)) - cpuBefore) / samples;
    console.log(
      `scrape: ${cpu.toFixed(1)} ms of PostgreSQL's CPU; median ${median(took).toFixed(1)} ms, slowest ${Math.max(...took).toFixed(1)} ms, among ${payouts} payouts (${samples} samples)`,
    );
  } finally {
    await pool.end();
    await stack.close();
  }
}

import { afterAll, beforeAll, beforeEach } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { makeOperator, type Operator } from './support.ts';

interface Kind {
  readonly task?: string;
  readonly state?: 'ready' | 'scheduled' | 'retrying' | 'dead' | 'running';
  readonly tenant?: string;
  readonly error?: string;
  readonly pool?: string;
}

/** Of the jobs that name no other. */
export const jobsTenant = newId('tenant');

/**
 * Jobs without a worker, and an operator who may act. To be called at the top of a file; the database
 * is empty before each test.
 */
export function useJobs() {
  const parts = {} as { database: TestDatabase; operator: Operator }; // filled before the tests
  beforeAll(async () => {
    parts.database = await testDatabase();
    parts.operator = await makeOperator(parts.database, 'ops_operate');
  });
  afterAll(async () => {
    await parts.operator.leave();
    await parts.database.drop();
  });
  beforeEach(() => parts.database.reset());

  async function sql<R extends object = Record<string, unknown>>(
    text: string,
    values: unknown[] = [],
  ) {
    return (await parts.database.pool.query(text, values)).rows as R[];
  }

  /** A job in a state; its number, and the payout that it is about. */
  async function makeJob(kind: Kind = {}): Promise<{ id: number; payoutId: string }> {
    const { task = 'disburse_payout', state = 'ready', tenant = jobsTenant, pool = 'pool' } = kind;
    const payoutId = newId('payout');
    const [row] = await sql<{ id: string }>(
      'SELECT id FROM graphile_worker.add_job($1, $2, max_attempts := 20)',
      [task, { tenantId: tenant, payoutId }],
    );
    await sql(
      `UPDATE graphile_worker._private_jobs SET
         run_at = CASE WHEN $2 IN ('scheduled', 'retrying') THEN now() + interval '1 hour' ELSE run_at END,
         attempts = CASE $2 WHEN 'retrying' THEN 3 WHEN 'dead' THEN 20 WHEN 'running' THEN 20 ELSE 0 END,
         last_error = CASE WHEN $2 IN ('retrying', 'dead', 'running') THEN $3::text END,
         locked_at = CASE $2 WHEN 'running' THEN now() END, locked_by = CASE $2 WHEN 'running' THEN $4::text END
       WHERE id = $1`,
      [row?.id, state, kind.error ?? 'boom', pool],
    );
    return { id: Number(row?.id), payoutId };
  }

  const stateOf = async (id: number) =>
    (
      await parts.operator.sql<{ state: string }>('SELECT state FROM ops.jobs WHERE id = $1', [id])
    )[0]?.state;

  const log = () =>
    parts.operator.sql(
      'SELECT who, action, tenant_id, subject_id, reason, affected FROM ops.action_log ORDER BY id',
    );

  async function beat(id: string, poolId: string, secondsAgo: number): Promise<void> {
    await sql(
      `INSERT INTO worker_heartbeat (id, pool_id, hostname, pid, beat_at, circuits)
       VALUES ($1, $2, 'host', 1, now() - make_interval(secs => $3), '{"simulator": "open"}')`,
      [id, poolId, secondsAgo],
    );
  }

  return Object.assign(parts, { sql, makeJob, stateOf, log, beat });
}

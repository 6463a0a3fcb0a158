import { describe, expect, it } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { jobsTenant, useJobs } from './jobs-support.ts';

const world = useJobs();
const { sql, makeJob, stateOf, log, beat } = world;

describe('ops.jobs', () => {
  it('tells the state, the subject, the worker and the last error of each job', async () => {
    await beat('wrk_alive', 'pool', 1);
    await beat('wrk_dead', 'other pool', 60);
    const ready = await makeJob();
    const scheduled = await makeJob({ state: 'scheduled' });
    const retrying = await makeJob({ state: 'retrying' });
    const dead = await makeJob({ state: 'dead' });
    const running = await makeJob({ state: 'running' });
    const stranded = await makeJob({ state: 'running', pool: 'other pool' });
    const unknown = await makeJob({ state: 'running', pool: 'nobody' });
    await sql(
      `INSERT INTO paused_task (task, paused_by, reason) VALUES ('rotate_keys', 'ada', 'x')`,
    );
    const paused = await makeJob({ task: 'rotate_keys' });
    const rows = await world.operator.sql(
      'SELECT id, task, tenant_id, subject_id, state, worker_id, worker_alive, last_error FROM ops.jobs ORDER BY id',
    );
    const row = (
      job: { id: number; payoutId: string },
      state: string,
      more: Record<string, unknown> = {},
    ) => ({
      id: job.id,
      task: 'disburse_payout',
      tenant_id: jobsTenant,
      subject_id: job.payoutId,
      state,
      worker_id: null,
      worker_alive: null,
      last_error: null,
      ...more,
    });
    const held = { last_error: 'boom', worker_alive: true, worker_id: 'wrk_alive' };
    expect(rows).toEqual([
      row(ready, 'ready'),
      row(scheduled, 'scheduled'),
      row(retrying, 'retrying', { last_error: 'boom' }),
      row(dead, 'dead', { last_error: 'boom' }),
      row(running, 'running', held),
      row(stranded, 'running', { ...held, worker_alive: false, worker_id: 'wrk_dead' }),
      row(unknown, 'running', { ...held, worker_alive: false, worker_id: 'nobody' }),
      row(paused, 'paused', { task: 'rotate_keys' }),
    ]);
    for (const state of ['ready', 'scheduled', 'retrying', 'dead', 'running', 'paused']) {
      const { rows: direct } = {
        rows: await world.operator.sql('SELECT id FROM ops.jobs_now(in_state => $1)', [state]),
      };
      expect(direct).toEqual(
        await world.operator.sql('SELECT id FROM ops.jobs WHERE state = $1', [state]),
      );
    }
    expect(
      await world.operator.sql(
        'SELECT worker_id, alive, jobs_held, pool_id FROM ops.workers ORDER BY pool_id',
      ),
    ).toEqual([
      { worker_id: null, alive: false, jobs_held: 1, pool_id: 'nobody' },
      { worker_id: 'wrk_dead', alive: false, jobs_held: 1, pool_id: 'other pool' },
      { worker_id: 'wrk_alive', alive: true, jobs_held: 1, pool_id: 'pool' },
    ]);
    expect(
      await world.operator.row(
        `SELECT ready, scheduled, retrying, running, dead, paused, oldest_ready_for IS NOT NULL AS waits
         FROM ops.queue_health WHERE task = 'disburse_payout'`,
      ),
    ).toEqual({
      ready: 1,
      scheduled: 1,
      retrying: 1,
      running: 3,
      dead: 1,
      paused: false,
      waits: true,
    });
  });

  it('has no payload', async () => {
    const columns = await sql<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'ops.jobs'::regclass`,
    );
    expect(columns.map(({ name }) => name)).not.toContain('payload');
  });
});

it('ops.queue_health has rate, failures and duration of the last quarter of an hour', async () => {
  await sql(
    `INSERT INTO job_run (job_id, task, attempt, max_attempts, outcome, run_at, started_at, ended_at)
     SELECT n, 'disburse_payout', 1, 20, CASE n WHEN 100 THEN 'failed' ELSE 'succeeded' END, now(),
       now() - make_interval(secs => n / 1000.0), now() FROM generate_series(1, 100) n
     UNION ALL
     SELECT 7, 'disburse_payout', 1, 20, 'failed', now(), now() - interval '1 hour', now() - interval '20 minutes'`,
  );
  const health = await world.operator.row(
    `SELECT runs_per_minute, failed_15m, p95_ms, ready, dead FROM ops.queue_health WHERE task = 'disburse_payout'`,
  );
  expect(health).toEqual({ runs_per_minute: '6.7', failed_15m: 1, p95_ms: 95, ready: 0, dead: 0 });
});

describe('ops.retry_job', () => {
  it.each(['dead', 'retrying', 'scheduled'] as const)('runs a %s job now', async (state) => {
    const { id, payoutId } = await makeJob({ state });
    const done = await world.operator.row(`SELECT * FROM ops.retry_job($1, 'mended')`, [id]);
    expect(done).toMatchObject({
      job_id: id,
      task: 'disburse_payout',
      subject_id: payoutId,
      note: '',
    });
    expect(await stateOf(id)).toBe('ready');
    expect(await log()).toEqual([
      {
        who: world.operator.name,
        action: 'retry_job',
        tenant_id: jobsTenant,
        subject_id: payoutId,
        reason: 'mended',
        affected: 1,
      },
    ]);
  });

  it('leaves a job that is due as it is, and says so', async () => {
    const { id } = await makeJob();
    const { note } = await world.operator.row<{ note: string }>(
      `SELECT note FROM ops.retry_job($1, 'x')`,
      [id],
    );
    expect(note).toContain('nothing changed');
    expect(await log()).toMatchObject([{ affected: 0 }]);
  });

  it('refuses a running job and an unknown one', async () => {
    await beat('wrk_alive', 'pool', 1);
    const { id } = await makeJob({ state: 'running' });
    const running = await world.operator.refusal(`SELECT ops.retry_job($1, 'x')`, [id]);
    expect(running.message).toContain('is running since');
    expect(running.message).toContain('wrk_alive');
    expect(running.hint).toContain('ops.release_worker');
    const missing = await world.operator.refusal(`SELECT ops.retry_job(999999, 'x')`);
    expect(missing).toMatchObject({
      code: 'P0002',
      message: expect.stringContaining('There is no job 999999'),
    });
    expect(await stateOf(id)).toBe('running');
    expect(await log()).toEqual([]);
  });

  it('of two operators at once retries once, and neither touches a job that a worker has started', async () => {
    const { id } = await makeJob({ state: 'dead' });
    const [one, two] = [await world.operator.session(), await world.operator.session()];
    await one.query('BEGIN');
    await one.query(`SELECT * FROM ops.retry_job($1, 'one')`, [id]);
    const second = two.query(`SELECT note FROM ops.retry_job($1, 'two')`, [id]);
    await one.query('COMMIT');
    expect((await second).rows[0].note).toContain('nothing changed');
    expect((await log()).map(({ reason, affected }) => [reason, affected])).toEqual([
      ['one', 1],
      ['two', 0],
    ]);

    await one.query('BEGIN');
    await one.query(`SELECT * FROM ops.retry_job($1, 'three')`, [id]);
    // The worker's own statement, which skips what others have locked.
    const { rows } = await world.database.pool.query(
      `SELECT id FROM graphile_worker._private_jobs WHERE is_available FOR UPDATE SKIP LOCKED`,
    );
    expect(rows).toEqual([]);
    await one.query('COMMIT');
  });
});

describe('ops.retry_jobs', () => {
  it('shows the matching jobs, then retries them, spread over an interval', async () => {
    const jobs = [];
    for (let n = 0; n < 4; n += 1)
      jobs.push(await makeJob({ state: 'dead', error: 'connection REFUSED' }));
    const other = await makeJob({ state: 'dead', error: 'something else' });
    const foreign = await makeJob({
      state: 'dead',
      error: 'connection refused',
      tenant: newId('tenant'),
    });
    const running = await makeJob({ state: 'running', error: 'connection refused' });
    await makeJob({ state: 'retrying', error: 'connection refused' });
    const shown = await world.operator.sql(
      `SELECT job_id, outcome FROM ops.retry_jobs('disburse_payout', $1, '%connection refused%')`,
      [jobsTenant],
    );
    const mine = jobs.map(({ id }) => id);
    expect(shown).toEqual([
      ...mine.map((id) => ({ job_id: id, outcome: 'would be retried' })),
      { job_id: running.id, outcome: 'running: left alone' },
    ]);
    expect(await log()).toEqual([]);

    const done = await world.operator.sql<{
      job_id: number;
      outcome: string;
      runs_at: Date | null;
    }>(
      `SELECT * FROM ops.retry_jobs('disburse_payout', $1, '%connection refused%', dry_run => false,
         spread => '40 minutes', reason => 'the provider is back')`,
      [jobsTenant],
    );
    expect(done.map(({ job_id, outcome }) => [job_id, outcome])).toEqual([
      ...mine.map((id) => [id, 'retried']),
      [running.id, 'running: left alone'],
    ]);
    const minutes = done
      .slice(1, 4)
      .map(({ runs_at }) => (Number(runs_at) - Number(done[0]?.runs_at)) / 60_000);
    expect(minutes).toEqual([10, 20, 30]);
    const states = [];
    for (const id of [...mine, other.id, foreign.id, running.id]) states.push(await stateOf(id));
    expect(states).toEqual([
      'ready',
      'scheduled',
      'scheduled',
      'scheduled',
      'dead',
      'dead',
      'running',
    ]);
    expect(await log()).toMatchObject([
      { action: 'retry_jobs', tenant_id: jobsTenant, affected: 4 },
    ]);
  });

  it('takes no more than the maximum, and needs a task and a reason', async () => {
    for (let n = 0; n < 3; n += 1) await makeJob({ state: 'dead' });
    expect(
      await world.operator.sql(`SELECT FROM ops.retry_jobs('disburse_payout', max_jobs => 2)`),
    ).toHaveLength(2);
    expect(
      await world.operator.refusal(`SELECT ops.retry_jobs('disburse_payout', dry_run => false)`),
    ).toMatchObject({
      message: expect.stringContaining('A reason is required'),
    });
    expect(
      await world.operator.refusal(
        `SELECT ops.retry_jobs('disburse', dry_run => false, reason => 'x')`,
      ),
    ).toMatchObject({
      hint: expect.stringContaining('disburse_payout, enroll_bank_account'),
    });
    expect(
      await world.operator.refusal(`SELECT ops.retry_jobs('disburse_payout', max_jobs => 0)`),
    ).toMatchObject({ code: '22023' });
  });

  it('of two operators at once retries each job once', async () => {
    for (let n = 0; n < 20; n += 1) await makeJob({ state: 'dead' });
    const sessions = [await world.operator.session(), await world.operator.session()];
    await Promise.all(
      sessions.map((client) =>
        client.query(
          `SELECT * FROM ops.retry_jobs('disburse_payout', dry_run => false, reason => 'both')`,
        ),
      ),
    );
    const affected = (await log()).map((line) => Number(line['affected']));
    expect(affected.reduce((sum, one) => sum + one, 0)).toBe(20);
  });
});

describe('ops.cancel_job and ops.cancel_jobs', () => {
  it('end a job and leave it in the history', async () => {
    const { id, payoutId } = await makeJob({ state: 'dead' });
    await world.operator.row(`SELECT * FROM ops.cancel_job($1, 'settled by hand')`, [id]);
    expect(await stateOf(id)).toBeUndefined();
    expect(
      await world.operator.row(
        'SELECT job_id, task, outcome, attempt, error, subject_id FROM ops.job_history',
      ),
    ).toEqual({
      job_id: id,
      task: 'disburse_payout',
      outcome: 'canceled',
      attempt: 20,
      error: `canceled by ${world.operator.name}: settled by hand`,
      subject_id: payoutId,
    });
    expect(await log()).toMatchObject([
      { action: 'cancel_job', subject_id: payoutId, affected: 1 },
    ]);
  });

  it('lock nothing when they only show', async () => {
    const { id } = await makeJob();
    const session = await world.database.pool.connect();
    try {
      await session.query('BEGIN');
      await session.query(`SELECT * FROM ops.cancel_jobs('disburse_payout')`);
      const free = await sql(
        'SELECT id FROM graphile_worker._private_jobs WHERE id = $1 FOR UPDATE SKIP LOCKED',
        [id],
      );
      expect(free).toHaveLength(1);
    } finally {
      await session.query('ROLLBACK');
      session.release();
    }
  });

  it('refuse one that runs', async () => {
    const { id } = await makeJob({ state: 'running' });
    expect(await world.operator.refusal(`SELECT ops.cancel_job($1, 'x')`, [id])).toMatchObject({
      code: '55006',
    });
    expect(
      await world.operator.sql(
        `SELECT outcome FROM ops.cancel_jobs('disburse_payout', dry_run => false, reason => 'x')`,
      ),
    ).toEqual([{ outcome: 'running: left alone' }]);
    expect(await stateOf(id)).toBe('running');
  });

  it('choose by state and error, and only show unless told otherwise', async () => {
    const dead = await makeJob({ state: 'dead', error: 'no such tenant' });
    const retrying = await makeJob({ state: 'retrying' });
    const scheduled = await makeJob({ state: 'scheduled' });
    const ready = await makeJob();
    for (const [state, job] of Object.entries({ dead, retrying, scheduled, ready })) {
      expect(
        await world.operator.sql(
          `SELECT job_id, outcome FROM ops.cancel_jobs('disburse_payout', in_state => $1)`,
          [state],
        ),
      ).toEqual([{ job_id: job.id, outcome: 'would be canceled' }]);
    }
    expect(
      await world.operator.refusal(
        `SELECT ops.cancel_jobs('disburse_payout', in_state => 'running')`,
      ),
    ).toMatchObject({
      hint: expect.stringContaining('dead, retrying, scheduled, ready'),
    });
    await world.operator.sql(
      `SELECT ops.cancel_jobs('disburse_payout', error_like => '%no such%', dry_run => false, reason => 'x')`,
    );
    expect(await stateOf(dead.id)).toBeUndefined();
    expect(await stateOf(retrying.id)).toBe('retrying');
    expect(await log()).toMatchObject([{ action: 'cancel_jobs', affected: 1 }]);
  });

  it('choose by the error as ops.jobs shows it, and show it so', async () => {
    const { id } = await makeJob({ state: 'dead', error: 'Error: no answer\n    at lookUp\n' });
    const shown = { last_error: 'Error: no answer at lookUp' };
    expect(await world.operator.row('SELECT last_error FROM ops.jobs WHERE id = $1', [id])).toEqual(
      shown,
    );
    for (const choose of ['retry_jobs', 'cancel_jobs']) {
      expect(
        await world.operator.sql(
          `SELECT job_id, last_error FROM ops.${choose}('disburse_payout', error_like => $1)`,
          [shown.last_error],
        ),
      ).toEqual([{ job_id: id, ...shown }]);
    }
  });

  it('show who has taken the job, before who has taken its subject', async () => {
    const { id, payoutId } = await makeJob();
    const other = await makeJob();
    const shown = 'SELECT taken_by FROM ops.jobs WHERE id = $1';
    const take = (what: string, note: string) =>
      world.operator.row('SELECT taken_by FROM ops.take($1, $2)', [what, note]);
    expect(await world.operator.row(shown, [id])).toEqual({ taken_by: null });
    const ofJob = await take(String(id), 'mends the job');
    expect(await world.operator.row(shown, [id])).toEqual(ofJob);
    expect(await world.operator.row(shown, [other.id])).toEqual({ taken_by: null });
    await sql(`INSERT INTO ops.taken (subject_id, who, note) VALUES ($1, 'grace', 'asks')`, [
      payoutId,
    ]);
    expect(await world.operator.row(shown, [id])).toEqual(ofJob);
    await world.operator.sql('SELECT ops.release($1, $2)', [String(id), 'done']);
    expect(await world.operator.row(shown, [id])).toEqual({
      taken_by: expect.stringMatching(/^grace for \d+ seconds: asks$/),
    });
  });
});

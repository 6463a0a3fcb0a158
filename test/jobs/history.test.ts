import { afterEach, describe, expect, it } from 'vitest';
import { failureText, tellableError } from '../../jobs/failure.ts';
import { startHistory, subjectOf, type JobRun } from '../../jobs/history.ts';
import { newId } from '../../src/values/ids.ts';
import { makeKey } from '../../src/access/key.ts';
import type { Services } from '../../src/process/services.ts';
import { eventually, makeTenant } from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({ env: { WORKER_HEARTBEAT_MS: '100', LOG_LEVEL: 'silent' } });

const query = async (text: string, values: unknown[] = []) =>
  (await harness.database.pool.query(text, values)).rows;

describe('the history of jobs', () => {
  it('has a row for each attempt, with the tenant, the subject, the worker and the times', async () => {
    const { tenantId } = await makeTenant(harness, { funded: false });
    const [{ id }] = await query(
      `SELECT id FROM graphile_worker.add_job('fund_sandbox_wallet', json_build_object('tenantId', $1::text))`,
      [tenantId],
    );
    const [run] = await eventually(async () => {
      const rows = await query('SELECT * FROM job_run WHERE job_id = $1', [id]);
      return rows.length > 0 && rows;
    });
    expect(run).toMatchObject({
      task: 'fund_sandbox_wallet',
      tenant_id: tenantId,
      subject_id: null,
      attempt: 1,
      max_attempts: 25,
      outcome: 'succeeded',
      error: null,
    });
    const [worker] = await query('SELECT id FROM worker_heartbeat');
    expect(run.worker_id).toBe(worker.id);
    expect(run.run_at.getTime()).toBeLessThanOrEqual(run.ended_at.getTime());
    expect(run.started_at.getTime()).toBeLessThanOrEqual(run.ended_at.getTime());
  });

  it('has a row for an attempt that failed, whose error names no secret', async () => {
    const tenantId = newId('tenant');
    const payoutId = newId('payout');
    const [{ id }] = await query(
      `SELECT id FROM graphile_worker.add_job('disburse_payout',
         json_build_object('tenantId', $1::text, 'payoutId', $2::text), max_attempts := 1)`,
      [tenantId, payoutId],
    );
    const [run] = await eventually(async () => {
      const rows = await query('SELECT * FROM job_run WHERE job_id = $1', [id]);
      return rows.length > 0 && rows;
    });
    expect(run).toMatchObject({
      task: 'disburse_payout',
      tenant_id: tenantId,
      subject_id: payoutId,
      attempt: 1,
      max_attempts: 1,
      outcome: 'failed',
      error: `no tenant ${tenantId}`,
    });
    const [job] = await eventually(async () => {
      const rows = await query('SELECT last_error FROM graphile_worker.jobs WHERE id = $1', [id]);
      return rows[0]?.last_error !== null && rows;
    });
    expect(job.last_error).toBe(run.error);
  });

  it('tells of a job that was under way when its worker died', async () => {
    const [{ id }] = await query(
      `SELECT id FROM graphile_worker.add_job('no_such_task', '{}', run_at := now() + interval '1 hour')`,
    );
    await query(
      `UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'pool-dead', attempts = 3 WHERE id = $1`,
      [id],
    );
    await query(
      `INSERT INTO worker_heartbeat (id, pool_id, hostname, pid, beat_at)
       VALUES ('wrk_dead', 'pool-dead', 'nowhere', 1, now() - interval '1 minute')`,
    );
    const [run] = await eventually(async () => {
      const rows = await query('SELECT * FROM job_run WHERE job_id = $1', [id]);
      return rows.length > 0 && rows;
    });
    expect(run).toMatchObject({ outcome: 'failed', attempt: 3, worker_id: 'wrk_dead' });
    expect(run.error).toContain('given back');
    const [job] = await query('SELECT locked_by FROM graphile_worker.jobs WHERE id = $1', [id]);
    expect(job.locked_by).toBeNull();
  });
});

describe('the circuits of a worker', () => {
  it('are told with each beat', async () => {
    const { rows } = await harness.database.pool.query('SELECT circuits FROM worker_heartbeat');
    expect(rows).toEqual([{ circuits: { simulator: 'closed' } }]);
  });
});

function run(jobId: number): JobRun {
  const now = new Date();
  return {
    workerId: 'wrk_test',
    jobId: String(jobId),
    task: 'test',
    tenantId: null,
    subjectId: null,
    attempt: 1,
    maxAttempts: 25,
    error: null,
    runAt: now,
    startedAt: now,
    endedAt: now,
  };
}

describe('startHistory', () => {
  const count = async () =>
    (await query(`SELECT count(*)::integer AS n FROM job_run WHERE worker_id = 'wrk_test'`))[0].n;
  afterEach(() => query(`DELETE FROM job_run WHERE worker_id = 'wrk_test'`));

  /** The services with a pool that fails while `down` says so. */
  function failing(down: () => boolean): Services {
    const { services } = harness;
    const pool = new Proxy(services.pool, {
      get(target, name, receiver) {
        if (name !== 'query') return Reflect.get(target, name, receiver) as unknown;
        return (...given: Parameters<typeof target.query>) =>
          down() ? Promise.reject(new Error('down')) : target.query(...given);
      },
    });
    return { ...services, pool };
  }

  it('writes what is left when it ends', async () => {
    const history = startHistory(harness.services);
    for (let n = 1; n <= 450; n += 1) history.record(run(n));
    await history.stop();
    expect(await count()).toBe(450);
  });

  it('keeps what it could not write for the time when it can, up to a bound', async () => {
    let down = true;
    const history = startHistory(failing(() => down));
    for (let n = 1; n <= 6_000; n += 1) history.record(run(n));
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(await count()).toBe(0);
    down = false;
    await history.stop();
    expect(await count()).toBe(5_000);
  });

  it('writes nothing where the setting says so', async () => {
    const { services } = harness;
    const history = startHistory({
      ...services,
      config: { ...services.config, JOB_HISTORY_DAYS: 0 },
    });
    history.record(run(1));
    await history.stop();
    expect(await count()).toBe(0);
  });
});

describe('subjectOf', () => {
  it.each([
    [{ tenantId: 'ten_1', payoutId: 'pay_1' }, 'ten_1', 'pay_1'],
    [{ actionId: 'x', tenantId: 'ten_1', payoutId: 'pay_1' }, 'ten_1', 'pay_1'],
    [{ tenantId: 'ten_1', deliveryId: 'wdl_1' }, 'ten_1', 'wdl_1'],
    [{ provider: 'simulator', eventId: 'sev_1' }, null, 'sev_1'],
    [{ businessId: 'biz_1', userId: 'usr_1' }, null, 'biz_1'],
    [{ tenantId: 'ten_1' }, 'ten_1', null],
    [{ payoutId: 7 }, null, null],
    [null, null, null],
    ['text', null, null],
  ])('%j is about %s, %s', (payload, tenantId, subjectId) => {
    expect(subjectOf(payload)).toEqual({ tenantId, subjectId });
  });
});

describe('failureText', () => {
  it.each([
    ['the account DE89370400440532013000 is closed', 'the account ****00 is closed'],
    ['550 no mailbox <ada@example.com>', '550 no mailbox <****>'],
    [`key ${makeKey('sandbox', newId('apiKey')).key} is revoked`, 'key **** is revoked'],
    [`/collect/${'aB3'.repeat(15)}`, '/collect/****'],
    [
      'violates "payout_decision_tenant_id_payout_id_decision_id_key"',
      'violates "payout_decision_tenant_id_payout_id_decision_id_key"',
    ],
  ])('%j', (given, told) => {
    expect(failureText(new Error(given))).toBe(told);
  });

  it('tells no text of Prisma, which quotes the arguments, and little of what is no error', () => {
    const error = Object.assign(new Error('Invalid `findMany` where: { taxId: "12-3" }'), {
      name: 'PrismaClientKnownRequestError',
      code: 'P2010',
    });
    expect(failureText(error)).toBe('PrismaClientKnownRequestError P2010');
    expect(failureText({ secret: 'x' })).toBe('a value that is not an Error was thrown');
    expect(failureText(new Error('x'.repeat(2_000)))).toHaveLength(500);
    expect(failureText(new Error('x'.repeat(4_000_000)))).toHaveLength(500);
    const told = tellableError(new Error('to ada@example.com'));
    expect(told.stack).toMatch(/^Error: to \*{4}\n\s+at /);
    expect(told.stack).not.toContain('ada@');
  });
});

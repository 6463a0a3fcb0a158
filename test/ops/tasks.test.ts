import { describe, expect, it } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { jobsTenant, useJobs } from './jobs-support.ts';

const world = useJobs();
const { sql, makeJob, stateOf, log, beat } = world;

describe('ops.schedule', () => {
  it('refuses what it does not know, and says what is possible', async () => {
    const unknown = await world.operator.refusal(
      `SELECT ops.schedule('disburse', 'pay_x', now(), 'x')`,
    );
    expect(unknown).toMatchObject({
      message: `There is no task 'disburse'.`,
      hint: expect.stringMatching(
        /^Tasks: apply_bank_file, apply_provider_event, .*write_export\.$/,
      ),
    });
    expect(
      await world.operator.refusal(`SELECT ops.schedule('disburse_payout', $1, now(), 'x')`, [
        newId('payout'),
      ]),
    ).toMatchObject({
      code: 'P0002',
      hint: expect.stringContaining('the id of a payout'),
    });
    expect(
      await world.operator.refusal(`SELECT ops.schedule('disburse_payout', NULL, now(), 'x')`),
    ).toMatchObject({
      message: 'There is no payout without an id.',
    });
    expect(
      await world.operator.refusal(`SELECT ops.schedule('reconcile_payouts', 'pay_x', now(), 'x')`),
    ).toMatchObject({
      hint: expect.stringContaining(`ops.schedule('reconcile_payouts', NULL`),
    });
    expect(
      await world.operator.refusal(`SELECT ops.schedule('resolve_payout', 'pay_x', now(), 'x')`),
    ).toMatchObject({
      hint: expect.stringContaining('ops.resolve_payout'),
    });
    expect(
      await world.operator.refusal(
        `SELECT ops.schedule('reconcile_payouts', NULL, 'infinity', 'x')`,
      ),
    ).toMatchObject({
      code: '22023',
    });
    for (const reason of ['NULL', `''`, `'  '`, `repeat('x', 1001)`]) {
      expect(
        await world.operator.refusal(
          `SELECT ops.schedule('reconcile_payouts', NULL, now(), ${reason})`,
        ),
      ).toMatchObject({
        message: expect.stringContaining('A reason is required'),
      });
    }
    expect(await world.operator.sql('SELECT FROM ops.jobs')).toEqual([]);
    expect(await log()).toEqual([]);
  });

  it('takes an id with the spaces that came with it, and nothing before it', async () => {
    const businessId = newId('business');
    await sql('INSERT INTO business (id, company_name) VALUES ($1, $2)', [businessId, 'Engines']);
    await sql(`INSERT INTO tenant (id, business_id, environment) VALUES ($1, $2, 'sandbox')`, [
      jobsTenant,
      businessId,
    ]);
    const schedule = `SELECT subject_id FROM ops.schedule('fund_sandbox_wallet', $1, now(), 'x')`;
    expect(await world.operator.refusal(schedule, [`junk ${jobsTenant}`])).toMatchObject({
      code: 'P0002',
    });
    expect(await world.operator.sql(schedule, [` ${jobsTenant}\n`])).toEqual([
      { subject_id: jobsTenant },
    ]);
    expect(await sql('SELECT payload FROM graphile_worker._private_jobs')).toEqual([
      { payload: { tenantId: jobsTenant } },
    ]);
  });

  it('names what another id is', async () => {
    const businessId = newId('business');
    await sql('INSERT INTO business (id, company_name) VALUES ($1, $2)', [businessId, 'Engines']);
    await sql(`INSERT INTO tenant (id, business_id, environment) VALUES ($1, $2, 'production')`, [
      jobsTenant,
      businessId,
    ]);
    expect(
      await world.operator.refusal(`SELECT ops.schedule('disburse_payout', $1, now(), 'x')`, [
        jobsTenant,
      ]),
    ).toMatchObject({
      hint: 'The task disburse_payout asks for the id of a payout; this is the id of a tenant.',
    });
    expect(
      await world.operator.refusal(`SELECT ops.schedule('fund_sandbox_wallet', $1, now(), 'x')`, [
        jobsTenant,
      ]),
    ).toMatchObject({
      message: `The tenant ${jobsTenant} is production, and fund_sandbox_wallet does nothing then.`,
      hint: 'It acts where the state is sandbox.',
    });
    expect(await world.operator.row('SELECT * FROM ops.find($1)', [jobsTenant])).toEqual({
      kind: 'tenant',
      state: 'production',
      tenant_id: jobsTenant,
      environment: 'production',
      business_id: businessId,
      company_name: 'Engines',
    });
  });

  it('takes a time, and one job a key', async () => {
    const later = `SELECT * FROM ops.schedule('reconcile_payouts', NULL, now() + interval '1 hour', 'later')`;
    const first = await world.operator.row(later);
    expect(await world.operator.row(later)).toMatchObject({ job_id: first['job_id'], note: null });
    expect(await world.operator.sql('SELECT id, state FROM ops.jobs')).toEqual([
      { id: first['job_id'], state: 'scheduled' },
    ]);
  });
});

describe('ops.pause_task and ops.resume_task', () => {
  it('are recorded, idempotent and named', async () => {
    expect(
      await world.operator.row(
        `SELECT * FROM ops.pause_task('disburse_payout', 'the provider is down')`,
      ),
    ).toMatchObject({
      paused_task: 'disburse_payout',
      paused_by: world.operator.name,
    });
    const again = await world.operator.row(
      `SELECT * FROM ops.pause_task('disburse_payout', 'me too')`,
    );
    expect(again['note']).toBe('It was paused already: the provider is down');
    expect(
      await world.operator.sql('SELECT task, paused_by, reason FROM ops.paused_tasks'),
    ).toEqual([
      { task: 'disburse_payout', paused_by: world.operator.name, reason: 'the provider is down' },
    ]);
    const { id } = await makeJob({ state: 'dead' });
    const { note } = await world.operator.row<{ note: string }>(
      `SELECT note FROM ops.retry_job($1, 'x')`,
      [id],
    );
    expect(note).toContain(`paused by ${world.operator.name}`);
    expect(
      await world.operator.refusal(`SELECT ops.resume_task('rotate_keys', 'x')`),
    ).toMatchObject({
      hint: 'Paused: disburse_payout.',
    });
    expect(await world.operator.refusal(`SELECT ops.pause_task('rotate', 'x')`)).toMatchObject({
      code: 'P0002',
    });
    await world.operator.row(`SELECT * FROM ops.resume_task('disburse_payout', 'it is back')`);
    expect(await world.operator.sql('SELECT FROM ops.paused_tasks')).toEqual([]);
    expect((await log()).map(({ action, affected }) => [action, affected])).toEqual([
      ['pause_task', 1],
      ['pause_task', 0],
      ['retry_job', 1],
      ['resume_task', 1],
    ]);
  });
});

describe('ops.release_worker', () => {
  it('gives the jobs of a dead worker back, by its id or its pool', async () => {
    await beat('wrk_dead', 'pool', 60);
    const { id, payoutId } = await makeJob({ state: 'running' });
    const [released] = await world.operator.sql(
      `SELECT * FROM ops.release_worker('wrk_dead', 'its host burnt')`,
    );
    expect(released).toMatchObject({
      job_id: id,
      subject_id: payoutId,
      note: expect.stringContaining('last attempt'),
    });
    expect(await stateOf(id)).toBe('dead');
    expect(await world.operator.sql('SELECT FROM ops.workers')).toEqual([]);
    expect(
      await world.operator.row('SELECT outcome, worker_id, error FROM ops.job_history'),
    ).toEqual({
      outcome: 'failed',
      worker_id: 'wrk_dead',
      error: `given back by ${world.operator.name}: its host burnt`,
    });
    const unknown = await makeJob({ state: 'running', pool: 'nobody' });
    const release = `SELECT * FROM ops.release_worker('nobody', 'x')`;
    expect((await world.operator.refusal(release)).message).toContain('has just started a job');
    await sql(`UPDATE graphile_worker._private_jobs SET locked_at = now() - interval '1 minute'`);
    await world.operator.sql(release);
    expect(await stateOf(unknown.id)).toBe('dead');
    expect(await log()).toMatchObject([
      { action: 'release_worker', subject_id: 'wrk_dead', affected: 1 },
      { action: 'release_worker', subject_id: 'nobody', affected: 1 },
    ]);
  });

  it('refuses one that lives, unless forced, and one that is unknown', async () => {
    await beat('wrk_alive', 'pool', 1);
    const { id } = await makeJob({ state: 'running' });
    expect(
      await world.operator.refusal(`SELECT ops.release_worker('wrk_alive', 'x')`),
    ).toMatchObject({
      code: '55006',
      hint: expect.stringContaining('force'),
    });
    expect(await stateOf(id)).toBe('running');
    await world.operator.sql(`SELECT ops.release_worker('pool', 'x', force => true)`);
    expect(await stateOf(id)).toBe('dead');
    expect(await world.operator.sql('SELECT worker_id FROM ops.workers')).toEqual([
      { worker_id: 'wrk_alive' },
    ]);
    expect(
      await world.operator.refusal(`SELECT ops.release_worker('wrk_nobody', 'x')`),
    ).toMatchObject({
      code: 'P0002',
    });
  });
});

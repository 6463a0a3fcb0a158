import { describe, expect, it } from 'vitest';
import { startHeartbeat } from '../../jobs/heartbeat.ts';
import { disbursePayout } from '../../src/domain/disbursement/disburse.ts';
import { reinstateBeneficiary, suspendBeneficiary } from '../../src/domain/beneficiary/suspend.ts';
import { newId } from '../../src/values/ids.ts';
import { makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { newApproved, systemCall } from '../support/fake-provider.ts';
import { useOperatedPayouts } from './payouts-support.ts';

const { world, parts, waiting } = useOperatedPayouts();
const { approved, comply, handedOver, sql, stateOf, tell } = world;

/** As if the payout had stood still for as long. */
async function age(payoutId: string, interval: string): Promise<void> {
  await sql(`UPDATE payout SET updated_at = now() - $2::interval WHERE id = $1`, [
    payoutId,
    interval,
  ]);
}

async function stuck(payoutId: string) {
  const [row] = await parts.operator.sql<{
    reason: string;
    next_step: string;
    explanation: string;
  }>('SELECT * FROM ops.stuck_payouts WHERE payout_id = $1', [payoutId]);
  return row;
}

async function reasonOf(payoutId: string, interval = '10 minutes'): Promise<string | undefined> {
  expect(await stuck(payoutId)).toBeUndefined();
  await age(payoutId, interval);
  const row = await stuck(payoutId);
  if (row !== undefined) expect(row.next_step).not.toMatch(/[{}]/);
  return row?.reason;
}

const dropJobs = () => sql('DELETE FROM graphile_worker._private_jobs');

describe('ops.stuck_payouts', () => {
  it('tells why a payout without an attempt was not handed over', async () => {
    const id = await approved();
    await dropJobs();
    expect(await reasonOf(id)).toBe('no_job');
    const { job_id: jobId } = await parts.operator.row<{ job_id: number }>(
      `SELECT job_id FROM ops.schedule('disburse_payout', $1, reason => 'x')`,
      [id],
    );
    expect((await stuck(id))?.reason).toBe('no_worker');
    await sql(
      `INSERT INTO worker_heartbeat (id, pool_id, hostname, pid) VALUES ('wrk_1', 'pool', 'host', 1)`,
    );
    expect((await stuck(id))?.reason).toBe('waits_for_turn');

    const setJob = (change: string) =>
      sql(`UPDATE graphile_worker._private_jobs SET ${change} WHERE id = $1`, [jobId]);
    await setJob(`attempts = 3, last_error = 'boom'`);
    expect(await stuck(id)).toMatchObject({
      reason: 'job_failing',
      last_error: 'boom',
      job_id: jobId,
    });
    await setJob('attempts = 20');
    expect(await stuck(id)).toMatchObject({
      reason: 'job_dead',
      next_step: expect.stringContaining(`ops.retry_job(${jobId}`),
    });
    await setJob(`attempts = 1, locked_at = now(), locked_by = 'pool'`);
    expect((await stuck(id))?.reason).toBe('job_running');
    await setJob(`attempts = 0, locked_at = NULL, locked_by = NULL, last_error = NULL`);
    await parts.operator.sql(`SELECT ops.pause_task('disburse_payout', 'x')`);
    expect((await stuck(id))?.reason).toBe('task_paused');
    await parts.operator.sql(`SELECT ops.resume_task('disburse_payout', 'x')`);

    const enrollment = newId('enrollment');
    await sql(
      `INSERT INTO enrollment (tenant_id, id, beneficiary_id, bank_account_id, bank_account_version, provider, status)
       SELECT tenant_id, $2, beneficiary_id, bank_account_id, bank_account_version, 'simulator', 'pending' FROM payout WHERE id = $1`,
      [id, enrollment],
    );
    expect(await stuck(id)).toMatchObject({
      reason: 'enrollment_pending',
      enrollment_id: enrollment,
    });
    await sql('DELETE FROM enrollment WHERE id = $1', [enrollment]);
    await sql('DELETE FROM worker_heartbeat');
  });

  it('tells that no living worker has a provider for production', async () => {
    const production = await makeTenant(world.harness, { environment: 'production' });
    const payee = await makePayee(world.harness, production.key);
    const body = payoutBody(payee, { validator_strategy: 'auto' });
    const id = await newApproved(world.harness, production.key, body);
    await dropJobs();
    await disbursePayout(await systemCall(world.call.services, production.tenantId), id);
    expect(await reasonOf(id)).toBe('no_job');
    const { services } = world.harness;
    const identity = { id: 'wrk_1', poolId: Promise.resolve('pool') };
    const heartbeat = await startHeartbeat(services, identity, () => undefined);
    expect((await stuck(id))?.reason).toBe('no_provider');
    // A worker that has one is silent, then lives.
    await sql(
      `INSERT INTO worker_heartbeat (id, pool_id, hostname, pid, beat_at, beat_ms, circuits)
       VALUES ('wrk_2', 'other', 'host', 1, now() - interval '9 seconds', 2000, '{"simulator": "closed", "gateway": "open"}')`,
    );
    expect((await stuck(id))?.reason).toBe('no_provider');
    await sql(`UPDATE worker_heartbeat SET beat_ms = 60000 WHERE id = 'wrk_2'`);
    expect((await stuck(id))?.reason).toBe('no_job');
    await heartbeat.giveBack(AbortSignal.abort());
    await sql('DELETE FROM worker_heartbeat');
  });

  it('tells of a suspension, and of a release that is missing', async () => {
    const id = await approved();
    await comply(suspendBeneficiary);
    expect(await reasonOf(id)).toBe('beneficiary_suspended');
    await disbursePayout(world.call, id);
    expect(await stateOf(id)).toBe('compliance_hold');
    expect(await reasonOf(id)).toBe('beneficiary_suspended');
    await comply(reinstateBeneficiary);
    expect(await stuck(id)).toMatchObject({
      reason: 'release_missing',
      next_step: expect.stringContaining(
        `ops.schedule('release_payouts', '${world.payee.beneficiaryId}'`,
      ),
    });
  });

  it('tells of the provider: a hold, no clear answer, silence, contradiction', async () => {
    expect(await reasonOf(await handedOver('held'))).toBe('held_by_provider');
    const unknown = await handedOver('unknown_taken');
    expect(await reasonOf(unknown)).toBe('outcome_unknown');
    await comply(suspendBeneficiary);
    expect((await stuck(unknown))?.reason).toBe('outcome_unknown_suspended');
    await comply(reinstateBeneficiary);
    const silent = await handedOver('ok');
    expect(await reasonOf(silent)).toBeUndefined();
    await age(silent, '20 minutes');
    expect((await stuck(silent))?.reason).toBe('provider_silent');

    const failed = await handedOver('ok');
    await tell(failed, { type: 'failed', failure: { code: 'other', message: 'x' } });
    await tell(failed, { type: 'settled' });
    expect(await stateOf(failed)).toBe('failed');
    expect((await stuck(failed))?.reason).toBe('provider_contradicts');

    const disbursed = await handedOver('ok');
    await tell(disbursed, { type: 'disbursed' });
    expect(await reasonOf(disbursed)).toBeUndefined();
    await age(disbursed, '8 days');
    expect((await stuck(disbursed))?.reason).toBe('not_settled');

    expect((await stuck(await waiting()))?.reason).toBe('outcome_for_operator');
  });

  it('leaves alone what waits for the business or has ended', async () => {
    const settled = await handedOver('ok');
    await tell(settled, { type: 'settled' });
    const failed = await handedOver('rejected');
    for (const id of [settled, failed]) {
      await age(id, '30 days');
      expect(await stuck(id)).toBeUndefined();
    }
  });
});

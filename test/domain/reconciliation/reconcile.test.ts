import { describe, expect, it } from 'vitest';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { reconcilePayouts } from '../../../src/domain/reconciliation/reconcile.ts';
import { makeReference } from '../../../src/providers/reference.ts';
import { readPayout } from '../../../src/domain/payout/read.ts';
import { applyProviderEvent } from '../../../src/domain/provider-event/apply.ts';
import { keepProviderEvents } from '../../../src/domain/provider-event/inbox.ts';
import { enrollByJob } from '../../../src/domain/enrollment/run.ts';
import { ProviderError, type ProviderPayout } from '../../../src/providers/port.ts';
import { makePayee, makeTenant, payoutBody } from '../../support/factory.ts';
import { newApproved, systemCall } from '../../support/fake-provider.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld({ fresh: true });
const { approved, attemptOf, eventsOf, sql, tell } = world;

/** Everything that happened, happened so many seconds earlier. */
async function later(seconds: number): Promise<void> {
  await sql(`UPDATE payout SET updated_at = updated_at - make_interval(secs => $1)`, [seconds]);
  await sql(
    `UPDATE disbursement_attempt SET called_at = called_at - make_interval(secs => $1),
       looked_up_at = looked_up_at - make_interval(secs => $1)`,
    [seconds],
  );
  await sql(`UPDATE provider_event SET received_at = received_at - make_interval(secs => $1)`, [
    seconds,
  ]);
}

const loseJobs = () => sql('DELETE FROM graphile_worker._private_jobs');
const jobs = (task: string) =>
  sql<{ payload: Record<string, string> }>(
    `SELECT j.payload FROM graphile_worker._private_jobs j
     JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = $1`,
    [task],
  );
async function referenceOf(id: string): Promise<string> {
  const attempt = await attemptOf(id);
  return makeReference(world.tenant.tenantId, attempt.id);
}

async function says(id: string, told: Partial<ProviderPayout>): Promise<void> {
  world.provider.found.set(await referenceOf(id), told);
}

describe('lost jobs', () => {
  it('gives an approved payout its job again, once it stands still, and once', async () => {
    const id = await approved();
    await loseJobs();
    await reconcilePayouts(world.call.services);
    expect(await jobs('disburse_payout')).toEqual([]);
    await later(121);
    await Promise.all([
      reconcilePayouts(world.call.services),
      reconcilePayouts(world.call.services),
    ]);
    await reconcilePayouts(world.call.services);
    expect(await jobs('disburse_payout')).toEqual([
      { payload: { tenantId: world.tenant.tenantId, payoutId: id } },
    ]);
    await disbursePayout(world.call, id);
    await later(121);
    await loseJobs();
    await reconcilePayouts(world.call.services);
    expect(await jobs('disburse_payout')).toEqual([]);
  });

  it.each(['unknown_taken', 'crash_lost'] as const)(
    'gives an attempt that ended in %s its job again',
    async (fate) => {
      const id = await approved();
      world.provider.fates.push(fate);
      await disbursePayout(world.call, id).catch(() => undefined);
      await loseJobs();
      await reconcilePayouts(world.call.services);
      expect(await jobs('disburse_payout')).toEqual([]);
      await later(121);
      await reconcilePayouts(world.call.services);
      expect(await jobs('disburse_payout')).toHaveLength(1);
      await disbursePayout(world.call, id);
      expect((await attemptOf(id)).status).toBe('submitted');
      expect(world.provider.ledger.size).toBe(1);
    },
  );

  it('keeps the pause of a job that waits, and replaces one that gave up', async () => {
    const id = await approved();
    world.provider.fates.push('unknown_lost');
    await disbursePayout(world.call, id);
    await sql(`DELETE FROM graphile_worker._private_jobs WHERE key IS DISTINCT FROM $1`, [
      `disburse ${id}`,
    ]);
    await sql(`UPDATE graphile_worker._private_jobs SET run_at = now() + interval '4 minutes'`);
    await later(121);
    await reconcilePayouts(world.call.services);
    const waiting = `SELECT attempts, run_at > now() + interval '3 minutes' AS later FROM graphile_worker._private_jobs`;
    expect(await sql(waiting)).toEqual([{ attempts: 0, later: true }]);
    await sql('UPDATE graphile_worker._private_jobs SET attempts = max_attempts');
    await reconcilePayouts(world.call.services);
    expect(await sql(waiting)).toContainEqual({ attempts: 0, later: false });
  });

  it('leaves alone what waits for an operator, and sends nothing past the key window', async () => {
    const id = await approved();
    world.provider.fates.push('unknown_lost');
    await disbursePayout(world.call, id);
    await sql('UPDATE disbursement_attempt SET key_expires_at = now()');
    await disbursePayout(world.call, id);
    expect(await attemptOf(id)).toMatchObject({ status: 'unknown', needs_operator: true });
    await loseJobs();
    await later(200_000);
    await reconcilePayouts(world.call.services);
    expect(await jobs('disburse_payout')).toEqual([]);
    expect(world.provider.submissions).toHaveLength(1);
    expect((await readPayout(world.call, id)).state).toBe('approved');
  });

  it('gives a stored event its job again', async () => {
    const id = await approved();
    await disbursePayout(world.call, id);
    const reference = await referenceOf(id);
    await keepProviderEvents(world.call.services, 'simulator', [
      {
        kind: 'payout',
        type: 'disbursed',
        eventId: 'sev_lost',
        occurredAt: new Date().toISOString(),
        reference,
        providerPayoutId: `po_${(await attemptOf(id)).id}`,
        amountMinor: 125_000n,
        currency: 'USD',
        railRef: 'RAIL1',
        expectedDeliveryDate: null,
        failure: null,
      },
    ]);
    await loseJobs();
    await later(121);
    await reconcilePayouts(world.call.services);
    expect(await jobs('apply_provider_event')).toEqual([
      { payload: { provider: 'simulator', eventId: 'sev_lost' } },
    ]);
    await applyProviderEvent(world.call.services, 'simulator', 'sev_lost');
    expect((await readPayout(world.call, id)).state).toBe('disbursed');
    await loseJobs();
    await reconcilePayouts(world.call.services);
    expect(await jobs('apply_provider_event')).toEqual([]);
  });

  it('adds the jobs of a batch by one statement', async () => {
    const ids = [await approved(), await approved(), await approved()];
    for (const eventId of ['sev_1', 'sev_2', 'sev_3']) {
      await keepProviderEvents(world.call.services, 'simulator', [
        {
          kind: 'recipient',
          type: 'suspended',
          eventId,
          occurredAt: new Date().toISOString(),
          reference: 'of.nobody',
          recipientId: 'rcp_x',
          reason: null,
        },
      ]);
    }
    await loseJobs();
    await later(121);
    const { sent } = await world.harness.sql.during(() => reconcilePayouts(world.call.services));
    const additions = sent.filter(({ name }) => name === 'add_jobs' || name === 'keep_jobs');
    expect(additions.map(({ name }) => name)).toEqual(['keep_jobs', 'add_jobs']);
    const payouts = (await jobs('disburse_payout')).map(({ payload }) => payload['payoutId']);
    expect(payouts).toHaveLength(3);
    expect(new Set(payouts)).toEqual(new Set(ids));
    expect(await jobs('apply_provider_event')).toEqual(
      ['sev_1', 'sev_2', 'sev_3'].map((eventId) => ({
        payload: { provider: 'simulator', eventId },
      })),
    );
    await reconcilePayouts(world.call.services);
    expect(await jobs('disburse_payout')).toHaveLength(3);
  });

  it('gives a pending enrollment its job again, once it stands still, and once', async () => {
    const id = await approved();
    const enroll = world.provider.port.enroll;
    world.provider.port.enroll = () =>
      Promise.reject(new ProviderError('unknown', 'other', 'down'));
    await disbursePayout(world.call, id);
    world.provider.port.enroll = enroll;
    await loseJobs();
    await reconcilePayouts(world.call.services);
    expect(await jobs('enroll_bank_account')).toEqual([]);
    await sql(`UPDATE enrollment SET requested_at = now() - interval '121 seconds'`);
    await Promise.all([
      reconcilePayouts(world.call.services),
      reconcilePayouts(world.call.services),
    ]);
    const [job, ...more] = await jobs('enroll_bank_account');
    expect(more).toEqual([]);
    const enrollmentId = job?.payload['enrollmentId'] ?? '';
    await enrollByJob(world.call, enrollmentId);
    expect(await sql('SELECT status FROM enrollment WHERE id = $1', [enrollmentId])).toEqual([
      { status: 'verified' },
    ]);
    await loseJobs();
    await reconcilePayouts(world.call.services);
    expect(await jobs('enroll_bank_account')).toEqual([]);
  });

  it('lets a payout wait that has no provider, without a job, and says so', async () => {
    const production = await makeTenant(world.harness, { environment: 'production' });
    const own = await makePayee(world.harness, production.key);
    const body = payoutBody(own, { validator_strategy: 'auto' });
    const id = await newApproved(world.harness, production.key, body);
    await loseJobs();
    const call = await systemCall(world.call.services, production.tenantId);
    await disbursePayout(call, id);
    await later(121);
    await reconcilePayouts(world.call.services);
    expect(await jobs('disburse_payout')).toEqual([]);
    const query = 'query ($id: ID!) { node(id: $id) { ... on Payout { state waitsFor } } }';
    const { body: shown } = await world.harness.graphql(production.key, query, { id });
    expect(shown.data.node).toEqual({ state: 'approved', waitsFor: 'provider_configuration' });
    // Once there is a provider, nobody has to remember the payout.
    const { forEnvironment } = world.call.services.providers;
    const providers = {
      ...world.call.services.providers,
      forEnvironment: () => forEnvironment('sandbox'),
    };
    await reconcilePayouts({ ...world.call.services, providers });
    expect(await jobs('disburse_payout')).toHaveLength(1);
  });

  it('looks after payouts that can be paid only', async () => {
    const production = await makeTenant(world.harness, { environment: 'production' });
    const own = await makePayee(world.harness, production.key);
    await newApproved(
      world.harness,
      production.key,
      payoutBody(own, { validator_strategy: 'auto' }),
    );
    await loseJobs();
    await later(121);
    await reconcilePayouts(world.call.services);
    expect(await jobs('disburse_payout')).toEqual([]);
  });
});

describe('a silent provider', () => {
  it.each([
    ['disbursed', 'disbursed', ['payout.disbursed']],
    ['settled', 'settled', ['payout.disbursed', 'payout.settled']],
    ['returned', 'returned', ['payout.disbursed', 'payout.returned']],
    ['failed', 'failed', ['payout.failed']],
  ] as const)('is asked, and %s is applied as its event would be', async (status, state, types) => {
    const id = await approved();
    await disbursePayout(world.call, id);
    const failure =
      status === 'failed' || status === 'returned'
        ? { code: 'account_closed' as const, message: 'closed' }
        : null;
    await says(id, { status, railRef: 'RAIL7', failure });
    await later(899);
    await reconcilePayouts(world.call.services);
    expect(world.provider.lookUps).toEqual([]);
    await later(2);
    await reconcilePayouts(world.call.services);
    await reconcilePayouts(world.call.services);
    expect(world.provider.lookUps).toEqual([await referenceOf(id)]);
    const payout = await readPayout(world.call, id);
    expect(payout).toMatchObject({
      state,
      railRef: 'RAIL7',
      failureCode: failure?.code ?? null,
    });
    expect(await eventsOf(id)).toEqual(['payout.disbursement_submitted', ...types]);

    const { updatedAt: _before, ...known } = payout;
    await tell(id, { type: status, railRef: 'RAIL7', failure });
    const { updatedAt: _after, ...after } = await readPayout(world.call, id);
    expect(after).toEqual(known);
    expect(await eventsOf(id)).toEqual([
      'payout.disbursement_submitted',
      ...types,
      'payout.acknowledged',
    ]);
  });

  it('is asked of a disbursed payout after a day', async () => {
    const id = await approved();
    await disbursePayout(world.call, id);
    await tell(id, { type: 'disbursed', railRef: 'RAIL1' });
    await says(id, { status: 'settled', railRef: 'RAIL1' });
    await later(86_000);
    await reconcilePayouts(world.call.services);
    expect(world.provider.lookUps).toEqual([]);
    await later(500);
    await reconcilePayouts(world.call.services);
    expect((await readPayout(world.call, id)).state).toBe('settled');
  });

  it('is asked again after the same silence when it had nothing new, and at once after a failure', async () => {
    const id = await approved();
    await disbursePayout(world.call, id);
    await later(901);
    world.provider.down = true;
    await reconcilePayouts(world.call.services);
    expect(world.provider.lookUps).toHaveLength(1);
    await reconcilePayouts(world.call.services);
    expect(world.provider.lookUps).toHaveLength(1);
    await later(61);
    world.provider.down = false;
    await reconcilePayouts(world.call.services);
    expect(world.provider.lookUps).toHaveLength(2);
    await later(800);
    await reconcilePayouts(world.call.services);
    expect(world.provider.lookUps).toHaveLength(2);
    await later(101);
    await reconcilePayouts(world.call.services);
    expect(world.provider.lookUps).toHaveLength(3);
    expect((await readPayout(world.call, id)).state).toBe('approved');
  });

  it('is not believed when it no longer knows a payment: a person decides', async () => {
    const id = await approved();
    world.provider.fates.push('ok');
    await disbursePayout(world.call, id);
    (world.provider.ledger as Map<string, unknown>).clear();
    await later(901);
    await reconcilePayouts(world.call.services);
    expect((await readPayout(world.call, id)).state).toBe('approved');
    expect(await attemptOf(id)).toMatchObject({ status: 'submitted', needs_operator: true });
    await later(10_000);
    await reconcilePayouts(world.call.services);
    expect(world.provider.lookUps).toHaveLength(1);
    expect(world.provider.submissions).toHaveLength(1);
  });
});

it('reads its candidates by their index', async () => {
  const client = await world.harness.database.pool.connect();
  try {
    for (const name of ['stalled_payouts', 'find_quiet_approved_attempts'] as const) {
      const text =
        [...world.harness.sql.distinct.values()].find((sent) => sent.name === name)?.text ?? '';
      await client.query('BEGIN');
      // The tables are nearly empty, where reading them whole is cheapest.
      await client.query('SET LOCAL enable_seqscan = off');
      await client.query('SET LOCAL plan_cache_mode = force_generic_plan');
      const types =
        name === 'stalled_payouts' ? 'float8, timestamptz, text, text, text[], int' : 'float8, int';
      await client.query(`PREPARE ${name} (${types}) AS ${text}`);
      const values = name === 'stalled_payouts' ? `1, now(), '', '', '{}', 1` : '1, 1';
      const { rows } = await client.query(`EXPLAIN EXECUTE ${name} (${values})`);
      expect(JSON.stringify(rows)).toContain('payout_in_flight_idx');
      await client.query(`DEALLOCATE ${name}`);
      await client.query('ROLLBACK');
    }
  } finally {
    client.release();
  }
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { reconcilePayouts } from '../../../src/domain/disbursement/reconcile.ts';
import { makeReference } from '../../../src/domain/disbursement/reference.ts';
import { readPayout } from '../../../src/domain/payout/read.ts';
import { applyProviderEvent } from '../../../src/domain/provider-event/apply.ts';
import { keepProviderEvent } from '../../../src/domain/provider-event/inbox.ts';
import type { ProviderPayout, ProviderPayoutEvent } from '../../../src/providers/port.ts';
import type { Call } from '../../../src/services.ts';
import {
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../../support/factory.ts';
import {
  eventId,
  fakeProvider,
  newApproved,
  systemCall,
  withProvider,
  type FakeProvider,
} from '../../support/fake-provider.ts';
import { startHarness, type Harness } from '../../support/harness.ts';

let harness: Harness;
let tenant: TestTenant;
let payee: TestPayee;
let provider: FakeProvider;
let call: Call;

beforeAll(async () => {
  harness = await startHarness({ worker: false, env: { PROVIDER_TIMEOUT_MS: '1' } });
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.database.reset();
  tenant = await makeTenant(harness);
  payee = await makePayee(harness, tenant.key);
  provider = fakeProvider();
  call = await systemCall(withProvider(harness.services, provider), tenant.tenantId);
});

const approved = () =>
  newApproved(harness, tenant.key, payoutBody(payee, { validator_strategy: 'auto' }));

const sql = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await harness.database.pool.query(text, values)).rows as T[];

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
const attemptOf = async (id: string) =>
  (
    await sql<{ id: string; status: string; needs_operator: boolean }>(
      'SELECT id, status, needs_operator FROM disbursement_attempt WHERE payout_id = $1',
      [id],
    )
  )[0];

async function referenceOf(id: string): Promise<string> {
  const attempt = await attemptOf(id);
  return makeReference(tenant.tenantId, attempt?.id ?? '');
}

async function says(id: string, told: Partial<ProviderPayout>): Promise<void> {
  provider.found.set(await referenceOf(id), told);
}

async function event(
  id: string,
  type: ProviderPayoutEvent['type'],
  more: Partial<ProviderPayoutEvent> = {},
): Promise<void> {
  const attempt = await attemptOf(id);
  const told: ProviderPayoutEvent = {
    kind: 'payout',
    type,
    eventId: eventId(),
    occurredAt: new Date().toISOString(),
    reference: makeReference(tenant.tenantId, attempt?.id ?? ''),
    providerPayoutId: `po_${attempt?.id ?? ''}`,
    railRef: null,
    expectedDeliveryDate: null,
    failure: null,
    ...more,
  };
  await keepProviderEvent(call.services, 'simulator', told);
  await applyProviderEvent(call.services, 'simulator', told.eventId);
}

const eventsOf = async (id: string) =>
  (
    await sql<{ type: string }>('SELECT type FROM event WHERE payout_id = $1 ORDER BY sequence', [
      id,
    ])
  ).map(({ type }) => type);

describe('lost jobs', () => {
  it('gives an approved payout its job again, once it stands still, and once', async () => {
    const id = await approved();
    await loseJobs();
    await reconcilePayouts(call.services);
    expect(await jobs('disburse_payout')).toEqual([]);
    await later(121);
    await Promise.all([reconcilePayouts(call.services), reconcilePayouts(call.services)]);
    await reconcilePayouts(call.services);
    expect(await jobs('disburse_payout')).toEqual([
      { payload: { tenantId: tenant.tenantId, payoutId: id } },
    ]);
    await disbursePayout(call, id);
    await later(121);
    await loseJobs();
    await reconcilePayouts(call.services);
    expect(await jobs('disburse_payout')).toEqual([]);
  });

  it.each(['unknown_taken', 'crash_lost'] as const)(
    'gives an attempt that ended in %s its job again',
    async (fate) => {
      const id = await approved();
      provider.fates.push(fate);
      await disbursePayout(call, id).catch(() => undefined);
      await loseJobs();
      await reconcilePayouts(call.services);
      expect(await jobs('disburse_payout')).toEqual([]);
      await later(121);
      await reconcilePayouts(call.services);
      expect(await jobs('disburse_payout')).toHaveLength(1);
      await disbursePayout(call, id);
      expect((await attemptOf(id))?.status).toBe('submitted');
      expect(provider.ledger.size).toBe(1);
    },
  );

  it('keeps the pause of a job that waits, and replaces one that gave up', async () => {
    const id = await approved();
    provider.fates.push('unknown_lost');
    await disbursePayout(call, id);
    await sql(`DELETE FROM graphile_worker._private_jobs WHERE key IS DISTINCT FROM $1`, [
      `disburse ${id}`,
    ]);
    await sql(`UPDATE graphile_worker._private_jobs SET run_at = now() + interval '4 minutes'`);
    await later(121);
    await reconcilePayouts(call.services);
    const waiting = `SELECT attempts, run_at > now() + interval '3 minutes' AS later FROM graphile_worker._private_jobs`;
    expect(await sql(waiting)).toEqual([{ attempts: 0, later: true }]);
    await sql('UPDATE graphile_worker._private_jobs SET attempts = max_attempts');
    await reconcilePayouts(call.services);
    expect(await sql(waiting)).toContainEqual({ attempts: 0, later: false });
  });

  it('leaves alone what waits for an operator, and sends nothing past the key window', async () => {
    const id = await approved();
    provider.fates.push('unknown_lost');
    await disbursePayout(call, id);
    await sql('UPDATE disbursement_attempt SET key_expires_at = now()');
    await disbursePayout(call, id);
    expect(await attemptOf(id)).toMatchObject({ status: 'unknown', needs_operator: true });
    await loseJobs();
    await later(200_000);
    await reconcilePayouts(call.services);
    expect(await jobs('disburse_payout')).toEqual([]);
    expect(provider.submissions).toHaveLength(1);
    expect((await readPayout(call, id)).state).toBe('approved');
  });

  it('gives a stored event its job again', async () => {
    const id = await approved();
    await disbursePayout(call, id);
    const reference = await referenceOf(id);
    await keepProviderEvent(call.services, 'simulator', {
      kind: 'payout',
      type: 'disbursed',
      eventId: 'sev_lost',
      occurredAt: new Date().toISOString(),
      reference,
      providerPayoutId: 'po_x',
      railRef: 'RAIL1',
      expectedDeliveryDate: null,
      failure: null,
    });
    await loseJobs();
    await later(121);
    await reconcilePayouts(call.services);
    expect(await jobs('apply_provider_event')).toEqual([
      { payload: { provider: 'simulator', eventId: 'sev_lost' } },
    ]);
    await applyProviderEvent(call.services, 'simulator', 'sev_lost');
    expect((await readPayout(call, id)).state).toBe('disbursed');
    await loseJobs();
    await reconcilePayouts(call.services);
    expect(await jobs('apply_provider_event')).toEqual([]);
  });

  it('adds the jobs of a batch by one statement', async () => {
    const ids = [await approved(), await approved(), await approved()];
    for (const eventId of ['sev_1', 'sev_2', 'sev_3']) {
      await keepProviderEvent(call.services, 'simulator', {
        kind: 'recipient',
        type: 'suspended',
        eventId,
        occurredAt: new Date().toISOString(),
        reference: 'of.nobody',
        recipientId: 'rcp_x',
        reason: null,
      });
    }
    await loseJobs();
    await later(121);
    const { sent } = await harness.sql.during(() => reconcilePayouts(call.services));
    const additions = sent.filter(({ name }) => name?.startsWith('add_job'));
    expect(additions.map(({ name }) => name)).toEqual(['add_jobs', 'add_jobs']);
    const payouts = (await jobs('disburse_payout')).map(({ payload }) => payload['payoutId']);
    expect(payouts).toHaveLength(3);
    expect(new Set(payouts)).toEqual(new Set(ids));
    expect(await jobs('apply_provider_event')).toEqual(
      ['sev_1', 'sev_2', 'sev_3'].map((eventId) => ({
        payload: { provider: 'simulator', eventId },
      })),
    );
    await reconcilePayouts(call.services);
    expect(await jobs('disburse_payout')).toHaveLength(3);
  });

  it('looks after payouts that can be paid only', async () => {
    const production = await makeTenant(harness, { environment: 'production' });
    const own = await makePayee(harness, production.key);
    await newApproved(harness, production.key, payoutBody(own, { validator_strategy: 'auto' }));
    await loseJobs();
    await later(121);
    await reconcilePayouts(call.services);
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
    await disbursePayout(call, id);
    const failure =
      status === 'failed' || status === 'returned'
        ? { code: 'account_closed' as const, message: 'closed' }
        : null;
    await says(id, { status, railRef: 'RAIL7', failure });
    await later(899);
    await reconcilePayouts(call.services);
    expect(provider.lookUps).toEqual([]);
    await later(2);
    await reconcilePayouts(call.services);
    await reconcilePayouts(call.services);
    expect(provider.lookUps).toEqual([await referenceOf(id)]);
    const payout = await readPayout(call, id);
    expect(payout).toMatchObject({
      state,
      railRef: 'RAIL7',
      failureCode: failure?.code ?? null,
    });
    expect(await eventsOf(id)).toEqual(['payout.disbursement_submitted', ...types]);

    const { updatedAt: _before, ...known } = payout;
    await event(id, status, { railRef: 'RAIL7', failure });
    const { updatedAt: _after, ...after } = await readPayout(call, id);
    expect(after).toEqual(known);
    expect(await eventsOf(id)).toEqual([
      'payout.disbursement_submitted',
      ...types,
      'payout.acknowledged',
    ]);
  });

  it('is asked of a disbursed payout after a day', async () => {
    const id = await approved();
    await disbursePayout(call, id);
    await event(id, 'disbursed', { railRef: 'RAIL1' });
    await says(id, { status: 'settled', railRef: 'RAIL1' });
    await later(86_000);
    await reconcilePayouts(call.services);
    expect(provider.lookUps).toEqual([]);
    await later(500);
    await reconcilePayouts(call.services);
    expect((await readPayout(call, id)).state).toBe('settled');
  });

  it('is asked again after the same silence when it had nothing new, and at once after a failure', async () => {
    const id = await approved();
    await disbursePayout(call, id);
    await later(901);
    provider.down = true;
    await reconcilePayouts(call.services);
    expect(provider.lookUps).toHaveLength(1);
    await reconcilePayouts(call.services);
    expect(provider.lookUps).toHaveLength(1);
    await later(61);
    provider.down = false;
    await reconcilePayouts(call.services);
    expect(provider.lookUps).toHaveLength(2);
    await later(800);
    await reconcilePayouts(call.services);
    expect(provider.lookUps).toHaveLength(2);
    await later(101);
    await reconcilePayouts(call.services);
    expect(provider.lookUps).toHaveLength(3);
    expect((await readPayout(call, id)).state).toBe('approved');
  });

  it('is not believed when it no longer knows a payment: a person decides', async () => {
    const id = await approved();
    provider.fates.push('ok');
    await disbursePayout(call, id);
    (provider.ledger as Map<string, unknown>).clear();
    await later(901);
    await reconcilePayouts(call.services);
    expect((await readPayout(call, id)).state).toBe('approved');
    expect(await attemptOf(id)).toMatchObject({ status: 'submitted', needs_operator: true });
    await later(10_000);
    await reconcilePayouts(call.services);
    expect(provider.lookUps).toHaveLength(1);
    expect(provider.submissions).toHaveLength(1);
  });
});

it('reads its candidates by their index', async () => {
  const client = await harness.database.pool.connect();
  try {
    for (const name of ['stalled_payouts', 'claim_quiet_approved_attempts'] as const) {
      const text =
        [...harness.sql.distinct.values()].find((sent) => sent.name === name)?.text ?? '';
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

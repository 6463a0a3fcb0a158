import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorker, type WorkerHandle } from '../../jobs/runner.ts';
import { applyProviderEvent } from '../../src/domain/provider-event/apply.ts';
import { keepProviderEvents } from '../../src/domain/provider-event/inbox.ts';
import { makeReference } from '../../src/providers/reference.ts';
import { holds, looksBack, parseScrape, readAlertRules } from '../support/alert-rules.ts';
import { eventually, makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import type { TestPayee, TestTenant } from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import { startReceiver, type WebhookReceiver } from '../support/receiver.ts';
import { workersHaveBeaten } from '../support/worker-beats.ts';
import { makeOperator, type Operator } from './support.ts';

/*
 * The bad night: whatever breaks is found from the alerts alone, whose conditions are evaluated against the
 * metrics, and mended by the statements of its section in docs/runbooks.md. The times that an alert must hold
 * for are not waited; test/docs/observe.test.ts bounds them.
 */

let harness: Harness;
let tenant: TestTenant;
let payee: TestPayee;
let ada: Operator;
let receiver: WebhookReceiver;
let worker: WorkerHandle | null = null;

beforeAll(async () => {
  receiver = await startReceiver();
  harness = await startHarness({
    worker: false,
    env: {
      LOG_LEVEL: 'silent',
      METRICS_PORT: '0',
      PROVIDER_RETRY_DELAYS: '1',
      WORKER_HEARTBEAT_MS: '250',
      WEBHOOK_EXTRA_CA_FILE: receiver.caFile,
    },
  });
  tenant = await makeTenant(harness);
  payee = await makePayee(harness, tenant.key);
  ada = await makeOperator(harness.database, 'ops_operate');
});
afterAll(async () => {
  await worker?.stop();
  await ada.leave();
  await harness.close();
  await receiver.close();
});

const rules = readAlertRules();
const sql = async <R = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await harness.database.pool.query(text, values)).rows as R[];

/** The alerts whose conditions hold now. */
async function alerts(): Promise<string[]> {
  const { metrics } = harness.services;
  if (metrics === null) throw new Error('METRICS_PORT is set');
  const scrape = parseScrape((await metrics.expose()).text);
  return rules.filter((rule) => !looksBack(rule) && holds(rule, scrape)).map(({ alert }) => alert);
}
const fires = (alert: string) => eventually(async () => (await alerts()).includes(alert));
const ends = (alert: string) => eventually(async () => !(await alerts()).includes(alert));

async function pay(): Promise<string> {
  const body = payoutBody(payee, { validator_strategy: 'auto' });
  const made = await harness.rest('POST', '/v1/payouts', { key: tenant.key, body });
  expect(made.status).toBe(201);
  return made.body.payout.id;
}

async function stateOf(id: string): Promise<string> {
  return (await harness.rest('GET', `/v1/payouts/${id}`, { key: tenant.key })).body.payout.state;
}
const settles = (id: string) => eventually(async () => (await stateOf(id)) === 'settled');

async function providerFaults(faults: Record<string, unknown>): Promise<void> {
  const answer = await fetch(`${harness.simulatorUrl}/control/faults`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${harness.services.config.SIMULATOR_API_KEY}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(faults),
  });
  expect(answer.ok).toBe(true);
}

const older = (id: string) =>
  sql(`UPDATE payout SET updated_at = now() - interval '2 minutes' WHERE id = $1`, [id]);

describe('what breaks at night is found from its alert and mended from its runbook', () => {
  it('the worker is dead', async () => {
    const id = await pay();
    await sql(`UPDATE graphile_worker._private_jobs SET run_at = now() - interval '3 minutes'`);
    await fires('PayoutsNoWorker');
    await fires('PayoutsJobsLate');
    await sql(
      `INSERT INTO job_outbox (id, tenant_id, task, payload, job_key)
       SELECT uuidv7(interval '-2 minutes'), $1, 'disburse_payout',
         jsonb_build_object('tenantId', $1::text, 'payoutId', $2::text), 'disburse ' || $2`,
      [tenant.tenantId, id],
    );
    await fires('PayoutsOutboxLate');
    expect(await ada.sql('SELECT FROM ops.outbox')).not.toEqual([]);
    expect(await ada.sql('SELECT * FROM ops.workers WHERE alive')).toEqual([]);
    worker = await startWorker(harness.services);
    await settles(id);
    await ends('PayoutsNoWorker');
    await ends('PayoutsJobsLate');
    await ends('PayoutsOutboxLate');
  });

  it('the provider is away, and the outcomes of payouts are unknown', async () => {
    await providerFaults({ on: 'all', error_before_accept: 1_000_000 });
    const ids = await Promise.all(Array.from({ length: 12 }, pay));
    await fires('PayoutsProviderAway');
    const [row] = await eventually(async () => {
      const unknown = await sql<{ payout_id: string }>(
        `SELECT payout_id FROM disbursement_attempt WHERE status = 'unknown' ORDER BY id LIMIT 1`,
      );
      return unknown.length > 0 && unknown;
    });
    const unclear = row?.payout_id ?? '';
    await older(unclear);
    await fires('PayoutsOutcomeUnknown');
    const { unknown_now: unknownNow } = await ada.row<{ unknown_now: number }>(
      `SELECT unknown_now FROM ops.provider_health WHERE environment = 'sandbox'`,
    );
    expect(unknownNow).toBeGreaterThan(0);

    await providerFaults({});
    await ada.row(`SELECT ops.look_up_payout($1, 'the provider is back')`, [unclear]);
    for (const id of ids) await settles(id);
    await ends('PayoutsProviderAway');
    await ends('PayoutsOutcomeUnknown');
  });

  /** Two other businesses whose endpoint fails too; ends what it made. */
  async function othersFail(): Promise<() => Promise<unknown>> {
    const others = await Promise.all([makeTenant(harness), makeTenant(harness)]);
    for (const { key, tenantId } of others) {
      const body = { url: receiver.url, enabled_events: ['payout.settled'] };
      const made = await harness.rest('POST', '/v1/webhook-subscriptions', { key, body });
      expect(made.status).toBe(201);
      await sql(
        `INSERT INTO webhook_endpoint_failure (tenant_id, subscription_id, failing_since, last_failed_at)
         SELECT tenant_id, id, now(), now() FROM webhook_subscription WHERE tenant_id = $1`,
        [tenantId],
      );
    }
    const ids = others.map(({ tenantId }) => tenantId);
    return () => sql('DELETE FROM webhook_endpoint_failure WHERE tenant_id = ANY ($1)', [ids]);
  }

  it('endpoints are dead, one of which is no matter of the platform', async () => {
    const { key } = tenant;
    const dead = { url: 'https://localhost:9/webhooks', enabled_events: ['payout.settled'] };
    const made = await harness.rest('POST', '/v1/webhook-subscriptions', { key, body: dead });
    expect(made.status).toBe(201);
    await settles(await pay());
    await eventually(async () => (await ada.sql('SELECT FROM ops.endpoint_health')).length > 0);
    expect(await alerts()).not.toContain('PayoutsEndpointsFail');
    const mend = await othersFail();
    await fires('PayoutsEndpointsFail');
    const line = await ada.row<{ what: string }>(
      'SELECT what FROM ops.endpoint_health WHERE tenant_id = $1',
      [tenant.tenantId],
    );
    expect(line.what).toMatch(
      /without an answer. 1 delivery waits; the next attempt is in \d+ seconds/,
    );

    const back = await harness.rest('PATCH', '/v1/webhook-subscriptions', {
      key,
      body: { url: receiver.url },
    });
    expect(back.status).toBe(200);
    const [delivery] = await ada.sql<{ delivery_id: string }>(
      `SELECT delivery_id FROM ops.deliveries WHERE tenant_id = $1 AND status = 'pending'`,
      [tenant.tenantId],
    );
    await ada.row(`SELECT * FROM ops.schedule('deliver_webhook', $1, reason => 'it is back')`, [
      delivery?.delivery_id,
    ]);
    await eventually(async () => receiver.received.length > 0);
    await mend();
    await ends('PayoutsEndpointsFail');
  });

  it('a job is poisoned', async () => {
    const [job] = await sql<{ id: string }>(
      `SELECT id FROM graphile_worker.add_job('disburse_payout', '{"tenantId": 7}')`,
    );
    await eventually(async () => {
      const found = await ada.sql('SELECT FROM ops.jobs WHERE id = $1 AND attempts > 0', [job?.id]);
      return found.length > 0;
    });
    await sql(
      `UPDATE graphile_worker._private_jobs SET attempts = 4, run_at = now() + interval '1 hour' WHERE id = $1 AND locked_at IS NULL`,
      [job?.id],
    );
    await fires('PayoutsJobsFail');
    const shown = await ada.row<{ last_error: string }>(
      'SELECT last_error FROM ops.jobs WHERE attempts >= 4',
    );
    expect(shown.last_error).toMatch(/^The job's payload is malformed: tenantId: .*payoutId: /);
    expect(shown.last_error).not.toContain('\n');
    await ada.row(`SELECT * FROM ops.cancel_job($1, 'it can never succeed')`, [job?.id]);
    await ends('PayoutsJobsFail');
  });

  it('an operator named the wrong payment', async () => {
    await ada.sql(`SELECT ops.pause_task('disburse_payout', 'one by one')`);
    await workersHaveBeaten(harness.database.pool);
    const id = await pay();
    const [attempt] = await sql<{ id: string; amount_minor: string }>(
      `INSERT INTO disbursement_attempt (tenant_id, id, payout_id, number, provider, recipient_id, amount_minor, currency,
         bank_account_id, bank_account_version, status, key_expires_at, needs_operator)
       SELECT p.tenant_id, replace(p.id, 'pay_', 'dat_'), p.id, 1, 'simulator', 'r', p.amount_minor, p.currency,
         p.bank_account_id, p.bank_account_version, 'unknown', now(), true
       FROM payout p WHERE p.id = $1 RETURNING id, amount_minor`,
      [id],
    );
    await sql(`UPDATE payout SET live_attempt_id = $2, provider = 'simulator' WHERE id = $1`, [
      id,
      attempt?.id,
    ]);
    await fires('PayoutsNeedAnOperator');
    await ada.row(
      `SELECT ops.resolve_payout($1, 'paid', 'po_wrong', evidence => 'ticket 4711', reason => 'they said so')`,
      [id],
    );
    await eventually(async () => (await stateOf(id)) === 'disbursed');
    await ends('PayoutsNeedAnOperator');

    const eventId = `sev_${String(attempt?.id)}`;
    await keepProviderEvents(harness.services, 'simulator', [
      {
        kind: 'payout',
        type: 'settled',
        eventId,
        occurredAt: new Date().toISOString(),
        reference: makeReference(tenant.tenantId, attempt?.id ?? ''),
        providerPayoutId: 'po_right',
        amountMinor: BigInt(attempt?.amount_minor ?? 0),
        currency: 'USD',
        railRef: null,
        expectedDeliveryDate: null,
        failure: null,
      },
    ]);
    await applyProviderEvent(harness.services, 'simulator', eventId);
    expect(await stateOf(id)).toBe('settled');
    await fires('PayoutsProviderContradicts');
    const found = await ada.row<{ contradiction_id: string }>(
      'SELECT contradiction_id, said, expected FROM ops.contradictions WHERE finding IS NULL',
    );
    expect(found).toMatchObject({ said: 'po_right', expected: 'po_wrong' });
    await ada.row(
      `SELECT * FROM ops.examine_contradiction($1, 'as_recorded', evidence => 'ticket 4711', reason => 'one payment')`,
      [found.contradiction_id],
    );
    await ends('PayoutsProviderContradicts');
  });

  it('the morning finds no alert but the paused task', async () => {
    expect(await alerts()).toEqual(['PayoutsTaskPaused']);
    await ada.sql(`SELECT ops.resume_task('disburse_payout', 'done')`);
    await ends('PayoutsTaskPaused');
  });
});

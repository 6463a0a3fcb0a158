import { describe, expect, it } from 'vitest';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { findLatestEnrollment } from '../../../src/domain/enrollment/store.ts';
import { reconcilePayouts } from '../../../src/domain/reconciliation/reconcile.ts';
import { inTransaction } from '../../../src/db/pool.ts';
import { connectBank, sandboxBank, setRoutes } from '../../support/banking.ts';
import { makePayee, makeTenant, payoutBody, type TestTenant } from '../../support/factory.ts';
import { fakeProvider, systemCall, withProvider } from '../../support/fake-provider.ts';
import { useHarness } from '../../support/use-harness.ts';
import { sessionsWait } from '../../support/sessions-wait.ts';

const harness = useHarness({
  worker: false,
  env: { LOG_LEVEL: 'silent', RECONCILE_STALLED_AFTER: '1', ...sandboxBank },
});

/** A sandbox whose dollars go to its bank, and a payout that is approved. */
async function world(routes?: (connectionId: string) => Record<string, unknown>[]) {
  const tenant = await makeTenant(harness);
  const connectionId = await connectBank(harness, tenant);
  await setRoutes(harness, tenant, 0, routes?.(connectionId) ?? [{ connectionId }]);
  const payee = await makePayee(harness, tenant.key);
  const provider = fakeProvider();
  const services = withProvider(harness.services, provider);
  const call = await systemCall(services, tenant.tenantId);
  const approved = async (more: object = {}) => {
    const body = payoutBody(payee, { validator_strategy: 'auto', ...more });
    const answer = await harness.rest('POST', '/v1/payouts', { key: tenant.key, body });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body.payout.id as string;
  };
  return { tenant, payee, connectionId, provider, call, approved };
}

const rowsOf = async (text: string, { tenantId }: TestTenant) =>
  (await harness.database.pool.query<Record<string, unknown>>(text, [tenantId])).rows;
const waiting = (tenant: TestTenant) =>
  rowsOf(
    'SELECT payout_id, connection_id, scheme, currency FROM bank_waiting WHERE tenant_id = $1',
    tenant,
  );
const payoutRows = (tenant: TestTenant) =>
  rowsOf(
    'SELECT state, provider, live_attempt_id IS NOT NULL AS live, failure_code FROM payout WHERE tenant_id = $1 ORDER BY id',
    tenant,
  );

describe('a payout whose route leads to a bank', () => {
  it('is enrolled there and waits for a file; nobody is called', async () => {
    const { tenant, payee, connectionId, provider, call, approved } = await world();
    const id = await approved();
    await disbursePayout(call, id);
    await disbursePayout(call, id);
    expect(await waiting(tenant)).toEqual([
      { payout_id: id, connection_id: connectionId, scheme: 'ach', currency: 'USD' },
    ]);
    expect(provider.submissions).toEqual([]);
    const version = { bankAccountId: payee.bankAccountId, version: 1 };
    const { pool } = harness.services;
    const atBank = await findLatestEnrollment(pool, call.scope, version, `bank:${connectionId}`);
    expect(atBank).toMatchObject({ status: 'verified', recipientId: atBank?.id });
    expect(await findLatestEnrollment(pool, call.scope, version, 'simulator')).toBeNull();
    const canceled = await harness.rest('POST', `/v1/payouts/${id}/cancel`, { key: tenant.key });
    expect(canceled.status, canceled.text).toBe(200);
  });

  it('does not wait where it is canceled at that moment', async () => {
    const { tenant, call, approved } = await world();
    const id = await approved();
    const running = await inTransaction(harness.database.pool, async (client) => {
      const { tenantId } = tenant;
      await client.query('SELECT 1 FROM payout WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [
        tenantId,
        id,
      ]);
      const job = disbursePayout(call, id);
      await sessionsWait(harness.database.pool, 1);
      await client.query(
        `INSERT INTO payout_transition (tenant_id, payout_id, seq, previous_seq, from_state, to_state, actor)
         VALUES ($1, $2, 2, 1, 'approved', 'canceled', '{"type": "system", "name": "test"}')`,
        [tenantId, id],
      );
      await client.query(
        `UPDATE payout SET state = 'canceled', transition_count = 2 WHERE tenant_id = $1 AND id = $2`,
        [tenantId, id],
      );
      return { job };
    });
    await running.job;
    expect(await waiting(tenant)).toEqual([]);
  });

  it('fails where its file cannot hold it any more, since nothing was paid', async () => {
    const { tenant, payee, call, approved } = await world();
    const id = await approved();
    // Stored by a release that took such a number.
    await harness.database.pool.query(
      `UPDATE bank_account_version SET account_type = 'savings', country = 'DE' WHERE bank_account_id = $1`,
      [payee.bankAccountId],
    );
    await disbursePayout(call, id);
    expect(await payoutRows(tenant)).toMatchObject([{ state: 'failed', live: false }]);
  });
});

describe('routes that change', () => {
  it('move a payout that nobody has, and none that was handed over', async () => {
    const { tenant, connectionId, provider, call, approved } = await world(() => [
      { provider: 'simulator' },
    ]);
    provider.fates.push('unknown_lost');
    const handedOver = await approved();
    await disbursePayout(call, handedOver);
    await setRoutes(harness, tenant, 1, [{ connectionId }]);
    const later = await approved();
    await disbursePayout(call, later);
    await disbursePayout(call, handedOver);
    expect(provider.submissions.map(({ idempotencyKey }) => idempotencyKey)).toHaveLength(2);
    expect(await payoutRows(tenant)).toEqual([
      { state: 'approved', provider: 'simulator', live: true, failure_code: null },
      { state: 'approved', provider: null, live: false, failure_code: null },
    ]);
    expect(await waiting(tenant)).toMatchObject([{ payout_id: later }]);
  });

  it('give the payouts that wait for a file their jobs again', async () => {
    const { tenant, call, approved } = await world();
    const id = await approved();
    await disbursePayout(call, id);
    await harness.database.pool.query('DELETE FROM job_outbox WHERE tenant_id = $1', [
      tenant.tenantId,
    ]);
    await setRoutes(harness, tenant, 1, [{ provider: 'simulator' }]);
    expect(await rowsOf('SELECT task FROM job_outbox WHERE tenant_id = $1', tenant)).toEqual([
      { task: 'disburse_payout' },
    ]);
    await disbursePayout(call, id);
    expect(await payoutRows(tenant)).toMatchObject([{ provider: 'simulator', live: true }]);
  });

  it('leave a payout without a route waiting, until there is one', async () => {
    const { tenant, connectionId, call, approved } = await world();
    const id = await approved();
    await setRoutes(harness, tenant, 1, [{ connectionId, currency: 'EUR' }]);
    await disbursePayout(call, id);
    expect(await payoutRows(tenant)).toMatchObject([{ state: 'approved', live: false }]);
    expect(await waiting(tenant)).toEqual([]);
    await setRoutes(harness, tenant, 2, []);
    await disbursePayout(call, id);
    expect(await payoutRows(tenant)).toMatchObject([{ provider: 'simulator', live: true }]);
  });
});

describe('the reconciliation', () => {
  it('never asks a bank, and leaves alone what waits for a file', async () => {
    const { tenant, provider, call, approved, connectionId } = await world();
    const id = await approved();
    await disbursePayout(call, id);
    const inFile = await approved();
    await harness.database.pool.query(
      `INSERT INTO disbursement_attempt (tenant_id, id, payout_id, number, provider, recipient_id, amount_minor,
         currency, bank_account_id, bank_account_version, status, key_expires_at, calls, called_at, submitted_at,
         provider_payout_id)
       SELECT tenant_id, replace(id, 'pay_', 'dat_'), id, 1, 'bank:' || $2, 'enr_1', amount_minor, currency,
         bank_account_id, bank_account_version, 'submitted', now(), 1, now() - interval '1 day',
         now() - interval '1 day', 'x'
       FROM payout WHERE id = $1`,
      [inFile, connectionId],
    );
    await harness.database.pool.query(
      `UPDATE payout SET live_attempt_id = replace(id, 'pay_', 'dat_'), provider = 'bank:' || $2::text WHERE id = $1`,
      [inFile, connectionId],
    );
    await harness.database.pool.query(
      `UPDATE payout SET updated_at = now() - interval '2 days' WHERE tenant_id = $1`,
      [tenant.tenantId],
    );
    await harness.database.pool.query('DELETE FROM job_outbox WHERE tenant_id = $1', [
      tenant.tenantId,
    ]);
    await reconcilePayouts(call.services);
    await disbursePayout(call, inFile);
    expect(provider.lookUps).toEqual([]);
    const jobs = await rowsOf(
      `SELECT job_key FROM job_outbox WHERE tenant_id = $1 AND task = 'disburse_payout'`,
      tenant,
    );
    expect(jobs).toEqual([]);
  });
});

it('a bank has no webhook', async () => {
  const { connectionId } = await world();
  const answer = await harness.rest('POST', `/provider-webhooks/bank:${connectionId}`, {
    body: {},
  });
  expect(answer.status).toBe(404);
});

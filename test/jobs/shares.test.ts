import { performance } from 'node:perf_hooks';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { handlers } from '../../jobs/handlers.ts';
import { disbursementShareOf } from '../../jobs/shares.ts';
import type { ShareEntry } from '../../src/concurrency/fair-share.ts';
import { eventually, makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import {
  fakeProvider,
  newApproved,
  withProvider,
  type FakeProvider,
} from '../support/fake-provider.ts';
import { startHarness, type Harness } from '../support/harness.ts';

function granted(entry: ShareEntry): (tookMs?: number) => void {
  if (!entry.granted) throw new Error('put off');
  return entry.leave;
}

describe('the job of a disbursement', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness({ worker: false, env: { WORKER_CONCURRENCY: '2' } });
  });
  afterAll(() => harness.close());

  it('is put off when its tenant has its share of the slots, and hands over when it has not', async () => {
    const tenant = await makeTenant(harness);
    const payee = await makePayee(harness, tenant.key);
    const body = payoutBody(payee, { validator_strategy: 'auto' });
    const payoutId = await newApproved(harness, tenant.key, body);
    const provider = fakeProvider();
    const services = withProvider(harness.services, provider);
    const run = () => handlers.disburse_payout({ tenantId: tenant.tenantId, payoutId }, services);

    const share = disbursementShareOf(services);
    granted(share.enter('other'))(4_000);
    const leave = granted(share.enter(tenant.tenantId));
    const before = Date.now();
    await run();
    expect(provider.submissions).toEqual([]);
    const { rows } = await harness.database.pool.query<{ payload: unknown; runAt: Date }>(
      `SELECT payload, j.run_at AS "runAt" FROM graphile_worker.jobs j
       JOIN graphile_worker._private_jobs p USING (id) WHERE j.key = $1`,
      [`disburse ${payoutId}`],
    );
    expect(rows).toMatchObject([{ payload: { tenantId: tenant.tenantId, payoutId } }]);
    expect(rows[0]?.runAt.getTime()).toBeGreaterThan(before);

    leave();
    await run();
    expect(provider.ledger.size).toBe(1);
    // Its slot is free again.
    granted(share.enter(tenant.tenantId))();
  });

  describe('on a clock that the test moves', () => {
    let skippedMs = 0;
    beforeAll(() => {
      const { eventLoopUtilization } = performance;
      vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => {
        const measured = eventLoopUtilization.call(performance);
        return { ...measured, idle: measured.idle + skippedMs };
      });
    });
    afterEach(() => {
      // Quick answers until the server counts as quick again.
      for (let job = 0; job < 100; job += 1)
        granted(disbursementShareOf(harness.services).enter('other'))(0);
    });
    afterAll(() => void vi.restoreAllMocks());

    /** A payout of a new tenant, and its job with the provider. */
    async function jobOf(provider: FakeProvider) {
      const { key, tenantId } = await makeTenant(harness);
      const payee = await makePayee(harness, key);
      const payoutId = await newApproved(
        harness,
        key,
        payoutBody(payee, { validator_strategy: 'auto' }),
      );
      const services = withProvider(harness.services, provider);
      const run = () => handlers.disburse_payout({ tenantId, payoutId }, services);
      /** Whether a tenant may have all slots. */
      const unbound = (): boolean => {
        const share = disbursementShareOf(services);
        const entries = [share.enter(tenantId), share.enter(tenantId)];
        for (const entry of entries) if (entry.granted) entry.leave(null);
        return entries.every((entry) => entry.granted);
      };
      return { payoutId, run, unbound };
    }

    it('bounds its tenant once the provider took long', async () => {
      const provider = fakeProvider();
      const { port } = provider;
      const submit: typeof port.submit = (request) => {
        skippedMs += 60_000;
        return port.submit(request);
      };
      const { run, unbound } = await jobOf({ ...provider, port: { ...port, submit } });
      await run();
      expect(provider.ledger.size).toBe(1);
      expect(unbound()).toBe(false);
    });

    it('does not take its own wait in the database for a slow provider', async () => {
      const provider = fakeProvider();
      const { payoutId, run, unbound } = await jobOf(provider);
      const { pool } = harness.database;
      const holder = await pool.connect();
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM payout WHERE id = $1 FOR UPDATE', [payoutId]);
      const running = run();
      await eventually(async () => {
        const { rows } = await pool.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      });
      skippedMs += 60_000;
      await holder.query('ROLLBACK');
      holder.release();
      await running;
      expect(provider.ledger.size).toBe(1);
      expect(unbound()).toBe(true);
    });
  });
});

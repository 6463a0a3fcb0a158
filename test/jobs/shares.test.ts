import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handlers } from '../../jobs/handlers.ts';
import { disbursementShareOf } from '../../jobs/shares.ts';
import type { Entry } from '../../src/concurrency/fair-share.ts';
import { makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { fakeProvider, newApproved, withProvider } from '../support/fake-provider.ts';
import { startHarness, type Harness } from '../support/harness.ts';

function granted(entry: Entry): () => void {
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
    const slow = granted(share.enter('other'));
    await new Promise((resolve) => setTimeout(resolve, 450));
    slow();
    const leave = granted(share.enter(tenant.tenantId));
    await run();
    expect(provider.submissions).toEqual([]);
    const { rows } = await harness.database.pool.query(
      `SELECT payload, j.run_at > now() AS later FROM graphile_worker.jobs j
       JOIN graphile_worker._private_jobs p USING (id) WHERE j.key = $1`,
      [`disburse ${payoutId}`],
    );
    expect(rows).toEqual([{ payload: { tenantId: tenant.tenantId, payoutId }, later: true }]);

    leave();
    await run();
    expect(provider.ledger.size).toBe(1);
    // Its slot is free again.
    granted(share.enter(tenant.tenantId))();
  });
});

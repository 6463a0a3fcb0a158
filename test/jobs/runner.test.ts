import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { WORKER_HEARTBEAT_MS: '250' } });
});
afterAll(() => harness.close());

it('goes on after every connection to PostgreSQL was cut', async () => {
  const tenant = await makeTenant(harness);
  const payee = await makePayee(harness, tenant.key);
  const { pool } = harness.database;
  for (let round = 1; round <= 3; round += 1) {
    await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'payouts-%'`,
    );
    const created = await eventually(async () => {
      const answer = await harness.rest('POST', '/v1/payouts', {
        key: tenant.key,
        body: payoutBody(payee, { validator_strategy: 'auto' }),
      });
      return answer.status === 201 ? answer.body.payout : null;
    });
    const settled = await eventually(async () => {
      const { body } = await harness.rest('GET', `/v1/payouts/${created.id}`, { key: tenant.key });
      return body.payout?.state === 'settled';
    });
    expect(settled).toBe(true);
  }
});

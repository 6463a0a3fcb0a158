import { expect, it } from 'vitest';
import pg from 'pg';
import { jobScope } from '../../../src/access/system.ts';
import { makeTenant } from '../../support/factory.ts';
import { changedPayouts } from './payout-list.ts';
import { useHarness } from '../../support/use-harness.ts';
import { foreignKeysOff } from '../../support/foreign-keys.ts';

const harness = useHarness({ worker: false });

const count = 8_000;
const idOf = (n: number): string => `pay_${String(n).padStart(26, '0')}`;

async function writer(): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: harness.database.ownerUrl,
    application_name: 'payouts-api',
  });
  await client.connect();
  await client.query('SET synchronous_commit = off');
  return client;
}

it('shows a poller every change of eight writers at least once', async () => {
  const { tenantId } = await makeTenant(harness);
  const client = await writer();
  await client.query(`BEGIN; ${foreignKeysOff}`);
  await client.query(
    `INSERT INTO payout (tenant_id, id, beneficiary_id, beneficiary_name, beneficiary_type, bank_account_id,
       bank_account_version, amount_minor, amount, currency, purpose_of_payment, idempotency_key,
       validator_strategy, state, transition_count, created_by, updated_at)
     SELECT $1, 'pay_' || lpad(n::text, 26, '0'), 'ben', 'n', 'person', 'bac', 1, 1, '1', 'USD', 'other',
       n::text, 'manual', 'pending_approval', 1, '{}', now() - interval '1 day'
     FROM generate_series(1, ${count}) AS n`,
    [tenantId],
  );
  await client.query('COMMIT');
  const { services } = harness;
  const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'test' });
  const updatedSince = new Date(Date.now() - 1_000).toISOString();
  let next = 1;
  let written = false;
  const writers = Array.from({ length: 8 }, async () => {
    const connection = await writer();
    while (next <= count) {
      const id = idOf(next);
      next += 1;
      await connection.query(
        'UPDATE payout SET updated_at = command.clock() WHERE tenant_id = $1 AND id = $2',
        [tenantId, id],
      );
    }
    await connection.end();
  });
  const seen = new Set<string>();
  const poller = async (): Promise<void> => {
    let after: string | null = null;
    // After the last write the horizon passes it within a moment.
    for (let idle = 0; idle < 20;) {
      const call = { services, scope };
      const { ids, end }: Awaited<ReturnType<typeof changedPayouts>> = await changedPayouts(
        call,
        { updatedSince },
        after,
        100,
      );
      for (const id of ids) seen.add(id);
      after = end ?? after;
      if (ids.length === 0 && written) idle += 1;
      if (ids.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const polling = poller();
  await Promise.all(writers);
  written = true;
  await polling;
  await client.end();
  expect(seen.size).toBe(count);
});

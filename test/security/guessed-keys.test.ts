import type { PoolClient } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeKey } from '../../src/access/key.ts';
import { newId } from '../../src/values/ids.ts';
import { eventually } from '../support/factory.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

/*
 * Well-formed keys that do not exist, many at once: all of them are under way before the first is known
 * to fail, and they may not take the connections that other callers need.
 */
/** A quarter of the twelve connections. */
const share = 3;
const harness = useHarness({
  shipped: true,
  worker: false,
  env: { LOG_LEVEL: 'silent', TENANT_WAIT_MS: '500' },
});
const tenant = useTenant(harness);
let lock: PoolClient;

beforeEach(async () => {
  lock = await harness.database.pool.connect();
  await lock.query('BEGIN');
});
afterEach(() => {
  // Closed, so that a test that failed holds nobody up.
  lock.release(true);
});

const statusWith = async (key: string): Promise<number> =>
  (await harness.rest('GET', '/v1/payouts', { key })).status;
const guess = () => statusWith(makeKey('sandbox', newId('apiKey')).key);

async function waitingStatements(): Promise<number> {
  const { rows } = await harness.database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'payouts-api'
       AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.n ?? 0;
}

it('have a share of the connections, and those whose keys worked go on', async () => {
  expect(await statusWith(tenant.key)).toBe(200);
  await lock.query('LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE');
  let refused = 0;
  const guesses = Array.from({ length: 40 }, async () => {
    const status = await guess();
    if (status === 429) refused += 1;
    return status;
  });
  await eventually(async () => (await waitingStatements()) === share);
  expect((await harness.rest('GET', '/readyz')).status).toBe(200);
  // By then the key has to be read again.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  // A key that worked is read with the connections of the process, and waits for the lock alone.
  const known = statusWith(tenant.key);
  await eventually(async () => (await waitingStatements()) === share + 1);
  await eventually(() => Promise.resolve(refused === guesses.length - share));
  await lock.query('ROLLBACK');
  expect(await known).toBe(200);
  const statuses = await Promise.all(guesses);
  expect(statuses.filter((status) => status === 401)).toHaveLength(share);
  expect(await guess()).toBe(401);
});

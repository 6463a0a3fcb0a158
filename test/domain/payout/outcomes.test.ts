import { expect, test } from 'vitest';
import { addOutcomes, countOutcomes } from '../../../src/domain/payout/outcomes.ts';
import { failureCodes } from '../../../src/providers/port.ts';
import { eventually, makePayee, payoutBody } from '../../support/factory.ts';
import { useHarness, usePayee, useTenant } from '../../support/use-harness.ts';

const harness = useHarness();
const tenant = useTenant(harness);
const payee = usePayee(harness, tenant);

/** What the counter has beyond nothing. */
async function counted(): Promise<Record<string, number>> {
  const { rows } = await harness.database.pool.query<{ name: string; payouts: string }>(
    `SELECT concat_ws(' ', environment, provider, route, state, nullif(code, '')) AS name, payouts
     FROM payout_outcome WHERE payouts > 0`,
  );
  return Object.fromEntries(rows.map(({ name, payouts }) => [name, Number(payouts)]));
}

async function create(to = payee): Promise<string> {
  const created = await harness.rest('POST', '/v1/payouts', {
    key: tenant.key,
    body: payoutBody(to),
  });
  expect(created.status, created.text).toBe(201);
  return created.body.payout.id as string;
}

const act = (id: string, action: string) =>
  harness.rest('POST', `/v1/payouts/${id}/${action}`, { key: tenant.key });

async function ended(ids: readonly string[]): Promise<void> {
  await eventually(async () => {
    const { rows } = await harness.database.pool.query(
      `SELECT FROM payout WHERE id = ANY ($1) AND state NOT IN ('settled', 'failed', 'returned')`,
      [ids],
    );
    return rows.length === 0;
  });
}

test('each payout is counted once, by how it ended, who had it and why it failed', async () => {
  const failing = await makePayee(harness, tenant.key, { accountNumber: '000000000001' });
  const ids = [await create(), await create(failing)];
  for (const id of ids) expect((await act(id, 'approve')).status).toBe(200);
  await ended(ids);
  expect((await act(await create(), 'cancel')).status).toBe(200);
  await eventually(async () => {
    // The horizon is a moment behind.
    await countOutcomes(harness.services);
    return Object.keys(await counted()).length === 3;
  });
  // Two at once, as two workers may.
  await Promise.all([countOutcomes(harness.services), countOutcomes(harness.services)]);
  const { rows } = await harness.database.pool.query<{ code: string }>(
    'SELECT failure_code AS code FROM payout WHERE id = $1',
    [ids[1]],
  );
  expect(await counted()).toEqual({
    'sandbox simulator USD settled': 1,
    [`sandbox simulator USD failed ${rows[0]?.code ?? ''}`]: 1,
    'sandbox none USD canceled': 1,
  });
});

test('a failure that has not occurred yet is there as nothing, so that its first one is an increase', async () => {
  await eventually(async () => {
    await countOutcomes(harness.services);
    return (await harness.database.pool.query('SELECT FROM payout_outcome')).rows.length > 0;
  });
  const { rows } = await harness.database.pool.query<{ rows: number }>(
    'SELECT count(*)::int AS rows FROM payout_outcome GROUP BY environment, provider, route',
  );
  for (const group of rows) expect(group.rows).toBe(3 + 2 * failureCodes.length);
});

test('a record that is not committed yet is counted later, and not passed over', async () => {
  const before = (await counted())['sandbox none USD canceled'] ?? 0;
  const id = await create();
  const open = await harness.database.pool.connect();
  try {
    // It writes another payout, and what is dated after its beginning waits for it.
    await open.query('BEGIN');
    await open.query('UPDATE payout SET metadata = metadata WHERE tenant_id = $1 AND id <> $2', [
      tenant.tenantId,
      id,
    ]);
    expect((await act(id, 'cancel')).status).toBe(200);
    await countOutcomes(harness.services);
    expect((await counted())['sandbox none USD canceled'] ?? 0).toBe(before);
    await open.query('COMMIT');
  } finally {
    open.release();
  }
  await eventually(async () => {
    await countOutcomes(harness.services);
    return (await counted())['sandbox none USD canceled'] === before + 1;
  });
});

test('the records of the range alone are read, by their index', async () => {
  const client = await harness.database.pool.connect();
  try {
    // So few rows are read one after the other otherwise.
    await client.query('BEGIN');
    await client.query('SET LOCAL enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (GENERIC_PLAN) ${addOutcomes.text}`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/payout_transition_ended_idx[^]*Index Cond: \(\(recorded_at >= \$1\)/);
    await client.query('ROLLBACK');
  } finally {
    client.release();
  }
});

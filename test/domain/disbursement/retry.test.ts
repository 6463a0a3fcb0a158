import type { Pool, QueryConfig } from 'pg';
import { expect, it } from 'vitest';
import {
  reinstateBeneficiary,
  suspendBeneficiary,
} from '../../../src/domain/beneficiary/suspend.ts';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { readPayout } from '../../../src/domain/payout/read.ts';
import { ProviderError } from '../../../src/providers/port.ts';
import { behind } from '../../support/behind.ts';
import { withProvider } from '../../support/fake-provider.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld({ env: { PROVIDER_RETRY_DELAYS: '10,60,3600' } });
const { approved, comply } = world;

/** The seconds after which the payout's job comes again; null when it has none but that of its approval. */
async function comesIn(payoutId: string): Promise<number | null> {
  const { rows } = await world.harness.database.pool.query<{ seconds: string }>(
    `SELECT extract(epoch FROM run_at - now()) AS seconds FROM graphile_worker.jobs WHERE key = $1 AND run_at <> created_at`,
    [`disburse ${payoutId}`],
  );
  return rows[0] === undefined ? null : Number(rows[0].seconds);
}

/** Expects a pause of so many seconds, spread by a tenth; five were perhaps spent in the test. */
async function expectPause(payoutId: string, seconds: number): Promise<void> {
  const pause = await comesIn(payoutId);
  expect(pause).toBeGreaterThan(seconds * 0.9 - 5);
  expect(pause).toBeLessThanOrEqual(seconds * 1.1);
}

const prepared = (payoutId: string, secondsAgo: number) =>
  world.harness.database.pool.query(
    `UPDATE disbursement_attempt SET called_at = now() - interval '1 second',
       prepared_at = now() - make_interval(secs => $2) WHERE payout_id = $1`,
    [payoutId, secondsAgo],
  );

it('asks a failing provider ever more rarely, though nothing is sent again', async () => {
  const id = await approved();
  world.provider.fates.push('unknown_lost');
  world.provider.down = true;
  await disbursePayout(world.call, id);
  await expectPause(id, 10);
  for (const [age, pause] of [
    [30, 60],
    [100, 300],
    [50_000, 300],
  ] as const) {
    await prepared(id, age);
    await disbursePayout(world.call, id);
    await expectPause(id, pause);
  }
  expect(world.provider.submissions).toHaveLength(1);
});

it('asks ever more rarely while the beneficiary is suspended', async () => {
  const id = await approved();
  world.provider.fates.push('unknown_lost');
  await disbursePayout(world.call, id);
  await comply(suspendBeneficiary);
  await prepared(id, 100);
  await disbursePayout(world.call, id);
  await expectPause(id, 300);
  expect(world.provider.submissions).toHaveLength(1);
});

it('asks ever more rarely for an enrollment that stays unclear', async () => {
  const id = await approved();
  const failing = {
    ...world.provider.port,
    enroll: () => Promise.reject(new ProviderError('unknown', 'other', 'down')),
  };
  const down = {
    ...world.call,
    services: withProvider(world.harness.services, { ...world.provider, port: failing }),
  };
  await disbursePayout(down, id);
  await expectPause(id, 10);
  await world.harness.database.pool.query(
    `UPDATE payout SET approved_at = now() - interval '100 seconds' WHERE id = $1`,
    [id],
  );
  await disbursePayout(down, id);
  await expectPause(id, 300);
});

/** An attempt whose first call was lost, with so many seconds left of its key window. */
async function lostWith(seconds: number): Promise<string> {
  const id = await approved();
  world.provider.fates.push('unknown_lost');
  await disbursePayout(world.call, id);
  await world.sql(
    'UPDATE disbursement_attempt SET key_expires_at = now() + make_interval(secs => $2) WHERE payout_id = $1',
    [id, seconds],
  );
  return id;
}

it.each([-1, 0, 30])(
  'sends nothing again with %i seconds left of the key window: the call may take a minute',
  async (seconds) => {
    const id = await lostWith(seconds);
    await disbursePayout(world.call, id);
    expect(world.provider.submissions).toHaveLength(1);
    expect(await world.attemptOf(id)).toMatchObject({ status: 'unknown', needs_operator: true });
  },
);

it('calls a person for a suspended beneficiary whose key window is about to end', async () => {
  const id = await lostWith(30);
  await comply(suspendBeneficiary);
  await disbursePayout(world.call, id);
  expect(world.provider.submissions).toHaveLength(1);
  expect(await world.attemptOf(id)).toMatchObject({ status: 'unknown', needs_operator: true });
});

it('sends the same key again while enough is left of its window', async () => {
  const id = await lostWith(600);
  await disbursePayout(world.call, id);
  expect(world.provider.submissions.map((one) => one.idempotencyKey)).toEqual(
    Array(2).fill((await world.attemptOf(id)).id),
  );
  expect(await world.attemptOf(id)).toMatchObject({ status: 'submitted', needs_operator: false });
});

it('sends nothing again behind a suspension that is not committed', async () => {
  const id = await lostWith(600);
  await behind(
    world.call.services.pool,
    (client) => suspendBeneficiary(client, world.call.scope, world.payee.beneficiaryId, 'now'),
    () => disbursePayout(world.call, id),
  );
  expect(world.provider.submissions).toHaveLength(1);
  expect(await world.attemptOf(id)).toMatchObject({ status: 'unknown', needs_operator: false });
});

/** A pool that does something before and after the statement of this name. */
function around(pool: Pool, name: string, before: () => Promise<void>, after: typeof before): Pool {
  return new Proxy(pool, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      if (key !== 'query') return value.bind(target) as unknown;
      return async (statement: QueryConfig) => {
        if (statement.name !== name) return target.query(statement);
        await before();
        const result = await target.query(statement);
        await after();
        return result;
      };
    },
  });
}

it('comes again when a suspension that stopped the submission was lifted before it held', async () => {
  const id = await approved();
  const pool = around(
    world.call.services.pool,
    'prepare_attempts',
    () => comply(suspendBeneficiary),
    () => comply(reinstateBeneficiary),
  );
  await disbursePayout({ ...world.call, services: { ...world.call.services, pool } }, id);
  expect(world.provider.submissions).toEqual([]);
  expect((await readPayout(world.call, id)).state).toBe('approved');
  await expectPause(id, 10);
  await disbursePayout(world.call, id);
  expect(world.provider.ledger.size).toBe(1);
});

it('does not come again when another run was faster', async () => {
  const id = await approved();
  const pool = around(
    world.call.services.pool,
    'prepare_attempts',
    () => disbursePayout(world.call, id),
    () => Promise.resolve(),
  );
  await disbursePayout({ ...world.call, services: { ...world.call.services, pool } }, id);
  expect(world.provider.ledger.size).toBe(1);
  expect(await comesIn(id)).toBeNull();
});

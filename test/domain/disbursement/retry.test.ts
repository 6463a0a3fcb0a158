import type { Pool, QueryConfig } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { inTransaction } from '../../../src/db/pool.ts';
import {
  reinstateBeneficiary,
  suspendBeneficiary,
} from '../../../src/domain/beneficiary/suspend.ts';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { readPayout } from '../../../src/domain/payout/read.ts';
import { ProviderError } from '../../../src/providers/port.ts';
import type { Call } from '../../../src/services.ts';
import {
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../../support/factory.ts';
import {
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
  harness = await startHarness({
    worker: false,
    env: { PROVIDER_TIMEOUT_MS: '1', PROVIDER_RETRY_DELAYS: '10,60,3600' },
  });
  tenant = await makeTenant(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  payee = await makePayee(harness, tenant.key);
  provider = fakeProvider();
  call = await systemCall(withProvider(harness.services, provider), tenant.tenantId);
});

const approved = () =>
  newApproved(harness, tenant.key, payoutBody(payee, { validator_strategy: 'auto' }));

/** The seconds after which the payout's job comes again; null when it has none. */
async function comesIn(payoutId: string): Promise<number | null> {
  const { rows } = await harness.database.pool.query<{ seconds: string }>(
    `SELECT extract(epoch FROM run_at - now()) AS seconds FROM graphile_worker.jobs WHERE key = $1`,
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
  harness.database.pool.query(
    `UPDATE disbursement_attempt SET called_at = now() - interval '1 second',
       prepared_at = now() - make_interval(secs => $2) WHERE payout_id = $1`,
    [payoutId, secondsAgo],
  );

it('asks a failing provider ever more rarely, though nothing is sent again', async () => {
  const id = await approved();
  provider.fates.push('unknown_lost');
  provider.down = true;
  await disbursePayout(call, id);
  await expectPause(id, 10);
  for (const [age, pause] of [
    [30, 60],
    [100, 300],
    [50_000, 300],
  ] as const) {
    await prepared(id, age);
    await disbursePayout(call, id);
    await expectPause(id, pause);
  }
  expect(provider.submissions).toHaveLength(1);
});

async function comply(change: typeof suspendBeneficiary): Promise<void> {
  await inTransaction(harness.services.pool, (client) =>
    change(client, call.scope, payee.beneficiaryId, 'by the test'),
  );
}

it('asks ever more rarely while the beneficiary is suspended', async () => {
  const id = await approved();
  provider.fates.push('unknown_lost');
  await disbursePayout(call, id);
  await comply(suspendBeneficiary);
  await prepared(id, 100);
  await disbursePayout(call, id);
  await expectPause(id, 300);
  expect(provider.submissions).toHaveLength(1);
});

it('asks ever more rarely for an enrollment that stays unclear', async () => {
  const id = await approved();
  const failing = {
    ...provider.port,
    enroll: () => Promise.reject(new ProviderError('unknown', 'other', 'down')),
  };
  const down = {
    ...call,
    services: withProvider(harness.services, { ...provider, port: failing }),
  };
  await disbursePayout(down, id);
  await expectPause(id, 10);
  await harness.database.pool.query(
    `UPDATE payout SET approved_at = now() - interval '100 seconds' WHERE id = $1`,
    [id],
  );
  await disbursePayout(down, id);
  await expectPause(id, 300);
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

it('comes again when a suspension that stopped the hand-over was lifted before it held', async () => {
  const id = await approved();
  const pool = around(
    call.services.pool,
    'prepare_attempt',
    () => comply(suspendBeneficiary),
    () => comply(reinstateBeneficiary),
  );
  await disbursePayout({ ...call, services: { ...call.services, pool } }, id);
  expect(provider.submissions).toEqual([]);
  expect((await readPayout(call, id)).state).toBe('approved');
  await expectPause(id, 10);
  await disbursePayout(call, id);
  expect(provider.ledger.size).toBe(1);
});

it('does not come again when another run was faster', async () => {
  const id = await approved();
  const pool = around(
    call.services.pool,
    'prepare_attempt',
    () => disbursePayout(call, id),
    () => Promise.resolve(),
  );
  await disbursePayout({ ...call, services: { ...call.services, pool } }, id);
  expect(provider.ledger.size).toBe(1);
  expect(await comesIn(id)).toBeNull();
});

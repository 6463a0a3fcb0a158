import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handlers } from '../../jobs/handlers.ts';
import { createTurns, turnsOf, type Turn } from '../../src/concurrency/turns.ts';
import { makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { fakeProvider, newApproved, withProvider } from '../support/fake-provider.ts';
import { startHarness, type Harness } from '../support/harness.ts';

function turnsAt(slots: number) {
  let now = 0;
  const { enter } = createTurns(slots, () => now);
  const pass = (ms: number) => void (now += ms);
  /** Makes the provider known as one that takes so long. */
  const learn = (ms: number) => {
    const leave = granted(enter('first'));
    pass(ms);
    leave();
  };
  return { enter, pass, learn };
}

function granted(turn: Turn): () => void {
  if (!turn.granted) throw new Error('put off');
  return turn.leave;
}

function waitOf(turn: Turn): number {
  if (turn.granted) throw new Error('granted');
  return turn.waitMs;
}

describe('turns', () => {
  it('bounds nobody while the provider answers quickly', () => {
    const turns = turnsAt(10);
    turns.learn(100);
    for (let job = 0; job < 10; job += 1) granted(turns.enter('a'));
  });

  it('gives no tenant more than half of the slots of a slow provider', () => {
    const turns = turnsAt(10);
    turns.learn(4_000);
    const taken = Array.from({ length: 5 }, () => granted(turns.enter('a')));
    expect(turns.enter('a').granted).toBe(false);
    expect(turns.enter('b').granted).toBe(true);
    taken[0]?.();
    expect(turns.enter('a').granted).toBe(true);
  });

  it('bounds nobody again once the provider is quick', () => {
    const turns = turnsAt(2);
    turns.learn(4_000);
    for (let job = 0; job < 10; job += 1) turns.learn(10);
    granted(turns.enter('a'));
    granted(turns.enter('a'));
  });

  it('stops no worker that has a single slot', () => {
    const turns = turnsAt(1);
    turns.learn(4_000);
    granted(turns.enter('a'))();
    granted(turns.enter('a'))();
  });

  it("hands out the times one after the other, at the provider's pace", () => {
    const turns = turnsAt(10);
    turns.learn(4_000); // an average of two seconds: five slots make one place each 400 ms
    for (let job = 0; job < 5; job += 1) granted(turns.enter('a'));
    const waits = Array.from({ length: 4 }, () => waitOf(turns.enter('a')));
    expect(waits).toEqual([200, 600, 1_000, 1_400]);
    turns.pass(400);
    expect(waitOf(turns.enter('a'))).toBe(1_400);
  });

  it('waits five minutes at most, and spreads those who would wait longer', () => {
    const turns = turnsAt(2);
    turns.learn(20_000);
    granted(turns.enter('a'));
    const waits = Array.from({ length: 1_000 }, () => waitOf(turns.enter('a')));
    expect(Math.max(...waits)).toBeLessThanOrEqual(300_000);
    const late = waits.slice(31);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(150_000);
    expect(new Set(late).size).toBeGreaterThan(900);
  });
});

describe('the job', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness({ worker: false, env: { WORKER_CONCURRENCY: '2' } });
  });
  afterAll(() => harness.close());

  it('is put off when it is not its turn, and hands over when it is', async () => {
    const tenant = await makeTenant(harness);
    const payee = await makePayee(harness, tenant.key);
    const body = payoutBody(payee, { validator_strategy: 'auto' });
    const payoutId = await newApproved(harness, tenant.key, body);
    const provider = fakeProvider();
    const services = withProvider(harness.services, provider);
    const run = () => handlers.disburse_payout({ tenantId: tenant.tenantId, payoutId }, services);

    const turns = turnsOf(services);
    const slow = granted(turns.enter('other'));
    await new Promise((resolve) => setTimeout(resolve, 450));
    slow();
    const leave = granted(turns.enter(tenant.tenantId));
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
    granted(turns.enter(tenant.tenantId))();
  });
});

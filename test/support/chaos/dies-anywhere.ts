import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CrashPoint } from '../../../src/process/crash-point.ts';
import { verify } from '../../../src/crypto/signature.ts';
import { eventTypes } from '../../../src/domain/event/types.ts';
import { addPayee, pay, type Payee, registerBusiness } from './business.ts';
import type { Caller } from './client.ts';
import { converge } from './converge.ts';
import { startWorld, type World } from './world.ts';
import { testDatabase, type TestDatabase } from '../database.ts';
import { conditionMs, longTestMs } from '../patience.ts';

const points = {
  api: [
    'create_before_commit',
    'create_after_commit',
    'decide_before_commit',
    'decide_after_commit',
    'receive_before_commit',
    'receive_after_commit',
  ],
  worker: [
    'relay_moved',
    'disburse_prepared',
    'disburse_answered',
    'disburse_recorded',
    'apply_before_commit',
    'apply_after_commit',
    'webhook_sent',
  ],
} as const satisfies Record<string, readonly CrashPoint[]>;

/** For the deaths at all points under one behaviour. */
const deathsMs = 3 * conditionMs;
/** Until the next batch, when the one before has killed nobody yet. */
const longestWaitMs = 1_500;
const pollMs = 25;

/**
 * Declares a test for each behaviour of the provider, in one world: every process dies at every point, after which
 * nothing is lost and nothing paid twice. Several files share the behaviours, so that they run beside each other.
 *
 * @param behaviours what the provider does wrong meanwhile, as faults of the simulator by their names. Counts are
 *   filled up again with each batch.
 */
export function diesAnywhere(behaviours: Readonly<Record<string, object>>): void {
  let database: TestDatabase;
  let world: World;
  let call: Caller;
  let payees: { good: Payee; failing: Payee; returning: Payee };
  let secret: string;
  let wanted = 0;
  let judged = 0;
  /** The points that each process has still to die at, under the behaviour of the moment. */
  const left: { api: CrashPoint[]; worker: CrashPoint[] } = { api: [], worker: [] };

  beforeAll(async () => {
    database = await testDatabase();
    world = await startWorld({
      databaseUrl: database.url,
      ownerUrl: database.ownerUrl,
      crashPoint: (name) => left[name][0] ?? null,
      onKilled: (name) => void left[name].shift(),
    });
    call = await registerBusiness(world.address);
    const [good, failing, returning] = await Promise.all([
      addPayee(call),
      addPayee(call, '0001'),
      addPayee(call, '0002'),
    ]);
    payees = { good, failing, returning };
    const subscribed = await call('POST', '/v1/webhook-subscriptions', {
      url: world.receiver.url,
      enabled_events: eventTypes,
    });
    expect(subscribed.status).toBe(201);
    secret = subscribed.body.secret;
  });

  afterAll(async () => {
    await world?.close();
    await database?.drop();
  });

  /** Four payouts at once, which pass every point between them. */
  async function batch(): Promise<void> {
    wanted += 4;
    await Promise.all([
      pay(call, payees.good, { auto: true }),
      pay(call, payees.good, { auto: false }),
      pay(call, payees.failing, { auto: false }),
      pay(call, payees.returning, { auto: true }),
    ]);
  }

  /** A signature is judged within the five minutes that it holds. */
  function signaturesSinceLastTime(): Set<string> {
    const now = Math.floor(Date.now() / 1_000);
    const fresh = world.receiver.received.slice(judged);
    judged += fresh.length;
    return new Set(fresh.map(({ signature, rawBody }) => verify(secret, signature, rawBody, now)));
  }

  const open = (): number => left.api.length + left.worker.length;

  const stillAlive = (): string =>
    `never died at ${left.api.join()} ${left.worker.join()}\n${world.api.lines()}\n${world.worker.lines()}`;

  test.each(Object.entries(behaviours))(
    'a process that dies anywhere loses and doubles nothing while the provider %s',
    { timeout: longTestMs },
    async (_name, faults) => {
      // The first deaths are at any line, and bring the first points into the next lives.
      left.api = ['create_before_commit', ...points.api];
      left.worker = ['disburse_prepared', ...points.worker];
      world.api.kill();
      world.worker.kill();
      const end = Date.now() + deathsMs;
      while (open() > 0) {
        if (Date.now() > end) throw new Error(stillAlive());
        const before = open();
        await world.setFaults(faults);
        await batch();
        for (let waited = 0; open() === before && waited < longestWaitMs; waited += pollMs) {
          await sleep(pollMs);
        }
      }
      await world.setFaults({});
      await converge(world);
      const { rows } = await database.pool.query('SELECT count(*)::integer AS count FROM payout');
      expect(rows).toEqual([{ count: wanted }]);
      expect(signaturesSinceLastTime()).toEqual(new Set(['valid']));
    },
  );
}

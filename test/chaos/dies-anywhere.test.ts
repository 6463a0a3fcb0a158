import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CrashPoint } from '../../src/process/crash-point.ts';
import { verify } from '../../src/crypto/signature.ts';
import { eventTypes } from '../../src/domain/event/types.ts';
import { addPayee, pay, type Payee, registerBusiness } from './support/business.ts';
import type { Caller } from './support/client.ts';
import { converge } from './support/converge.ts';
import { startWorld, type World } from './support/world.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { conditionMs, longTestMs } from '../support/patience.ts';

interface Deaths {
  readonly api: readonly CrashPoint[];
  readonly worker: readonly CrashPoint[];
}

/** Around each call of the provider, and with what its answer left to the next job. */
const aroundCalls: Deaths = {
  api: [],
  worker: ['disburse_prepared', 'disburse_answered', 'disburse_recorded', 'apply_after_commit'],
};
/** Around what an event changes. */
const aroundEvents: Deaths = {
  api: ['receive_before_commit', 'receive_after_commit'],
  worker: ['apply_before_commit', 'apply_after_commit', 'webhook_sent'],
};
const aroundBoth: Deaths = {
  api: aroundEvents.api,
  worker: ['disburse_prepared', 'disburse_answered', 'disburse_recorded', ...aroundEvents.worker],
};
const everywhere: Deaths = {
  api: [
    'create_before_commit',
    'create_after_commit',
    'decide_before_commit',
    'decide_after_commit',
    ...aroundBoth.api,
  ],
  worker: ['relay_moved', ...aroundBoth.worker],
};

/**
 * What the provider does wrong meanwhile, as faults of the simulator, and the points that this can matter to: a
 * request that is answered before any provider is called has one behaviour. Counts are filled up again with each batch.
 */
const behaviours: Readonly<Record<string, readonly [faults: object, deaths: Deaths]>> = {
  'does nothing wrong': [{}, everywhere],
  // Its events come later still, or they would tell everything before a look-up does.
  'is slow': [{ slow_ms: 450, delay_events_ms: 1_000 }, aroundCalls],
  refuses: [{ refuse: 2 }, aroundCalls],
  'is silent': [{ silent: 2 }, aroundCalls],
  'fails before it accepted': [{ error_before_accept: 2 }, aroundCalls],
  'fails after it accepted': [{ error_after_accept: 2 }, aroundCalls],
  'cuts the connection after it accepted': [{ drop_after_accept: 2 }, aroundCalls],
  'answers with another amount': [{ lie: 'wrong_amount', lie_in: ['submissions'] }, aroundCalls],
  'finds a second payment and fails after it accepted': [
    { lie: 'second_payment', lie_in: ['lookups'], error_after_accept: 2 },
    aroundCalls,
  ],
  'repeats and reorders its events': [{ repeat_events: 1, reorder_events: true }, aroundEvents],
  'sends an event before its answer': [{ early_event: true }, aroundBoth],
  'tells of another currency in its events': [
    { lie: 'wrong_currency', lie_in: ['events'] },
    aroundEvents,
  ],
  'disburses what has failed': [{ lie: 'disbursed_after_failed', repeat_events: 1 }, aroundEvents],
};

/** For the deaths at all points under one behaviour. */
const deathsMs = 3 * conditionMs;
/** Until the next batch, when the one before has killed nobody yet. */
const longestWaitMs = 1_500;
const pollMs = 25;

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
  async (_name, [faults, deaths]) => {
    // The first deaths are at any line, and bring the first points into the next lives.
    left.api = ['create_before_commit', ...deaths.api];
    left.worker = ['disburse_prepared', ...deaths.worker];
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

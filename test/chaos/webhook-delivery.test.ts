import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CrashPoint } from '../../src/process/crash-point.ts';
import { verify } from '../../src/crypto/signature.ts';
import { registerBusiness } from './support/business.ts';
import type { Caller } from './support/client.ts';
import { startWorld, type World } from './support/world.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/factory.ts';
import { longTestMs } from '../support/patience.ts';

/** Before the delivery is read, before it is sent, before it is recorded, and after that. */
const points = ['webhook_taken', 'webhook_loaded', 'webhook_sent', 'webhook_recorded'] as const;

/** How often the event of the delivery under whose job the worker dies arrives, at the least. */
const arrivals: Readonly<Record<(typeof points)[number], number>> = {
  webhook_taken: 1,
  webhook_loaded: 1,
  webhook_sent: 2,
  webhook_recorded: 1,
};

let database: TestDatabase;
let world: World;
let call: Caller;
let secret: string;
/** Of the worker's life, and of its next one. */
let armed: CrashPoint | null = null;
let next: CrashPoint | null = null;
let killed = 0;

beforeAll(async () => {
  database = await testDatabase();
  world = await startWorld({
    databaseUrl: database.url,
    ownerUrl: database.ownerUrl,
    crashPoint: (name) => (name === 'worker' ? armed : null),
    onKilled: (name) => {
      if (name !== 'worker') return;
      killed += 1;
      armed = next;
      next = null;
    },
  });
  call = await registerBusiness(world.address);
  const subscribed = await call('POST', '/v1/webhook-subscriptions', {
    url: world.receiver.url,
    enabled_events: ['payout.disbursed'],
  });
  secret = subscribed.body.secret;
});

afterAll(async () => {
  await world?.close();
  await database?.drop();
});

async function sendTest(): Promise<{ id: string; eventId: string }> {
  const { status, body } = await call('POST', '/v1/webhook-subscriptions/test', {});
  expect(status).toBe(200);
  return { id: body.delivery.id, eventId: body.delivery.event_id };
}

async function deliveryOf(id: string) {
  const { body } = await call('GET', `/v1/webhook-subscriptions/deliveries/${id}`);
  return body.delivery;
}

/** Kills the worker, whose next life ends at the point. */
async function arm(point: CrashPoint): Promise<void> {
  const before = killed;
  next = point;
  await eventually(async () => world.worker.pid() !== null);
  world.worker.kill();
  await eventually(async () => killed === before + 1);
}

test.each(points)(
  'a worker that is killed at %s loses no delivery, and repeats carry the same id',
  { timeout: longTestMs },
  async (point) => {
    const from = world.receiver.received.length;
    await arm(point);
    const deaths = killed;
    const sent = [await sendTest(), await sendTest(), await sendTest()];
    for (const { id } of sent) {
      await eventually(async () => (await deliveryOf(id)).status === 'delivered');
    }
    expect(killed).toBe(deaths + 1);
    const received = world.receiver.received.slice(from);
    const counts = sent.map(
      ({ eventId }) => received.filter(({ event }) => event.id === eventId).length,
    );
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...counts)).toBeGreaterThanOrEqual(arrivals[point]);
    // Nothing else came, and each repetition is the same event, signed anew.
    expect(new Set(received.map(({ event }) => event.id)).size).toBe(sent.length);
    const now = Math.floor(Date.now() / 1_000);
    for (const { signature, rawBody } of received) {
      expect(verify(secret, signature, rawBody, now)).toBe('valid');
    }
    // What was recorded has no gaps, and ends with the answer that counted.
    for (const { id } of sent) {
      const { attempts } = await deliveryOf(id);
      expect(attempts.map(({ number }: { number: number }) => number)).toEqual(
        attempts.map((_attempt: object, index: number) => index + 1),
      );
      expect(attempts.at(-1)).toMatchObject({ status_code: 200 });
    }
  },
);

test(
  'an attempt that goes on without a job is made again when its worker is killed',
  { timeout: longTestMs },
  async () => {
    const from = world.receiver.received.length;
    const answer = world.receiver.hold();
    const { id, eventId } = await sendTest();
    const arrived = () =>
      world.receiver.received.slice(from).filter(({ event }) => event.id === eventId);
    await eventually(async () => arrived().length === 1);
    // The job has ended, and the row says when the delivery comes again.
    await eventually(async () => {
      const { rows } = await database.pool.query(
        `SELECT FROM webhook_delivery WHERE id = $1 AND next_attempt_at > now() + interval '5 seconds'`,
        [id],
      );
      return rows.length === 1;
    });
    world.worker.kill();
    answer();
    // The lease is shortened, and the sweep does not wait for its minute.
    await database.pool.query(
      `UPDATE webhook_delivery SET next_attempt_at = now() WHERE id = $1 AND status = 'pending'`,
      [id],
    );
    await database.pool.query(
      `SELECT graphile_worker.add_job('sweep_webhooks', '{"after": null}')`,
    );
    await eventually(async () => (await deliveryOf(id)).status === 'delivered');
    expect(arrived().length).toBeGreaterThanOrEqual(2);
  },
);

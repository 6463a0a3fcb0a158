import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CrashPoint } from '../../src/process/crash-point.ts';
import { eventually } from '../support/factory.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { longTestMs } from '../support/patience.ts';
import { addPayee, type Payee, registerBusiness } from './support/business.ts';
import type { Caller } from './support/client.ts';
import { converge } from './support/converge.ts';
import { startWorld, type World } from './support/world.ts';

/* A worker is killed while it makes the payouts of a batch and while it cancels them. Another one goes on. */

let database: TestDatabase;
let world: World;
let call: Caller;
let payee: Payee;
/** Where the next life of the worker ends, and how many have ended there. */
const plan: { point: CrashPoint | null; armed: boolean; deaths: number } = {
  point: null,
  armed: false,
  deaths: 0,
};

beforeAll(async () => {
  database = await testDatabase();
  world = await startWorld({
    databaseUrl: database.url,
    ownerUrl: database.ownerUrl,
    // Chunks of two rows.
    environment: { PAYOUT_BULK_ROWS: '2' },
    crashPoint: (name) => {
      if (name !== 'worker') return null;
      plan.armed = plan.point !== null;
      return plan.point;
    },
    onKilled: (name) => {
      if (name !== 'worker' || !plan.armed) return;
      plan.deaths += 1;
      plan.point = null;
    },
  });
  call = await registerBusiness(world.address);
  payee = await addPayee(call);
});
afterAll(async () => {
  await world?.close();
  await database?.drop();
});

const base = '/v1/payout-batches';
const rowCount = 4;

/** A draft whose rows come in two requests, since a request has two at most. */
async function draft(): Promise<string> {
  const row = { ...payee, amount_minor: 1_234, purpose_of_payment: 'payroll' };
  const input = { name: 'Deaths', idempotency_key: randomUUID(), rows: [row, row] };
  const { body } = await call('POST', base, input);
  const id: string = body.payout_batch.id;
  await call('POST', `${base}/${id}/rows`, { first_row: 3, rows: [row, row] });
  return id;
}

/** Lets the worker die at its next passage of a point. */
function dieAt(point: CrashPoint): void {
  plan.deaths = 0;
  plan.point = point;
  world.worker.kill();
}

const rowsPaid = async (id: string) =>
  (
    await database.pool.query<{ row: number; state: string }>(
      'SELECT batch_row AS row, state FROM payout WHERE batch_id = $1 ORDER BY batch_row',
      [id],
    )
  ).rows;

test.each(['payout_batch_chunk', 'payout_batch_made'] as const)(
  'each row has one payout though the worker is killed at %s',
  { timeout: longTestMs },
  async (point) => {
    const id = await draft();
    dieAt(point);
    await call('POST', `${base}/${id}/submit`);
    await eventually(async () => (await call('GET', `${base}/${id}`)).body.payout_batch.made_at);
    expect(plan.deaths).toBe(1);
    expect((await rowsPaid(id)).map(({ row }) => row)).toEqual([1, 2, 3, 4]);
    expect((await call('GET', `${base}/${id}/rows?status=made`)).body.rows).toHaveLength(rowCount);
  },
);

test(
  'every payout is canceled with its batch though the worker is killed in between',
  { timeout: longTestMs },
  async () => {
    const id = await draft();
    await call('POST', `${base}/${id}/submit`);
    await eventually(async () => (await call('GET', `${base}/${id}`)).body.payout_batch.made_at);
    dieAt('payout_batch_canceling');
    await call('POST', `${base}/${id}/cancel`);
    await eventually(async () =>
      (await rowsPaid(id)).every(({ state }) => state === 'canceled') ? true : null,
    );
    expect(plan.deaths).toBe(1);
    await converge(world);
  },
);

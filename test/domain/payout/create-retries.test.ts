import { expect, it } from 'vitest';
import { createPayoutsInBulk } from '../../../src/domain/payout/bulk.ts';
import { createPayout } from '../../../src/domain/payout/create.ts';
import {
  codeOf,
  databaseError,
  payoutInput,
  withFaults,
  type Fault,
} from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

/*
 * What the create command does when the database ends its statement or its connection: it tries
 * again, and pays once whether the first try took effect or not.
 */

const world = usePayoutWorld();
const input = (more = {}) => payoutInput(world.payee, more);

const idsUnder = (key: string) =>
  world.sql<{ id: string }>('SELECT id FROM payout WHERE idempotency_key = $1', [key]);

const lost = new Error('Connection terminated unexpectedly');
const statement = /^create_(one_)?payout/;
const faults = (count: number, fault: Fault): Fault[] => Array.from({ length: count }, () => fault);

it.each<[string, Fault]>([
  ['a deadlock', { when: 'instead', error: databaseError('40P01') }],
  [
    'a racer that replaced the predecessor',
    {
      when: 'instead',
      error: databaseError('23505', 'payout_tenant_id_replaces_payout_id_key'),
    },
  ],
  ['a lost connection', { when: 'instead', error: lost }],
])('tries again after %s', async (_what, fault) => {
  const given = input();
  const call = withFaults(world.call, statement, [fault]);
  const { payout, replayed } = await createPayout(call, given);
  expect(replayed).toBe(false);
  expect(await idsUnder(given.idempotencyKey)).toEqual([{ id: payout?.id }]);
});

it('has created the payout whose answer was lost, and has not replayed it', async () => {
  const given = input();
  const call = withFaults(world.call, statement, [{ when: 'after', error: lost }]);
  const { payout, replayed } = await createPayout(call, given);
  expect(replayed).toBe(false);
  expect(await idsUnder(given.idempotencyKey)).toEqual([{ id: payout?.id }]);
});

it('has one job for a payout whose commit lost its answer', async () => {
  const given = input({ validatorStrategy: 'auto' });
  const call = withFaults(world.call, statement, [{ when: 'after', error: lost }]);
  const { payout, replayed } = await createPayout(call, given);
  expect(replayed).toBe(false);
  const jobs = await world.sql(
    `SELECT FROM graphile_worker._private_jobs WHERE payload->>'payoutId' = $1`,
    [payout?.id],
  );
  expect(jobs).toHaveLength(1);
});

it('creates all of an atomic bulk once, whose commit did not happen and then lost its answer', async () => {
  const payouts = [input(), input()];
  const call = withFaults(world.call, statement, [
    { when: 'instead', error: lost },
    { when: 'after', error: lost },
  ]);
  const results = await createPayoutsInBulk(call, { payouts, mode: 'atomic' });
  expect(results.map(({ status }) => status)).toEqual(['created', 'created']);
  for (const [i, { idempotencyKey }] of payouts.entries()) {
    expect(await idsUnder(idempotencyKey)).toEqual([{ id: results[i]?.payout?.id }]);
  }
});

it('gives up after five deadlocks, with an error that says so', async () => {
  const given = input();
  const fault = { when: 'instead', error: databaseError('40P01') } as const;
  const call = withFaults(world.call, statement, faults(5, fault));
  expect(await codeOf(createPayout(call, given))).toBe('PAYOUT_CONCURRENCY_CONFLICT');
  expect(await idsUnder(given.idempotencyKey)).toEqual([]);
  const patient = withFaults(world.call, statement, faults(4, fault));
  expect((await createPayout(patient, given)).replayed).toBe(false);
});

it('gives up when the database stays away, and says that it is not known what became of it', async () => {
  const call = withFaults(world.call, statement, faults(5, { when: 'instead', error: lost }));
  await expect(createPayout(call, input())).rejects.toBe(lost);
});

it('tries nothing again for an error that says something else', async () => {
  const other = databaseError('23505', 'payout_pkey');
  const call = withFaults(world.call, statement, [{ when: 'instead', error: other }]);
  await expect(createPayout(call, input())).rejects.toBe(other);
});

import type { PoolClient } from 'pg';
import { expect, it } from 'vitest';
import { inTransaction } from '../../../src/db/pool.ts';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { lockAttempt } from '../../../src/domain/disbursement/store.ts';
import { eventually } from '../../support/factory.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

/* Somebody keeps a transaction open that has a lock: only what needs this lock waits. */

const world = usePayoutWorld();
const { approved, handedOver, attemptOf, tellOf, sql } = world;

/** Does `work` while a transaction of an operator has locked what `lock` locks, and then lets go of it. */
async function whileLocked(
  lock: (client: PoolClient) => Promise<unknown>,
  work: () => Promise<void>,
): Promise<void> {
  const locked = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const holding = inTransaction(world.harness.database.pool, async (client) => {
    await lock(client);
    locked.resolve();
    await done.promise;
  });
  await locked.promise;
  try {
    await work();
  } finally {
    done.resolve();
    await holding;
  }
}

const isWaiting = (query: string) =>
  eventually(async () => {
    const waiting = await sql(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
      [`%${query}%`],
    );
    return waiting.length > 0;
  });

const settled = (attemptId: string, eventId: string = `evt_${crypto.randomUUID()}`) =>
  tellOf(attemptId, { type: 'settled', eventId });

async function attempts(count: number): Promise<string[]> {
  const made: string[] = [];
  for (let n = 0; n < count; n += 1) made.push((await attemptOf(await handedOver('ok'))).id);
  return made;
}

it('hands over the other payouts of the tenant, of those that come together and of those that come later', async () => {
  // Its destination is enrolled by then: an enrollment waits for the lock of the beneficiary, whatever is shared.
  await handedOver('ok');
  const before = world.provider.ledger.size;
  const ids: string[] = [];
  for (let n = 0; n < 4; n += 1) ids.push(await approved());
  const [locked = '', later = '', ...together] = ids;
  const runs: Promise<void>[] = [];
  await whileLocked(
    (client) => client.query('SELECT FROM payout WHERE id = $1 FOR UPDATE', [locked]),
    async () => {
      runs.push(disbursePayout(world.call, locked));
      await Promise.all(together.map((id) => disbursePayout(world.call, id)));
      await isWaiting('prepare_attempts');
      await disbursePayout(world.call, later);
      expect(world.provider.ledger.size - before).toBe(3);
    },
  );
  await Promise.all(runs);
  expect(world.provider.ledger.size - before).toBe(4);
  const made = await sql<{ payout_id: string; status: string }>(
    'SELECT payout_id, status FROM disbursement_attempt WHERE payout_id = ANY ($1) ORDER BY payout_id',
    [ids],
  );
  expect(made).toEqual(ids.toSorted().map((payout_id) => ({ payout_id, status: 'submitted' })));
});

it('applies the other events of the tenant, also those that share a job with the one that waits', async () => {
  const [locked = '', later = '', ...together] = await attempts(4);
  const stateOfAttempt = async (id: string) => {
    const [row] = await sql<{ state: string }>(
      `SELECT p.state FROM disbursement_attempt a JOIN payout p ON p.id = a.payout_id WHERE a.id = $1`,
      [id],
    );
    return row?.state;
  };
  const waiting: Promise<string>[] = [];
  await whileLocked(
    (client) => lockAttempt(client, world.call.scope, locked),
    async () => {
      waiting.push(...[locked, ...together].map((id) => settled(id)));
      for (const id of together) {
        await eventually(async () => (await stateOfAttempt(id)) === 'settled');
      }
      await isWaiting('lock_attempts');
      expect(await settled(later)).toBe('applied');
      expect(await stateOfAttempt(locked)).toBe('approved');
    },
  );
  expect(await Promise.all(waiting)).toEqual(['applied', 'applied', 'applied']);
  for (const id of [locked, later, ...together]) expect(await stateOfAttempt(id)).toBe('settled');
});

it('stores the other events of the provider', async () => {
  const [first = '', second = '', third = ''] = await attempts(3);
  const eventId = `evt_${crypto.randomUUID()}`;
  const waiting: Promise<string>[] = [];
  await whileLocked(
    // Another process that hangs before its commit, and to which the provider sent the event first.
    (client) =>
      client.query(
        `INSERT INTO provider_event (provider, event_id, event, status)
         VALUES ('simulator', $1, '{}', 'ignored')`,
        [eventId],
      ),
    async () => {
      waiting.push(settled(first, eventId));
      expect(await settled(second)).toBe('applied');
      await isWaiting('provider_event');
      expect(await settled(third)).toBe('applied');
    },
  );
  expect(await Promise.all(waiting)).toEqual(['ignored']);
});

import { expect, it } from 'vitest';
import { inTransaction } from '../../../src/db/pool.ts';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { lockAttempt } from '../../../src/domain/disbursement/store.ts';
import { movePayoutTo } from '../../../src/domain/payout/transition.ts';
import { eventually } from '../../support/factory.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();
const { approved, handedOver, attemptOf, tellOf, sql, stateOf } = world;

const at = (second: number) => `2026-11-01T10:00:0${second}.000Z`;
const told = (type: 'acknowledged' | 'disbursed' | 'settled', second: number) =>
  ({ type, occurredAt: at(second), eventId: `evt_${crypto.randomUUID()}` }) as const;

async function several(count: number): Promise<{ payoutId: string; attemptId: string }[]> {
  const made: { payoutId: string; attemptId: string }[] = [];
  for (let n = 0; n < count; n += 1) {
    const payoutId = await handedOver('ok');
    made.push({ payoutId, attemptId: (await attemptOf(payoutId)).id });
  }
  return made;
}

it('applies the events of many payouts at once, some of them of one payout', async () => {
  const payouts = await several(3);
  const events = payouts.flatMap(({ attemptId }) => [
    tellOf(attemptId, told('acknowledged', 1)),
    tellOf(attemptId, told('settled', 3)),
    tellOf(attemptId, told('disbursed', 2)),
  ]);
  await Promise.all(events);
  for (const { payoutId } of payouts) {
    expect(await stateOf(payoutId)).toBe('settled');
    const records = await sql<{ to_state: string }>(
      'SELECT to_state FROM payout_transition WHERE payout_id = $1 ORDER BY seq',
      [payoutId],
    );
    expect(records.map(({ to_state }) => to_state)).toEqual(['approved', 'disbursed', 'settled']);
  }
});

it('posts the entries of many payouts at once, those of each payout in the order of its moves', async () => {
  const [ahead, ...others] = await several(3);
  if (ahead === undefined) throw new Error('no payout');
  const paid = async (): Promise<bigint> => {
    const [row] = await sql<{ sum: string }>(
      'SELECT sum(paid_minor)::text AS sum FROM ledger_balance WHERE tenant_id = $1',
      [world.call.scope.tenantId],
    );
    return BigInt(row?.sum ?? 0);
  };
  const before = await paid();
  await tellOf(ahead.attemptId, told('disbursed', 1));
  await Promise.all(
    [ahead, ...others].map(({ attemptId }) => tellOf(attemptId, told('settled', 2))),
  );
  let amount = 0n;
  for (const { payoutId } of [ahead, ...others]) {
    const entries = await sql<{ kind: string; amount_minor: string; to_state: string }>(
      `SELECT e.kind, e.amount_minor, t.to_state FROM ledger_entry e
       JOIN payout_transition t ON (t.tenant_id, t.payout_id, t.seq) = (e.tenant_id, e.payout_id, e.transition_seq)
       WHERE e.payout_id = $1 ORDER BY e.id`,
      [payoutId],
    );
    expect(entries.map(({ kind, to_state }) => [kind, to_state])).toEqual([
      ['hold', 'approved'],
      ['disburse', 'disbursed'],
      ['settle', 'settled'],
    ]);
    amount += BigInt(entries[2]?.amount_minor ?? 0);
  }
  expect((await paid()) - before).toBe(amount);
});

it('waits for whoever has one of the attempts, and then applies all', async () => {
  const [first, second] = await several(2);
  if (first === undefined || second === undefined) throw new Error('no attempts');
  const { pool } = world.call.services;
  const hold = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = inTransaction(pool, async (client) => {
    await lockAttempt(client, world.call.scope, second.attemptId);
    held.resolve();
    await hold.promise;
  });
  await held.promise;
  const events = [first, second].map(({ attemptId }) => tellOf(attemptId, told('settled', 1)));
  await eventually(async () => {
    const waiting = await sql(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%lock_attempts%'`,
    );
    return waiting.length > 0;
  });
  hold.resolve();
  await holding;
  expect(await Promise.all(events)).toEqual(['applied', 'applied']);
  for (const { payoutId } of [first, second]) expect(await stateOf(payoutId)).toBe('settled');
});

it('lets what is wrong with one event touch no other', async () => {
  const payouts = await several(3);
  const [good, lying, other] = payouts.map(({ attemptId }) => attemptId);
  await Promise.all([
    tellOf(good ?? '', told('settled', 1)),
    tellOf(lying ?? '', { ...told('settled', 1), amountMinor: 1n }),
    tellOf(other ?? '', told('disbursed', 1)),
  ]);
  const states = await Promise.all(payouts.map(({ payoutId }) => stateOf(payoutId)));
  expect(states).toEqual(['settled', 'approved', 'disbursed']);
  const wrong = await sql<{ subject_id: string; kind: string }>(
    'SELECT subject_id, kind FROM provider_contradiction WHERE subject_id = ANY ($1)',
    [[good, lying, other]],
  );
  expect(wrong).toEqual([{ subject_id: lying, kind: 'amount' }]);
});

it('hands over many payouts at once, each once, and none that was canceled meanwhile', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 4; n += 1) ids.push(await approved());
  const [canceled = ''] = ids;
  const { pool } = world.call.services;
  const hold = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const canceling = inTransaction(pool, async (client) => {
    await movePayoutTo(client, world.call.scope, canceled, { trigger: 'cancel' });
    held.resolve();
    await hold.promise;
  });
  await held.promise;
  const runs = Promise.all([...ids, ...ids].map((id) => disbursePayout(world.call, id)));
  await eventually(async () => {
    const waiting = await sql(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%prepare_attempts%'`,
    );
    return waiting.length > 0;
  });
  hold.resolve();
  await canceling;
  await runs;
  const attempts = await sql<{ payout_id: string }>(
    'SELECT payout_id FROM disbursement_attempt WHERE payout_id = ANY ($1) ORDER BY payout_id',
    [ids],
  );
  expect(attempts.map(({ payout_id }) => payout_id)).toEqual(ids.slice(1).toSorted());
  expect(world.provider.ledger.size).toBe(3);
});

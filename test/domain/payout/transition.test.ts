import { expect, it } from 'vitest';
import { inTransaction } from '../../../src/db/pool.ts';
import { readPayout } from '../../../src/domain/payout/read.ts';
import { movePayoutTo } from '../../../src/domain/payout/transition.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();
const { approved, approve, attemptOf, handedOver, sql, stateOf } = world;

async function moves(payoutId: string, move: Parameters<typeof movePayoutTo>[3]): Promise<boolean> {
  const moved = await inTransaction(world.call.services.pool, (client) =>
    movePayoutTo(client, world.call.scope, payoutId, move),
  );
  return moved !== null;
}
const read = (payoutId: string) => readPayout(world.call, payoutId);

it('is moved by what became of its live attempt, and of no other', async () => {
  const id = await handedOver('ok');
  const other = await attemptOf(await handedOver('ok'));
  for (const trigger of ['disburse', 'fail'] as const) {
    const when = { kind: 'live_attempt', attemptId: other.id } as const;
    expect(await moves(id, { trigger, when })).toBe(false);
  }
  const took = { kind: 'attempt_took_nothing', attemptId: other.id } as const;
  expect(await moves(id, { trigger: 'hold', when: took })).toBe(false);
  expect(await stateOf(id)).toBe('approved');
  const when = { kind: 'live_attempt', attemptId: (await attemptOf(id)).id } as const;
  expect(await moves(id, { trigger: 'disburse', when })).toBe(true);
});

it('is neither canceled nor held nor failed for its enrollment once it is handed over', async () => {
  const id = await handedOver('unknown_lost');
  const early = { kind: 'not_handed_over' } as const;
  expect(await moves(id, { trigger: 'cancel' })).toBe(false);
  expect(await moves(id, { trigger: 'hold' })).toBe(false);
  expect(await moves(id, { trigger: 'hold', when: early })).toBe(false);
  expect(await moves(id, { trigger: 'fail', when: early })).toBe(false);
  expect(await stateOf(id)).toBe('approved');
});

it('has no live attempt after a hold or a failure, and keeps it on every other way', async () => {
  const live = async (id: string) => (await read(id)).liveAttemptId;
  const ids = [await handedOver('ok'), await handedOver('ok'), await handedOver('ok')] as const;
  const [held, failed, returned] = ids;
  const of = async (id: string) => (await attemptOf(id)).id;
  await moves(held, {
    trigger: 'hold',
    when: { kind: 'attempt_took_nothing', attemptId: await of(held) },
  });
  await moves(failed, { trigger: 'fail' });
  expect([await live(held), await live(failed)]).toEqual([null, null]);
  for (const trigger of ['disburse', 'settle', 'return'] as const) {
    expect(await moves(returned, { trigger })).toBe(true);
    expect(await live(returned)).toBe(await of(returned));
  }
});

it('is released for the hold that it is in, not for one that it was in', async () => {
  const id = await approved();
  const cause = 'beneficiary_suspended';
  const forCause = { trigger: 'release', when: { kind: 'held_for_cause', cause } } as const;
  await moves(id, { trigger: 'hold', cause });
  expect(await moves(id, forCause)).toBe(true);
  await moves(id, { trigger: 'hold' });
  expect(await moves(id, forCause)).toBe(false);
  await moves(id, { trigger: 'release' });
  await approve(id);
  const handed = await handedOver('held');
  const attemptId = (await attemptOf(handed)).id;
  const byAttempt = (which: string) =>
    ({ trigger: 'release', when: { kind: 'held_by_attempt', attemptId: which } }) as const;
  expect(await stateOf(handed)).toBe('compliance_hold');
  expect(await moves(handed, byAttempt('dat_another'))).toBe(false);
  expect(await moves(handed, byAttempt(attemptId))).toBe(true);
  await moves(handed, { trigger: 'hold' });
  expect(await moves(handed, byAttempt(attemptId))).toBe(false);
});

it('keeps the time of its approval until it waits for another', async () => {
  const id = await approved();
  const first = (await read(id)).approvedAt;
  expect(first).not.toBeNull();
  await moves(id, { trigger: 'hold' });
  expect((await read(id)).approvedAt).toEqual(first);
  await moves(id, { trigger: 'release' });
  expect((await read(id)).approvedAt).toBeNull();
});

it('keeps the time of its settlement, and the reason of its failure, through what follows', async () => {
  const returned = await handedOver('ok');
  for (const trigger of ['disburse', 'settle'] as const) await moves(returned, { trigger });
  await sql(`UPDATE payout SET settled_at = now() - interval '1 hour' WHERE id = $1`, [returned]);
  const { settledAt } = await read(returned);
  const failure = { code: 'account_closed', message: 'gone' };
  await moves(returned, { trigger: 'return', failure });
  expect(await read(returned)).toMatchObject({ settledAt, failureCode: 'account_closed' });

  const held = await approved();
  await moves(held, { trigger: 'hold', failure });
  await moves(held, { trigger: 'release' });
  expect(await read(held)).toMatchObject({ failureCode: 'account_closed', failureMessage: 'gone' });
});

import { expect, it } from 'vitest';
import { createPayoutsInBulk } from '../../../src/domain/payout/bulk.ts';
import { createPayout } from '../../../src/domain/payout/create.ts';
import type { DomainError } from '../../../src/errors/domain-error.ts';
import { codeOf, decide, move, newPayout, payoutInput } from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();
const replacing = (replacesPayoutId: string) => payoutInput(world.payee, { replacesPayoutId });
const replace = (id: string) => createPayout(world.call, replacing(id));

async function failed(): Promise<string> {
  const id = await world.approved();
  await move(world.call, id, { trigger: 'fail' });
  return id;
}

it.each([
  ['failed', ['fail']],
  ['returned', ['disburse', 'return']],
  ['returned after its settlement', ['disburse', 'settle', 'return']],
] as const)('is made for one that %s', async (_state, triggers) => {
  const id = await world.approved();
  for (const trigger of triggers) await move(world.call, id, { trigger });
  expect((await replace(id)).payout).toMatchObject({ replacesPayoutId: id });
});

it.each([
  ['pending_approval', []],
  ['canceled', ['cancel']],
  ['compliance_hold', ['hold']],
] as const)('is refused for one that is %s', async (_state, triggers) => {
  const id = await newPayout(world.call, world.payee);
  for (const trigger of triggers) await move(world.call, id, { trigger });
  expect(await codeOf(replace(id))).toBe('PREDECESSOR_NOT_REPLACEABLE');
});

it('is refused for one that may still be paid or was', async () => {
  const id = await world.approved();
  for (const trigger of ['disburse', 'settle'] as const) {
    expect(await codeOf(replace(id))).toBe('PREDECESSOR_NOT_REPLACEABLE');
    await move(world.call, id, { trigger });
  }
  expect(await codeOf(replace(id))).toBe('PREDECESSOR_NOT_REPLACEABLE');
});

it('is one of twenty racers', async () => {
  const id = await failed();
  const racers = Array.from({ length: 20 }, () => replace(id));
  const outcomes = await Promise.allSettled(racers);
  const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refusals.map(({ reason }) => (reason as DomainError).code)).toEqual(
    Array(19).fill('PREDECESSOR_ALREADY_REPLACED'),
  );
});

it('stands once in a bulk', async () => {
  const id = await failed();
  const rows = await createPayoutsInBulk(world.call, { payouts: [replacing(id), replacing(id)] });
  expect(rows.map(({ error }) => error?.code)).toEqual([undefined, 'PREDECESSOR_ALREADY_REPLACED']);
});

it('is itself replaced, not its predecessor, where it fails too', async () => {
  const id = await failed();
  const { payout } = await createPayout(world.call, {
    ...replacing(id),
    validatorStrategy: 'auto',
  });
  await move(world.call, payout?.id ?? '', { trigger: 'fail' });
  expect(await codeOf(replace(id))).toBe('PREDECESSOR_ALREADY_REPLACED');
  expect((await replace(payout?.id ?? '')).payout).toMatchObject({ replacesPayoutId: payout?.id });
});

it('is neither created nor approved while its predecessor may have been paid after all', async () => {
  const handed = await world.handedOver('ok');
  const { id: attemptId } = await world.attemptOf(handed);
  await move(world.call, handed, { trigger: 'fail', when: { kind: 'live_attempt', attemptId } });
  const { payout } = await replace(handed);
  // The provider settles what failed.
  await world.tellOf(attemptId, { type: 'settled' });
  expect(await codeOf(decide(world.call, payout?.id ?? '', 'approved'))).toBe(
    'PREDECESSOR_NOT_REPLACEABLE',
  );
  expect(await world.stateOf(payout?.id ?? '')).toBe('pending_approval');
});

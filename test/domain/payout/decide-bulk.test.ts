import { expect, it } from 'vitest';
import { decideInBulk } from '../../../src/domain/payout/decide-bulk.ts';
import { DomainError } from '../../../src/errors/domain-error.ts';
import { newId } from '../../../src/values/ids.ts';
import {
  codeOf,
  databaseError,
  memberCall,
  move,
  newPayout,
  withFaults,
  withSettings,
} from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();
const approval = { status: 'approved', reasons: [] } as const;
const created = () => newPayout(world.call, world.payee);

it('decides on each, and one that cannot be moved stops no other', async () => {
  const [first, canceled, last] = [await created(), await created(), await created()];
  await move(world.call, canceled, { trigger: 'cancel' });
  const ids = [first, canceled, newId('payout'), 'nonsense', last, first];
  const results = await decideInBulk(world.call, ids, { ...approval, reasons: [] });
  expect(results.map(({ payoutId }) => payoutId)).toEqual(ids);
  expect(results.map(({ payout, error }) => payout?.state ?? error?.code)).toEqual([
    'approved',
    'INVALID_STATE_TRANSITION',
    'PAYOUT_NOT_FOUND',
    'PAYOUT_NOT_FOUND',
    'approved',
    'INVALID_STATE_TRANSITION',
  ]);
});

it('rejects each for the same reason', async () => {
  const ids = [await created(), await created()];
  const [first, second] = await decideInBulk(world.call, ids, {
    status: 'rejected',
    reasons: [{ message: 'all wrong' }],
  });
  expect([first?.payout?.state, second?.payout?.state]).toEqual(['rejected', 'rejected']);
  const nothing = await decideInBulk(world.call, [await created()], {
    status: 'rejected',
    reasons: [],
  });
  expect(nothing[0]?.error?.code).toBe('REJECTION_REASON_REQUIRED');
});

it('takes 1 to DECISION_BULK_ROWS payouts', async () => {
  const call = withSettings(world.call, { DECISION_BULK_ROWS: 2 });
  for (const count of [0, 3]) {
    const ids = Array.from({ length: count }, () => newId('payout'));
    expect(await codeOf(decideInBulk(call, ids, { ...approval, reasons: [] }))).toBe(
      'validation_failed',
    );
  }
});

it('counts its rows in what the caller may', async () => {
  const allowance = { bulk: () => Promise.reject(new DomainError('RATE_LIMITED')) };
  const id = await created();
  const call = { ...world.call, allowance };
  expect(await codeOf(decideInBulk(call, [id], { ...approval, reasons: [] }))).toBe('RATE_LIMITED');
  expect(await world.stateOf(id)).toBe('pending_approval');
});

it('is for those who may decide', async () => {
  const call = await memberCall(world.call.services, world.tenant, 'preparer');
  expect(await codeOf(decideInBulk(call, [await created()], { ...approval, reasons: [] }))).toBe(
    'forbidden',
  );
});

it('hides no fault of the service behind the result of a row', async () => {
  const error = databaseError('XX000');
  const call = withFaults(world.call, /^move_payout$/, [{ when: 'instead', error }]);
  const broken = decideInBulk(call, [await created()], { ...approval, reasons: [] });
  await expect(broken).rejects.toBe(error);
});

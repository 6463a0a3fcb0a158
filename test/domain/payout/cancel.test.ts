import { describe, expect, it } from 'vitest';
import { cancelPayout } from '../../../src/domain/payout/cancel.ts';
import { readWaits } from '../../../src/domain/payout/waits-for.ts';
import { readPayout } from '../../../src/domain/payout/read.ts';
import { newId } from '../../../src/values/ids.ts';
import { systemCall } from '../../support/fake-provider.ts';
import { makePayee, makeTenant } from '../../support/factory.ts';
import {
  codeOf,
  decide,
  memberCall,
  move,
  newPayout,
  refusalOf,
} from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();
const created = () => newPayout(world.call, world.payee);

describe('a payout is canceled', () => {
  it('while it waits for a decision', async () => {
    const id = await created();
    const call = await memberCall(world.call.services, world.tenant, 'preparer');
    expect((await cancelPayout(call, id)).state).toBe('canceled');
  });

  it('while it is held', async () => {
    const id = await created();
    await move(world.call, id, { trigger: 'hold' });
    expect((await cancelPayout(world.call, id)).state).toBe('canceled');
  });

  it('when it is approved, until it is handed over', async () => {
    expect((await cancelPayout(world.call, await world.approved())).state).toBe('canceled');
    for (const fate of ['ok', 'unknown_lost'] as const) {
      const id = await world.handedOver(fate);
      const { code, message } = await refusalOf(cancelPayout(world.call, id));
      expect(code).toBe('INVALID_STATE_TRANSITION');
      expect(message).toContain('handed to the provider');
      expect(await world.stateOf(id)).toBe('approved');
    }
  });
});

describe('a payout is not canceled', () => {
  it.each([
    ['disbursed', ['disburse']],
    ['settled', ['disburse', 'settle']],
    ['failed', ['fail']],
    ['returned', ['disburse', 'return']],
    ['canceled', ['cancel']],
  ] as const)('when it is %s', async (state, triggers) => {
    const id = await world.approved();
    for (const trigger of triggers) await move(world.call, id, { trigger });
    const { code, message } = await refusalOf(cancelPayout(world.call, id));
    expect([code, message]).toEqual([
      'INVALID_STATE_TRANSITION',
      `A payout that is ${state} cannot be canceled.`,
    ]);
  });

  it('by somebody who may not, or where it is not there', async () => {
    const id = await created();
    for (const role of ['approver', 'developer', 'viewer'] as const) {
      const call = await memberCall(world.call.services, world.tenant, role);
      expect(await codeOf(cancelPayout(call, id))).toBe('forbidden');
    }
    const others = await systemCall(
      world.call.services,
      (await makeTenant(world.harness)).tenantId,
    );
    expect(await codeOf(cancelPayout(others, id))).toBe('PAYOUT_NOT_FOUND');
    for (const unknown of [newId('payout'), 'pay_1', newId('decision')]) {
      expect(await codeOf(cancelPayout(world.call, unknown))).toBe('PAYOUT_NOT_FOUND');
    }
    expect(await world.stateOf(id)).toBe('pending_approval');
  });
});

it('lets one of twenty racing approvals, rejections and cancels come first', async () => {
  const id = await created();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) =>
      i % 3 === 2
        ? cancelPayout(world.call, id)
        : decide(world.call, id, i % 3 === 0 ? 'approved' : 'rejected'),
    ),
  );
  const records = await world.sql<{ to_state: string }>(
    'SELECT to_state FROM payout_transition WHERE payout_id = $1 ORDER BY seq',
    [id],
  );
  const states = records.slice(1).map((row) => row.to_state);
  // An approved payout may still be canceled, so that a cancel can follow the approval.
  expect(states.join()).toMatch(/^(approved|rejected|canceled|approved,canceled)$/);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(states.length);
});

it('says whom a payout waits for', async () => {
  const waits = async (id: string, call = world.call) => {
    const payout = await readPayout(call, id);
    return (await readWaits(call, [{ payout, accountChanged: false }]))[0]?.reason ?? null;
  };
  const id = await created();
  expect(await waits(id)).toBe('decision');
  await move(world.call, id, { trigger: 'hold' });
  expect(await waits(id)).toBe('release');
  expect(await waits(await world.approved())).toBeNull();
  expect(await waits(await world.handedOver('ok'))).toBeNull();

  const tenant = await makeTenant(world.harness, { environment: 'production' });
  const production = await systemCall(world.call.services, tenant.tenantId);
  const payee = await makePayee(world.harness, tenant.key);
  const approved = await newPayout(production, payee, { validatorStrategy: 'auto' });
  expect(await waits(approved, production)).toBe('provider_configuration');
});

import { beforeEach, describe, expect, it } from 'vitest';
import { approveSet, readApprovalSet } from '../../../src/domain/payout/approval-set.ts';
import { cancelPayout } from '../../../src/domain/payout/cancel.ts';
import { reevaluateApproval } from '../../../src/domain/payout/reevaluate.ts';
import type { Call } from '../../../src/process/services.ts';
import { always, givePolicy, members } from '../../support/approval-world.ts';
import { makeTenant } from '../../support/factory.ts';
import { codeOf, memberCall, newPayout } from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld({ fresh: true });
const { sql, stateOf } = world;

let creator: Call;
let approver: Call;
let ids: [string, string, string];
beforeEach(async () => {
  creator = await memberCall(world.call.services, world.tenant, 'preparer');
  [approver] = await members(world, 'approver', 1);
  const made = (amountMinor: number) => newPayout(creator, world.payee, { amountMinor });
  ids = [await made(100), await made(250), await made(400)];
});

const seen = async (call = approver) => {
  const { items, totals, digest } = await readApprovalSet(call, ids);
  return { items, totals, digest };
};
const approve = (set: Awaited<ReturnType<typeof seen>>, call = approver) =>
  approveSet(call, { ...set, items: [...set.items], totals: [...set.totals] }, [], null);
const codes = (results: Awaited<ReturnType<typeof approve>>) =>
  results.map(({ payoutId, error }) => [payoutId, error?.code ?? null]);

describe('a set of payouts', () => {
  it('is approved in one command by its digest and totals', async () => {
    const set = await seen();
    expect(set.totals).toEqual([{ currency: 'USD', amountMinor: 750n }]);
    expect(codes(await approve(set))).toEqual(ids.map((id) => [id, null]));
    for (const id of ids) expect(await stateOf(id)).toBe('approved');
  });

  it('names one that changed since and leaves it out, and the others go on', async () => {
    const set = await seen();
    const [changed, canceled, good] = ids;
    await cancelPayout(creator, canceled);
    await givePolicy(world, [always({ approvals: 1, groups: ['approver'] })]);
    const [owner] = await members(world, 'owner', 1);
    await reevaluateApproval(owner, changed);
    expect(codes(await approve(set))).toEqual([
      [changed, 'conflict'],
      [canceled, 'INVALID_STATE_TRANSITION'],
      [good, null],
    ]);
    expect(await stateOf(changed)).toBe('pending_approval');
    expect(await sql('SELECT FROM payout_decision')).toHaveLength(1);
    expect(codes(await approve(await seen()))).toEqual([[changed, null]]);
  });

  it('names one that needs a passkey or another person', async () => {
    await givePolicy(world, [
      {
        ...always({ approvals: 1, groups: ['approver'], stepUp: true }),
        when: { amount: [{ currency: 'USD', from: 1_000 }] },
      },
      {
        ...always({ approvals: 1, groups: ['owner'] }),
        when: { amount: [{ currency: 'USD', from: 2_000 }] },
      },
    ]);
    const made = (amountMinor: number) => newPayout(creator, world.payee, { amountMinor });
    ids = [ids[0], await made(1_500), await made(2_500)];
    expect(codes(await approve(await seen()))).toEqual([
      [ids[0], null],
      [ids[1], 'STEP_UP_REQUIRED'],
      [ids[2], 'STEP_UP_REQUIRED'],
    ]);
  });

  it('approves nothing by a digest or totals that are not its own', async () => {
    const set = await seen();
    const one = set.items[0] ?? { payoutId: '', digest: '' };
    expect(await codeOf(approve({ ...set, items: [one] }))).toBe('validation_failed');
    const less = [{ currency: 'USD', amountMinor: 749n }];
    expect(await codeOf(approve({ ...set, totals: less }))).toBe('conflict');
    const more = [{ currency: 'USD', amountMinor: 751n }];
    expect(await codeOf(approve({ ...set, totals: more }))).toBe('conflict');
    expect(await codeOf(approve({ ...set, totals: [] }))).toBe('conflict');
    expect(await codeOf(readApprovalSet(approver, []))).toBe('validation_failed');
    expect(await codeOf(readApprovalSet(creator, ids))).toBe('forbidden');
    expect(await codeOf(approve(set, creator))).toBe('forbidden');
    for (const id of ids) expect(await stateOf(id)).toBe('pending_approval');
  });

  it('has no payout of another tenant in it', async () => {
    const foreign = await makeTenant(world.harness);
    const stranger = await memberCall(world.call.services, foreign, 'owner');
    expect(await readApprovalSet(stranger, ids)).toMatchObject({ items: [], leftOut: ids });
    expect(codes(await approve(await seen(), stranger))).toEqual(
      ids.map((id) => [id, 'PAYOUT_NOT_FOUND']),
    );
  });

  it('is approved once by two who press at once', async () => {
    const [other] = await members(world, 'approver', 1);
    const set = await seen();
    const both = (await Promise.all([approve(set), approve(set, other)])).flat();
    expect(both.filter(({ error }) => error === null)).toHaveLength(ids.length);
    expect(await sql('SELECT FROM payout_decision')).toHaveLength(ids.length);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { createPayoutsInBulk } from '../../../src/domain/payout/bulk.ts';
import { createPayout } from '../../../src/domain/payout/create.ts';
import { reevaluateApproval } from '../../../src/domain/payout/reevaluate.ts';
import type { Call } from '../../../src/process/services.ts';
import { always, givePolicy, members } from '../../support/approval-world.ts';
import { makePayee } from '../../support/factory.ts';
import {
  codeOf,
  decide,
  memberCall,
  newPayout,
  payoutInput,
} from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld({ fresh: true });
const { sql } = world;

let creator: Call;
beforeEach(async () => {
  creator = await memberCall(world.call.services, world.tenant, 'preparer');
});

/** Two approvers from a sum of 1,000 on, over a day. */
const split = (over: 'payee' | 'creator' | 'business', hours: 24 | 168 | 720 = 24) =>
  givePolicy(world, [
    {
      name: 'sum',
      when: { sum: { over, hours, bands: [{ currency: 'USD', from: 1_000 }] } },
      effect: 'require',
      steps: [{ approvals: 2, groups: ['approver'] }],
    },
  ]);

/** How many people have to approve each payout, in the order of their creation. */
const approvals = async (): Promise<number[]> =>
  (
    await sql<{ approvals: number }>(
      `SELECT (demands -> 0 ->> 'approvals')::integer AS approvals FROM payout_requirement ORDER BY payout_id`,
    )
  ).map((row) => row.approvals);

const of = (amountMinor: number, call = creator) => newPayout(call, world.payee, { amountMinor });

describe('a sum', () => {
  it.each(['payee', 'creator', 'business'] as const)(
    'over the %s sees what was created before, at its bound too',
    async (over) => {
      await split(over);
      await of(999);
      await of(1);
      await of(500);
      expect(await approvals()).toEqual([1, 2, 2]);
    },
  );

  it('of one scope does not see another', async () => {
    const other = await makePayee(world.harness, world.tenant.key);
    await split('payee');
    await of(900);
    await newPayout(creator, other, { amountMinor: 900 });
    expect(await approvals()).toEqual([1, 1]);
    await split('creator');
    const [admin] = await members(world, 'admin', 1);
    await of(900, admin);
    expect(await approvals()).toEqual([1, 1, 1]);
  });

  it('leaves out what was rejected, and what is older than its time', async () => {
    await split('payee');
    const id = await of(900);
    const [owner] = await members(world, 'owner', 1);
    await decide(owner, id, 'rejected');
    const old = await of(900);
    await sql(`UPDATE payout SET created_at = now() - interval '25 hours' WHERE id = $1`, [old]);
    await of(900);
    expect(await approvals()).toEqual([1, 1, 1]);
  });

  it('sees each of many that are created at once', async () => {
    await split('payee');
    await Promise.all(Array.from({ length: 12 }, () => of(100)));
    // Nine stay under the band; whichever come then do not.
    expect((await approvals()).toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: 9 }, () => 1),
      ...Array.from({ length: 3 }, () => 2),
    ]);
  });

  it('sees all payouts of one request', async () => {
    await split('business');
    const payouts = [500, 500].map((amountMinor) => payoutInput(world.payee, { amountMinor }));
    const rows = await createPayoutsInBulk(creator, { payouts });
    expect(rows.map(({ status }) => status)).toEqual(['created', 'created']);
    expect(await approvals()).toEqual([2, 2]);
    const again = await createPayoutsInBulk(creator, { payouts });
    expect(again.map(({ status }) => status)).toEqual(['replayed', 'replayed']);
  });
});

describe('several payouts of one request', () => {
  it('are each judged by what they are', async () => {
    await givePolicy(world, [
      {
        name: 'small',
        when: { amount: [{ currency: 'USD', from: 0, below: 100 }] },
        effect: 'pass',
      },
      {
        name: 'huge',
        when: { amount: [{ currency: 'USD', from: 100_000 }] },
        effect: 'block',
        reason: 'Too much.',
      },
    ]);
    const amounts = [50, 5_000, 100_000];
    const payouts = amounts.map((amountMinor) => payoutInput(world.payee, { amountMinor }));
    const rows = await createPayoutsInBulk(creator, { payouts });
    expect(rows.map(({ payout, error }) => error?.code ?? payout?.state)).toEqual([
      'approved',
      'pending_approval',
      'PAYOUT_BLOCKED_BY_POLICY',
    ]);
    expect(rows[0]?.payout).toMatchObject({ transitionCount: 2, approvedAt: expect.any(Date) });
    const jobs = await sql(
      `SELECT FROM graphile_worker._private_jobs WHERE payload->>'payoutId' = $1`,
      [rows[0]?.payout?.id],
    );
    expect(jobs).toHaveLength(1);
  });
});

describe('a new evaluation', () => {
  it('is by the policy of now, counts no approval of before, and is recorded', async () => {
    const [owner] = await members(world, 'owner', 1);
    const [one, two] = await members(world, 'approver', 2);
    await givePolicy(world, [always({ approvals: 2, groups: ['approver'] })]);
    const id = await of(500);
    await decide(one, id, 'approved');
    await givePolicy(world, [always({ approvals: 1, groups: ['owner'] })]);
    expect(await codeOf(reevaluateApproval(one, id))).toBe('forbidden');
    await reevaluateApproval(owner, id);
    expect(await codeOf(decide(two, id, 'approved'))).toBe('forbidden');
    expect((await decide(owner, id, 'approved')).payout.state).toBe('approved');
    expect(
      await sql('SELECT round, cause, policy_version FROM payout_requirement ORDER BY round'),
    ).toEqual([
      { round: 1, cause: 'created', policy_version: 1 },
      { round: 2, cause: 'asked', policy_version: 2 },
    ]);
    expect(await codeOf(reevaluateApproval(owner, id))).toBe('INVALID_STATE_TRANSITION');
  });

  it('does not count the payout itself twice', async () => {
    const [owner] = await members(world, 'owner', 1);
    await split('payee');
    const id = await of(600);
    await reevaluateApproval(owner, id);
    expect(await approvals()).toEqual([1, 1]);
  });

  it('says that there is no policy, and that the policy blocks by now', async () => {
    const [owner] = await members(world, 'owner', 1);
    const id = await of(500);
    expect(await codeOf(reevaluateApproval(owner, id))).toBe('conflict');
    await givePolicy(world, [{ name: 'none', when: {}, effect: 'block', reason: 'No.' }]);
    expect(await codeOf(reevaluateApproval(owner, id))).toBe('PAYOUT_BLOCKED_BY_POLICY');
    expect(await codeOf(createPayout(owner, payoutInput(world.payee)))).toBe(
      'PAYOUT_BLOCKED_BY_POLICY',
    );
  });
});

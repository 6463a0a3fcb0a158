import { beforeEach, describe, expect, it } from 'vitest';
import { expireApprovals } from '../../../src/domain/approval-policy/expire.ts';
import { readStandings } from '../../../src/domain/approval-policy/standing.ts';
import { createPayoutsInBulk } from '../../../src/domain/payout/bulk.ts';
import { reevaluateApproval } from '../../../src/domain/payout/reevaluate.ts';
import type { Call } from '../../../src/process/services.ts';
import { always, givePolicy, members } from '../../support/approval-world.ts';
import { behind } from '../../support/behind.ts';
import { decide, memberCall, move, newPayout, payoutInput } from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld({ fresh: true });
const { sql, stateOf } = world;

let creator: Call;
beforeEach(async () => {
  creator = await memberCall(world.call.services, world.tenant, 'preparer');
});

const made = () => newPayout(creator, world.payee);
const approve = (call: Call, id: string) => decide(call, id, 'approved');
const expire = () => expireApprovals(world.call.services);
const rounds = (id: string) =>
  sql<{ round: number; cause: string }>(
    'SELECT round, cause FROM payout_requirement WHERE payout_id = $1 ORDER BY round',
    [id],
  );
const expiries = async () => (await sql('SELECT FROM approval_expiry')).length;

/** As if so many hours had gone by. */
async function later(hours: number): Promise<void> {
  const back = `- make_interval(hours => ${hours})`;
  await sql(`UPDATE payout_requirement SET written_at = written_at ${back}`);
  await sql(`UPDATE payout_transition SET occurred_at = occurred_at ${back}`);
  await sql(`UPDATE payout_decision SET submitted_at = submitted_at ${back}`);
  await sql(`UPDATE approval_expiry SET due_at = due_at ${back}`);
}

const twoInADay = always({ approvals: 2, groups: ['approver'], expiresAfterHours: 24 });

describe('a step that expires', () => {
  it('brings the payout back to its first step, with an event, and rejects nothing', async () => {
    await givePolicy(world, [twoInADay]);
    const id = await made();
    const [one, two] = await members(world, 'approver', 2);
    await approve(one, id);
    expect(await expire()).toBe(0);
    await later(25);
    expect(await expire()).toBe(1);
    expect(await stateOf(id)).toBe('pending_approval');
    expect(await rounds(id)).toEqual([
      { round: 1, cause: 'created' },
      { round: 2, cause: 'expired' },
    ]);
    const [[demand] = []] = await readStandings(one, [id]);
    expect(demand).toMatchObject({ counted: 0, isOpen: true, obstacle: null, expiresAt: null });
    await approve(two, id);
    expect(await stateOf(id)).toBe('pending_approval');
    await approve(one, id);
    expect(await stateOf(id)).toBe('approved');
  });

  it('is not counted for, though no job has looked at it', async () => {
    await givePolicy(world, [twoInADay]);
    const id = await made();
    const [one, two] = await members(world, 'approver', 2);
    await approve(one, id);
    await later(25);
    await approve(two, id);
    expect(await stateOf(id)).toBe('pending_approval');
    expect((await rounds(id)).map(({ cause }) => cause)).toEqual(['created', 'expired']);
    await approve(one, id);
    expect(await stateOf(id)).toBe('approved');
  });

  it('expires again from the first approval on, and not while nobody has given one', async () => {
    await givePolicy(world, [twoInADay]);
    const id = await made();
    await later(25);
    expect(await expire()).toBe(1);
    await later(100);
    expect(await expire()).toBe(0);
    const [one] = await members(world, 'approver', 1);
    await approve(one, id);
    expect(await expire()).toBe(0);
    const [[demand] = []] = await readStandings(world.call, [id]);
    expect(demand?.expiresAt?.getTime()).toBeGreaterThan(Date.now());
    await later(25);
    expect(await expire()).toBe(1);
    expect(await rounds(id)).toHaveLength(3);
  });

  it('counts its time from the end of the step before', async () => {
    await givePolicy(world, [
      always(
        { approvals: 1, groups: ['approver'] },
        { approvals: 1, groups: ['owner'], expiresAfterHours: 24 },
      ),
    ]);
    const id = await made();
    const [one] = await members(world, 'approver', 1);
    await later(30);
    expect(await expire()).toBe(0);
    await approve(one, id);
    await later(20);
    expect(await expire()).toBe(0);
    await later(5);
    expect(await expire()).toBe(1);
    const demands = (await readStandings(world.call, [id]))[0] ?? [];
    expect(demands.map(({ counted, isOpen }) => [counted, isOpen])).toEqual([
      [0, true],
      [0, false],
    ]);
  });

  it('is looked at for payouts of a bulk, and of a new evaluation', async () => {
    await givePolicy(world, [twoInADay]);
    await createPayoutsInBulk(creator, {
      payouts: [payoutInput(world.payee), payoutInput(world.payee)],
      mode: 'atomic',
    });
    expect(await expiries()).toBe(2);
    await givePolicy(world, [always({ approvals: 1, groups: ['approver'] })]);
    const id = await made();
    expect(await expiries()).toBe(2);
    await givePolicy(world, [twoInADay]);
    const [owner] = await members(world, 'owner', 1);
    await reevaluateApproval(owner, id);
    expect(await expiries()).toBe(3);
  });

  it('is not looked at any more when the payout has ended, and is during a hold', async () => {
    await givePolicy(world, [twoInADay]);
    const [held, canceled] = [await made(), await made()];
    await move(world.call, held, { trigger: 'hold', when: { kind: 'not_handed_over' } });
    await move(world.call, canceled, { trigger: 'cancel', when: { kind: 'not_handed_over' } });
    await later(25);
    expect(await expire()).toBe(0);
    expect(await expiries()).toBe(1);
    await move(world.call, held, { trigger: 'release' });
    await later(1);
    expect(await expire()).toBe(0);
    await later(24);
    expect(await expire()).toBe(1);
  });

  it('goes back once, whether the job or an approval comes first', async () => {
    await givePolicy(world, [twoInADay]);
    const id = await made();
    const [one, two] = await members(world, 'approver', 2);
    await approve(one, id);
    await later(25);
    const { pool } = world.call.services;
    const held = (client: Parameters<Parameters<typeof behind>[1]>[0]) =>
      approve({ ...two, services: { ...two.services, pool: client as never } }, id);
    await behind(pool, held, () => expire());
    expect((await rounds(id)).map(({ cause }) => cause)).toEqual(['created', 'expired']);
    const [[demand] = []] = await readStandings(world.call, [id]);
    expect(demand?.counted).toBe(1);
  });
});

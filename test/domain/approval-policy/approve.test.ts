import { beforeEach, describe, expect, it } from 'vitest';
import { userOf } from '../../../src/access/scope.ts';
import { createPayoutsInBulk } from '../../../src/domain/payout/bulk.ts';
import { createPayout } from '../../../src/domain/payout/create.ts';
import { decideInBulk } from '../../../src/domain/payout/decide-bulk.ts';
import { readPayout } from '../../../src/domain/payout/read.ts';
import type { Call } from '../../../src/process/services.ts';
import { newUlid } from '../../../src/values/ulid.ts';
import { always, giveGroup, givePolicy, members } from '../../support/approval-world.ts';
import { behind } from '../../support/behind.ts';
import {
  codeOf,
  decide,
  memberCall,
  move,
  newPayout,
  payoutInput,
  refusalOf,
} from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld({ fresh: true });
const { sql, stateOf } = world;

let creator: Call;
beforeEach(async () => {
  creator = await memberCall(world.call.services, world.tenant, 'preparer');
});

const made = (more = {}) => newPayout(creator, world.payee, more);
const approve = (call: Call, id: string) => decide(call, id, 'approved');
const refused = async (call: Call, id: string) => (await refusalOf(approve(call, id))).message;
const jobs = async (id: string) =>
  (await sql(`SELECT FROM graphile_worker._private_jobs WHERE payload->>'payoutId' = $1`, [id]))
    .length;
const decisions = (id: string) =>
  sql<{ demands: number[]; held_groups: string[]; who: string }>(
    `SELECT demands, held_groups, submitted_by ->> 'user_id' AS who FROM payout_decision WHERE payout_id = $1 ORDER BY id`,
    [id],
  );

describe('a step that asks for two approvers', () => {
  it('keeps the payout until the second one, and records what each counted for', async () => {
    await givePolicy(world, [always({ approvals: 2, groups: ['approver'] })]);
    const id = await made();
    const [one, two] = await members(world, 'approver', 2);
    const first = await approve(one, id);
    expect(first.payout).toMatchObject({ id, state: 'pending_approval', transitionCount: 1 });
    expect(await jobs(id)).toBe(0);
    expect((await approve(two, id)).payout.state).toBe('approved');
    expect(await jobs(id)).toBe(1);
    expect(await decisions(id)).toEqual([
      { demands: [0], held_groups: ['approver'], who: userOf(one.scope) },
      { demands: [0], held_groups: ['approver'], who: userOf(two.scope) },
    ]);
  });

  it('does not count one person twice, whatever the decision', async () => {
    await givePolicy(world, [always({ approvals: 2, groups: ['approver'] })]);
    const id = await made();
    const [one] = await members(world, 'approver', 1);
    await approve(one, id);
    expect(await refused(one, id)).toContain('already');
    expect(await stateOf(id)).toBe('pending_approval');
    expect(await decisions(id)).toHaveLength(1);
  });

  it('replays the decision that was counted', async () => {
    await givePolicy(world, [always({ approvals: 2, groups: ['approver'] })]);
    const id = await made();
    const [one] = await members(world, 'approver', 1);
    const decisionId = newUlid();
    await decide(one, id, 'approved', { decisionId });
    expect((await decide(one, id, 'approved', { decisionId })).replayed).toBe(true);
    expect(await decisions(id)).toHaveLength(1);
  });

  it('counts exactly two of ten who press at once', async () => {
    await givePolicy(world, [always({ approvals: 2, groups: ['approver'] })]);
    const id = await made();
    const ten = await members(world, 'approver', 10);
    const ended = await Promise.allSettled(ten.map((one) => approve(one, id)));
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await decisions(id)).toHaveLength(2);
    expect(await stateOf(id)).toBe('approved');
    expect(await jobs(id)).toBe(1);
  });

  it('sees the approval of a transaction that commits while it waits', async () => {
    await givePolicy(world, [always({ approvals: 2, groups: ['approver'] })]);
    const id = await made();
    const [one, two] = await members(world, 'approver', 2);
    const { pool } = world.call.services;
    const held = (client: Parameters<Parameters<typeof behind>[1]>[0]) =>
      approve({ ...one, services: { ...one.services, pool: client as never } }, id);
    const second = await behind(pool, held, () => approve(two, id));
    expect(second.payout.state).toBe('approved');
  });
});

describe('steps', () => {
  it('are in order, and a rule adds to another', async () => {
    const [treasurer, chief] = await members(world, 'approver', 2);
    const treasury = await giveGroup(world, [treasurer]);
    const heads = await giveGroup(world, [chief]);
    await givePolicy(world, [
      always({ approvals: 1, groups: [treasury] }, { approvals: 1, groups: [heads] }),
      always({ approvals: 2, groups: ['approver'] }),
    ]);
    const id = await made();
    expect(await refused(world.call, id)).toContain('none of the groups');
    // The chief counts for the second rule, and the first step still waits for the treasurer.
    await approve(chief, id);
    expect(await refused(chief, id)).toContain('already');
    await approve(treasurer, id);
    expect(await stateOf(id)).toBe('pending_approval');
    expect(await refused(treasurer, id)).toContain('none of the groups');
    await approve(chief, id);
    expect(await stateOf(id)).toBe('approved');
  });

  it('exclude the creator, whoever has approved before, and who changed payee or account', async () => {
    const [prepared, other, third] = await members(world, 'owner', 3);
    await givePolicy(world, [
      always(
        {
          approvals: 1,
          groups: ['owner'],
          distinctFrom: ['creator', 'payee_editor', 'account_changer'],
        },
        { approvals: 1, groups: ['owner'], distinctFrom: ['earlier_approvers'] },
      ),
    ]);
    const id = await newPayout(prepared, world.payee);
    expect(await refused(prepared, id)).toContain('You created');
    await sql('UPDATE beneficiary SET edited_by = $1', [userOf(other.scope)]);
    expect(await refused(other, id)).toContain('changed the payee');
    await sql('UPDATE beneficiary SET edited_by = NULL');
    await sql('UPDATE bank_account_version SET actor = $1', [JSON.stringify(other.scope.actor)]);
    expect(await refused(other, id)).toContain('changed the bank account');
    await approve(third, id);
    expect(await refused(third, id)).toContain('earlier step');
    await approve(other, id);
    expect(await stateOf(id)).toBe('approved');
  });

  it('do not count who edits the payee after they have approved', async () => {
    const [one, two] = await members(world, 'approver', 2);
    await givePolicy(world, [
      always({ approvals: 2, groups: ['approver'], distinctFrom: ['payee_editor'] }),
    ]);
    const id = await made();
    await approve(one, id);
    await sql('UPDATE beneficiary SET edited_by = $1', [userOf(one.scope)]);
    await approve(two, id);
    expect(await stateOf(id)).toBe('pending_approval');
    const [three] = await members(world, 'approver', 1);
    await approve(three, id);
    expect(await stateOf(id)).toBe('approved');
  });

  it('escalate to another group after the time', async () => {
    const [owner] = await members(world, 'owner', 1);
    await givePolicy(world, [
      always({ approvals: 1, groups: ['approver'], escalateAfterHours: 24, escalateTo: 'owner' }),
    ]);
    const id = await made();
    expect(await refused(owner, id)).toContain('none of the groups');
    await sql(`UPDATE payout_requirement SET written_at = now() - interval '25 hours'`);
    await sql(`UPDATE payout_transition SET occurred_at = now() - interval '25 hours'`);
    await approve(owner, id);
    expect(await stateOf(id)).toBe('approved');
  });

  it('start anew after a hold', async () => {
    const [one, two] = await members(world, 'approver', 2);
    await givePolicy(world, [always({ approvals: 1, groups: ['approver'] })]);
    const id = await made();
    await approve(one, id);
    await move(world.call, id, { trigger: 'hold', when: { kind: 'not_handed_over' } });
    await move(world.call, id, { trigger: 'release' });
    expect(await stateOf(id)).toBe('pending_approval');
    await approve(two, id);
    expect(await stateOf(id)).toBe('approved');
  });

  it('name that nobody can approve', async () => {
    await givePolicy(world, [always({ approvals: 2, groups: ['approver'] })]);
    const [one] = await members(world, 'approver', 1);
    const id = await made();
    await approve(one, id);
    expect(await refused(one, id)).toContain('nobody_can_approve');
  });
});

describe('a payout under a policy', () => {
  it('needs one who is not its creator where no rule holds', async () => {
    await givePolicy(world, []);
    const [owner] = await members(world, 'owner', 1);
    const id = await newPayout(owner, world.payee);
    expect(await refused(owner, id)).toContain('You created');
    const [approver] = await members(world, 'approver', 1);
    await approve(approver, id);
    expect(await stateOf(id)).toBe('approved');
  });

  it('is as before without a policy, and with one that ended', async () => {
    const [owner] = await members(world, 'owner', 1);
    await givePolicy(world, [always({ approvals: 5, groups: ['approver'] })]);
    await givePolicy(world, null);
    const id = await newPayout(owner, world.payee);
    expect((await approve(owner, id)).payout.state).toBe('approved');
    expect(await sql('SELECT FROM payout_requirement')).toEqual([]);
  });

  it('keeps the demands of its creation', async () => {
    await givePolicy(world, [always({ approvals: 1, groups: ['approver'] })]);
    const id = await made();
    await givePolicy(world, [always({ approvals: 3, groups: ['owner'] })]);
    const [approver] = await members(world, 'approver', 1);
    expect((await approve(approver, id)).payout.state).toBe('approved');
  });

  it('is approved by the policy that lets it pass, which the transition says', async () => {
    await givePolicy(world, [{ name: 'all', when: {}, effect: 'pass' }]);
    const { payout } = await createPayout(creator, payoutInput(world.payee));
    expect(payout).toMatchObject({ state: 'approved', transitionCount: 2 });
    expect(payout).toEqual({ ...(await readPayout(creator, payout?.id ?? '')) });
    const [, last] = await sql<{ reason: string; actor: object }>(
      'SELECT reason, actor FROM payout_transition WHERE payout_id = $1 ORDER BY seq',
      [payout?.id],
    );
    expect(last).toEqual({
      reason: 'Approved by version 1 of the approval policy, by rule 1.',
      actor: { type: 'system', name: 'approval_policy' },
    });
    expect(await sql('SELECT policy_version, status FROM payout_decision')).toEqual([
      { policy_version: '1', status: 'approved' },
    ]);
    expect(await jobs(payout?.id ?? '')).toBe(1);
  });

  it('is blocked with the reason of the rule, and leaves nothing behind', async () => {
    await givePolicy(world, [
      { name: 'none', when: {}, effect: 'block', reason: 'Ask the bank first.' },
    ]);
    const input = payoutInput(world.payee);
    const error = await refusalOf(createPayout(creator, input));
    expect(error).toMatchObject({
      code: 'PAYOUT_BLOCKED_BY_POLICY',
      message: 'The approval policy blocks the payout: Ask the bank first.',
    });
    expect(await codeOf(createPayout(creator, { ...input, dryRun: true }))).toBe(error.code);
    const [row] = await createPayoutsInBulk(creator, { payouts: [payoutInput(world.payee)] });
    expect(row?.error?.code).toBe(error.code);
    expect(await sql('SELECT FROM payout')).toEqual([]);
    expect(await sql('SELECT FROM payout_idempotency')).toEqual([]);
  });

  it('is approved at once by auto only where the policy lets it pass', async () => {
    const [owner] = await members(world, 'owner', 1);
    await givePolicy(world, [
      {
        name: 'small',
        when: { amount: [{ currency: 'USD', from: 0, below: 1_000 }] },
        effect: 'pass',
      },
    ]);
    const auto = (amountMinor: number) =>
      createPayout(owner, payoutInput(world.payee, { amountMinor, validatorStrategy: 'auto' }));
    expect((await auto(999)).payout).toMatchObject({ state: 'approved', transitionCount: 2 });
    expect(await refusalOf(auto(1_000))).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('approval policy'),
    });
  });

  it('is decided in bulk by the same rules', async () => {
    await givePolicy(world, [always({ approvals: 1, groups: ['owner'] })]);
    const ids = [await made(), await made()];
    const [approver] = await members(world, 'approver', 1);
    const results = await decideInBulk(approver, ids, { status: 'approved', reasons: [] });
    expect(results.map(({ error }) => error?.code)).toEqual(['forbidden', 'forbidden']);
  });
});

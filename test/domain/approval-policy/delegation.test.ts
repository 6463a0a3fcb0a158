import { beforeEach, describe, expect, it } from 'vitest';
import { userOf } from '../../../src/access/scope.ts';
import {
  delegateApprovals,
  endDelegation,
} from '../../../src/domain/approval-policy/delegation.ts';
import { readPolicy } from '../../../src/domain/approval-policy/draft.ts';
import { readStandings } from '../../../src/domain/approval-policy/standing.ts';
import type { Call } from '../../../src/process/services.ts';
import { always, giveGroup, givePolicy, members } from '../../support/approval-world.ts';
import { makeTenant } from '../../support/factory.ts';
import { codeOf, decide, memberCall, newPayout, refusalOf } from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld({ fresh: true });
const { sql, stateOf } = world;

let creator: Call;
let absent: Call;
let delegate: Call;
let group: string;
beforeEach(async () => {
  creator = await memberCall(world.call.services, world.tenant, 'preparer');
  [absent, delegate] = await members(world, 'approver', 2);
  group = await giveGroup(world, [absent]);
});

const made = (by = creator) => newPayout(by, world.payee);
const approve = (call: Call, id: string) => decide(call, id, 'approved');
const refused = async (call: Call, id: string) => (await refusalOf(approve(call, id))).message;
const memberId = ({ scope: { actor } }: Call): string => {
  if (actor.type !== 'member') throw new Error('the caller is a member');
  return actor.membership_id;
};
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const stand = (from: Call, to: Call, more: object = {}) =>
  delegateApprovals(from, { to: memberId(to), reason: 'Holidays', endsAt: inDays(7), ...more });
const votes = (id: string) =>
  sql<{ who: string; behalf: string | null; held_groups: string[] }>(
    `SELECT submitted_by ->> 'user_id' AS who, on_behalf_of AS behalf, held_groups FROM payout_decision
     WHERE payout_id = $1 ORDER BY id`,
    [id],
  );

/** Of the group, and of everybody who decides. */
const both = () =>
  givePolicy(world, [
    always({ approvals: 1, groups: [group] }),
    { ...always({ approvals: 1, groups: ['approver'] }), when: { purposes: ['rent'] } },
  ]);

describe('a delegate', () => {
  it('approves what already waits, and the decision keeps both names', async () => {
    await both();
    const id = await made();
    expect(await refused(delegate, id)).toContain('none of the groups');
    await stand(absent, delegate);
    const [[demand] = []] = await readStandings(delegate, [id]);
    expect(demand).toMatchObject({ obstacle: null, onBehalfOf: userOf(absent.scope) });
    await approve(delegate, id);
    expect(await stateOf(id)).toBe('approved');
    expect(await votes(id)).toEqual([
      { who: userOf(delegate.scope), behalf: userOf(absent.scope), held_groups: [group] },
    ]);
  });

  it('has one vote, and whom they speak for has given theirs with it', async () => {
    await givePolicy(world, [always({ approvals: 2, groups: ['approver'] })]);
    await stand(absent, delegate);
    const id = await made();
    await approve(delegate, id);
    expect((await votes(id))[0]?.behalf).toBeNull();
    expect(await refused(delegate, id)).toContain('already');
    await approve(absent, id);
    expect(await stateOf(id)).toBe('approved');
  });

  it('speaks for one person in a payout, also in a later step', async () => {
    await givePolicy(world, [
      always({ approvals: 1, groups: [group] }, { approvals: 1, groups: ['approver'] }),
    ]);
    await stand(absent, delegate);
    const id = await made();
    await approve(delegate, id);
    // For the second step they would count by themselves, which would be a vote more.
    await approve(delegate, id);
    expect(await votes(id)).toMatchObject([
      { behalf: userOf(absent.scope) },
      { behalf: userOf(absent.scope) },
    ]);
  });

  it('does not give a second approval where the one whom they speak for approved', async () => {
    const other = await giveGroup(world, [absent, creator]);
    await givePolicy(world, [always({ approvals: 2, groups: [other] })]);
    await sql(
      `INSERT INTO approval_group (tenant_id, id, name, members) VALUES ($1, 'apg_x', 'x', $2)`,
      [world.tenant.tenantId, [userOf(delegate.scope)]],
    );
    await givePolicy(world, [
      always({ approvals: 2, groups: [other] }),
      { ...always({ approvals: 1, groups: ['approver'] }), when: { purposes: ['rent'] } },
    ]);
    await stand(absent, delegate);
    const id = await made();
    await approve(absent, id);
    expect(await refused(delegate, id)).toContain('already');
    const second = await made();
    await approve(delegate, second);
    expect(await refused(absent, second)).toContain('already');
  });

  it('approves nothing that either of both created', async () => {
    const admins = await members(world, 'admin', 2);
    const heads = await giveGroup(world, [admins[0]]);
    await givePolicy(world, [
      always({ approvals: 1, groups: [heads] }),
      { ...always({ approvals: 1, groups: ['admin'] }), when: { purposes: ['rent'] } },
    ]);
    await stand(admins[0], admins[1]);
    expect(await refused(admins[1], await made(admins[0]))).toContain('created');
    expect(await refused(admins[1], await made(admins[1]))).toContain('created');
    await approve(admins[1], await made());
  });

  it('is excluded with the one whom they speak for', async () => {
    await givePolicy(world, [
      always({ approvals: 1, groups: [group], distinctFrom: ['payee_editor'] }),
      { ...always({ approvals: 1, groups: ['approver'] }), when: { purposes: ['rent'] } },
    ]);
    await stand(absent, delegate);
    const id = await made();
    await sql('UPDATE beneficiary SET edited_by = $1', [userOf(absent.scope)]);
    expect(await refused(delegate, id)).toContain('changed the payee');
    await sql('UPDATE beneficiary SET edited_by = $1', [userOf(delegate.scope)]);
    expect(await refused(delegate, id)).toContain('changed the payee');
  });

  it('cannot pass it on', async () => {
    await both();
    const [third] = await members(world, 'approver', 1);
    await stand(absent, delegate);
    await stand(delegate, third);
    expect(await refused(third, await made())).toContain('none of the groups');
  });

  it.each([
    ['before its time', { beginsAt: inDays(1) }, null],
    [
      'after it',
      {},
      `UPDATE approval_delegation SET begins_at = now() - interval '2 days', ends_at = now()`,
    ],
    [
      'once who is absent has left',
      {},
      `UPDATE membership SET removed_at = now() WHERE user_id = $1`,
    ],
    [
      'once who is absent decides no more',
      {},
      `UPDATE membership SET role = 'viewer' WHERE user_id = $1`,
    ],
    [
      'once who is absent left the group',
      {},
      `UPDATE approval_group SET members = array_remove(members, $1)`,
    ],
  ])('does not count %s', async (_when, more, then) => {
    await both();
    await stand(absent, delegate, more);
    const id = await made();
    if (then !== null) await sql(then, then.includes('$1') ? [userOf(absent.scope)] : []);
    expect(await refused(delegate, id)).toContain('none of the groups');
  });
});

describe('a delegation', () => {
  it('is shown while it holds or will, and recorded with both people', async () => {
    await both();
    const { id } = await stand(absent, delegate);
    expect((await readPolicy(creator)).delegations).toMatchObject([{ id, reason: 'Holidays' }]);
    expect(await codeOf(endDelegation(creator, id))).toBe('forbidden');
    const [stranger, admin] = [
      ...(await members(world, 'approver', 1)),
      ...(await members(world, 'admin', 1)),
    ];
    expect(await codeOf(endDelegation(stranger, id))).toBe('not_found');
    await endDelegation(admin, id);
    expect(await codeOf(endDelegation(absent, id))).toBe('not_found');
    expect((await readPolicy(creator)).delegations).toEqual([]);
    expect(
      await sql(
        `SELECT kind, coalesce(before, after) ->> 'from' AS from, coalesce(before, after) ->> 'to' AS to
         FROM access_change WHERE subject_id = $1 ORDER BY id`,
        [id],
      ),
    ).toEqual([
      { kind: 'approval_delegated', from: memberId(absent), to: memberId(delegate) },
      { kind: 'approval_delegation_ended', from: memberId(absent), to: memberId(delegate) },
    ]);
  });

  it('leads to nobody but a decider whom the policy names', async () => {
    expect(await codeOf(stand(absent, delegate))).toBe('conflict');
    await givePolicy(world, [always({ approvals: 1, groups: [group] })]);
    const why = async (to: Call, more: object = {}) =>
      (await refusalOf(stand(absent, to, more))).details;
    expect(JSON.stringify(await why(delegate))).toContain('not_an_approver');
    expect(JSON.stringify(await why(creator))).toContain('unknown_member');
    await both();
    expect(JSON.stringify(await why(absent))).toContain('yourself');
    expect(JSON.stringify(await why(delegate, { endsAt: inDays(100) }))).toContain('out_of_range');
    expect(JSON.stringify(await why(delegate, { endsAt: inDays(-1) }))).toContain('out_of_range');
    expect(await codeOf(stand(creator, delegate))).toBe('forbidden');
    const foreign = await makeTenant(world.harness);
    const other = await memberCall(world.call.services, foreign, 'approver');
    expect(JSON.stringify(await why(other))).toContain('unknown_member');
    expect(await sql('SELECT FROM approval_delegation')).toEqual([]);
  });

  it('is one of twenty at most', async () => {
    await both();
    for (let n = 0; n < 20; n += 1) await stand(absent, delegate);
    expect(await codeOf(stand(absent, delegate))).toBe('unprocessable_entity');
  });
});

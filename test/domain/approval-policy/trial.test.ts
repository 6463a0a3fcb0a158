import { beforeEach, describe, expect, it } from 'vitest';
import { userOf } from '../../../src/access/scope.ts';
import { tryPolicy } from '../../../src/domain/approval-policy/commands.gen.ts';
import { sumsOf, type Rule, type RulesInput } from '../../../src/domain/approval-policy/rules.ts';
import { tryOnePayout, tryRules } from '../../../src/domain/payout/approval-trial.ts';
import { usualProvider } from '../../../src/domain/payout/route-verdict.ts';
import type { Call } from '../../../src/process/services.ts';
import { always, giveGroup, givePolicy, members } from '../../support/approval-world.ts';
import { makePayee, makeTenant } from '../../support/factory.ts';
import { codeOf, decide, memberCall, newPayout } from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';
import { randomFrom } from '../../support/random.ts';
import { pickers, randomRules } from '../../support/random-policy.ts';

const world = usePayoutWorld({ fresh: true });
const { sql } = world;

let owner: Call;
let creators: readonly Call[];
beforeEach(async () => {
  [owner] = await members(world, 'owner', 1);
  creators = [owner, await memberCall(world.call.services, world.tenant, 'preparer')];
});

const seed = Math.floor(Math.random() * 2 ** 31);
const pick = pickers(randomFrom(seed));

/** What the preview says of each payout, by its id. */
async function previewOf(rules: readonly Rule[]): Promise<Map<string, unknown>> {
  const { scope, services } = owner;
  const found = await tryPolicy(services.pool, scope.tenantId, {
    business: scope.businessId,
    rules,
    sums: sumsOf(rules),
    since: new Date(Date.now() - 90 * 86_400_000),
    after: null,
    take: 1_000,
    provider: usualProvider(owner),
  });
  return new Map(
    found.flatMap(({ sample, verdict }) => sample.map((id) => [id, verdict] as const)),
  );
}

describe('a draft that is tried on the past', () => {
  it.each(Array.from({ length: 25 }, (_none, round) => round))(
    `demands what the creation demanded (seed ${seed}, world %i)`,
    async () => {
      const payees = [world.payee, await makePayee(world.harness, world.tenant.key)];
      const create = () =>
        newPayout(pick.one(creators), pick.one(payees), {
          amountMinor: pick.one([1, 99, 100, 101, 500, 1_000]),
          purposeOfPayment: pick.one(['payroll', 'rent', 'taxes']),
          ...(pick.maybe(0.5) && { metadata: { a: pick.one(['1', '2']) } }),
        });
      // Of before the policy, at any time of the windows.
      for (let n = 0; n < 6; n += 1) {
        const id = await create();
        await sql(
          `UPDATE payout SET created_at = created_at - make_interval(hours => $2) WHERE id = $1`,
          [id, pick.one([1, 23, 25, 100, 167, 169, 719, 721])],
        );
      }
      await sql(`UPDATE beneficiary SET created_at = created_at - make_interval(days => $1)`, [
        pick.one([0, 2, 10, 40]),
      ]);
      const rules = randomRules(pick).filter(({ effect }) => effect !== 'block');
      await givePolicy(world, rules);
      const ids: string[] = [];
      for (let n = 0; n < 4; n += 1) ids.push(await create());

      const written = await sql<{ id: string; rules: number[]; demands: unknown }>(
        'SELECT payout_id AS id, rules, demands FROM payout_requirement',
      );
      expect(written.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      const preview = await previewOf(rules);
      expect(preview.size).toBe(10);
      for (const { id, ...stored } of written) expect(preview.get(id)).toMatchObject(stored);
    },
  );

  it('counts approvals, what is blocked, and what nobody could have approved', async () => {
    const [approver] = await members(world, 'approver', 1);
    const heads = await giveGroup(world, [owner]);
    const [preparer] = creators.slice(1);
    if (preparer === undefined) throw new Error('there is a preparer');
    const amounts = [100, 100, 500, 900, 1_000];
    for (const amountMinor of amounts) await newPayout(preparer, world.payee, { amountMinor });
    const own = await newPayout(owner, world.payee, { amountMinor: 900 });
    await decide(approver, own, 'approved');
    const band = (from: number, below: number) => ({ amount: [{ currency: 'USD', from, below }] });
    const rules: RulesInput = [
      { name: 'small', when: band(0, 500), effect: 'pass' },
      { ...always({ approvals: 1, groups: ['approver'] }), when: band(500, 600) },
      {
        ...always(
          { approvals: 1, groups: ['approver'] },
          { approvals: 1, groups: [heads], distinctFrom: ['creator'] },
        ),
        when: band(600, 1_000),
      },
      { name: 'large', when: band(1_000, 9_000), effect: 'block', reason: 'never' },
    ];
    const trial = await tryRules(owner, { rules, after: null });
    expect(trial).toMatchObject({ examined: 6, passed: 2, blocked: 1, nobody: 1, steps: 5 });
    expect([...trial.byApprovals].toSorted(([a], [b]) => a - b)).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(trial.byPerson.get(userOf(approver.scope) ?? '')).toBe(3);
    expect(trial.byPerson.get(userOf(owner.scope) ?? '')).toBe(1);
    expect(trial.hoursPerStep).toBeGreaterThanOrEqual(0);
    expect(trial.payouts[0]).toMatchObject({ id: own, nobody: true, approvals: 2 });
    expect(trial.next).toBeNull();
    // Nothing was written down, and nothing moved.
    expect(await sql('SELECT FROM payout_requirement')).toEqual([]);
  });

  it('says that steps which exclude each other need more people than there are', async () => {
    await members(world, 'approver', 1);
    await newPayout(owner, world.payee);
    const twice = (distinctFrom: 'earlier_approvers'[]): RulesInput => [
      always(
        { approvals: 1, groups: ['approver'] },
        { approvals: 1, groups: ['approver'], distinctFrom },
      ),
    ];
    expect((await tryRules(owner, { rules: twice([]), after: null })).nobody).toBe(0);
    const apart = await tryRules(owner, { rules: twice(['earlier_approvers']), after: null });
    expect(apart.nobody).toBe(1);
  });

  it('takes the draft where no rules are given, and refuses who manages nothing', async () => {
    await givePolicy(world, [{ name: 'all', when: {}, effect: 'pass' }]);
    await newPayout(owner, world.payee);
    expect(await tryRules(owner, { rules: null, after: null })).toMatchObject({ passed: 1 });
    await sql(
      `INSERT INTO approval_policy_draft (tenant_id, rules, edited_by) VALUES ($1, '[]', 'usr_1')`,
      [world.tenant.tenantId],
    );
    expect(await tryRules(owner, { rules: null, after: null })).toMatchObject({ passed: 0 });
    const other = creators[1] ?? owner;
    expect(await codeOf(tryRules(other, { rules: [], after: null }))).toBe('forbidden');
    const foreign = await makeTenant(world.harness);
    const stranger = await memberCall(world.call.services, foreign, 'owner');
    await newPayout(owner, world.payee);
    expect((await tryRules(stranger, { rules: [], after: null })).examined).toBe(0);
  });
});

describe('one payout that is typed in', () => {
  it('is judged as its creation would be', async () => {
    await newPayout(owner, world.payee, { amountMinor: 400 });
    const bands = [{ currency: 'USD', from: 900, below: null }];
    const rules: RulesInput = [
      {
        ...always({ approvals: 2, groups: ['approver'] }),
        when: { sum: { over: 'payee', hours: 24, bands } },
      },
    ];
    const { beneficiaryId, bankAccountId } = world.payee;
    const one = (amountMinor: bigint, more: object = {}) =>
      tryOnePayout(owner, {
        rules,
        payout: {
          beneficiaryId,
          bankAccountId,
          amountMinor,
          currency: 'USD',
          purposeOfPayment: 'rent',
          ...more,
        },
      });
    expect(await one(499n)).toMatchObject({ effect: 'require', rules: [], nobody: false });
    expect(await one(500n)).toMatchObject({ effect: 'require', rules: [1], nobody: true });
    expect(await codeOf(one(500n, { bankAccountId: 'bac_x' }))).toBe('not_found');
    expect(await codeOf(one(500n, { purposeOfPayment: 'fun' }))).toBe('validation_failed');
    expect(await codeOf(one(0n))).toBe('validation_failed');
  });
});

import { beforeEach, expect, it } from 'vitest';
import { readDecisions } from '../../../src/domain/payout/decision-list.ts';
import { systemCall } from '../../support/fake-provider.ts';
import { makeTenant } from '../../support/factory.ts';
import { codeOf, decide, newPayout } from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();

let payouts: [string, string];
beforeEach(async () => {
  payouts = [await newPayout(world.call, world.payee), await newPayout(world.call, world.payee)];
});

async function fill(payoutId: string, count: number): Promise<void> {
  await world.sql(
    `INSERT INTO payout_decision (tenant_id, id, payout_id, decision_id, request_hash, status, reasons,
       evaluated_by, submitted_by, evaluated_at)
     SELECT $1, $2 || lpad(n::text, 4, '0'), $2, n::text, '', 'pending_review', '[]', '{}', '{}', now()
     FROM generate_series(1, $3::integer) AS n`,
    [world.tenant.tenantId, payoutId, count],
  );
}

const of = (payoutId: string, take: number, after: string | null = null) => ({
  payoutId,
  after,
  take,
});

it('gives the decisions of each payout, oldest first, in the order asked', async () => {
  const [first, second] = payouts;
  await decide(world.call, first, 'pending_review', { reasons: [{ message: 'one' }] });
  await decide(world.call, second, 'rejected');
  await decide(world.call, first, 'pending_review', { reasons: [{ message: 'two' }] });
  await decide(world.call, first, 'approved');
  const lists = await readDecisions(world.call, [of(second, 10), of('pay_1', 10), of(first, 10)]);
  expect(lists.map((list) => list.map(({ status }) => status))).toEqual([
    ['rejected'],
    [],
    ['pending_review', 'pending_review', 'approved'],
  ]);
  const messages = lists[2]?.map(({ reasons }) => (reasons as { message: string }[])[0]?.message);
  expect(messages).toEqual(['one', 'two', 'Approved by the caller.']);
});

it('pages through the decisions of one payout', async () => {
  const [id] = payouts;
  await fill(id, 7);
  const seen: string[] = [];
  for (const expected of [3, 3, 1, 0]) {
    const [page = []] = await readDecisions(world.call, [of(id, 3, seen.at(-1) ?? null)]);
    expect(page).toHaveLength(expected);
    seen.push(...page.map((decision) => decision.id));
  }
  expect(seen).toHaveLength(new Set(seen).size);
});

it('refuses several payouts with more than 250 decisions together, and bounds one by what is taken', async () => {
  const [first, second] = payouts;
  await fill(first, 300);
  await fill(second, 100);
  const [all] = await readDecisions(world.call, [of(first, 300)]);
  expect(all).toHaveLength(300);
  const together = readDecisions(world.call, [of(first, 200), of(second, 100)]);
  expect(await codeOf(together)).toBe('bad_request');
  const lists = await readDecisions(world.call, [of(first, 150), of(second, 100)]);
  expect(lists.map((list) => list.length)).toEqual([150, 100]);
});

it('shows a tenant the decisions of its own payouts alone', async () => {
  await decide(world.call, payouts[0], 'approved');
  const { tenantId } = await makeTenant(world.harness);
  const others = await systemCall(world.call.services, tenantId);
  expect(await readDecisions(others, [of(payouts[0], 10)])).toEqual([[]]);
});

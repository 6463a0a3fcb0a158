import { expect, it } from 'vitest';
import { watchApprovals } from '../../../src/domain/approval-policy/watch-approvals.ts';
import { createStored } from '../../../src/process/metrics/stored.ts';
import { always, givePolicy, members } from '../../support/approval-world.ts';
import { decide, memberCall, newPayout } from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld({ fresh: true });
const { sql } = world;

const watch = () => watchApprovals(world.call.services);

async function metric(): Promise<number | undefined> {
  const stored = createStored(world.harness.database.url, 'test');
  const values = await stored.read();
  await stored.close();
  return values?.find((one) => one.metric === 'payouts_nobody_can_approve')?.value;
}

it('counts the payouts that nobody who is left can approve, until somebody can', async () => {
  const creator = await memberCall(world.call.services, world.tenant, 'preparer');
  await givePolicy(world, [always({ approvals: 2, groups: ['approver'] })]);
  const [one] = await members(world, 'approver', 1);
  const [stuck] = [await newPayout(creator, world.payee), await newPayout(creator, world.payee)];
  expect(await metric()).toBe(0);
  expect(await watch()).toBe(2);
  expect(await watch()).toBe(2);
  expect(await metric()).toBe(2);
  expect(await sql('SELECT payout_id FROM ops.unapprovable_payouts')).toHaveLength(2);

  const [two] = await members(world, 'approver', 1);
  await decide(one, stuck, 'approved');
  await decide(two, stuck, 'approved');
  // What was decided on since is counted no more, though nobody has looked.
  expect(await metric()).toBe(1);
  expect(await watch()).toBe(0);
  expect(await metric()).toBe(0);
});

it('looks at no tenant without a policy', async () => {
  const creator = await memberCall(world.call.services, world.tenant, 'preparer');
  await newPayout(creator, world.payee);
  expect(await watch()).toBe(0);
});

import { expect, it } from 'vitest';
import { createPayout } from '../../../src/domain/payout/create.ts';
import { readPayout, readPayouts } from '../../../src/domain/payout/read.ts';
import { inTransaction, rows } from '../../../src/db/pool.ts';
import { newId } from '../../../src/values/ids.ts';
import { eventually } from '../../support/factory.ts';
import { codeOf, move, newPayout, payoutInput } from '../../support/payout-command.ts';
import { changedPayouts } from './payout-list.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld({ fresh: true });
const early = '2020-01-01T00:00:00Z';

type Filter = Partial<Parameters<typeof changedPayouts>[1]>;

async function changed(filter: Filter = {}, after: string | null = null, take = 9) {
  return (await changedPayouts(world.call, { updatedSince: early, ...filter }, after, take)).ids;
}

const changePosition = ({ id, updatedAt }: { id: string; updatedAt: Date }): string =>
  `${updatedAt.toISOString()} ${id}`;

/** Waits until the changes of before are shown: that is a tenth of a second after them. */
const shown = (count: number) => eventually(async () => (await changed()).length === count);

it('gives the oldest change first, and goes on after the position', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 4; i += 1) ids.push(await newPayout(world.call, world.payee));
  await shown(4);
  const [first = ''] = ids;
  const created = await readPayout(world.call, first);
  await move(world.call, first, { trigger: 'cancel' });
  await eventually(async () => (await changed()).at(-1) === first);
  const order = [...ids.slice(1), first];
  expect(await changed({}, null, 2)).toEqual(order.slice(0, 2));
  const second = await readPayout(world.call, order[1] ?? '');
  expect(await changed({}, changePosition(second))).toEqual(order.slice(2));
  expect(await changed({}, changePosition(created))).toEqual(order);
  expect(await changed({ updatedSince: second.updatedAt.toISOString() })).toEqual(order.slice(1));
});

it('gives those that its filter names', async () => {
  const given = payoutInput(world.payee, { externalRef: 'invoice 7' });
  const { payout } = await createPayout(world.call, given);
  const id = payout?.id ?? '';
  const other = await newPayout(world.call, world.payee);
  await move(world.call, other, { trigger: 'cancel' });
  await shown(2);
  expect(await changed({ state: ['pending_approval', 'approved'] })).toEqual([id]);
  expect(await changed({ state: ['canceled'] })).toEqual([other]);
  expect(await changed({ state: [] })).toEqual([]);
  expect(await changed({ externalRef: 'invoice 7' })).toEqual([id]);
  expect(await changed({ idempotencyKey: given.idempotencyKey })).toEqual([id]);
  expect(await changed({ beneficiaryId: world.payee.beneficiaryId })).toHaveLength(2);
  expect(await changed({ beneficiaryId: newId('beneficiary') })).toEqual([]);
});

it('holds back what an open transaction may precede', async () => {
  const before = await newPayout(world.call, world.payee);
  await shown(1);
  let after = '';
  await inTransaction(world.call.services.pool, async (client) => {
    const text = 'UPDATE payout SET updated_at = updated_at WHERE tenant_id = $1';
    await rows(client, { name: 'touch_payouts', text }, [world.tenant.tenantId]);
    after = await newPayout(world.call, world.payee);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await changed()).toEqual([before]);
  });
  await shown(2);
  expect(await changed()).toEqual([before, after]);
});

it('reads payouts by id, and leaves out those that are not there', async () => {
  const id = await newPayout(world.call, world.payee);
  const found = await readPayouts(world.call, [id, newId('payout')]);
  expect([...found.keys()]).toEqual([id]);
  expect(await readPayouts(world.call, [])).toEqual(new Map());
  for (const unknown of [newId('payout'), 'pay_1']) {
    expect(await codeOf(readPayout(world.call, unknown))).toBe('PAYOUT_NOT_FOUND');
  }
});

import { describe, expect, it } from 'vitest';
import { createPayoutsInBulk, type BulkRow } from '../../../src/domain/payout/bulk.ts';
import { createPayout } from '../../../src/domain/payout/create.ts';
import type { PayoutCreateInput } from '../../../src/domain/payout/input.ts';
import { behind, within } from '../../support/behind.ts';
import { payoutInput } from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();
const input = (more: Partial<PayoutCreateInput> = {}) => payoutInput(world.payee, more);
const create = (payouts: PayoutCreateInput[], more = {}): Promise<BulkRow[]> =>
  createPayoutsInBulk(world.call, { payouts, ...more });

const statuses = (rows: readonly BulkRow[]) => rows.map(({ status }) => status);
const ids = (rows: readonly BulkRow[]) => rows.map(({ payout }) => payout?.id);
const keysOf = (payouts: readonly PayoutCreateInput[]) =>
  payouts.map(({ idempotencyKey }) => idempotencyKey);

/** The records of these keys, with the payouts that they stand for. */
const records = (payouts: readonly PayoutCreateInput[]) =>
  world.sql(
    `SELECT idempotency_key, payout_id FROM payout_idempotency
     WHERE tenant_id = $1 AND idempotency_key = ANY ($2) ORDER BY idempotency_key`,
    [world.tenant.tenantId, keysOf(payouts)],
  );

/** Payouts whose keys have been over for an hour. */
async function old(count: number): Promise<PayoutCreateInput[]> {
  const payouts = Array.from({ length: count }, () => input());
  await create(payouts);
  await world.sql(
    `UPDATE payout_idempotency SET created_at = now() - interval '25 hours'
     WHERE tenant_id = $1 AND idempotency_key = ANY ($2)`,
    [world.tenant.tenantId, keysOf(payouts)],
  );
  return payouts;
}

describe.each(['partial', 'atomic'] as const)('keys that are over, %s', (mode) => {
  it('make new payouts, which the next request finds', async () => {
    const payouts = [...(await old(2)), input()];
    const rows = await create(payouts, { mode });
    expect(statuses(rows)).toEqual(['created', 'created', 'created']);
    const again = await create(payouts, { mode });
    expect(statuses(again)).toEqual(['replayed', 'replayed', 'replayed']);
    expect(ids(again)).toEqual(ids(rows));
  });

  it('are kept where nothing is written', async () => {
    const payouts = await old(2);
    const before = await records(payouts);
    await create([...payouts, input()], { mode, dryRun: true });
    expect(await records(payouts)).toEqual(before);
  });

  it('make one payout each behind a request with the same keys that is under way', async () => {
    const payouts = await old(2);
    let first: BulkRow[] = [];
    const second = await behind(
      world.call.services.pool,
      async (client) => {
        first = await createPayoutsInBulk(within(world.call, client), { payouts, mode });
      },
      () => create(payouts.toReversed(), { mode }),
    );
    expect(statuses(first)).toEqual(['created', 'created']);
    expect(statuses(second)).toEqual(['replayed', 'replayed']);
    expect(ids(second).toReversed()).toEqual(ids(first));
  });
});

it('a row that is refused keeps the record of its key', async () => {
  const [payout = input()] = await old(1);
  const before = await records([payout]);
  const rows = await create([{ ...payout, currency: 'EUR' }, input(), ...(await old(1))]);
  expect(statuses(rows)).toEqual(['failed', 'created', 'created']);
  expect(await records([payout])).toEqual(before);
});

it('a single create and one for many take one key of them once', async () => {
  const payouts = await old(2);
  const rows = await behind(
    world.call.services.pool,
    (client) => createPayout(within(world.call, client), payouts[1] ?? input()),
    () => create(payouts),
  );
  expect(statuses(rows)).toEqual(['created', 'replayed']);
});

import { expect, it } from 'vitest';
import { inTransaction, type Queryable } from '../../../src/db/pool.ts';
import { carryOverLedger } from '../../../src/domain/ledger/carry-over.ts';
import { carryOverLedger as carryOverPage } from '../../../src/domain/ledger/commands.gen.ts';
import { changeMode } from '../../../src/domain/ledger/store.ts';
import { cancelPayout } from '../../../src/domain/payout/cancel.ts';
import { makePlace, stands, type Place } from '../../model/payout-states.ts';
import { entriesOf, imbalances, sumsOf } from '../../support/books.ts';
import { behind } from '../../support/behind.ts';
import { useHarness } from '../../support/use-harness.ts';

const harness = useHarness({
  worker: false,
  env: { LOG_LEVEL: 'silent', PROVIDER_TIMEOUT_MS: '1' },
});

/** Payouts in every state, as a version without the ledger left them. Their ids by the names of the states. */
async function beforeLedger(): Promise<{ place: Place; ids: Map<string, string> }> {
  const place = await makePlace(harness);
  const ids = new Map<string, string>();
  for (const { name, make } of stands) ids.set(name, await make(place));
  const approved = stands.find(({ name }) => name === 'approved');
  if (approved !== undefined) ids.set('approved, last of all', await approved.make(place));
  const { tenantId } = place.tenant;
  for (const table of ['ledger_entry', 'ledger_balance', 'ledger_account']) {
    await harness.database.pool.query(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenantId]);
  }
  await harness.database.pool.query('INSERT INTO ledger_carry_over (tenant_id) VALUES ($1)', [
    tenantId,
  ]);
  return { place, ids };
}

const kindsOf = async (id: string) =>
  (await entriesOf(harness.database.pool, id)).map(({ kind }) => kind).toSorted();

const page = (client: Queryable, { tenant }: Place) =>
  carryOverPage(client, tenant.tenantId, { count: 3 });

it('books what payouts in every state imply, once', async () => {
  const { place } = await beforeLedger();
  const { pool } = harness.database;
  expect(await imbalances(pool, place.tenant.tenantId)).not.toEqual([]);
  await carryOverLedger(harness.services);
  expect(await imbalances(pool, place.tenant.tenantId)).toEqual([]);
  const sums = await sumsOf(pool, place.tenant.tenantId);
  // Approved twice, and approved and handed over; disbursed; settled. The sandbox has what was reported.
  expect(sums).toMatchObject({ held: 375_000, in_transit: 125_000, paid: 125_000 });
  expect(sums.funds).toBe(100_000_000);
  await carryOverLedger(harness.services);
  expect(await sumsOf(pool, place.tenant.tenantId)).toEqual(sums);
});

it('goes on where a killed worker was, while payouts move', async () => {
  const { place, ids } = await beforeLedger();
  const { pool } = harness.services;
  const { tenantId } = place.tenant;
  const later = ids.get('approved, last of all') ?? '';
  await page(pool, place);
  await inTransaction(pool, async (client) => {
    await page(client, place);
    throw new Error('killed');
  }).catch(() => undefined);
  // Its hold is not booked yet, and its release is.
  expect(await kindsOf(later)).toEqual([]);
  await cancelPayout(place.call, later);
  expect(await kindsOf(later)).toEqual(['release']);
  expect(await imbalances(harness.database.pool, tenantId)).not.toEqual([]);
  await behind(
    pool,
    (client) => page(client, place),
    () => page(pool, place),
  );
  await carryOverLedger(harness.services);
  expect(await kindsOf(later)).toEqual(['hold', 'release']);
  expect(await imbalances(harness.database.pool, tenantId)).toEqual([]);
});

it('comes before funds are enforced', async () => {
  const { place } = await beforeLedger();
  const { pool } = harness.services;
  expect(await changeMode(pool, place.call.scope, 'enforced', [], 'too early')).toBe(false);
  await carryOverLedger(harness.services);
  expect(await changeMode(pool, place.call.scope, 'enforced', [], 'in time')).toBe(true);
});

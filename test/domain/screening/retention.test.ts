import { expect, it } from 'vitest';
import { handlers } from '../../../jobs/handlers.ts';
import { deleteOldVersions } from '../../../src/domain/screening/retention.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';
import { loadOwn, ownList } from './support.ts';

const world = usePayoutWorld({
  fresh: true,
  env: { WATCHLIST_STALE_DAYS: '365', WATCHLIST_KEEP_DAYS: '60' },
});
const { sql } = world;

const always = 'A-0,person,Zebedee Quux,,,,,';

/** A version that has an entry of its own beside the one that stays. */
const load = (own: string) =>
  loadOwn(world.call.services, ownList(always, `${own},person,Only ${own},,,,,`), {
    acceptedBecause: 'by the test',
  });

const refs = async () =>
  (await sql<{ ref: string }>('SELECT ref FROM watchlist_entry ORDER BY ref')).map(
    ({ ref }) => ref,
  );
const emptied = async () =>
  (
    await sql<{ sequence: number }>(
      'SELECT sequence FROM watchlist_version WHERE emptied_at IS NOT NULL ORDER BY sequence',
    )
  ).map(({ sequence }) => sequence);
const age = (days: number) =>
  sql('UPDATE watchlist_version SET ended_at = now() - make_interval(days => $1)', [days]);

async function screenEverybody(): Promise<void> {
  const { services } = world.call;
  await handlers.rescreen({}, services);
  await handlers.rescreen_tenant({ tenantId: world.tenant.tenantId }, services);
}

it('deletes what replaced versions alone have, once they are old enough', async () => {
  for (const own of ['V-1', 'V-2', 'V-3']) await load(own);
  expect(await deleteOldVersions(world.call.services)).toBe(0);
  await age(59);
  expect(await deleteOldVersions(world.call.services)).toBe(0);
  await age(61);
  expect(await deleteOldVersions(world.call.services)).toBe(2);
  expect([await refs(), await emptied()]).toEqual([
    ['A-0', 'V-3'],
    [1, 2],
  ]);
  // Their rows stay as a record, and the list is found as before.
  expect(await sql('SELECT 1 FROM watchlist_version')).toHaveLength(3);
  expect(await deleteOldVersions(world.call.services)).toBe(0);
});

it('keeps a version that a result names, and what later versions have', async () => {
  await load('V-1');
  await screenEverybody();
  await load('V-2');
  await load('V-3');
  await age(61);
  expect(await deleteOldVersions(world.call.services)).toBe(1);
  expect([await refs(), await emptied()]).toEqual([['A-0', 'V-1', 'V-3'], [2]]);
});

it('is part of the daily retention', async () => {
  await load('V-1');
  await load('V-2');
  await age(61);
  await handlers.delete_expired({}, world.call.services);
  expect(await refs()).toEqual(['A-0', 'V-2']);
});

import { expect, it } from 'vitest';
import { handlers } from '../../../jobs/handlers.ts';
import { createAuthenticate } from '../../../src/access/authenticate.ts';
import { inTransaction } from '../../../src/db/pool.ts';
import { lockBeneficiary } from '../../../src/domain/beneficiary/store.ts';
import { registerSubscription } from '../../../src/domain/webhook/subscription/register.ts';
import { screenBeneficiary } from '../../../src/domain/screening/screen.ts';
import { decideOnHit } from '../../../src/domain/screening/decide.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';
import { loadOwn, ownList } from './support.ts';

const world = usePayoutWorld({ fresh: true, env: { WATCHLIST_STALE_DAYS: '365' } });
const { sql } = world;

const listed = 'B-1,person,Ada Lovelace,,1990-04-01,US,,Fraud';

async function load(...rows: readonly string[]): Promise<void> {
  const { services } = world.call;
  await loadOwn(services, ownList('B-0,person,Zebedee Quux,,,,,', ...rows), {
    acceptedBecause: 'by the test',
  });
  await handlers.rescreen({}, services);
  await handlers.rescreen_tenant({ tenantId: world.tenant.tenantId }, services);
}

async function ownerCall() {
  const { services } = world.call;
  const key = await world.tenant.keyWithRole('owner');
  const found = await createAuthenticate(services.pool)(`Bearer ${key}`);
  if (found === null || !('tenantId' in found.caller)) throw new Error('the key does not work');
  return { services, scope: found.caller };
}

const subscribe = async () =>
  registerSubscription(await ownerCall(), {
    url: 'https://localhost/hook',
    enabledEvents: ['beneficiary.screening_hit', 'beneficiary.screening_cleared'],
  });

const told = () =>
  sql<{ type: string; tail: object }>(
    `SELECT type, data - ARRAY['beneficiary_id', 'beneficiary_type', 'compliance_status', 'enrollment_status',
       'collection_status'] AS tail FROM event WHERE subject_id = $1 ORDER BY sequence`,
    [world.payee.beneficiaryId],
  );
const hit = (hits: number) => ({ type: 'beneficiary.screening_hit', tail: { new_hits: hits } });
const cleared = (because: string) => ({ type: 'beneficiary.screening_cleared', tail: { because } });

it('are recorded for nobody who has not asked', async () => {
  await load(listed);
  await load();
  expect(await told()).toEqual([]);
});

it('tell each new hit once, and that lists have the payee no more', async () => {
  await subscribe();
  await load(listed, 'B-2,person,Ada Lovelace,,1990,GB,,Theft');
  // The same again asks nobody.
  await screenBeneficiary(world.call, world.payee.beneficiaryId, 'asked');
  expect(await told()).toEqual([hit(2)]);
  await load();
  expect(await told()).toEqual([hit(2), cleared('gone')]);
  // One that comes back is a hit again.
  await load(listed);
  expect(await told()).toEqual([hit(2), cleared('gone'), hit(1)]);
});

it('tell the last decision that clears a payee, and no earlier one', async () => {
  await subscribe();
  await load(listed, 'B-2,person,Ada Lovelace,,1990,GB,,Theft');
  const call = await ownerCall();
  const hits = await sql<{ id: string }>('SELECT id FROM screening_hit ORDER BY id');
  const [first, second] = hits.map(({ id }) => id);
  const decide = (id = '', verdict: 'cleared' | 'confirmed' = 'cleared') =>
    decideOnHit(call, id, { verdict, reason: 'Born elsewhere.' });
  await decide(first, 'confirmed');
  await decide(second);
  expect(await told()).toEqual([hit(2)]);
  await decide(first);
  expect(await told()).toEqual([hit(2), cleared('decided')]);
});

it('are told of nothing that is rolled back', async () => {
  await subscribe();
  await load(listed);
  const call = await ownerCall();
  const [found] = await sql<{ id: string }>('SELECT id FROM screening_hit');
  // The payee is held by a transaction while the hit is decided: the decision waits, and its event comes after.
  let decided: Promise<unknown> = Promise.resolve();
  await inTransaction(world.call.services.pool, async (client) => {
    await lockBeneficiary(client, world.call.scope, world.payee.beneficiaryId);
    decided = decideOnHit(call, found?.id ?? '', { verdict: 'cleared', reason: 'Another one.' });
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
    expect(await told()).toEqual([hit(1)]);
  });
  await decided;
  await expect(
    decideOnHit(call, found?.id ?? '', { verdict: 'cleared', reason: 'Twice.' }),
  ).rejects.toMatchObject({ code: 'conflict' });
  expect(await told()).toEqual([hit(1), cleared('decided')]);
});

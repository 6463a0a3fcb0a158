import { expect, it } from 'vitest';
import { handlers } from '../../../jobs/handlers.ts';
import { inTransaction } from '../../../src/db/pool.ts';
import { lockBeneficiary } from '../../../src/domain/beneficiary/store.ts';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { changeStanding } from '../../../src/domain/screening/result-store.ts';
import { holdWaitingPayouts } from '../../../src/domain/disbursement/payee-holds.ts';
import { payoutBody } from '../../support/factory.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';
import { loadOwn, ownList } from './support.ts';

const world = usePayoutWorld({ fresh: true, env: { WATCHLIST_STALE_DAYS: '365' } });
const { approve, stateOf } = world;

async function load(...rows: readonly string[]): Promise<void> {
  const { services } = world.call;
  await loadOwn(services, ownList('B-0,person,Zebedee Quux,,,,,', ...rows), {
    acceptedBecause: 'by the test',
  });
  await handlers.rescreen({}, services);
  await handlers.rescreen_tenant({ tenantId: world.tenant.tenantId }, services);
}

async function waiting(): Promise<string> {
  const { body } = await world.harness.rest('POST', '/v1/payouts', {
    key: world.tenant.key,
    body: payoutBody(world.payee),
  });
  return body.payout.id as string;
}

const soon = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 300);
  });

/** Whatever came first, the payout is held and nothing leaves. */
async function expectHeld(id: string): Promise<void> {
  await disbursePayout(world.call, id);
  expect([await stateOf(id), world.provider.submissions]).toEqual(['compliance_hold', []]);
}

it('holds a payout whose approval came while the hit was being written', async () => {
  await load();
  const id = await waiting();
  const { beneficiaryId } = world.payee;
  let approved: Promise<unknown> = Promise.resolve();
  await inTransaction(world.call.services.pool, async (client) => {
    await lockBeneficiary(client, world.call.scope, beneficiaryId);
    await changeStanding(client, world.call, beneficiaryId, 'hit');
    approved = approve(id).catch((error: unknown) => error);
    await soon();
  });
  await approved;
  await holdWaitingPayouts(world.call, beneficiaryId);
  await expectHeld(id);
});

it('holds a payout whose approval is held open while the list is loaded', async () => {
  await load();
  const id = await waiting();
  const client = await world.harness.database.pool.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM payout WHERE id = $1 FOR UPDATE', [id]);
  const approved = approve(id).catch((error: unknown) => error);
  const listed = load('B-1,person,Ada Lovelace,,1990-04-01,US,,Fraud');
  await soon();
  await client.query('COMMIT');
  client.release();
  await Promise.all([approved, listed]);
  await expectHeld(id);
});

it('holds a payout that is created while the list is loaded', async () => {
  await load();
  const { beneficiaryId } = world.payee;
  let created: Promise<string> = Promise.resolve('');
  await inTransaction(world.call.services.pool, async (client) => {
    await lockBeneficiary(client, world.call.scope, beneficiaryId);
    created = waiting();
    await soon();
    await changeStanding(client, world.call, beneficiaryId, 'hit');
  });
  // The creation waits for the payee's row, and then sees the hit.
  await expectHeld(await created);
});

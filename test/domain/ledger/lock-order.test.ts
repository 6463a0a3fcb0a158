import type { PoolClient } from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Call } from '../../../src/process/services.ts';
import { changeMode } from '../../../src/domain/ledger/store.ts';
import { cancelPayout } from '../../../src/domain/payout/cancel.ts';
import { behind, within } from '../../support/behind.ts';
import { fundingDesk, imbalances, sumsOf } from '../../support/books.ts';
import { makePayee, makeTenant, type TestPayee, type TestTenant } from '../../support/factory.ts';
import { systemCall } from '../../support/fake-provider.ts';
import { decide, newPayout } from '../../support/payout-command.ts';
import { useHarness } from '../../support/use-harness.ts';

/*
 * A transaction that posts goes on posting while somebody waits for it: none of the two may then wait for the other.
 */

const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent' } });

let tenant: TestTenant;
let dollars: TestPayee;
let euros: TestPayee;
let call: Call;
let desk: Awaited<ReturnType<typeof fundingDesk>>;
beforeEach(async () => {
  tenant = await makeTenant(harness, { environment: 'production' });
  dollars = await makePayee(harness, tenant.key);
  euros = { ...dollars, bankAccountId: await accountInEuros() };
  call = await systemCall(harness.services, tenant.tenantId);
  desk = await fundingDesk(harness, tenant);
});

async function accountInEuros(): Promise<string> {
  const path = `/v1/beneficiaries/${dollars.beneficiaryId}/bank-accounts`;
  const body = {
    account_holder_name: 'Ada Lovelace',
    country: 'DE',
    currency: 'EUR',
    iban: 'DE89370400440532013000',
  };
  const made = await harness.rest('POST', path, { key: tenant.key, body });
  return made.body.bank_account.id as string;
}

const inDollars = (amountMinor: number) => newPayout(call, dollars, { amountMinor });
const inEuros = (amountMinor: number) => newPayout(call, euros, { amountMinor, currency: 'EUR' });
const approve = (client: PoolClient, id: string) => decide(within(call, client), id, 'approved');
const wrong = () => imbalances(harness.database.pool, tenant.tenantId);

describe('a change of the mode that waits for a posting', () => {
  it('lets it go on to an approval, which waits for others of its currency', async () => {
    await desk.enforced(1_000);
    const [first, second] = [await inDollars(600), await inDollars(300)];
    await decide(call, first, 'approved');
    await behind(
      call.services.pool,
      (client) => cancelPayout(within(call, client), first),
      // Nobody repeats it here, so a deadlock would be seen.
      () => changeMode(call.services.pool, call.scope, 'reported', [], 'by the test'),
      (client) => approve(client, second),
    );
    expect(await sumsOf(harness.database.pool, tenant.tenantId)).toMatchObject({ held: 300 });
    expect(await wrong()).toEqual([]);
  });

  it('lets it go on to the first payout of another currency', async () => {
    const [before, first, second] = [await inDollars(1), await inDollars(600), await inEuros(300)];
    await decide(call, before, 'approved');
    await behind(
      call.services.pool,
      (client) => approve(client, first),
      () => desk.enforced(1_000),
      (client) => approve(client, second),
    );
    expect(await sumsOf(harness.database.pool, tenant.tenantId)).toMatchObject({ held: 601 });
    expect(await wrong()).toEqual([]);
    const { rows } = await harness.database.pool.query(
      'SELECT DISTINCT currency, enforced FROM ledger_balance WHERE tenant_id = $1 ORDER BY 1',
      [tenant.tenantId],
    );
    expect(rows).toEqual([
      { currency: 'EUR', enforced: true },
      { currency: 'USD', enforced: true },
    ]);
  });

  it('lets it go on from the first payout of a currency to one that was there before', async () => {
    const [first, second, third] = [await inEuros(300), await inDollars(600), await inDollars(1)];
    await decide(call, third, 'approved');
    await behind(
      call.services.pool,
      (client) => approve(client, first),
      () => desk.enforced(1_000),
      (client) => approve(client, second),
    );
    expect(await sumsOf(harness.database.pool, tenant.tenantId)).toMatchObject({ held: 601 });
    expect(await wrong()).toEqual([]);
  });
});

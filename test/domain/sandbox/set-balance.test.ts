import { expect, it } from 'vitest';
import { setSandboxBalance } from '../../../src/domain/sandbox/set-balance.ts';
import { systemCall } from '../../support/fake-provider.ts';
import { makeTenant } from '../../support/factory.ts';
import { codeOf, memberCall, newPayout, refusalOf } from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld({ fresh: true });
const usd = (availableBalanceMinor: number) => ({ availableBalanceMinor, currency: 'USD' });

it('sets the balance, and payouts are refused while it is empty', async () => {
  const call = await memberCall(world.call.services, world.tenant, 'developer');
  const empty = await setSandboxBalance(call, usd(0));
  expect(empty).toMatchObject({ availableBalanceMinor: 0n, currency: 'USD', status: 'active' });
  expect(await codeOf(newPayout(world.call, world.payee))).toBe('SANDBOX_WALLET_UNFUNDED');
  const funded = await setSandboxBalance(call, usd(7));
  expect(funded).toMatchObject({ id: empty.id, availableBalanceMinor: 7n });
  await newPayout(world.call, world.payee);
});

it('keeps the currency of the account', async () => {
  const given = { availableBalanceMinor: 5, currency: 'EUR' };
  const { code, message } = await refusalOf(setSandboxBalance(world.call, given));
  expect([code, message]).toEqual([
    'FUNDING_CURRENCY_MISMATCH',
    "The account's currency is USD, not EUR.",
  ]);
});

it('is for those who may, in a sandbox that has an account', async () => {
  const viewer = await memberCall(world.call.services, world.tenant, 'viewer');
  expect(await codeOf(setSandboxBalance(viewer, usd(5)))).toBe('forbidden');
  expect(await codeOf(setSandboxBalance(world.call, usd(-5)))).toBe('INVALID_MONEY');
  const callOf = async (options: Parameters<typeof makeTenant>[1]) =>
    systemCall(world.call.services, (await makeTenant(world.harness, options)).tenantId);
  const production = await callOf({ environment: 'production' });
  expect(await codeOf(setSandboxBalance(production, usd(5)))).toBe('SANDBOX_ONLY');
  const unfunded = await callOf({ funded: false });
  expect(await codeOf(setSandboxBalance(unfunded, usd(5)))).toBe(
    'FUNDING_DEDICATED_ACCOUNT_NOT_PROVISIONED',
  );
});

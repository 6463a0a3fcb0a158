import { expect, it } from 'vitest';
import { askRoutes, connectBank, reads, sandboxBank, setRoutes } from '../support/banking.ts';
import { makeTenant } from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';

/* What an account at a bank can pay at all is known before any payout (docs/providers.md). */

const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent', ...sandboxBank } });

it('a route that no payment could take is refused, and changes nothing', async () => {
  const tenant = await makeTenant(harness);
  const connectionId = await connectBank(harness, tenant, { schemes: ['ach', 'us_wire'] });
  for (const never of [
    { currency: 'EUR' },
    { country: 'DE' },
    { currency: 'USD', scheme: 'ach', amountFromMinor: '10000000000' },
  ]) {
    const answer = await askRoutes(harness, tenant.key, 0, [{ connectionId, ...never }]);
    const field = 'scheme' in never ? 'routes[0].scheme' : 'routes[0].connectionId';
    expect(answer.body.errors[0].extensions).toMatchObject({
      code: 'validation_failed',
      details: [{ field, code: 'invalid_value' }],
    });
  }
  const seen = await harness.graphql(tenant.key, reads);
  expect(seen.body.data.payoutRoutes).toEqual({ version: 0, routes: [] });
  const large = { connectionId, currency: 'USD', amountFromMinor: '10000000000' };
  expect(await setRoutes(harness, tenant, 0, [large])).toBe(1);
});

it('an account at the sandbox bank has the schemes of its currency', async () => {
  const tenant = await makeTenant(harness);
  await expect(
    connectBank(harness, tenant, { currency: 'EUR', schemes: ['sepa_instant', 'ach'] }),
  ).rejects.toThrow('sepa_credit_transfer, sepa_instant, cross_border');
  const seen = await harness.graphql(tenant.key, reads);
  expect(seen.body.data.bankConnections).toEqual([]);
});

it('a version that no list can have is refused', async () => {
  const tenant = await makeTenant(harness);
  const answer = await askRoutes(harness, tenant.key, 2_147_483_647, []);
  expect(answer.body.errors[0].extensions.code).toBe('validation_failed');
});

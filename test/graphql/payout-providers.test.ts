import { beforeAll, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { adyenWords } from '../providers/adyen/subject.ts';
import { connectBank, sandboxBank } from '../support/banking.ts';
import { ask, codeOf, detailsOf } from '../support/operator-banks.ts';
import { makeTenant } from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';

/* What providers pay, as data: shown where routes are made, and held by the check of routes. */

let operator: { id: string; key: string };
const harness = useHarness({
  worker: false,
  env: {
    ...sandboxBank,
    ...adyenWords('http://127.0.0.1:9'),
    PROVIDER: 'adyen',
    ADYEN_CURRENCIES: 'EUR,GBP',
    ADYEN_COUNTRIES: 'DE,GB',
    ADYEN_PRIORITIES: 'instant,regular',
  },
});
beforeAll(async () => {
  operator = await issueOperatorKey(harness.database.pool, 'On call');
});

const providers =
  '{ payoutProviders { name connectionName reportsBalance pays { scheme currencies countries largestAmountMinor } } }';

it('lists the provider of a sandbox and its banks, but for those that are closed', async () => {
  const tenant = await makeTenant(harness);
  const bankId = await connectBank(harness, tenant, { name: 'Dollars' });
  const { body } = await harness.graphql(tenant.key, providers);
  expect(body.data.payoutProviders).toMatchObject([
    { name: 'simulator', connectionName: null, reportsBalance: false },
    {
      name: `bank:${bankId}`,
      connectionName: 'Dollars',
      reportsBalance: true,
      pays: [
        {
          scheme: 'ach',
          currencies: ['USD'],
          countries: ['US'],
          largestAmountMinor: 9_999_999_999,
        },
        { scheme: 'us_wire' },
        { scheme: 'cross_border', currencies: null, countries: null },
      ],
    },
  ]);
  await harness.graphql(
    tenant.key,
    'mutation ($input: SandboxBankChangeInput!) { sandboxBankChange(input: $input) { id } }',
    { input: { connectionId: bankId, version: 1, status: 'closed' } },
  );
  const after = await harness.graphql(tenant.key, providers);
  expect(after.body.data.payoutProviders).toHaveLength(1);
});

it('shows operators what the providers of production pay', async () => {
  const { businessId } = await makeTenant(harness);
  const { body } = await harness.graphql(
    operator.key,
    `query ($businessId: ID!) { operatorBanking(businessId: $businessId, environment: production) {
      payers { name estimatesArrival enrolls pays { scheme currencies countries } }
    } }`,
    { businessId },
  );
  const paid = { currencies: ['EUR', 'GBP'], countries: ['DE', 'GB'] };
  expect(body.data.operatorBanking.payers).toEqual([
    {
      name: 'adyen',
      estimatesArrival: true,
      enrolls: false,
      pays: ['instant', 'regular', 'crossBorder'].map((scheme) => ({ scheme, ...paid })),
    },
  ]);
});

it('refuses a route that its provider cannot pay, by the part that it does not pay', async () => {
  const { businessId } = await makeTenant(harness);
  const replace = (routes: readonly object[]) =>
    ask(harness, operator.key, 'routes', { businessId, version: 0, routes });
  const refused = await replace([
    { provider: 'adyen', currency: 'USD' },
    { provider: 'adyen', currency: 'EUR', country: 'FR' },
    { provider: 'adyen', country: 'US' },
    { provider: 'adyen', currency: 'EUR', country: 'DE' },
  ]);
  expect(codeOf(refused)).toBe('validation_failed');
  expect(detailsOf(refused)).toEqual([
    'routes[0].currency invalid_value',
    'routes[1].country invalid_value',
    'routes[2].country invalid_value',
  ]);
  const taken = await replace([{ provider: 'adyen', currency: 'GBP' }, { provider: 'adyen' }]);
  expect(taken.body.data.done).toMatchObject({ version: 1 });
});

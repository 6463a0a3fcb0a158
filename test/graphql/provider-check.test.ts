import { afterAll, beforeAll, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { newId } from '../../src/values/ids.ts';
import { apiKey, financialAccount, webhookSecret } from '../providers/stripe/subject.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { startHarness, type Harness, type RestAnswer } from '../support/harness.ts';
import { codeOf } from '../support/operator-banks.ts';
import { startFakeStripe, type FakeStripe } from '../support/provider-kit/stripe.ts';

let fake: FakeStripe;
let harness: Harness;
let tenant: TestTenant;
let connectionId: string;
beforeAll(async () => {
  fake = await startFakeStripe({ apiKey, financialAccount, pageSize: 2 });
  harness = await startHarness({ worker: false, env: { STRIPE_TEST_URL: fake.url } });
  tenant = await makeTenant(harness);
  const settings = Object.entries({ apiKey, financialAccount, webhookSecret });
  const { body, text } = await harness.graphql(
    tenant.key,
    `mutation ($settings: [ProviderSettingInput!]!) {
      sandboxProviderConnect(name: "Dollars", adapter: "stripe", settings: $settings) { id }
    }`,
    { settings: settings.map(([name, value]) => ({ name, value })) },
  );
  if (body.data?.sandboxProviderConnect == null) throw new Error(text);
  connectionId = body.data.sandboxProviderConnect.id;
});
afterAll(async () => {
  await harness.close();
  await fake.close();
});

const check = (key: string, id = connectionId): Promise<RestAnswer> =>
  harness.graphql(
    key,
    'query ($id: ID!) { checks: providerConnectionCheck(connectionId: $id) { holds text } }',
    { id },
  );

it('tells each thing that was looked at, and no secret', async () => {
  const { body, text } = await check(tenant.key);
  expect(body.data.checks).toEqual([
    { holds: true, text: 'Dollars (sandbox, stripe) is active.' },
    expect.objectContaining({ holds: true, text: expect.stringContaining(financialAccount) }),
    expect.objectContaining({ holds: true, text: expect.stringContaining('USD 1000000') }),
    expect.objectContaining({
      text: expect.stringContaining(`/provider-webhooks/${connectionId}`),
    }),
    expect.objectContaining({ holds: false, text: expect.stringContaining('No event') }),
  ]);
  expect(text).not.toContain(apiKey);
});

it('knows no connection of another tenant, none that is none, and is refused to whoever may not change banks', async () => {
  const other = await makeTenant(harness);
  expect(codeOf(await check(other.key))).toBe('not_found');
  expect(codeOf(await check(tenant.key, newId('bankConnection')))).toBe('not_found');
  expect(codeOf(await check(tenant.key, 'nonsense'))).toBe('not_found');
  const developer = await tenant.keyWithRole('developer');
  expect(codeOf(await check(developer))).toBe('forbidden');
});

it('is asked by an operator for any business, and by nobody else', async () => {
  const { key } = await issueOperatorKey(harness.database.pool, 'On call');
  const ask = (as: string, environment: string) =>
    harness.graphql(
      as,
      `query ($business: ID!, $id: ID!) {
        checks: operatorProviderConnectionCheck(businessId: $business, environment: ${environment}, connectionId: $id) { holds text }
      }`,
      { business: tenant.businessId, id: connectionId },
    );
  expect((await ask(key, 'sandbox')).body.data.checks[0]).toMatchObject({ holds: true });
  expect(codeOf(await ask(key, 'production'))).toBe('not_found');
  expect((await ask(tenant.key, 'sandbox')).body.data?.checks ?? null).toBeNull();
});

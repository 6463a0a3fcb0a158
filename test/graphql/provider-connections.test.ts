import { beforeAll, describe, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { jobScope } from '../../src/access/system.ts';
import { openSettings } from '../../src/domain/provider-connection/open.ts';
import { findProviderConnections } from '../../src/domain/provider-connection/store.ts';
import { inTransaction } from '../../src/db/pool.ts';
import { askRoutes } from '../support/banking.ts';
import { codeOf, detailsOf } from '../support/operator-banks.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import type { RestAnswer } from '../support/harness.ts';
import { giveProductionKey } from '../support/production-key.ts';
import { useHarness } from '../support/use-harness.ts';

let operator: { id: string; key: string };
const harness = useHarness({ worker: false });
beforeAll(async () => {
  operator = await issueOperatorKey(harness.database.pool, 'On call');
});

const secret = 'rk_test_0123456789abcdef';
const account = {
  apiKey: secret,
  financialAccount: 'fa_test1234',
  currencies: 'USD,EUR',
  webhookSecret: 'whsec_of_the_first_days',
};
const listed = (given: Readonly<Record<string, string>>) =>
  Object.entries(given).map(([name, value]) => ({ name, value }));

const shown = '{ id name status adapter provider webhookPath version settings { name value } }';

const connect = (
  { key }: Pick<TestTenant, 'key'>,
  given: Readonly<Record<string, string>> = account,
  adapter = 'stripe',
): Promise<RestAnswer> =>
  harness.graphql(
    key,
    `mutation ($adapter: String!, $settings: [ProviderSettingInput!]!) {
      done: sandboxProviderConnect(name: "Dollars", adapter: $adapter, settings: $settings) ${shown}
    }`,
    { adapter, settings: listed(given) },
  );

const change = (
  { key }: Pick<TestTenant, 'key'>,
  variables: Readonly<Record<string, unknown>>,
): Promise<RestAnswer> =>
  harness.graphql(
    key,
    `mutation ($connectionId: ID!, $version: Int!, $status: BankConnectionStatus, $settings: [ProviderSettingInput!]) {
      done: sandboxProviderConnectionChange(connectionId: $connectionId, version: $version, status: $status, settings: $settings) ${shown}
    }`,
    variables,
  );

async function connected(tenant: TestTenant): Promise<string> {
  const answer = await connect(tenant);
  if (answer.body.data?.done == null) throw new Error(answer.text);
  return answer.body.data.done.id as string;
}

describe('an account of a sandbox at a provider', () => {
  it('is made by its owners, and shows no secret', async () => {
    const tenant = await makeTenant(harness);
    const answer = await connect(tenant);
    const { id } = answer.body.data.done;
    expect(answer.body.data.done).toMatchObject({
      name: 'Dollars',
      status: 'active',
      adapter: 'stripe',
      provider: `stripe:${id}`,
      webhookPath: `/provider-webhooks/${id}`,
      version: 1,
      settings: [
        { name: 'financialAccount', value: 'fa_test1234' },
        { name: 'currencies', value: 'USD,EUR' },
      ],
    });
    const read = await harness.graphql(
      tenant.key,
      `{ providerConnections ${shown} payoutProviders { name connectionName reportsBalance } bankConnections { id }
        bankMonth(month: "2026-11") { connectionId } }`,
    );
    expect(read.body.errors).toBeUndefined();
    expect(read.body.data).toMatchObject({
      providerConnections: [{ id }],
      payoutProviders: [{ name: 'simulator' }, { name: `stripe:${id}`, connectionName: 'Dollars' }],
      bankConnections: [],
      bankMonth: [],
    });
    for (const { text } of [answer, read]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(account.webhookSecret);
    }
    const { rows } = await harness.database.pool.query(
      'SELECT * FROM bank_connection WHERE id = $1',
      [id],
    );
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('tells what it is described by', async () => {
    const tenant = await makeTenant(harness);
    const { body } = await harness.graphql(
      tenant.key,
      '{ accountProviders { adapter fields { name required secret description } } }',
    );
    const [adyen, stripe] = body.data.accountProviders;
    expect([adyen.adapter, stripe.adapter]).toEqual(['adyen', 'stripe']);
    expect(stripe.fields).toContainEqual({
      name: 'apiKey',
      required: true,
      secret: true,
      description: expect.stringContaining('key of that mode'),
    });
    const names = stripe.fields.map(({ name }: { name: string }) => name);
    expect(names).not.toContain('environment');
    expect(names).not.toContain('testUrl');
    expect(names).not.toContain('webhookSecretPrevious');
  });

  it('is refused by field', async () => {
    const tenant = await makeTenant(harness);
    const { apiKey: _apiKey, ...rest } = account;
    expect(detailsOf(await connect(tenant, rest))).toEqual(['settings.apiKey required']);
    expect(detailsOf(await connect(tenant, { ...account, financialAccount: 'x' }))).toEqual([
      'settings.financialAccount invalid_value',
    ]);
    expect(detailsOf(await connect(tenant, { ...account, testUrl: 'http://127.0.0.1' }))).toEqual([
      'settings.testUrl invalid_value',
    ]);
    expect(detailsOf(await connect(tenant, account, 'gateway'))).toEqual(['adapter invalid_value']);
    expect(detailsOf(await connect(tenant, account, 'toString'))).toEqual([
      'adapter invalid_value',
    ]);
    // A key of the live mode opens nothing for a sandbox.
    const live = { ...account, apiKey: 'rk_live_0123456789abcdef' };
    expect(detailsOf(await connect(tenant, live))).toEqual(['settings.apiKey invalid_value']);
    const { body } = await harness.graphql(tenant.key, '{ providerConnections { id } }');
    expect(body.data.providerConnections).toEqual([]);
  });

  it('is of its sandbox alone', async () => {
    const tenant = await makeTenant(harness);
    const stranger = await makeTenant(harness);
    const connectionId = await connected(tenant);
    const theirs = await change(stranger, { connectionId, version: 1, status: 'paused' });
    const unknown = await change(stranger, {
      connectionId: 'bcn_01k9zpzt4ce6h8j0n2q5s7v9xa',
      version: 1,
      status: 'paused',
    });
    expect(codeOf(theirs)).toBe('not_found');
    expect(theirs.body.errors[0].message).toBe(unknown.body.errors[0].message);
    const production = await giveProductionKey(harness, tenant);
    expect(codeOf(await connect({ key: production }))).toBe('SANDBOX_ONLY');
  });

  it('keeps the secret before the current one, and takes one change of a version', async () => {
    const tenant = await makeTenant(harness);
    const connectionId = await connected(tenant);
    const settings = listed({ webhookSecret: 'whsec_of_the_later_days' });
    const both = await Promise.all([
      change(tenant, { connectionId, version: 1, settings }),
      change(tenant, { connectionId, version: 1, settings }),
    ]);
    expect(new Set(both.map(codeOf))).toEqual(new Set(['conflict', undefined]));
    const { pool } = harness.database;
    const scope = await jobScope(pool, tenant.tenantId, { type: 'system', name: 'test' });
    const [row] = await inTransaction(pool, (client) =>
      findProviderConnections(client, scope, [connectionId]),
    );
    if (row === undefined) throw new Error('no connection');
    const call = { scope, services: harness.services };
    expect(openSettings(call, row).credentials).toEqual({
      apiKey: secret,
      webhookSecret: 'whsec_of_the_later_days',
      webhookSecretPrevious: account.webhookSecret,
    });
  });

  it('is not closed while a route leads there, and never opened again', async () => {
    const tenant = await makeTenant(harness);
    const connectionId = await connected(tenant);
    const routed = await askRoutes(harness, tenant.key, 0, [{ connectionId, currency: 'USD' }]);
    expect(routed.body.data.sandboxRoutesReplace.routes).toEqual([
      { provider: `stripe:${connectionId}`, currency: 'USD', scheme: null },
    ]);
    const close = (version: number) => change(tenant, { connectionId, version, status: 'closed' });
    expect(codeOf(await close(1))).toBe('conflict');
    await askRoutes(harness, tenant.key, 1, []);
    expect((await close(1)).body.data.done.status).toBe('closed');
    expect(codeOf(await change(tenant, { connectionId, version: 2, status: 'active' }))).toBe(
      'conflict',
    );
    expect(detailsOf(await askRoutes(harness, tenant.key, 2, [{ connectionId }]))).toEqual([
      'routes[0].connectionId invalid_value',
    ]);
  });

  it('takes no route that the account cannot pay', async () => {
    const tenant = await makeTenant(harness);
    const connectionId = await connected(tenant);
    const refused = await askRoutes(harness, tenant.key, 0, [
      { connectionId, currency: 'GBP' },
      { connectionId, currency: 'USD', scheme: 'ach' },
      { connectionId, currency: 'EUR' },
    ]);
    expect(detailsOf(refused)).toEqual([
      'routes[0].currency invalid_value',
      'routes[1].scheme invalid_value',
    ]);
  });
});

describe('an account of production', () => {
  const order = (businessId: string, apiKey: string) =>
    harness.graphql(
      operator.key,
      `mutation ($businessId: ID!, $settings: [ProviderSettingInput!]!) {
        done: operatorProviderConnect(businessId: $businessId, name: "Live", adapter: "stripe", settings: $settings, reason: "ticket 7") ${shown}
      }`,
      { businessId, settings: listed({ ...account, apiKey }) },
    );

  it('is made by an operator with a key of the live mode, on record, and the business hears of it', async () => {
    const tenant = await makeTenant(harness);
    const { businessId } = tenant;
    expect(detailsOf(await order(businessId, secret))).toEqual(['settings.apiKey invalid_value']);
    const answer = await order(businessId, 'rk_live_0123456789abcdef');
    const { id } = answer.body.data.done;
    const { body } = await harness.graphql(
      operator.key,
      `query ($businessId: ID!) { operatorBanking(businessId: $businessId, environment: production) {
        accounts { id adapter } payers { name } connections { id }
      } }`,
      { businessId },
    );
    expect(body.data.operatorBanking).toEqual({
      accounts: [{ id, adapter: 'stripe' }],
      payers: [{ name: `stripe:${id}` }],
      connections: [],
    });
    const { rows } = await harness.database.pool.query(
      'SELECT action, subject_id, detail FROM operator_action WHERE business_id = $1',
      [businessId],
    );
    expect(rows).toEqual([
      { action: 'operatorProviderConnect', subject_id: id, detail: { adapter: 'stripe' } },
    ]);
    const told = await harness.graphql(
      await giveProductionKey(harness, tenant),
      '{ accessChanges(first: 5) { edges { node { kind subjectId } } } }',
    );
    expect(told.text).toContain(id);
    expect(told.text).not.toContain('rk_live');
  });

  it('is nothing that a member or a key of a business makes', async () => {
    const { businessId, key } = await makeTenant(harness);
    const answer = await harness.graphql(
      key,
      `mutation { operatorProviderConnect(businessId: "${businessId}", name: "x", adapter: "stripe", settings: [], reason: "x") { id } }`,
    );
    expect(['forbidden', 'unauthorized', 'not_found']).toContain(codeOf(answer));
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  adyenFolder,
  adyenMissing,
  apiKey,
  balanceAccountId,
  webhookLogin,
} from '../providers/adyen/subject.ts';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestTenant,
} from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import {
  adyenHeaders,
  adyenWebhook,
  readAdyenDescriptions,
  startFakeAdyen,
  type AdyenDescriptions,
  type FakeAdyen,
} from '../support/provider-kit/adyen.ts';

/* A business pays from accounts of its own at a provider: connected, routed, paused, and told of by its events. */

const fields = {
  apiKey,
  balanceAccount: balanceAccountId,
  webhookUsername: webhookLogin.username,
  webhookPassword: webhookLogin.password,
  webhookHmacKey: webhookLogin.hmacKey,
};
const listed = (given: Readonly<Record<string, string>>) =>
  Object.entries(given).map(([name, value]) => ({ name, value }));

const documents = {
  connect: `mutation ($name: String!, $settings: [ProviderSettingInput!]!) {
    sandboxProviderConnect(name: $name, adapter: "adyen", settings: $settings) { id provider webhookPath }
  }`,
  change: `mutation ($connectionId: ID!, $version: Int!, $status: BankConnectionStatus) {
    sandboxProviderConnectionChange(connectionId: $connectionId, version: $version, status: $status) { version status }
  }`,
  routes: `mutation ($version: Int!, $routes: [PayoutRouteInput!]!) {
    sandboxRoutesReplace(version: $version, routes: $routes) { version }
  }`,
};

it.runIf(adyenMissing !== null)(`accounts at providers: ${adyenMissing ?? ''}`, ({ skip }) =>
  skip(),
);

describe.runIf(adyenMissing === null)('an account of a business at Adyen', () => {
  let descriptions: AdyenDescriptions;
  let fake: FakeAdyen;
  let harness: Harness;
  let tenant: TestTenant;

  beforeAll(async () => {
    descriptions = readAdyenDescriptions(adyenFolder);
    fake = await startFakeAdyen(descriptions, { apiKey, balanceAccountId, pageSize: 2 });
    harness = await startHarness({
      shipped: true,
      env: { ADYEN_TEST_URL: fake.url, PROVIDER_RETRY_DELAYS: '1', RECONCILE_STALLED_AFTER: '1' },
    });
    tenant = await makeTenant(harness);
  });
  afterAll(async () => {
    await harness.close();
    expect(fake.violations).toEqual([]);
    await fake.close();
  });

  async function run(
    document: keyof typeof documents,
    variables: object,
  ): Promise<Record<string, unknown>> {
    const answer = await harness.graphql(tenant.key, documents[document], { ...variables });
    const [done] = Object.values(answer.body.data ?? {});
    if (done == null) throw new Error(answer.text);
    return done as Record<string, unknown>;
  }

  async function approved(): Promise<string> {
    const { key } = tenant;
    const body = payoutBody(await makePayee(harness, key));
    const { payout } = (await harness.rest('POST', '/v1/payouts', { key, body })).body;
    await harness.rest('POST', `/v1/payouts/${payout.id}/approve`, { key });
    return payout.id as string;
  }

  const read = async (id: string) =>
    (await harness.rest('GET', `/v1/payouts/${id}`, { key: tenant.key })).body.payout;

  async function waitsFor(id: string): Promise<string | null> {
    const query = 'query ($id: ID!) { payout(id: $id) { waitsFor } }';
    return (await harness.graphql(tenant.key, query, { id })).body.data.payout.waitsFor;
  }

  const transferOf = (payoutId: string) =>
    eventually(async () => {
      const { rows } = await harness.database.pool.query<{ id: string }>(
        "SELECT id FROM disbursement_attempt WHERE payout_id = $1 AND status = 'submitted'",
        [payoutId],
      );
      return fake.transfers.find(({ reference }) => reference.endsWith(rows[0]?.id ?? '-'));
    });

  async function post(path: string, payoutId: string, key = webhookLogin): Promise<number> {
    const { id, reference, amount } = await transferOf(payoutId);
    const happening = {
      status: 'booked',
      sequenceNumber: 4,
      tracking: { type: 'confirmation', status: 'credited' },
      at: new Date().toISOString(),
    } as const;
    const about = { id, reference, amount, balanceAccount: { id: balanceAccountId } };
    const body = adyenWebhook(descriptions, about, happening);
    const headers = adyenHeaders(body, key);
    return (await harness.rest('POST', path, { body, headers })).status;
  }

  it('pays what is routed to it, and its events enter by it alone', async () => {
    const first = await run('connect', { name: 'Dollars', settings: listed(fields) });
    const hmacKey = 'd4'.repeat(32);
    const others = { ...fields, webhookHmacKey: hmacKey };
    const second = await run('connect', { name: 'Another', settings: listed(others) });
    await run('routes', { version: 0, routes: [{ connectionId: first['id'] }] });
    const payoutId = await approved();
    await transferOf(payoutId);
    expect((await read(payoutId)).provider).toBe(first['provider']);
    // Signed as the other connection has it, and told to the other one.
    const forged = { ...webhookLogin, hmacKey };
    expect(await post(String(first['webhookPath']), payoutId, forged)).toBe(401);
    expect(await post(String(second['webhookPath']), payoutId, forged)).toBe(200);
    expect(await post('/provider-webhooks/adyen', payoutId)).toBe(404);
    expect((await read(payoutId)).state).toBe('approved');
    expect(await post(String(first['webhookPath']), payoutId)).toBe(200);
    await eventually(async () => (await read(payoutId)).state === 'settled');
  });

  it('sends nothing while it is paused, and goes on afterwards', async () => {
    const { id: connectionId } = await run('connect', { name: 'Paused', settings: listed(fields) });
    await run('routes', { version: 1, routes: [{ connectionId }] });
    await run('change', { connectionId, version: 1, status: 'paused' });
    const payoutId = await approved();
    await eventually(async () => (await waitsFor(payoutId)) === 'provider_configuration');
    const taken = fake.transfers.length;
    await run('change', { connectionId, version: 2, status: 'active' });
    await transferOf(payoutId);
    expect(fake.transfers).toHaveLength(taken + 1);
  });
});

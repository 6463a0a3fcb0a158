import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sign } from '../../src/crypto/signature.ts';
import { readSimulatorConfig } from '../../simulator/config.ts';
import { startSimulator } from '../../simulator/server.ts';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestTenant,
} from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';

/** A provider of its own for production: another server, other credentials, the same protocol. */
let gateway: Awaited<ReturnType<typeof startSimulator>>;
let harness: Harness;
let folder: string;

const apiKey = 'gateway-key-of-the-test';
const webhookSecret = 'gateway-webhook-secret-of-the-test';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-'));
  gateway = await startSimulator({
    ...readSimulatorConfig({}),
    port: 0,
    ledgerFile: join(folder, 'ledger.jsonl'),
    stepDelayMs: 10,
    webhookUrl: 'http://127.0.0.1:9/not-yet',
    apiKey,
    webhookSecret,
  });
  harness = await startHarness({
    shipped: true,
    env: {
      PROVIDER: 'gateway',
      PROVIDER_URL: gateway.url,
      PROVIDER_API_KEY: apiKey,
      PROVIDER_WEBHOOK_SECRET: webhookSecret,
    },
  });
  gateway.setWebhookUrl(`${harness.baseUrl}/provider-webhooks/gateway`);
});
afterAll(async () => {
  await harness.close();
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

async function approvedPayout({ key }: TestTenant): Promise<string> {
  const body = payoutBody(await makePayee(harness, key));
  const { payout } = (await harness.rest('POST', '/v1/payouts', { key, body })).body;
  const approved = await harness.rest('POST', `/v1/payouts/${payout.id}/approve`, { key });
  expect(approved.status, approved.text).toBe(200);
  return payout.id as string;
}

const read = async ({ key }: TestTenant, id: string) =>
  (await harness.rest('GET', `/v1/payouts/${id}`, { key })).body.payout;

it('pays each environment through its own provider', async () => {
  const tenants = [
    await makeTenant(harness),
    await makeTenant(harness, { environment: 'production' }),
  ];
  const settled = await Promise.all(
    tenants.map(async (tenant) => {
      const id = await approvedPayout(tenant);
      return eventually(async () => {
        const payout = await read(tenant, id);
        return payout.state === 'settled' && payout;
      });
    }),
  );
  expect(settled.map(({ environment, provider }) => [environment, provider])).toEqual([
    ['sandbox', 'simulator'],
    ['production', 'gateway'],
  ]);
});

it('lets no provider speak of what another one was asked to pay', async () => {
  const tenant = await makeTenant(harness, { environment: 'production' });
  gateway.setWebhookUrl('http://127.0.0.1:9/silent');
  const id = await approvedPayout(tenant);
  const payout = await eventually(async () => {
    const current = await read(tenant, id);
    return current.provider_payout_id !== null && current;
  });
  const { rows } = await harness.database.pool.query<{ id: string }>(
    'SELECT id FROM disbursement_attempt WHERE payout_id = $1',
    [id],
  );
  const eventId = `evt_${randomUUID()}`;
  const body = JSON.stringify({
    id: eventId,
    type: 'payout.settled',
    occurred_at: new Date().toISOString(),
    data: {
      payout_id: payout.provider_payout_id,
      reference: `${tenant.tenantId}.${rows[0]?.id ?? ''}`,
      amount_minor: payout.amount_minor,
      currency: payout.currency,
      status: 'settled',
      rail_ref: 'forged',
      expected_delivery_date: null,
      failure: null,
    },
  });
  const secret = harness.services.config.SIMULATOR_WEBHOOK_SECRET;
  const answer = await harness.rest('POST', '/provider-webhooks/simulator', {
    body,
    headers: {
      'X-Service-Signature': sign(secret, Math.floor(Date.now() / 1_000), Buffer.from(body)),
    },
  });
  expect(answer.status, answer.text).toBe(200);
  const event = await eventually(async () => {
    const found = await harness.database.pool.query<{ tries: number; status: string }>(
      'SELECT tries, status FROM provider_event WHERE event_id = $1',
      [eventId],
    );
    return (found.rows[0]?.tries ?? 0) > 0 && found.rows[0];
  });
  expect(event.status).toBe('received');
  expect(await read(tenant, id)).toEqual(payout);
});

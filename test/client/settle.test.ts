import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPayoutClient, type PayoutClient } from '../../client/src/client.ts';
import { isApiError } from '../../client/src/errors.ts';
import { verifyWebhook } from '../../client/src/webhooks.ts';
import { eventually } from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import { startReceiver, type WebhookReceiver } from '../support/receiver.ts';

let receiver: WebhookReceiver;
let harness: Harness;
let client: PayoutClient;

beforeAll(async () => {
  receiver = await startReceiver();
  harness = await startHarness({ env: { WEBHOOK_EXTRA_CA_FILE: receiver.caFile } });
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
});

/** A business whose wallet holds test money, made with the client alone. */
beforeAll(async () => {
  const keyless = createPayoutClient({ baseUrl: `${harness.baseUrl}/` });
  const email = `owner-${randomUUID()}@example.com`;
  const { api_key: made } = await keyless.register({
    body: { email, company_name: 'Client GmbH' },
  });
  client = keyless.with({ apiKey: made.key });
  await client.updateBusinessProfile({
    body: {
      legal_name: 'Client GmbH',
      registration_number: 'HRB 1',
      country: 'DE',
      address: { line1: 'Hauptstr. 1', city: 'Berlin', postal_code: '10115', country: 'DE' },
      website: 'https://client.example.com',
      industry: 'software',
      contact_phone: '+49 30 1234567',
    },
  });
  await eventually(async () => {
    try {
      const { funding_account: account } = await client.getFundingAccount();
      return account.available_balance_minor > 0;
    } catch (error) {
      if (isApiError(error, 'FUNDING_DEDICATED_ACCOUNT_NOT_PROVISIONED')) return false;
      throw error;
    }
  });
});

async function makePayee() {
  const { beneficiary } = await client.createBeneficiary({
    body: {
      beneficiary_type: 'person',
      email: `ada-${randomUUID()}@example.com`,
      first_name: 'Ada',
      last_name: 'Lovelace',
      country_of_residence: 'US',
      date_of_birth: '1990-12-10',
      acknowledged: true,
    },
  });
  const { bank_account: account } = await client.registerBankAccount({
    path: { id: beneficiary.id },
    body: {
      account_holder_name: 'Ada Lovelace',
      country: 'US',
      currency: 'USD',
      routing_code: '021000021',
      account_number: '123456789',
    },
  });
  return { beneficiary_id: beneficiary.id, bank_account_id: account.id };
}

const about = {
  amount_minor: 1_000,
  currency: 'USD',
  purpose_of_payment: 'invoice_payment',
} as const;

test('settles a payout from the registration on, with a verified webhook in either spelling', async () => {
  const subscribed = await client.registerWebhookSubscription({
    body: { url: receiver.url, enabled_events: ['payout.settled'] },
  });
  const { payout } = await client.createPayout({ body: { ...(await makePayee()), ...about } });
  const decided = await client.approvePayout({ path: { payoutId: payout.id } });
  expect(decided.payout.state).toBe('approved');
  const delivery = await eventually(async () => receiver.received[0]);
  for (const secret of [subscribed.secret, subscribed.standard_webhooks_secret]) {
    const event = await verifyWebhook({
      body: delivery.rawBody,
      headers: delivery.headers,
      secret,
    });
    expect(event).toMatchObject({
      type: 'payout.settled',
      data: { payout_id: payout.id, amount: '10.00', status: 'settled' },
    });
  }
  const settled = await client.getPayout({ path: { payoutId: payout.id } });
  expect(settled.payout.state).toBe('settled');
  const csv = await client.exportTransactions();
  expect(csv).toContain(`${payout.id},`);
});

test('tells a replay from a create, and a dry run from both', async () => {
  const body = { ...(await makePayee()), ...about, idempotency_key: randomUUID() };
  const dry = await client.createPayout({ body: { ...body, dry_run: true } });
  const funding = { currency: 'USD', available_minor: 100_000_000, shortfall_minor: 0 };
  expect(dry).toEqual({ payout: null, dry_run: true, funding });
  const first = await client.raw('createPayout', { body });
  const again = await client.raw('createPayout', { body });
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(again.headers.get('Idempotent-Replayed')).toBe('true');
});

describe('a refusal', () => {
  test('has the code, the fields and the page of the service', async () => {
    const payee = await makePayee();
    const asked = client.createPayout({ body: { ...payee, ...about, currency: '' } });
    const error = await asked.catch((thrown: unknown) => thrown);
    if (!isApiError(error)) throw error;
    expect([error.status, error.code]).toEqual([400, 'INVALID_MONEY']);
    expect(error.requestId).toMatch(/^req_/);
    expect(error.docsUrl).toContain('INVALID_MONEY');
  });

  test.each([
    ['without a key', undefined],
    ['with a key that is none', 'pos_sandbox_none'],
  ])('is unauthorized %s', async (_what, apiKey) => {
    const refused = client.with({ apiKey }).listPayouts();
    await expect(refused).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
  });
});

test('goes through a list page by page, no row twice, and no further than it is asked to', async () => {
  const payee = await makePayee();
  const ids: string[] = [];
  for (let left = 5; left > 0; left -= 1) {
    const { payout } = await client.createPayout({ body: { ...payee, ...about } });
    ids.unshift(payout.id);
  }
  const query = { beneficiary_id: payee.beneficiary_id, limit: 2 };
  const found: string[] = [];
  for await (const { id } of client.all('listPayouts', { query })) found.push(id);
  expect(found).toEqual(ids);
  const sizes: number[] = [];
  for await (const { payouts } of client.pages('listPayouts', { query }))
    sizes.push(payouts.length);
  expect(sizes).toEqual([2, 2, 1]);
  for await (const { id } of client.all('listPayouts', { query })) {
    expect(id).toBe(ids[0]);
    break;
  }
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestTenant,
} from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import { startReceiver, type WebhookReceiver } from '../support/receiver.ts';

let harness: Harness;
let receiver: WebhookReceiver;
let tenant: TestTenant;

beforeAll(async () => {
  receiver = await startReceiver();
  harness = await startHarness({ env: { WEBHOOK_EXTRA_CA_FILE: receiver.caFile } });
  tenant = await makeTenant(harness);
  await harness.rest('POST', '/v1/webhook-subscriptions', {
    key: tenant.key,
    body: { url: receiver.url, enabled_events: ['payout.disbursement_submitted'] },
  });
});

afterAll(async () => {
  await harness.close();
  await receiver.close();
});

// ISO 4217: the digits after the decimal point are 0, 2, 3 and 4.
test.each([
  ['JPY', 1, '1'],
  ['JPY', 999_999_999_999, '999999999999'],
  ['USD', 1, '0.01'],
  ['USD', 999_999_999_999, '9999999999.99'],
  ['KWD', 5, '0.005'],
  ['KWD', 999_999_999_999, '999999999.999'],
  ['UYW', 10, '0.0010'],
  ['UYW', 999_999_999_999, '99999999.9999'],
])('%s %i is delivered as "%s"', async (currency, amountMinor, amount) => {
  const { beneficiaryId } = await makePayee(harness, tenant.key);
  const account = await harness.rest('POST', `/v1/beneficiaries/${beneficiaryId}/bank-accounts`, {
    key: tenant.key,
    body: {
      account_holder_name: 'Ada Lovelace',
      country: 'US',
      currency,
      routing_code: '021000021',
      account_number: '000987654321',
    },
  });
  expect(account.status).toBe(201);
  const payee = { beneficiaryId, bankAccountId: account.body.bank_account.id };
  const body = payoutBody(payee, {
    currency,
    amount_minor: amountMinor,
    validator_strategy: 'auto',
  });
  const created = await harness.rest('POST', '/v1/payouts', { key: tenant.key, body });
  expect(created.status).toBe(201);
  const { rawBody } = await eventually(async () =>
    receiver.received.find(({ event }) => event.data['payout_id'] === created.body.payout.id),
  );
  // A string, digit for digit: the bytes are looked at, not what a parser makes of them.
  expect(rawBody.toString()).toContain(`"amount":"${amount}"`);
});

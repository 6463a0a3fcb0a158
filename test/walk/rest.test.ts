import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import { startReceiver, type WebhookReceiver } from '../support/receiver.ts';

let harness: Harness;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startReceiver();
  harness = await startHarness({ shipped: true, env: { WEBHOOK_EXTRA_CA_FILE: receiver.caFile } });
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
});

const fourTypes = [
  'payout.disbursement_submitted',
  'payout.acknowledged',
  'payout.estimated_arrival_at',
  'payout.disbursed',
];

it('takes a business from registration to a settled payout over REST', async () => {
  const registered = await harness.rest('POST', '/v1/registration', {
    body: { email: `walk-${randomUUID()}@example.com`, company_name: 'Walk Ltd' },
  });
  expect(registered.status).toBe(201);
  const key: string = registered.body.api_key.key;
  const call = (method: string, path: string, body?: unknown) =>
    harness.rest(method, path, { key, body });

  const profile = await call('PUT', '/v1/business/profile', {
    legal_name: 'Walk Ltd',
    registration_number: 'HRB 1',
    country: 'US',
    address: {
      line1: '1 Main St',
      city: 'Springfield',
      state: 'IL',
      postal_code: '62701',
      country: 'US',
    },
    website: 'https://example.com',
    industry: 'software',
    contact_phone: '+1 555 0100',
  });
  expect(profile.body.business_profile.profile_status).toBe('submitted');
  const account = await eventually(async () => {
    const { status, body } = await call('GET', '/v1/funding/account');
    return status === 200 && body.funding_account.available_balance_minor > 0 ? body : null;
  });
  expect(account.funding_account).toMatchObject({
    currency: 'USD',
    available_balance_minor: 100_000_000,
  });

  const beneficiary = await call('POST', '/v1/beneficiaries', {
    beneficiary_type: 'person',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    country_of_residence: 'US',
    date_of_birth: '1990-04-01',
    acknowledged: true,
  });
  expect([beneficiary.status, beneficiary.body.beneficiary.compliance_status]).toEqual([
    201,
    'compliant',
  ]);
  const beneficiaryId: string = beneficiary.body.beneficiary.id;
  const bank = await call('POST', `/v1/beneficiaries/${beneficiaryId}/bank-accounts`, {
    account_holder_name: 'Ada Lovelace',
    country: 'US',
    currency: 'USD',
    routing_code: '021000021',
    account_number: '000123456789',
  });
  expect([bank.status, bank.body.bank_account.payout_usable]).toEqual([201, true]);
  const enrolled = await call('POST', `/v1/beneficiaries/${beneficiaryId}/enroll`, {});
  expect([enrolled.status, enrolled.body.beneficiary.enrollment_status]).toEqual([200, 'verified']);
  expect(enrolled.body.beneficiary.status).toBe('ready');

  const subscribed = await call('POST', '/v1/webhook-subscriptions', {
    url: receiver.url,
    enabled_events: fourTypes,
  });
  expect(subscribed.status).toBe(201);

  const body = payoutBody(
    { beneficiaryId, bankAccountId: bank.body.bank_account.id as string },
    { external_ref: 'walk' },
  );
  const created = await call('POST', '/v1/payouts', body);
  const replayed = await call('POST', '/v1/payouts', body);
  expect([created.status, replayed.status]).toEqual([201, 200]);
  const id: string = created.body.payout.id;
  expect((await call('POST', `/v1/payouts/${id}/approve`)).status).toBe(200);
  const settled = await eventually(async () => {
    const { body: answer } = await call('GET', `/v1/payouts/${id}`);
    return answer.payout.state === 'settled' ? answer.payout : null;
  });
  expect(settled).toMatchObject({ provider: 'simulator', failure_code: null });
  expect(settled.provider_payout_id).toMatch(/^po_/);
  expect(settled.rail_ref).not.toBeNull();

  const types = await eventually(async () => {
    const got = new Set(receiver.received.map(({ event }) => event.type));
    return got.size === fourTypes.length ? got : null;
  });
  expect(types).toEqual(new Set(fourTypes));
  expect(receiver.allVerify(subscribed.body.secret as string)).toBe(true);
  const text = receiver.received.map(({ rawBody }) => rawBody.toString()).join('');
  expect(text).not.toMatch(/simulator|po_/); // the provider stays unknown
  expect(receiver.received[0]?.event.data).toMatchObject({ payout_id: id, amount: '1250.00' });

  const ledger = await call('GET', '/v1/reporting/transactions/export');
  expect(ledger.text.split('\r\n')[1]).toContain(`${id},walk,settled,${beneficiaryId}`);
});

it('ends each magic destination as the sandbox promises', async () => {
  const tenant = await makeTenant(harness);
  const endings = {
    '0001': { state: 'failed', failure_code: 'invalid_account' },
    '0002': { state: 'returned', failure_code: 'account_closed' },
    '0003': { state: 'failed', failure_code: 'insufficient_provider_funds' },
    '0004': { state: 'failed', failure_code: 'provider_rejected' },
    '0005': { state: 'compliance_hold', failure_code: null },
  };
  await Promise.all(
    Object.entries(endings).map(async ([ending, expected]) => {
      const payee = await makePayee(harness, tenant.key, { accountNumber: `00012345${ending}` });
      const created = await harness.rest('POST', '/v1/payouts', {
        key: tenant.key,
        body: payoutBody(payee, { validator_strategy: 'auto' }),
      });
      const ended = await eventually(async () => {
        const { body } = await harness.rest('GET', `/v1/payouts/${created.body.payout.id}`, {
          key: tenant.key,
        });
        return body.payout.state === expected.state ? body.payout : null;
      });
      expect(ended).toMatchObject(expected);
    }),
  );
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/factory.ts';
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

it('takes a business from registration to a settled payout over GraphQL alone', async () => {
  const session: { key?: string } = {};
  // The shape of each answer is what its operation selects.
  // oxlint-disable-next-line typescript/no-explicit-any
  async function run(query: string, variables: Record<string, unknown> = {}): Promise<any> {
    const { body } = await harness.graphql(session.key, query, variables);
    expect(body.errors).toBeUndefined();
    return body.data;
  }

  const refused = await harness.graphql(undefined, '{ payouts { edges { node { id } } } }');
  expect([refused.status, refused.body.errors[0].extensions.code]).toEqual([401, 'unauthorized']);

  const { businessRegister } = await run(
    'mutation ($input: BusinessRegisterInput!) { businessRegister(input: $input) { apiKey { key } } }',
    { input: { email: `walk-${randomUUID()}@example.com`, companyName: 'Walk Ltd' } },
  );
  session.key = businessRegister.apiKey.key as string;
  await run(
    'mutation ($input: BusinessProfileInput!) { businessProfileUpdate(input: $input) { profileStatus } }',
    {
      input: {
        legalName: 'Walk Ltd',
        registrationNumber: 'HRB 1',
        country: 'US',
        address: { line1: '1 Main St', city: 'Springfield', country: 'US' },
        website: 'https://example.com',
        industry: 'software',
        contactPhone: '+1 555 0100',
      },
    },
  );
  await eventually(async () => {
    const { fundingAccount } = await run('{ fundingAccount { availableBalanceMinor } }');
    return Number(fundingAccount?.availableBalanceMinor) > 0;
  });

  const { beneficiaryCreate } = await run(
    'mutation ($input: BeneficiaryCreateInput!) { beneficiaryCreate(input: $input) { id complianceStatus } }',
    {
      input: {
        beneficiaryType: 'business',
        email: 'pay@acme.example',
        businessName: 'Acme GmbH',
        countryOfIncorporation: 'DE',
        registrationNumber: 'HRB 7',
        acknowledged: true,
      },
    },
  );
  expect(beneficiaryCreate.complianceStatus).toBe('compliant');
  const { bankAccountRegister } = await run(
    'mutation ($id: ID!, $input: BankAccountInput!) { bankAccountRegister(beneficiaryId: $id, input: $input) { id payoutUsable last4 } }',
    {
      id: beneficiaryCreate.id,
      input: {
        accountHolderName: 'Acme GmbH',
        country: 'DE',
        currency: 'EUR',
        iban: 'DE89 3704 0044 0532 0130 00',
      },
    },
  );
  expect(bankAccountRegister).toMatchObject({ payoutUsable: true, last4: '3000' });
  const { webhookSubscriptionUpsert } = await run(
    'mutation ($input: WebhookSubscriptionUpsertInput!) { webhookSubscriptionUpsert(input: $input) { secret } }',
    { input: { url: receiver.url, enabledEvents: ['payout.disbursed', 'payout.settled'] } },
  );

  // Never enrolled: the disbursement enrolls the destination first.
  const create =
    'mutation ($input: PayoutCreateInput!) { payoutCreate(input: $input) { replayed payout { id state permittedActions } } }';
  const input = {
    beneficiaryId: beneficiaryCreate.id,
    bankAccountId: bankAccountRegister.id,
    amountMinor: 99,
    currency: 'EUR',
    purposeOfPayment: 'royalties',
    idempotencyKey: 'walk',
  };
  const { payoutCreate } = await run(create, { input });
  expect(payoutCreate).toMatchObject({
    replayed: false,
    payout: { state: 'pending_approval', permittedActions: ['approve', 'reject', 'cancel'] },
  });
  const { id } = payoutCreate.payout;
  expect((await run(create, { input })).payoutCreate).toMatchObject({
    replayed: true,
    payout: { id },
  });
  await run('mutation ($id: ID!) { payoutApprove(payoutId: $id) { payout { state } } }', { id });
  await eventually(async () => {
    const { payout } = await run('query ($id: ID!) { payout(id: $id) { state } }', { id });
    return payout.state === 'settled';
  });

  const { node } = await run(
    `query ($id: ID!) { node(id: $id) { id ... on Payout {
       amountMinor decisions { edges { node { status } } } transitions { fromState toState } } } }`,
    { id },
  );
  expect(node).toEqual({
    id,
    amountMinor: 99,
    decisions: { edges: [{ node: { status: 'approved' } }] },
    transitions: [
      { fromState: 'new', toState: 'pending_approval' },
      { fromState: 'pending_approval', toState: 'approved' },
      { fromState: 'approved', toState: 'disbursed' },
      { fromState: 'disbursed', toState: 'settled' },
    ],
  });
  await eventually(() => Promise.resolve(receiver.received.length >= 2));
  expect(receiver.allVerify(webhookSubscriptionUpsert.secret as string)).toBe(true);
  expect(receiver.received[0]?.event.data['amount']).toBe('0.99');
});

it('bounds an operation', async () => {
  const tokens = await harness.graphql(undefined, `{ ${'__typename '.repeat(3_000)} }`);
  expect(tokens.body.errors[0].extensions.code).toBe('bad_request');
  const many = await harness.graphql(
    undefined,
    `mutation { ${Array.from({ length: 11 }, (_, i) => `m${i}: payoutCancel(payoutId: "p") { id }`).join(' ')} }`,
  );
  expect(many.body.errors[0].message).toContain('at most 10 mutations');
  const hint = await harness.graphql(undefined, '{ payot { id } }');
  expect(hint.text).not.toContain('Did you mean');
});

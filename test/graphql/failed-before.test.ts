import { expect, test } from 'vitest';
import { makeTenant, payoutBody } from '../support/factory.ts';
import { systemCall } from '../support/fake-provider.ts';
import { decide, move } from '../support/payout-command.ts';
import { useHarness, usePayee, useTenant } from '../support/use-harness.ts';

/* A replacement for the account that has just failed says so, and what it replaces is no double of it. */

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
const payee = usePayee(harness, tenant);

async function create(more: Record<string, unknown> = {}): Promise<string> {
  const answer = await harness.rest('POST', '/v1/payouts', {
    key: tenant.key,
    body: payoutBody(payee, more),
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.payout.id;
}

async function failed(more: Record<string, unknown> = {}): Promise<string> {
  const call = await systemCall(harness.services, tenant.tenantId);
  const id = await create(more);
  await decide(call, id, 'approved');
  const failure = { code: 'account_closed', message: 'The account is closed.' };
  await move(call, id, { trigger: 'fail', failure });
  return id;
}

async function ask(id: string, key = tenant.key) {
  const query = `query ($id: ID!) { payout(id: $id) {
    failedBefore { id state failureCode failureMessage } similarPayouts { count sameAmount nearest { payout { id } } }
  } }`;
  const { body, text } = await harness.graphql(key, query, { id });
  expect(body.errors, text).toBeUndefined();
  return body.data.payout;
}

async function tryOut(input: Record<string, unknown>) {
  const query = `mutation ($input: PayoutCreateInput!) { payoutCreate(input: $input) {
    payout { id } failedBefore { id } similarPayouts { sameAmount } funding { shortfallMinor }
  } }`;
  const { body, text } = await harness.graphql(tenant.key, query, {
    input: {
      beneficiaryId: payee.beneficiaryId,
      bankAccountId: payee.bankAccountId,
      amountMinor: 5_000,
      currency: 'USD',
      purposeOfPayment: 'payroll',
      idempotencyKey: 'tried',
      dryRun: true,
      ...input,
    },
  });
  expect(body.errors, text).toBeUndefined();
  return body.data.payoutCreate;
}

async function register(accountNumber: string): Promise<string> {
  const path = `/v1/beneficiaries/${payee.beneficiaryId}/bank-accounts`;
  const body = {
    account_holder_name: 'Ada Lovelace',
    country: 'US',
    currency: 'USD',
    routing_code: '021000021',
    account_number: accountNumber,
  };
  return (await harness.rest('POST', path, { key: tenant.key, body })).body.bank_account.id;
}

test('a replacement to the account that failed names the payout that failed there', async () => {
  const first = await failed({ amount_minor: 5_000 });
  expect(await tryOut({ replacesPayoutId: first })).toMatchObject({
    payout: null,
    failedBefore: { id: first },
    similarPayouts: { sameAmount: 0 },
  });
  const second = await create({ amount_minor: 5_000, replaces_payout_id: first });
  const { failedBefore, similarPayouts } = await ask(second);
  expect(failedBefore).toEqual({
    id: first,
    state: 'failed',
    failureCode: 'account_closed',
    failureMessage: 'The account is closed.',
  });
  expect(similarPayouts).toEqual({ count: 0, sameAmount: 0, nearest: [] });
  // The one that was replaced has no double in its replacement either.
  expect((await ask(first)).similarPayouts.sameAmount).toBe(0);
  // Another payout of the same amount still is one, of both.
  const double = await create({ amount_minor: 5_000 });
  expect((await ask(second)).similarPayouts).toMatchObject({
    sameAmount: 1,
    nearest: [{ payout: { id: double } }],
  });
  expect(await tryOut({})).toMatchObject({ failedBefore: null, similarPayouts: { sameAmount: 3 } });
});

test('one to another account, to corrected details, or of no predecessor has no such warning', async () => {
  const elsewhere = await register('7654321');
  const to = await failed({ amount_minor: 7_000 });
  const other = { replacesPayoutId: to, bankAccountId: elsewhere, amountMinor: 7_000 };
  expect((await tryOut(other)).failedBefore).toBeNull();
  const corrected = await failed({ amount_minor: 8_000, bank_account_id: elsewhere });
  const again = { replacesPayoutId: corrected, bankAccountId: elsewhere, amountMinor: 8_000 };
  expect((await tryOut(again)).failedBefore).toEqual({ id: corrected });
  const path = `/v1/beneficiaries/${payee.beneficiaryId}/bank-accounts/${elsewhere}`;
  const put = await harness.rest('PUT', path, {
    key: tenant.key,
    body: {
      account_holder_name: 'Ada Lovelace',
      country: 'US',
      currency: 'USD',
      routing_code: '021000021',
      account_number: '7654322',
    },
  });
  expect(put.status).toBe(200);
  expect((await tryOut(again)).failedBefore).toBeNull();
  expect((await ask(await create({ amount_minor: 9_000 }))).failedBefore).toBeNull();
});

test('changes of access say who did what to whom by name, and nothing of another business', async () => {
  const mine = await makeTenant(harness);
  const invite = `mutation { memberInvite(email: "grace@example.com", role: approver) { id } }`;
  await harness.graphql(mine.key, invite);
  const make = `mutation { apiKeyCreate(input: { role: viewer, name: "Reports" }) { apiKey { id } } }`;
  const made = await harness.graphql(mine.key, make);
  const query = `{ accessChanges(first: 3) { edges { node {
    kind author { type you member { email } } member { email role } apiKey { id name }
  } } } }`;
  const { body, text } = await harness.graphql(mine.key, query);
  expect(body.errors, text).toBeUndefined();
  const author = { type: 'member', you: true, member: { email: expect.stringContaining('@') } };
  const nodes = body.data.accessChanges.edges.map(({ node }: { node: { kind: string } }) => node);
  const named = nodes.filter(({ kind }: { kind: string }) => kind !== 'member_invitation_sent');
  expect(named).toEqual([
    {
      kind: 'key_created',
      author,
      member: null,
      apiKey: { id: made.body.data.apiKeyCreate.apiKey.id, name: 'Reports' },
    },
    {
      kind: 'member_invited',
      author,
      member: { email: 'grace@example.com', role: 'approver' },
      apiKey: null,
    },
  ]);
  const theirs = await harness.graphql((await makeTenant(harness)).key, query);
  expect(theirs.body.data.accessChanges.edges).toEqual([]);
});

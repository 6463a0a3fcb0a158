import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
} from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import { startReceiver, type WebhookReceiver } from '../support/receiver.ts';

let harness: Harness;
let receiver: WebhookReceiver;
let key: string;
let settled: string;
let failed: string;
let replacement: string;

async function create(payee: TestPayee, more: Record<string, unknown> = {}): Promise<string> {
  const body = payoutBody(payee, { validator_strategy: 'auto', ...more });
  const answer = await harness.rest('POST', '/v1/payouts', { key, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.payout.id as string;
}

const reached = (id: string, state: string) =>
  eventually(async () => {
    const answer = await harness.rest('GET', `/v1/payouts/${id}`, { key });
    return answer.body.payout.state === state;
  });

async function ask(query: string, variables: Record<string, unknown> = {}, as = key) {
  const { body } = await harness.graphql(as, query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}

beforeAll(async () => {
  receiver = await startReceiver();
  harness = await startHarness({ env: { WEBHOOK_EXTRA_CA_FILE: receiver.caFile } });
  ({ key } = await makeTenant(harness));
  await harness.rest('POST', '/v1/webhook-subscriptions', {
    key,
    body: { url: receiver.url, enabled_events: ['payout.settled', 'payout.failed'] },
  });
  settled = await create(await makePayee(harness, key));
  const unpayable = await makePayee(harness, key, { accountNumber: '000123450001' });
  failed = await create(unpayable);
  await Promise.all([reached(settled, 'settled'), reached(failed, 'failed')]);
  replacement = await create(unpayable, {
    replaces_payout_id: failed,
    validator_strategy: 'manual',
  });
  await eventually(async () => receiver.received.length >= 2);
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
});

test('a payout leads to its payee, account, attempts, events and deliveries', async () => {
  const { payout } = await ask(
    `query ($id: ID!) { payout(id: $id) {
      beneficiaryId bankAccountId
      beneficiary { id bankAccounts { id } payouts(first: 5) { edges { node { id } } } }
      bankAccount { id }
      attempts { number status provider amountMinor currency failureCode completedAt }
      events { type deliveries { status event { type } } }
    } }`,
    { id: settled },
  );
  expect(payout.beneficiary.id).toBe(payout.beneficiaryId);
  expect(payout.bankAccount.id).toBe(payout.bankAccountId);
  expect(payout.beneficiary.bankAccounts).toEqual([{ id: payout.bankAccountId }]);
  expect(payout.beneficiary.payouts.edges).toEqual([{ node: { id: settled } }]);
  expect(payout.attempts).toEqual([
    expect.objectContaining({ number: 1, status: 'submitted', currency: 'USD', failureCode: null }),
  ]);
  // The provider may report before its answer to the submission is recorded.
  const events: { readonly type: string; readonly deliveries: unknown[] }[] = payout.events;
  expect(events.map(({ type }) => type).toSorted()).toEqual([
    'payout.acknowledged',
    'payout.disbursed',
    'payout.disbursement_submitted',
    'payout.estimated_arrival_at',
    'payout.settled',
  ]);
  expect(events.find(({ type }) => type === 'payout.settled')?.deliveries).toEqual([
    { status: expect.stringMatching(/pending|delivered/), event: { type: 'payout.settled' } },
  ]);
});

test('a replacement and what it replaces name each other', async () => {
  const query =
    'query ($id: ID!) { payout(id: $id) { replaces { id state } replacedBy { id state } } }';
  expect((await ask(query, { id: failed })).payout).toEqual({
    replaces: null,
    replacedBy: { id: replacement, state: 'pending_approval' },
  });
  expect((await ask(query, { id: replacement })).payout).toEqual({
    replaces: { id: failed, state: 'failed' },
    replacedBy: null,
  });
});

test('the timeline tells everything in order, page by page', async () => {
  const query = `query ($id: ID!, $first: Int, $after: String) { payout(id: $id) {
    timeline(first: $first, after: $after) {
      edges { cursor node { at kind subject summary amountMinor currency author { type name member { id } } } } pageInfo { hasNextPage endCursor }
    } } }`;
  await eventually(async () => {
    const { payout } = await ask(query, { id: settled });
    return payout.timeline.edges.at(-1).node.kind === 'delivery_ended';
  });
  const { payout } = await ask(query, { id: settled });
  const whole = payout.timeline.edges.map(({ node }: { node: object }) => node);
  const kinds: string[] = whole.map(({ kind }: { kind: string }) => kind);
  expect(kinds.slice(0, 4)).toEqual(['decision', 'transition', 'ledger_entry', 'attempt_prepared']);
  // The provider may report before its answer to the submission is recorded, and it reports several times at once.
  const rest = Object.groupBy(kinds.slice(4), (kind) => kind);
  expect(Object.fromEntries(Object.entries(rest).map(([kind, of]) => [kind, of?.length]))).toEqual({
    attempt_submitted: 1,
    provider_event: 4,
    transition: 2,
    ledger_entry: 2,
    event: 5,
    delivery_attempt: 1,
    delivery_ended: 1,
  });
  expect(whole[1]).toMatchObject({ subject: '1', summary: 'new → approved' });
  expect(whole[1].author).toMatchObject({ type: 'member', member: { id: expect.any(String) } });
  expect(whole[2]).toMatchObject({
    summary: expect.stringMatching(/^hold, /),
    amountMinor: 125_000,
    currency: 'USD',
  });
  const told = whole.find(({ kind }: { kind: string }) => kind === 'provider_event');
  expect(told).toMatchObject({
    summary: expect.stringMatching(/, applied$/),
    author: { type: 'provider', name: 'simulator' },
    amountMinor: null,
  });
  expect(whole.at(-1)).toMatchObject({ summary: 'payout.settled, delivered' });

  const paged: object[] = [];
  let after: string | null = null;
  do {
    const page: {
      edges: { node: object }[];
      pageInfo: { hasNextPage: boolean; endCursor: string };
    } = (await ask(query, { id: settled, first: 3, after })).payout.timeline;
    paged.push(...page.edges.map(({ node }) => node));
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  expect(paged).toEqual(whole);
});

test('the links of many payouts cost as many statements as those of one', async () => {
  const query = `query ($first: Int) { payouts(first: $first) { edges { node {
    id beneficiary { id bankAccounts { id } payouts(first: 2) { edges { node { id } } } } bankAccount { id }
    replaces { id } replacedBy { id } attempts { id } events { id deliveries { id } }
    timeline(first: 2) { edges { node { kind } } }
  } } } }`;
  const { result, sent } = await harness.sql.during(() => ask(query, { first: 3 }));
  expect(result.payouts.edges).toHaveLength(3);
  // The worker of this process sends statements of its own.
  const read = sent.filter(({ name }) => /^prisma_|_of_(payouts|beneficiaries)$/.test(name ?? ''));
  const texts = read.map(({ text }) => text);
  expect(texts.filter((text, i) => texts.indexOf(text) !== i)).toEqual([]);
  expect(texts.length).toBeLessThanOrEqual(12);
});

test('nodes are found in the order of their ids, those of a kind in one statement', async () => {
  const ids = [failed, 'pay_x', settled, 'nonsense', settled, replacement];
  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';
  const { result, sent } = await harness.sql.during(() => ask(query, { ids }));
  const node = (id: string) => ({ __typename: 'Payout', id });
  expect(result.nodes).toEqual([
    node(failed),
    null,
    node(settled),
    null,
    node(settled),
    node(replacement),
  ]);
  expect(sent.filter(({ text }) => text.includes('payout'))).toHaveLength(1);
  const many = await harness.graphql(key, query, { ids: Array(101).fill(settled) });
  expect(many.body.errors[0].extensions).toMatchObject({ code: 'validation_failed' });
});

test('another tenant and another environment find nothing', async () => {
  const other = await makeTenant(harness);
  const query = `query ($id: ID!, $ids: [ID!]!) { payout(id: $id) { id } nodes(ids: $ids) { id } }`;
  expect(await ask(query, { id: settled, ids: [settled, failed] }, other.key)).toEqual({
    payout: null,
    nodes: [null, null],
  });
});

test.each([
  ['a count, however short the page', 'payouts(first: 1) { totalCount }'],
  ['a count of beneficiaries', 'beneficiaries(first: 1) { totalCount }'],
  [
    'a page that looks at a window',
    `payouts(first: 1, filter: { beneficiaryId: "ben", state: [failed] }) { edges { cursor } }`,
  ],
  [
    'a page that looks at a window in another order',
    `payouts(first: 1, filter: { externalRef: "r" }, orderBy: { field: updated_at }) { edges { cursor } }`,
  ],
])('%s is charged for', async (_what, field) => {
  const { body } = await harness.graphql(key, `{ ${field} }`);
  expect(body.errors).toBeUndefined();
  expect(body.extensions.cost.complexity).toBeGreaterThan(50);
});

test('a page of a hundred payouts with all fields is no attack, and its cost is told', async () => {
  const fields = `id state amountMinor currency purposeOfPayment externalRef idempotencyKey validatorStrategy
    environment metadata beneficiaryId beneficiaryName beneficiaryType bankAccountId replacesPayoutId provider
    providerPayoutId railRef via failureCode failureMessage estimatedArrivalAt createdAt updatedAt approvedAt
    disbursedAt settledAt permittedActions waitsFor distinctApprover
    transitions { seq fromState toState actor reason occurredAt }
    decisions { edges { node { id status reasons evaluatedBy submittedBy evaluatedAt submittedAt } } }`;
  const query = `query ($first: Int) { payouts(first: $first) { edges { node { ${fields} } } } }`;
  const { body } = await harness.graphql(key, query, { first: 100 });
  expect(body.errors).toBeUndefined();
  expect(body.extensions.cost.limit).toBe(15_000);
  expect(body.extensions.cost.complexity).toBe(12_869);

  const twice = query
    .replace('payouts(', 'a: payouts(')
    .replace(/\}$/, ` b: payouts(first: $first) { edges { node { ${fields} } } } }`);
  const refused = await harness.graphql(key, twice, { first: 100 });
  expect(refused.body.errors[0].message).toMatch(
    /^The operation costs \d+; the limit is 15000: ask for fewer rows or fields at a time\.$/,
  );
});

test('the approver is told what changed of the account before anybody clicks', async () => {
  const payee = await makePayee(harness, key);
  const id = await create(payee, { validator_strategy: 'manual' });
  const query = 'query ($id: ID!) { payout(id: $id) { accountChanges waitsFor permittedActions } }';
  const since = await ask('query ($id: ID!) { payout(id: $id) { createdAt waitsSince } }', { id });
  expect(since.payout.waitsSince).toBe(since.payout.createdAt);
  expect((await ask(query, { id })).payout).toEqual({
    accountChanges: [],
    waitsFor: 'decision',
    permittedActions: ['approve', 'reject', 'cancel'],
  });
  const account = `/v1/beneficiaries/${payee.beneficiaryId}/bank-accounts/${payee.bankAccountId}`;
  const details = {
    account_holder_name: 'Somebody Else',
    country: 'US',
    currency: 'USD',
    routing_code: '021000021',
  };
  const change = async (accountNumber: string) => {
    const body = { ...details, account_number: accountNumber };
    const answer = await harness.rest('PUT', account, { key, body });
    expect(answer.status, answer.text).toBe(200);
    return (await ask(query, { id })).payout;
  };
  // The number is the one of the creation, so that the name alone differs.
  expect(await change('000123456789')).toEqual({
    accountChanges: ['account_holder_name'],
    waitsFor: 'new_payout',
    permittedActions: ['reject', 'cancel'],
  });
  expect((await change('000999999999')).accountChanges).toEqual([
    'account_holder_name',
    'identifiers',
  ]);
  const approve = 'mutation ($id: ID!) { payoutApprove(payoutId: $id) { payout { id } } }';
  const refused = await harness.graphql(key, approve, { id });
  expect(refused.body.errors[0].extensions.code).toBe('BANK_ACCOUNT_CHANGED');
  const canceled =
    'mutation ($id: ID!) { payoutCancel(payoutId: $id) { accountChanges waitsFor waitsSince } }';
  expect((await ask(canceled, { id })).payoutCancel).toEqual({
    accountChanges: [],
    waitsFor: null,
    waitsSince: null,
  });
});

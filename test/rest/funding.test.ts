import { expect, test } from 'vitest';
import { roles } from '../../src/access/roles.ts';
import { newId } from '../../src/values/ids.ts';
import { makeTenant } from '../support/factory.ts';
import type { RestAnswer } from '../support/harness.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });

const accountPath = '/v1/funding/account';
const balancePath = '/v1/business/funding-account/sandbox-balance';
const read = (key: string): Promise<RestAnswer> => harness.rest('GET', accountPath, { key });
const set = (key: string, minor: unknown, currency: unknown = 'USD'): Promise<RestAnswer> =>
  harness.rest('POST', balancePath, { key, body: { available_balance_minor: minor, currency } });

const setMutation = `
  mutation ($input: SandboxBalanceInput!) {
    sandboxBalanceSet(input: $input) { id availableBalanceMinor currency }
  }`;

/** What the books say where nothing was booked but what came in. */
function booksOf(posted: number) {
  const sums = { posted_minor: posted, held_minor: 0, in_transit_minor: 0 };
  const none = { paid_minor: 0, fees_minor: 0, shortfall_minor: 0 };
  const usd = { ...sums, currency: 'USD', available_minor: posted, ...none };
  return { ...sums, mode: 'reported', balances: [usd] };
}

test('reads the account, and sets its balance', async () => {
  const { key } = await makeTenant(harness);
  const before = await read(key);
  expect(before.status).toBe(200);
  const account = before.body.funding_account;
  expect(account).toEqual({
    id: expect.stringMatching(/^fac_/),
    environment: 'sandbox',
    currency: 'USD',
    status: 'active',
    available_balance_minor: 100_000_000,
    ...booksOf(0),
    as_of: expect.any(String),
    created_at: expect.any(String),
  });
  for (const minor of [0, 999_999_999_999, 5]) {
    const answer = await set(key, minor);
    expect(answer.status).toBe(200);
    const { as_of, ...rest } = answer.body.funding_account;
    expect(rest).toEqual({
      id: account.id,
      environment: 'sandbox',
      currency: 'USD',
      status: 'active',
      available_balance_minor: minor,
      ...booksOf(minor),
      created_at: account.created_at,
    });
    expect(Date.parse(as_of)).toBeGreaterThanOrEqual(Date.parse(account.as_of));
    expect((await read(key)).body).toEqual(answer.body);
  }
});

test('GraphQL sets and reads the same balance', async () => {
  const { key } = await makeTenant(harness);
  const input = { availableBalanceMinor: 1_234, currency: 'USD' };
  const answer = await harness.graphql(key, setMutation, { input });
  const account = answer.body.data.sandboxBalanceSet;
  expect(account).toEqual({
    ...input,
    id: expect.stringMatching(/^fac_/),
    availableBalanceMinor: '1234',
  });
  const query = `query ($id: ID!) {
    fundingAccount { id environment status availableBalanceMinor }
    node(id: $id) { ... on FundingAccount { currency } }
  }`;
  const again = await harness.graphql(key, query, { id: account.id });
  expect(again.body.data).toEqual({
    fundingAccount: {
      id: account.id,
      environment: 'sandbox',
      status: 'active',
      availableBalanceMinor: '1234',
    },
    node: { currency: 'USD' },
  });
});

test('an account that is not there is 404, for reading and for setting', async () => {
  const { key } = await makeTenant(harness, { funded: false });
  for (const answer of [await read(key), await set(key, 1)]) {
    expect(answer.status).toBe(404);
    expect(answer.body.error.code).toBe('FUNDING_DEDICATED_ACCOUNT_NOT_PROVISIONED');
  }
  const graphql = await harness.graphql(key, '{ fundingAccount { id } }');
  expect(graphql.body.data).toEqual({ fundingAccount: null });
});

test('another currency than the account has is refused, and nothing changes', async () => {
  const { key } = await makeTenant(harness);
  const answer = await set(key, 1, 'EUR');
  expect(answer.status).toBe(422);
  expect(answer.body.error.code).toBe('FUNDING_CURRENCY_MISMATCH');
  expect((await read(key)).body.funding_account.available_balance_minor).toBe(100_000_000);
});

test.each([
  [-1, 'USD'],
  [1.5, 'USD'],
  [1_000_000_000_000, 'USD'],
  ['5', 'USD'],
  [5, 'usd'],
  [5, 'XXX'],
  [5, ''],
])('%j of %j is INVALID_MONEY', async (minor, currency) => {
  const { key } = await makeTenant(harness);
  const answer = await set(key, minor, currency);
  expect(answer.status).toBe(400);
  expect(answer.body.error.code).toBe('INVALID_MONEY');
  const input = { availableBalanceMinor: minor, currency };
  const graphql = await harness.graphql(key, setMutation, { input });
  expect(graphql.body.errors[0].extensions.code).toBe('INVALID_MONEY');
  expect((await read(key)).body.funding_account.available_balance_minor).toBe(100_000_000);
});

test('missing and unknown fields are named', async () => {
  const { key } = await makeTenant(harness);
  const answer = await harness.rest('POST', balancePath, { key, body: { amount: 1 } });
  expect(answer.status).toBe(400);
  const details = answer.body.error.details as { field: string; code: string }[];
  expect(details.map(({ field, code }) => `${field} ${code}`).toSorted()).toEqual([
    'amount unknown_field',
    'available_balance_minor required',
    'currency required',
  ]);
});

test('a production key reads its own account and may not set a balance', async () => {
  const { key } = await makeTenant(harness, { environment: 'production' });
  expect((await read(key)).body.funding_account.environment).toBe('production');
  // Whatever the amount: the endpoint is not there for this key.
  for (const minor of [1, -1]) {
    const answer = await set(key, minor);
    expect(answer.status).toBe(409);
    expect(answer.body.error.code).toBe('SANDBOX_ONLY');
  }
  expect((await read(key)).body.funding_account.available_balance_minor).toBe(100_000_000);
});

test.each(roles)('a key of role %s reads, and sets only if its role may', async (role) => {
  const tenant = await makeTenant(harness);
  const key = await tenant.keyWithRole(role);
  const maySet = ['owner', 'admin', 'developer'].includes(role);
  expect((await read(key)).status).toBe(200);
  const answer = await set(key, maySet ? 1 : 'not judged');
  expect(answer.status).toBe(maySet ? 200 : 403);
  if (!maySet) expect(answer.body.error).toMatchObject({ code: 'forbidden', actor: { role } });
  const input = { availableBalanceMinor: 1, currency: 'USD' };
  const graphql = await harness.graphql(key, setMutation, { input });
  expect(graphql.body.errors?.[0].extensions.code ?? null).toBe(maySet ? null : 'forbidden');
});

test('without a key nothing is read or set', async () => {
  expect((await harness.rest('GET', accountPath)).status).toBe(401);
  expect((await harness.rest('POST', balancePath, { body: {} })).status).toBe(401);
  const graphql = await harness.graphql(undefined, '{ fundingAccount { id } }');
  expect(graphql.body.errors[0].extensions.code).toBe('unauthorized');
});

test("another tenant's account is out of reach and answers like an unknown one", async () => {
  const [mine, other] = [await makeTenant(harness), await makeTenant(harness)];
  const foreignId: string = (await read(other.key)).body.funding_account.id;
  await set(mine.key, 1);
  expect((await read(other.key)).body.funding_account.available_balance_minor).toBe(100_000_000);
  const query = 'query ($id: ID!) { node(id: $id) { id } }';
  const foreign = await harness.graphql(mine.key, query, { id: foreignId });
  const unknown = await harness.graphql(mine.key, query, { id: newId('fundingAccount') });
  expect(foreign.text).toBe(unknown.text);
  expect(foreign.body.data).toEqual({ node: null });
});

test('racing balances end in one of them', async () => {
  const { key } = await makeTenant(harness);
  const minors = [1, 2, 3, 4, 5, 6];
  const answers = await Promise.all(minors.map((minor) => set(key, minor)));
  expect(answers.map(({ body }) => body.funding_account.available_balance_minor)).toEqual(minors);
  expect(minors).toContain((await read(key)).body.funding_account.available_balance_minor);
});

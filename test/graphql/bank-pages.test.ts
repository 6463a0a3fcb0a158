import { beforeEach, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { newId } from '../../src/values/ids.ts';
import { statement } from '../support/bank-answers.ts';
import { useBankInbox } from '../support/bank-inbox.ts';
import { makeTenant } from '../support/factory.ts';

/* What the pages of banks ask for beside what is stored: checks, a preview of routes, candidates, a month, past files. */

const world = useBankInbox();
let ada: string;
beforeEach(async () => {
  ada = (await issueOperatorKey(world.harness.database.pool, 'Ada')).key;
});

const tenantArgs = () => ({ businessId: world.tenant.businessId, environment: 'sandbox' });
const operatorTypes = '$businessId: ID!, $environment: Environment!';
const operatorGiven = 'businessId: $businessId, environment: $environment';

interface Asked {
  readonly member: string;
  readonly operator: string;
  /** Of the arguments beside the tenant: their types, and how they are given. */
  readonly types: string;
  readonly given: string;
  readonly fields: string;
}

/** Asks a query of a business, and its twin for operators, which has to answer the same. */
async function both({ member, operator, types, given, fields }: Asked, values: object) {
  const of = (parts: readonly string[]) => parts.filter((part) => part !== '').join(', ');
  const own = await world.harness.graphql(
    world.tenant.key,
    `query (${types}) { ${member}(${given}) { ${fields} } }`,
    { ...values },
  );
  const seen = await world.harness.graphql(
    ada,
    `query (${of([operatorTypes, types])}) { ${operator}(${of([operatorGiven, given])}) { ${fields} } }`,
    { ...tenantArgs(), ...values },
  );
  expect(own.body.errors).toBeUndefined();
  expect(seen.body.data[operator]).toEqual(own.body.data[member]);
  return own.body.data[member];
}

const checks: Asked = {
  member: 'bankConnectionChecks',
  operator: 'operatorBankConnectionChecks',
  types: '$connectionId: ID!',
  given: 'connectionId: $connectionId',
  fields: 'step outcome problems',
};

const preview: Asked = {
  member: 'payoutRoutesPreview',
  operator: 'operatorRoutesPreview',
  types: '$routes: [PayoutRouteInput!]!',
  given: 'routes: $routes',
  fields:
    'currency count amountMinor payoutId before { kind provider connectionId scheme } after { kind provider connectionId scheme problems }',
};

const month: Asked = {
  member: 'bankMonth',
  operator: 'operatorBankMonth',
  types: '$month: String!, $connectionId: ID',
  given: 'month: $month, connectionId: $connectionId',
  fields:
    'connectionId connection currency paidCount paidMinor returnedCount returnedMinor feesCount feesMinor fundingCount fundingMinor openCount openMinor missingCount missingMinor',
};

const refusalOf = async (asked: Asked, key: string, values: object) => {
  const { member, types, given, fields } = asked;
  const text = `query (${types}) { ${member}(${given}) { ${fields} } }`;
  const { body } = await world.harness.graphql(key, text, { ...values });
  return body.errors?.[0]?.extensions?.code as string | undefined;
};

const outcomes = async (connectionId: string) => {
  const found = (await both(checks, { connectionId })) as { step: string; outcome: string }[];
  return Object.fromEntries(found.map(({ step, outcome }) => [step, outcome]));
};

it('says of each step of a connection whether it works, by what the worker saw last', async () => {
  const fresh = await world.connect({ schemes: ['ach'], country: 'US' });
  expect(await outcomes(fresh)).toEqual({
    details: 'passed',
    credentials: 'not_needed',
    reach: 'waiting',
    route: 'waiting',
    make: 'waiting',
    send: 'waiting',
    read: 'waiting',
  });
  await world.sent(1);
  const { connection: connectionId } = world.bank;
  await world.sql(
    `INSERT INTO bank_fetch (tenant_id, connection_id, problem, problem_since)
     VALUES ('${world.tenant.tenantId}', '${connectionId}', 'The login is refused.', now())`,
  );
  expect(await outcomes(connectionId)).toMatchObject({
    reach: 'failed',
    route: 'passed',
    make: 'passed',
    send: 'waiting',
  });
  const found = (await both(checks, { connectionId })) as { step: string; problems: string[] }[];
  expect(found.find(({ step }) => step === 'reach')?.problems).toEqual(['The login is refused.']);
  const other = await makeTenant(world.harness);
  for (const id of [connectionId, newId('bankConnection'), 'nonsense']) {
    expect(await refusalOf(checks, other.key, { connectionId: id })).toBe('not_found');
  }
});

it('tells where the latest payouts would go by other routes, and changes nothing', async () => {
  const [sent] = await world.sent(1);
  const { connection } = world.bank;
  const routes = [{ provider: 'simulator', currency: 'USD' }];
  const [row, ...others] = (await both(preview, { routes })) as Record<string, unknown>[];
  expect(others).toEqual([]);
  expect(row).toEqual({
    currency: 'USD',
    count: 1,
    amountMinor: '125000',
    payoutId: sent?.payout,
    before: {
      kind: 'rail',
      provider: `bank:${connection}`,
      connectionId: connection,
      scheme: expect.any(String) as string,
    },
    after: { kind: 'rail', provider: 'simulator', connectionId: null, scheme: null, problems: [] },
  });
  const never = [{ connectionId: connection, currency: 'GBP' }];
  expect(await both(preview, { routes: never })).toEqual([
    expect.objectContaining({ after: expect.objectContaining({ kind: 'none' }) as object }),
  ]);
  const other = await makeTenant(world.harness);
  for (const connectionId of [connection, newId('bankConnection')]) {
    const refused = await refusalOf(preview, other.key, { routes: [{ connectionId }] });
    expect(refused).toBe('validation_failed');
  }
  expect(await both(preview, { routes: [{ connectionId: connection }] })).toEqual([
    expect.objectContaining({ before: row?.['before'] }),
  ]);
});

it('offers the payments of just the amount of a movement that matches nothing', async () => {
  const [sent, another] = await world.sent(2);
  const account = { account: '000123456789', currency: 'USD', day: '2026-11-24' };
  await world.take(
    statement({
      ...account,
      movements: [
        { direction: 'debit', amount: '1250.00', reference: 'UNNAMED' },
        { direction: 'debit', amount: '77.00', reference: 'RENT' },
      ],
    }),
  );
  const lines = async () => {
    const { body } = await world.harness.graphql(
      world.tenant.key,
      `{ bankReconciliationLines(filter: { match: unmatched }) { edges { node {
        id bankReference candidates { subjectId payoutId batchId amountMinor executionDate } } } } }`,
    );
    expect(body.errors).toBeUndefined();
    return body.data.bankReconciliationLines.edges.map(({ node }: { node: object }) => node) as {
      id: string;
      bankReference: string;
      candidates: { subjectId: string }[];
    }[];
  };
  const found = await lines();
  const unnamed = found.find(({ bankReference }) => bankReference === 'UNNAMED');
  const rent = found.find(({ bankReference }) => bankReference === 'RENT');
  expect(rent?.candidates).toEqual([]);
  expect(
    unnamed?.candidates
      .map(({ subjectId }) => subjectId)
      .toSorted((one, two) => (one < two ? -1 : 1)),
  ).toEqual(
    [sent?.payout ?? '', another?.payout ?? ''].toSorted((one, two) => (one < two ? -1 : 1)),
  );
  const seen = await world.harness.graphql(
    ada,
    `query (${operatorTypes}, $lineId: ID!) {
      operatorBankLineCandidates(${operatorGiven}, lineId: $lineId) { subjectId } }`,
    { ...tenantArgs(), lineId: unnamed?.id },
  );
  expect(seen.body.data.operatorBankLineCandidates).toEqual(
    unnamed?.candidates.map(({ subjectId }) => ({ subjectId })),
  );
  // A payment that a statement shows is offered no more.
  await world.take(
    statement({
      ...account,
      movements: [{ direction: 'debit', amount: '1250.00', payout: sent?.payout ?? '' }],
    }),
  );
  const after = (await lines()).find(({ id }) => id === unnamed?.id);
  expect(after?.candidates.map(({ subjectId }) => subjectId)).toEqual([another?.payout]);
});

it('adds up a month by connection and currency, with what is open', async () => {
  const [sent] = await world.sent(2);
  await world.take(
    statement({
      account: '000123456789',
      currency: 'USD',
      day: '2026-11-24',
      movements: [
        { direction: 'debit', amount: '1250.00', payout: sent?.payout ?? '' },
        { direction: 'debit', amount: '77.00', reference: 'RENT' },
      ],
    }),
  );
  const { connection: connectionId } = world.bank;
  await world.sql(
    `UPDATE bank_batch SET execution_date = '2026-11-05' WHERE connection_id = '${connectionId}'`,
  );
  const [row, ...others] = (await both(month, { month: '2026-11', connectionId })) as object[];
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    connectionId,
    currency: 'USD',
    paidCount: 1,
    paidMinor: '125000',
    returnedCount: 0,
    feesCount: 0,
    openCount: 1,
    openMinor: '-7700',
    missingCount: 1,
    missingMinor: '125000',
  });
  const [before] = (await both(month, { month: '2026-10', connectionId })) as object[];
  expect(before).toMatchObject({ paidCount: 0, openCount: 0, missingCount: 0 });
  expect(await refusalOf(month, world.tenant.key, { month: '2026-13' })).toBe('validation_failed');
  const other = await makeTenant(world.harness);
  const { body } = await world.harness.graphql(
    other.key,
    `{ bankMonth(month: "2026-11", connectionId: "${connectionId}") { connectionId } }`,
  );
  expect(body.data.bankMonth).toEqual([]);
});

it('lists every file of a connection for operators, to the bank and from it', async () => {
  const [sent] = await world.sent(1);
  const file = await world.take(
    statement({ account: '000123456789', currency: 'USD', day: '2026-11-24', movements: [] }),
  );
  const past = async (field: string, fields: string, values: object) => {
    const text = `query (${operatorTypes}, $connectionId: ID!) {
      ${field}(${operatorGiven}, connectionId: $connectionId) { edges { node { ${fields} } } } }`;
    const { body } = await world.harness.graphql(ada, text, { ...values });
    return (
      body.data?.[field]?.edges.map(({ node }: { node: object }) => node) ??
      body.errors[0].extensions.code
    );
  };
  const given = { ...tenantArgs(), connectionId: world.bank.connection };
  const batches = await past('operatorBankPastBatches', 'batchId status paymentCount', given);
  expect(batches).toEqual([{ batchId: sent?.batch, status: 'closed', paymentCount: 1 }]);
  const files = await past('operatorBankPastFiles', 'fileId status', given);
  expect(files).toEqual([{ fileId: file, status: 'read' }]);
  const elsewhere = { ...given, environment: 'production' };
  expect(await past('operatorBankPastBatches', 'batchId', elsewhere)).toEqual([]);
  expect(await past('operatorBankPastFiles', 'fileId', elsewhere)).toEqual([]);
  const nobody = { ...given, businessId: newId('business') };
  expect(await past('operatorBankPastFiles', 'fileId', nobody)).toBe('not_found');
});

import { beforeEach, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { statement } from '../support/bank-answers.ts';
import { useBankInbox } from '../support/bank-inbox.ts';
import { makeTenant } from '../support/factory.ts';

const world = useBankInbox();
let ada: string;
beforeEach(async () => {
  ada = (await issueOperatorKey(world.harness.database.pool, 'Ada')).key;
});

/** The rows of a list, of every business. */
async function list(field: string, fields: string, more = '') {
  const text = `{ ${field}${more} { edges { node { ${fields} businessId companyName environment } } } }`;
  const { body } = await world.harness.graphql(ada, text);
  expect(body.errors).toBeUndefined();
  return body.data[field].edges.map(({ node }: { node: object }) => node);
}

it('lists the movements that match nothing, with the payment that each names and whether a person can match it', async () => {
  const [sent] = await world.sent(1);
  const file = await world.take(
    statement({
      account: '000123456789',
      currency: 'USD',
      day: '2026-11-24',
      movements: [
        { direction: 'debit', amount: '77.00', reference: 'RENT' },
        { direction: 'debit', amount: '12.00', payout: sent?.payout ?? '' },
      ],
    }),
  );
  const fields = `lineId connectionId connection fileId direction amountMinor currency bookedOn doubt explanation
    matchable bankReference namedPayoutId sentMinor sentCurrency takenBy`;
  const rows = await list('operatorBankUnmatchedLines', fields);
  const place = {
    connectionId: world.bank.connection,
    connection: 'Hausbank',
    fileId: file,
    direction: 'debit',
    bookedOn: '2026-11-24',
    businessId: world.tenant.businessId,
    environment: 'sandbox',
  };
  expect(rows).toHaveLength(2);
  expect(rows).toContainEqual(
    expect.objectContaining({
      ...place,
      amountMinor: 7_700,
      doubt: 'not_ours',
      explanation: 'It names no payment of this connection, and is no fee.',
      matchable: true,
      bankReference: 'RENT',
      namedPayoutId: null,
      sentMinor: null,
    }),
  );
  expect(rows).toContainEqual(
    expect.objectContaining({
      ...place,
      amountMinor: 1_200,
      doubt: 'amount_differs',
      matchable: false,
      namedPayoutId: sent?.payout,
      sentMinor: 125_000,
      sentCurrency: 'USD',
    }),
  );
  const other = await makeTenant(world.harness);
  expect(
    await list('operatorBankUnmatchedLines', fields, `(businessId: "${other.businessId}")`),
  ).toEqual([]);
});

it('lists the payouts whose debit no statement has shown in time, and whether their outcome is open', async () => {
  const [sent] = await world.sent(1);
  const fields =
    'payoutId connection batchId attemptId amountMinor currency executionDate endToEndId traceNumber resolvable';
  expect(await list('operatorBankMissingDebits', fields)).toEqual([]);
  await world.sql(`UPDATE bank_batch SET execution_date = '2026-01-05'`);
  const [row, ...others] = await list('operatorBankMissingDebits', fields);
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    payoutId: sent?.payout,
    batchId: sent?.batch,
    attemptId: sent?.attempt,
    amountMinor: 125_000,
    currency: 'USD',
    executionDate: '2026-01-05',
    traceNumber: sent?.trace,
    resolvable: false,
    businessId: world.tenant.businessId,
  });
  await world.sql('UPDATE disbursement_attempt SET needs_operator = true');
  expect(await list('operatorBankMissingDebits', fields)).toMatchObject([{ resolvable: true }]);
  const other = await makeTenant(world.harness);
  expect(
    await list('operatorBankMissingDebits', fields, `(businessId: "${other.businessId}")`),
  ).toEqual([]);
});

it('lists the files that cannot be read, with why and where', async () => {
  const { fileId } = await world.store('<Document><cut');
  const fields = 'fileId connection name sizeBytes sha256 problem explanation problemPlace format';
  expect(await list('operatorBankUnreadableFiles', fields)).toEqual([]);
  await world.sql(
    `UPDATE bank_file SET status = 'unreadable', problem = 'not_well_formed', problem_place = 'line 1' WHERE id = $1`,
    [fileId],
  );
  expect(await list('operatorBankUnreadableFiles', fields)).toEqual([
    {
      fileId,
      connection: 'Hausbank',
      name: 'in.xml',
      sizeBytes: 14,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      problem: 'not_well_formed',
      explanation: 'The XML is cut off or not well formed.',
      problemPlace: 'line 1',
      format: null,
      businessId: world.tenant.businessId,
      companyName: 'Test Business',
      environment: 'sandbox',
    },
  ]);
  const other = await makeTenant(world.harness);
  expect(
    await list('operatorBankUnreadableFiles', fields, `(businessId: "${other.businessId}")`),
  ).toEqual([]);
});

it('shows operators the connections of every business, with what is wrong and what waits', async () => {
  await world.waiting();
  await world.sql(
    `INSERT INTO bank_fetch (tenant_id, connection_id, problem, problem_since)
     VALUES ($1, $2, 'The folder is missing.', now() - interval '1 hour')`,
    [world.tenant.tenantId, world.bank.connection],
  );
  const text = `{ operatorBankConnections { edges { node {
    connectionId name status transport accountCurrency accountLast4 hasCredentials fetchedAt fetchProblem
    fetchProblemSince closesAt waiting oldestWaiting fileProblem businessId environment
  } } } }`;
  const { body } = await world.harness.graphql(ada, text);
  const [edge, ...others] = body.data.operatorBankConnections.edges;
  expect(others).toEqual([]);
  expect(edge.node).toMatchObject({
    connectionId: world.bank.connection,
    status: 'active',
    transport: 'folder',
    accountLast4: '6789',
    hasCredentials: false,
    fetchProblem: 'The folder is missing.',
    waiting: 1,
    fileProblem: null,
    businessId: world.tenant.businessId,
    environment: 'sandbox',
  });
  expect(Date.parse(edge.node.closesAt)).toBeGreaterThan(Date.now());
  await world.sql(`UPDATE bank_connection SET status = 'closed'`);
  expect((await world.harness.graphql(ada, text)).body.data.operatorBankConnections.edges).toEqual(
    [],
  );
});

it('shows operators the payments of a batch a page at a time, with what became of each', async () => {
  const payouts = [await world.waiting(), await world.waiting(await world.anotherPayee())];
  await world.close();
  const [batch] = await world.batches();
  await world.sql(
    `UPDATE disbursement_attempt SET acknowledged_at = now() WHERE payout_id = $1`,
    payouts.slice(0, 1),
  );
  const page = async (batchId: string, after = '') => {
    const fields =
      'position payoutId endToEndId traceNumber amountMinor currency state acknowledgedAt debitedOn returnedOn failureCode';
    const text = `{ operatorBankPayments(batchId: "${batchId}", first: 1${after}) {
      edges { node { ${fields} } } pageInfo { endCursor hasNextPage } } }`;
    return (await world.harness.graphql(ada, text)).body.data.operatorBankPayments;
  };
  const first = await page(batch?.id ?? '');
  const second = await page(batch?.id ?? '', `, after: "${first.pageInfo.endCursor}"`);
  const rows = [...first.edges, ...second.edges].map(({ node }) => node);
  expect(rows.map(({ position }) => position)).toEqual([1, 2]);
  expect(rows.map(({ payoutId }) => payoutId)).toEqual(batch?.payouts);
  const told = rows.find(({ payoutId }) => payoutId === payouts[0]);
  expect(told).toMatchObject({
    amountMinor: 125_000,
    currency: 'USD',
    state: 'approved',
    acknowledgedAt: expect.any(String),
    debitedOn: null,
    returnedOn: null,
    failureCode: null,
  });
  expect(second.pageInfo.hasNextPage).toBe(false);
  expect(await page('bbt_0')).toMatchObject({ edges: [] });
});

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePayee } from '../support/factory.ts';
import { longTestMs } from '../support/patience.ts';
import { recordStatements, rowsLookedAt } from '../support/plans.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const total = 60_000;
/** A payout a minute. */
const start = Date.parse('2026-01-01T00:00:00Z');
const at = (minute: number): string => new Date(start + minute * 60_000).toISOString();

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
const recording = recordStatements((text) => /\bFROM payout p\b/.test(text));
let beneficiaryId: string;

/**
 * Most are settled. One in a thousand has failed, with the code of one in ten of these; as many wait for a
 * decision, and some are in a currency of their own. They have one payee and one reference.
 */
beforeAll(async () => {
  const payee = await makePayee(harness, tenant.key);
  const { bankAccountId } = payee;
  ({ beneficiaryId } = payee);
  const { pool } = harness.database;
  await pool.query(
    `
    SET session_replication_role = replica;
    INSERT INTO payout (tenant_id, id, beneficiary_id, beneficiary_name, beneficiary_type, bank_account_id, bank_account_version,
      amount_minor, amount, currency, purpose_of_payment, external_ref, idempotency_key, validator_strategy, state, transition_count,
      provider, failure_code, created_by, created_at, updated_at, approved_at, disbursed_at, settled_at)
    SELECT '${tenant.tenantId}', 'pay_' || lpad(n::text, 26, '0'), '${beneficiaryId}', concat('Payee ', lpad(n::text, 6, '0')), 'person', '${bankAccountId}', 1,
      n, n::text, CASE WHEN n % 2000 = 5 THEN 'EUR' ELSE 'USD' END, 'payroll', 'r', 'k', 'manual', s.state, 1,
      CASE WHEN s.state <> 'pending_approval' THEN 'simulator' END,
      CASE WHEN s.state = 'failed' THEN CASE WHEN n % 10000 = 1 THEN 'account_closed' ELSE 'other' END END, '{}', g.at, g.at,
      CASE WHEN s.state <> 'pending_approval' THEN g.at END, CASE WHEN s.state = 'settled' THEN g.at END, CASE WHEN s.state = 'settled' THEN g.at END
    FROM generate_series(1, ${total}) AS n
    CROSS JOIN LATERAL (SELECT CASE n % 1000 WHEN 1 THEN 'failed' WHEN 2 THEN 'pending_approval' ELSE 'settled' END AS state) s
    CROSS JOIN LATERAL (SELECT timestamptz '${at(0)}' + n * interval '1 minute' AS at) g;
    SET session_replication_role = origin`,
  );
  // The payee is older than the payouts.
  await pool.query('UPDATE beneficiary_transition SET occurred_at = $1', [at(0)]);
  await pool.query('VACUUM ANALYZE payout');
}, longTestMs);
afterAll(recording.stop);

interface Asked {
  readonly filter?: object;
  readonly orderBy?: object;
  readonly last?: number;
}

const query = `query ($first: Int, $last: Int, $after: String, $filter: PayoutFilter, $orderBy: PayoutOrder) {
  payouts(first: $first, last: $last, after: $after, filter: $filter, orderBy: $orderBy) {
    totalCount totalCountIsExact edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage endCursor }
  } }`;

async function list(asked: Asked & { after?: string }) {
  recording.sent.length = 0;
  const size = asked.last === undefined ? { first: 25 } : {};
  const { body } = await harness.graphql(tenant.key, query, { ...size, ...asked });
  expect(body.errors).toBeUndefined();
  const statements = [...recording.sent];
  const looked = [];
  for (const statement of statements) {
    const counts = text(statement.text);
    const rows = await rowsLookedAt(harness.database.pool, statement, !counts);
    looked.push({ counts, rows: Math.max(...rows) });
  }
  return { ...body.data.payouts, looked, statements: statements.length };
}

/** A page looks at few rows, a count at as many as it counts. */
const text = (statement: string): boolean => statement.includes('count(*)');

const choices = {
  state: ['failed'],
  failureCode: 'account_closed',
  currency: 'USD',
  provider: 'simulator',
};
const rare = 6;

test.each<[string, Asked, number]>([
  ['all', {}, 25],
  ['the last of all', { last: 25 }, 25],
  ['oldest first', { orderBy: { field: 'created_at', direction: 'asc' } }, 25],
  ['a rare state', { filter: { state: ['pending_approval'] } }, 25],
  ['the last of a rare state', { filter: { state: ['pending_approval'] }, last: 25 }, 25],
  ['two states', { filter: { state: ['failed', 'settled'] } }, 25],
  ['a state that none has', { filter: { state: ['returned'] } }, 0],
  ['a rare code', { filter: { failureCode: 'account_closed' } }, rare],
  ['a code that none has', { filter: { failureCode: 'name_mismatch' } }, 0],
  ['a provider', { filter: { provider: 'simulator' } }, 25],
  ['a provider that none has', { filter: { provider: 'another' } }, 0],
  ['a rare currency', { filter: { currency: 'EUR' } }, 25],
  ['every choice', { filter: choices }, rare],
  ['a window', { filter: { createdSince: at(10_000), createdBefore: at(10_010) } }, 10],
  [
    'a window of a rare state',
    { filter: { state: ['failed'], createdSince: at(0), createdBefore: at(5_000) } },
    5,
  ],
  ['a window with nothing', { filter: { createdBefore: at(0) } }, 0],
  ...(['created_at', 'updated_at', 'payee_name'] as const).flatMap(
    (field): [string, Asked, number][] => [
      [`all by ${field}`, { orderBy: { field, direction: 'asc' } }, 25],
      [
        `every choice by ${field}`,
        { filter: choices, orderBy: { field, direction: 'desc' } },
        rare,
      ],
    ],
  ),
  ...(['approved', 'disbursed', 'settled'] as const).flatMap((step): [string, Asked, number][] => [
    [`all by ${step}`, { orderBy: { field: `${step}_at`, direction: 'desc' } }, 25],
    [
      `${step} within`,
      { filter: { [`${step}Since`]: at(20_003), [`${step}Before`]: at(20_013) } },
      10,
    ],
    [
      `${step} within, of a rare currency`,
      { filter: { currency: 'EUR', [`${step}Since`]: at(0), [`${step}Before`]: at(6_000) } },
      3,
    ],
    [`${step} before all`, { filter: { [`${step}Before`]: at(0) } }, 0],
  ]),
  [
    'the largest',
    { filter: { currency: 'USD' }, orderBy: { field: 'amount', direction: 'desc' } },
    25,
  ],
  ['amounts', { filter: { currency: 'USD', amountMinorFrom: 100, amountMinorTo: 110 } }, 11],
  [
    'amounts of a rare state',
    { filter: { currency: 'USD', state: ['failed'], amountMinorFrom: 5_000 } },
    25,
  ],
  ['amounts that none has', { filter: { currency: 'USD', amountMinorFrom: 900_000 } }, 0],
  ['a name', { filter: { payeeName: 'pAYEE 00001' } }, 10],
  ['a name of a rare state', { filter: { payeeName: 'payee', state: ['failed'] } }, 25],
  ['a name that none has', { filter: { payeeName: 'Zoe' } }, 0],
  ['long waits', { filter: { waitingMinutes: 60 } }, 25],
  ['long waits in a rare currency', { filter: { waitingMinutes: 60, currency: 'EUR' } }, 0],
  ['changes', { filter: { updatedSince: at(50_000) } }, 25],
  ['changes to a rare state', { filter: { updatedSince: at(0), state: ['failed'] } }, 25],
  ['changes to a state that none has', { filter: { updatedSince: at(0), state: ['canceled'] } }, 0],
  ['a key', { filter: { idempotencyKey: 'another' } }, 0],
  ['a payee', { filter: { beneficiaryId: 'ben_0' } }, 0],
])('%s: a page looks at few payouts', async (_name, asked, expected) => {
  const { edges, looked, statements, totalCount, totalCountIsExact } = await list(asked);
  expect(edges).toHaveLength(expected);
  if (expected < 25)
    expect({ totalCount, totalCountIsExact }).toEqual({
      totalCount: expected,
      totalCountIsExact: true,
    });
  // The page, and the count.
  expect(statements).toBe(2);
  for (const { counts, rows } of looked) expect(rows).toBeLessThan(counts ? 10_100 : 400);
});

test('a list of more than ten thousand is counted to ten thousand', async () => {
  const { totalCount, totalCountIsExact } = await list({ filter: { state: ['settled'] } });
  expect({ totalCount, totalCountIsExact }).toEqual({
    totalCount: 10_000,
    totalCountIsExact: false,
  });
});

test('conditions that no index answers together look at a window', async () => {
  const { idempotencyKey, externalRef } = { idempotencyKey: 'k', externalRef: 'r' };
  for (const filter of [
    { beneficiaryId, state: ['failed'] },
    { beneficiaryId, externalRef, idempotencyKey },
    { externalRef, state: ['canceled'] },
    { externalRef, updatedSince: at(0), state: ['canceled'] },
    { externalRef: 'none', updatedSince: at(0) },
  ]) {
    const { looked } = await list({ filter });
    for (const { rows } of looked) expect(rows).toBeLessThan(10_100);
  }
});

test('a payee’s payouts of a rare state are all found, page by page', async () => {
  const filter = { beneficiaryId, state: ['failed'] };
  const found: string[] = [];
  let after: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const { edges, pageInfo } = await list({ filter, ...(after === undefined ? {} : { after }) });
    found.push(...edges.map(({ node }: { node: { id: string } }) => node.id));
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor as string;
    expect(pages).toBeLessThan(20);
  }
  expect(found).toHaveLength(total / 1_000);
  expect(found).toEqual(found.toSorted().toReversed());
});

test('a deep page looks at as few as the first', async () => {
  const filter = { currency: 'USD', state: ['settled'] };
  const orderBy = { field: 'amount', direction: 'asc' };
  let after: string | undefined;
  for (let page = 1; page <= 12; page += 1) {
    const { pageInfo, looked } = await list({
      filter,
      orderBy,
      ...(after === undefined ? {} : { after }),
    });
    for (const { counts, rows } of looked) expect(rows).toBeLessThan(counts ? 10_100 : 400);
    expect(pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: page > 1 });
    after = pageInfo.endCursor as string;
  }
});

const documentsFile = new URL('../../generated/console/documents.json', import.meta.url);

test.each([
  // Each of the 25 payouts is compared with two hundred of its payee.
  ['ApprovalQueue', 25 * 200],
  ['PayoutList', 25],
])('what the console sends for %s looks at few payouts', async (name, most) => {
  const documents: Record<string, string> = JSON.parse(await readFile(documentsFile, 'utf8'));
  const document = Object.values(documents).find((sent) => sent.includes(`query ${name}(`));
  const all = recordStatements((sent) => /\b(?:FROM|JOIN) payout\b/.test(sent));
  const { body } = await harness.graphql(tenant.key, document ?? '', { first: 25 });
  all.stop();
  expect(body.errors).toBeUndefined();
  expect(body.data.payouts.edges).toHaveLength(25);
  // None is sent for each payout.
  expect(all.sent.length).toBeLessThan(8);
  for (const statement of all.sent) {
    const counts = text(statement.text);
    const rows = await rowsLookedAt(harness.database.pool, statement, !counts);
    expect(Math.max(...rows), statement.text).toBeLessThan(counts ? 10_100 : most + 100);
  }
});

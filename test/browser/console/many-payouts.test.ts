import type { PoolClient } from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idBoundary } from '../../../src/values/ids.ts';
import { makePayee } from '../../support/factory.ts';
import { longTestMs } from '../../support/patience.ts';
import { recordStatements, rowsLookedAt, type SentWithValues } from '../../support/plans.ts';
import { startConsoleWorld, type ConsoleWorld } from './world.ts';

const total = 100_000;
const dayMs = 86_400_000;
/** The payouts are spread over two years. */
const stepMs = (730 * dayMs) / total;
/** Those of the last thirty days, which the overview counts. */
const recent = Math.ceil((31 * dayMs) / stepMs);
/** Every twentieth payout waits for a decision, and every two thousandth in euros. */
const waiting = total / 20;

let world: ConsoleWorld;
/** Of the payouts, the first one made first. */
let ids: readonly string[];

const readsPayouts = (text: string): boolean =>
  /^\s*(?:SELECT|WITH)\b/.test(text) && /\bFROM\s+(?:"public"\.)?"?payout"?\b/.test(text);
const recording = recordStatements(readsPayouts);

/** Makes the payouts: all to one payee, with names, references and amounts of their own. The last one is a moment old. */
async function makePayouts(client: PoolClient): Promise<void> {
  const { tenant, harness } = world;
  const { beneficiaryId, bankAccountId } = await makePayee(harness, tenant.key);
  const end = Date.now() - 60_000;
  const times = Array.from({ length: total }, (_, n) => end - Math.round((total - n) * stepMs));
  ids = times.map((at) => idBoundary('payout', at));
  // A payout refers to its transitions, which no page of this test shows.
  await client.query('BEGIN; SET LOCAL session_replication_role = replica');
  await client.query(
    `WITH made AS (
       SELECT g.id, g.n, to_timestamp(g.ms / 1000.0) AS at,
         CASE WHEN g.n % 20 = 0 THEN 'pending_approval' WHEN g.n % 1000 = 1 THEN 'failed' ELSE 'settled' END AS state
       FROM unnest($4::text[], $5::bigint[]) WITH ORDINALITY AS g(id, ms, n)
     )
     INSERT INTO payout (tenant_id, id, beneficiary_id, beneficiary_name, beneficiary_type, bank_account_id, bank_account_version,
       amount_minor, amount, currency, purpose_of_payment, external_ref, idempotency_key, validator_strategy, state, transition_count,
       provider, failure_code, created_by, created_at, updated_at, approved_at, disbursed_at, settled_at)
     SELECT $1, m.id, $2, concat('Payee ', lpad(m.n::text, 6, '0')), 'person', $3, 1,
       m.n, m.n::text, CASE WHEN m.n % 2000 = 0 THEN 'EUR' ELSE 'USD' END, 'payroll', concat('INV ', m.n), m.id, 'manual', m.state, 1,
       CASE WHEN m.state = 'pending_approval' THEN NULL ELSE 'simulator' END,
       CASE WHEN m.state = 'failed' THEN 'account_closed' END, '{}', m.at, m.at,
       CASE WHEN m.state = 'pending_approval' THEN NULL ELSE m.at END,
       CASE WHEN m.state = 'settled' THEN m.at END, CASE WHEN m.state = 'settled' THEN m.at END
     FROM made m`,
    [tenant.tenantId, beneficiaryId, bankAccountId, ids, times],
  );
  await client.query('COMMIT');
  // The payee and its account are older than the payouts.
  await client.query('UPDATE beneficiary_transition SET occurred_at = $1', [new Date(0)]);
  await client.query('VACUUM ANALYZE payout');
}

beforeAll(async () => {
  world = await startConsoleWorld();
  const client = await world.harness.database.pool.connect();
  try {
    await makePayouts(client);
  } finally {
    client.release();
  }
}, longTestMs);
afterAll(async () => {
  recording.stop();
  await world.close();
});

/** A page that reads no payout, from which the others are gone to. */
const elsewhere = '/sessions';
const rows = (page: Page) => page.locator('tbody tr[data-row]');
const firstRow = (page: Page, n: number) =>
  page
    .locator(`tbody tr[data-row="${ids[n - 1] ?? ''}"]`)
    .first()
    .waitFor();

/** A count looks at as many payouts as it counts: to ten thousand, where the list says that there are more. */
const counts = ({ text }: SentWithValues): boolean => text.includes('count(*)');
const mostCounted = 10_100;
/** A page has 25 rows; a list may look at some groups of states and currencies for each. */
const mostOfPage = 1_000;

/**
 * What `walk` makes the service read: statements that do not grow with the rows of the page, each of which
 * looks at few payouts, planned for its values and for any.
 */
async function expectBounded(walk: () => Promise<unknown>, most = mostOfPage): Promise<void> {
  recording.sent.length = 0;
  await walk();
  const sent = [...recording.sent];
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.length).toBeLessThan(25);
  for (const statement of new Map(sent.map((one) => [one.text, one])).values()) {
    const isCount = counts(statement);
    const looked = await rowsLookedAt(world.harness.database.pool, statement, !isCount);
    const limit = isCount ? Math.max(mostCounted, most) : most;
    expect(Math.max(...looked), statement.text).toBeLessThan(limit);
  }
}

test(
  'the list of 100,000 payouts reads a page at a time: first, next, filtered and last',
  async () => {
    const { page, complaints, close } = await world.open(elsewhere);
    await expectBounded(async () => {
      await page.goto('/console/payouts');
      await firstRow(page, total);
      await page.getByText(/of 10,000/).waitFor();
    });
    expect(await rows(page).count()).toBe(25);
    await expectBounded(async () => {
      await page.getByRole('button', { name: 'Next' }).click();
      await firstRow(page, total - 25);
    });

    const filtered = '?state=["pending_approval"]&currency=EUR';
    await expectBounded(async () => {
      await page.goto(`/console/payouts${filtered}`);
      await firstRow(page, total);
      await page.getByText('25 of 50', { exact: false }).waitFor();
    });
    await expectBounded(async () => {
      await page.getByRole('button', { name: 'Next' }).click();
      await firstRow(page, total / 2);
    });
    expect(await rows(page).count()).toBe(25);
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    expect(complaints).toEqual([]);
    await close();
  },
  longTestMs,
);

test('the last page of 100,000 payouts costs what the first one does', async () => {
  const { body } = await world.harness.graphql(
    world.tenant.key,
    '{ payouts(last: 26, filter: {}) { edges { cursor } } }',
  );
  const { page, complaints, close } = await world.open(elsewhere);
  await expectBounded(async () => {
    await page.goto(`/console/payouts?after=${String(body.data.payouts.edges[0].cursor)}`);
    await firstRow(page, 25);
  });
  expect(await rows(page).count()).toBe(25);
  expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  expect(complaints).toEqual([]);
  await close();
});

const one = 4_321;

test.each([
  ['a code', 'failureCode=account_closed'],
  ['a time', `settledSince=${new Date(Date.now() - 3 * dayMs).toISOString()}`],
  ['an amount', 'currency=USD&amountMinorFrom=5001&amountMinorTo=5019'],
  ['a name', 'payeeName=Payee%200043'],
  ['a reference', `externalRef=INV%20${one}`],
  ['a long wait', 'waitingMinutes=1440'],
])('narrowed by %s, the list looks at few payouts', async (_what, search) => {
  const { page, complaints, close } = await world.open(elsewhere);
  await expectBounded(async () => {
    await page.goto(`/console/payouts?${search}`);
    await rows(page).first().waitFor();
  });
  expect(complaints).toEqual([]);
  await close();
});

test.each([
  ['its id', () => ids[one - 1] ?? ''],
  ['its reference', () => `INV ${one}`],
  ['the payee', () => `Payee 00${one}`],
  ['its amount', () => '43.21 USD'],
])('one of 100,000 payouts is found by %s', async (_what, text) => {
  const { page, complaints, close } = await world.open(elsewhere);
  await expectBounded(async () => {
    await page.goto(`/console/payouts?find=${encodeURIComponent(text())}`);
    await firstRow(page, one);
  });
  expect(complaints).toEqual([]);
  await close();
});

test('a queue of 5,000 approvals shows the longest waits, with all that stands around them', async () => {
  const { page, complaints, close } = await world.open(elsewhere);
  // Each row looks for similar payouts among the hundred before and after it.
  await expectBounded(
    async () => {
      await page.goto('/console/approvals');
      await firstRow(page, 20);
      await page.getByText('in the last 30 days').first().waitFor();
    },
    25 * 200 + mostOfPage,
  );
  expect(await rows(page).count()).toBe(25);
  await page.getByText(waiting.toLocaleString('en-GB')).first().waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('the overview reads what its range and the queue hold, and no more', async () => {
  const { page, complaints, close } = await world.open(elsewhere);
  await expectBounded(
    async () => {
      await page.goto('/console/');
      await page.getByRole('heading', { name: 'Available funds' }).waitFor();
    },
    Math.max(recent, waiting) + mostOfPage,
  );
  const table = page.getByRole('table', { name: 'Payouts awaiting approval, by age' });
  await table.getByRole('link', { name: '4,', exact: false }).first().waitFor();
  expect(complaints).toEqual([]);
  await close();
});

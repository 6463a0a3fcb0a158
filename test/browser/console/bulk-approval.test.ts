import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../../support/factory.ts';
import { longTestMs } from '../../support/patience.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld } from './world.ts';

/* Deciding on many payouts at once: how much it is, and what is wrong with which of them, said once. */

let world: ConsoleWorld;
let tenant: TestTenant;
let preparer: string;
let payee: TestPayee;

beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(() => world.close());

beforeEach(async () => {
  tenant = await makeTenant(world.harness);
  preparer = await tenant.keyWithRole('preparer');
  payee = await makePayee(world.harness, preparer);
});

async function create(key: string, more: Record<string, unknown>, to = payee): Promise<void> {
  const body = payoutBody(to, more);
  const answer = await world.harness.rest('POST', '/v1/payouts', { key, body });
  expect(answer.status, answer.text).toBe(201);
}

/** The same payee with an account in euros. */
async function inEuros(): Promise<TestPayee> {
  const path = `/v1/beneficiaries/${payee.beneficiaryId}/bank-accounts`;
  const body = {
    account_holder_name: 'Ada Lovelace',
    country: 'DE',
    currency: 'EUR',
    iban: 'DE89370400440532013000',
  };
  const {
    status,
    text,
    body: made,
  } = await world.harness.rest('POST', path, { key: preparer, body });
  expect(status, text).toBe(201);
  return { ...payee, bankAccountId: made.bank_account.id };
}

const fourEyes = () =>
  world.harness.database.pool.query('UPDATE business SET distinct_approver = true WHERE id = $1', [
    tenant.businessId,
  ]);

/** A list by its changes shows what is a moment old. */
async function settled(payouts: number): Promise<void> {
  const query = `{ payouts(filter: { state: [pending_approval] }, orderBy: { field: updated_at, direction: asc }) { totalCount } }`;
  await eventually(async () => {
    const { body } = await world.harness.graphql(tenant.key, query);
    return body.data.payouts.totalCount === payouts;
  });
}

const selectAll = (page: Page) =>
  page.getByRole('checkbox', { name: 'Select all on this page' }).check();
const bar = (page: Page) => page.getByRole('region', { name: 'Decision' });

test('the sum by currency stands by the selection and in the dialog', async () => {
  const euros = await inEuros();
  await create(preparer, { amount_minor: 100_000 });
  await create(preparer, { amount_minor: 50_050 });
  await create(preparer, { amount_minor: 9_900, currency: 'EUR' }, euros);
  await settled(3);
  const { page, complaints, close } = await world.open('/approvals', { as: tenant.key });
  await selectAll(page);
  const sums = ['1,500.50 USD in 2 payouts', '99.00 EUR in 1 payout'];
  for (const sum of sums) await bar(page).getByText(sum).waitFor();
  await bar(page)
    .getByRole('button', { name: /^Approve/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Approve 3 payouts?' });
  for (const sum of sums) await dialog.getByText(sum).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('where none can be approved no dialog opens, and one sentence says why for all', async () => {
  await fourEyes();
  for (let n = 1; n <= 25; n += 1) await create(tenant.key, { amount_minor: n * 100 });
  await settled(25);
  const { page, complaints, close } = await world.open('/approvals', { as: tenant.key });
  await selectAll(page);
  await bar(page).getByText('You cannot approve any of them.').waitFor();
  await bar(page)
    .getByRole('button', { name: /^Approve/ })
    .click();
  const told = bar(page).getByRole('alert');
  await told.getByText('You cannot approve any of these 25 payouts:').waitFor();
  await told.getByText('You created them, so someone else has to approve them').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect((await told.innerText()).match(/four eyes/g)).toHaveLength(1);
  await told.getByText('Show which').click();
  expect(await told.getByRole('listitem').count()).toBe(25);
  // Rejecting them is another matter.
  await bar(page)
    .getByRole('button', { name: /^Reject/ })
    .click();
  await page.getByRole('dialog', { name: 'Reject 25 payouts?' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('what is refused is said once for all of its kind', async () => {
  for (let n = 1; n <= 3; n += 1) await create(preparer, { amount_minor: n * 100 });
  await settled(3);
  const { page, complaints, close } = await world.open('/approvals', { as: tenant.key });
  await selectAll(page);
  await bar(page)
    .getByRole('button', { name: /^Approve/ })
    .click();
  await page.getByRole('dialog').waitFor();
  await world.harness.graphql(
    tenant.key,
    `mutation { payoutBulkReject(payoutIds: ${JSON.stringify(await waiting())}, reasons: [{ message: "no" }]) { payoutId } }`,
  );
  await page.getByRole('dialog').getByRole('button', { name: 'Approve 3' }).click();
  await page.getByText(/^3 payouts: .*A payout that is rejected cannot be approved\.$/).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a dialog whose payouts are gone says so, keeps the reason and offers nothing', async () => {
  await create(preparer, { amount_minor: 700 });
  await settled(1);
  const { page, complaints, close } = await world.open('/approvals', { as: tenant.key });
  await selectAll(page);
  await bar(page)
    .getByRole('button', { name: /^Reject/ })
    .click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Not ours.');
  const [id] = await waiting();
  await world.harness.rest('POST', `/v1/payouts/${id ?? ''}/approve`, {
    key: tenant.key,
    body: {},
  });
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  const dialog = page.getByRole('dialog', { name: 'Nothing left to decide' });
  await dialog.getByText('decided on or changed in the meantime').waitFor();
  expect(await dialog.getByLabel('Reason').inputValue()).toBe('Not ours.');
  expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['Close']);
  expect(complaints).toEqual([]);
  await close();
});

/** Ids of the payouts that wait for a decision. */
async function waiting(): Promise<string[]> {
  const query =
    '{ payouts(first: 50, filter: { state: [pending_approval] }) { edges { node { id } } } }';
  const { body } = await world.harness.graphql(tenant.key, query);
  return body.data.payouts.edges.map(({ node }: { node: { id: string } }) => node.id);
}

test(
  'a bulk approval is accessible in every look',
  async () => {
    const euros = await inEuros();
    await fourEyes();
    for (let n = 0; n < 8; n += 1) await create(tenant.key, { amount_minor: 1_200 + n });
    for (let n = 0; n < 2; n += 1) await create(preparer, { amount_minor: 250_000 });
    await create(preparer, { amount_minor: 9_900, currency: 'EUR' }, euros);
    await settled(11);
    const ready = async (page: Page) => {
      await selectAll(page);
      await bar(page).getByText('You can approve 3 of them.').waitFor();
    };
    const asked = async (page: Page) => {
      await ready(page);
      await bar(page)
        .getByRole('button', { name: /^Approve/ })
        .click();
      await page.getByRole('dialog', { name: 'Approve 3 payouts?' }).waitFor();
    };
    const look = (name: string, how: (page: Page) => Promise<void>) =>
      lookAt(world, name, '/approvals', how, { as: tenant.key });
    const faults = [...(await look('bulk-selected', ready)), ...(await look('bulk-asked', asked))];
    expect(faults).toEqual([]);
  },
  longTestMs,
);

test(
  'what is selected stays so on another page, and is decided on as it stands',
  async () => {
    for (let n = 1; n <= 27; n += 1) await create(preparer, { amount_minor: 10_000 + n });
    await settled(27);
    const { page, complaints, close } = await world.open('/approvals', { as: tenant.key });
    await selectAll(page);
    await bar(page).getByText('25 payouts selected').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('25 more selected on other pages').waitFor();
    await page.getByRole('checkbox', { name: 'Select the payout to Ada Lovelace' }).first().check();
    await bar(page).getByText('26 payouts selected').waitFor();
    // The first of them is decided on by somebody else.
    const { pool } = world.harness.database;
    const { rows } = await pool.query<{ id: string }>(
      'SELECT id FROM payout WHERE tenant_id = $1 AND amount_minor = 10001',
      [tenant.tenantId],
    );
    const path = `/v1/payouts/${rows[0]?.id ?? ''}/reject`;
    const rejected = await world.harness.rest('POST', path, {
      key: tenant.key,
      body: { reasons: [{ message: 'Twice' }] },
    });
    expect(rejected.status, rejected.text).toBe(200);
    await bar(page).getByText('25 payouts selected').waitFor();
    await bar(page).getByRole('button', { name: 'Approve' }).click();
    const dialog = page.getByRole('dialog', { name: 'Approve 25 payouts?' });
    await dialog.getByRole('button', { name: 'Approve 25' }).click();
    await page.getByText('1 payout awaiting').waitFor();
    expect(await page.getByText('selected on other pages').count()).toBe(0);
    const left = await pool.query(
      `SELECT count(*)::integer AS n FROM payout WHERE tenant_id = $1 AND state = 'pending_approval'`,
      [tenant.tenantId],
    );
    expect(left.rows).toEqual([{ n: 1 }]);
    expect(complaints).toEqual([]);
    await close();
  },
  longTestMs,
);

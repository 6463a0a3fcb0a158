import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
} from '../../support/factory.ts';
import { longTestMs } from '../../support/patience.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld } from './world.ts';

let world: ConsoleWorld;
let payee: TestPayee;
let invoice: string;
let canceled: string;

beforeAll(async () => {
  world = await startConsoleWorld();
  payee = await makePayee(world.harness, world.tenant.key);
  invoice = await create({ external_ref: 'INV 2026/117', amount_minor: 123_450 });
  canceled = await create({ external_ref: 'INV 2026/118', amount_minor: 99 });
  await rest('POST', `/v1/payouts/${canceled}/cancel`);
});
afterAll(() => world.close());

async function rest(method: string, path: string, body: unknown = {}) {
  const answer = await world.harness.rest(method, path, { key: world.tenant.key, body });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
}

async function create(more: Record<string, unknown> = {}, to = payee): Promise<string> {
  return (await rest('POST', '/v1/payouts', payoutBody(to, more))).payout.id;
}

const rows = (page: Page) => page.locator('tbody tr[data-row]');
const idsOn = (page: Page) =>
  rows(page).evaluateAll((found) => found.map((row) => row.getAttribute('data-row')));

/** Waits until the list shows these payouts and no others. */
const shows = (page: Page, ids: readonly string[]) =>
  eventually(async () => JSON.stringify(await idsOn(page)) === JSON.stringify(ids));

test.each([
  ['its id', () => invoice, 'By id'],
  ['its reference', () => 'INV 2026/117', 'By reference'],
  ['its amount', () => '1,234.50 USD', 'By amount'],
  ['the payee', () => 'ada love', 'By payee name'],
])('a payout is found by %s', async (_what, text, heading) => {
  const { page, complaints, close } = await world.open('/payouts');
  await page.getByLabel('Find a payout').fill(text());
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: heading }).waitFor();
  await page.locator(`[data-row="${invoice}"]`).first().waitFor();
  // What is looked for is in the address: it can be passed on.
  expect(new URL(page.url()).searchParams.get('find')).toContain(text());
  await page.reload();
  await page.getByRole('heading', { name: heading }).waitFor();
  await page.locator(`[data-row="${invoice}"] a`).first().click();
  await page.getByRole('heading', { name: 'Payout to Ada Lovelace' }).waitFor();
  expect(page.url()).toContain(invoice);
  expect(complaints).toEqual([]);
  await close();
});

test('filters are kept in the address, and the way back leads to them', async () => {
  const { page, complaints, close } = await world.open('/payouts');
  await shows(page, [canceled, invoice]);
  const bar = page.getByRole('region', { name: 'Filters' });
  await bar.getByRole('button', { name: 'Status' }).click();
  await page.getByLabel('Canceled', { exact: true }).check();
  await page.keyboard.press('Escape');
  await bar.getByRole('button', { name: 'Currency' }).click();
  await page.getByLabel('Currency').selectOption('USD');
  await shows(page, [canceled]);
  expect(decodeURIComponent(new URL(page.url()).search)).toBe('?state=["canceled"]&currency=USD');

  await bar.getByRole('button', { name: 'Amount' }).click();
  await page.getByLabel('From').fill('1,000');
  await page.keyboard.press('Enter');
  await page.getByText('No matching payouts').waitFor();
  await bar.getByText('Amount 1,000.00 –').waitFor();
  await page.goBack();
  await shows(page, [canceled]);
  await page.reload();
  await shows(page, [canceled]);
  await bar.getByRole('button', { name: 'Status Canceled' }).waitFor();
  await page.locator(`[data-row="${canceled}"] a`).click();
  await page.getByRole('heading', { name: 'Payout to Ada Lovelace' }).waitFor();
  await page.goBack();
  await shows(page, [canceled]);
  await bar.getByRole('button', { name: 'Remove the filter: Status' }).click();
  await shows(page, [canceled, invoice]);
  expect(new URL(page.url()).search).toBe('?currency=USD');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await shows(page, [canceled, invoice]);
  expect(complaints).toEqual([]);
  await close();
});

test('the reader chooses the columns, and finds them so again', async () => {
  const { page, complaints, close } = await world.open('/payouts');
  await rows(page).first().waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByLabel('Account', { exact: true }).check();
  await page.getByLabel('Reference', { exact: true }).uncheck();
  await page.keyboard.press('Escape');
  for (let turn = 0; turn < 2; turn += 1) {
    await page.getByRole('columnheader', { name: 'Account' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Reference' }).count()).toBe(0);
    await page.getByText('****6789').first().waitFor();
    await page.reload();
  }
  expect(complaints).toEqual([]);
  await close();
});

test('a payout’s page tells all that happened, and permits what its state permits', async () => {
  const id = await create({ amount_minor: 4_321 });
  const { page, complaints, close } = await world.open(`/payouts/${id}`);
  await page.getByText('Awaiting approval').first().waitFor();
  await page.getByText('New → Awaiting approval').waitFor();
  await page.getByText('****6789').waitFor();
  await page.getByRole('button', { name: 'Cancel payout' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this payout?' });
  await dialog.getByRole('button', { name: 'Cancel payout' }).click();
  await page.getByText('Awaiting approval → Canceled').waitFor();
  await page.getByText('Canceled.').first().waitFor();
  expect(await page.getByRole('button', { name: /Approve|Reject|Cancel payout/ }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('on a phone what a payout is comes before its actions, and both are in sight', async () => {
  const id = await create({ amount_minor: 4_321 });
  const phone = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true };
  const { page, complaints, close } = await world.open(`/payouts/${id}`, phone);
  const bar = page.getByRole('region', { name: 'Actions' });
  await bar.getByText('43.21 USD').waitFor();
  const inSight = { y: expect.toSatisfy((y: number) => y > 0 && y < phone.viewport.height - 24) };
  const cancel = bar.getByRole('button', { name: 'Cancel payout' });
  expect(await cancel.boundingBox()).toMatchObject(inSight);
  expect(await page.getByText('****6789').boundingBox()).toMatchObject(inSight);
  await bar.getByRole('button', { name: 'Simulate' }).click();
  const hold = page.getByRole('button', { name: 'compliance hold' });
  expect(await hold.boundingBox()).toMatchObject(inSight);
  expect(complaints).toEqual([]);
  await close();
});

test('an approved payout shows its reason and its entry in the books', async () => {
  const id = await create({ amount_minor: 55_500 });
  const { page, complaints, close } = await world.open(`/payouts/${id}`);
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve this payout?' });
  await dialog.getByLabel('Reason (optional)').fill('Checked with the invoice.');
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('Approved.').first().waitFor();
  await page.getByText('Checked with the invoice.').first().waitFor();
  await page.locator('tr', { hasText: /Ledger.*Held.*555\.00 USD/ }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a payout leads to its payee, who leads to their payouts and to another one', async () => {
  const id = await create();
  const { page, complaints, close } = await world.open(`/payouts/${id}`);
  await page.getByRole('link', { name: 'Ada Lovelace' }).click();
  await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
  await page.getByRole('link', { name: id }).click();
  await page.getByRole('heading', { level: 1, name: 'Payout to Ada Lovelace' }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'New payout' }).click();
  await page.getByRole('heading', { level: 1, name: 'New payout' }).waitFor();
  expect(await page.getByLabel('Payee').inputValue()).toBe(payee.beneficiaryId);
  expect(complaints).toEqual([]);
  await close();
});

test('in the sandbox a payout is simulated: held, and released', async () => {
  const id = await create();
  const { page, complaints, close } = await world.open(`/payouts/${id}`);
  await page.getByRole('button', { name: 'Simulate' }).click();
  await page.getByRole('button', { name: 'compliance hold' }).click();
  await page.getByText('Compliance hold').first().waitFor();
  // The menu is closed by the choice, so that it can be opened for the next one.
  expect(await page.locator(':popover-open').count()).toBe(0);
  await page.getByRole('button', { name: 'Simulate' }).click();
  await page.getByRole('button', { name: 'release the hold' }).click();
  await page.getByText('Compliance hold → Awaiting approval').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a payout that failed is replaced, with a live dry run, and the two are one chain', async () => {
  const id = await create({ amount_minor: 7_700 });
  await world.harness.database.pool.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE payout SET state = 'failed', failure_code = 'account_closed' WHERE id = '${id}'; COMMIT`,
  );
  const { page, complaints, close } = await world.open(`/payouts/${id}`);
  await page.getByRole('link', { name: 'Replace', exact: true }).click();
  await page.getByText('Ask the payee for another account.').waitFor();
  expect(await page.getByLabel('Amount').inputValue()).toBe('77.00');
  await page.getByRole('button', { name: 'Create payout' }).click();
  await page.getByRole('heading', { name: 'Replacements' }).waitFor();
  await page.getByText('(this one)').waitFor();
  await page.locator('.chain a').click();
  await page.waitForURL(new RegExp(id));
  await page.getByRole('heading', { name: 'Replacements' }).waitFor();
  expect(await page.getByRole('link', { name: 'Replace', exact: true }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('a payout is made by hand; what is wrong is said before, and a second click makes no second one', async () => {
  const to = await makePayee(world.harness, world.tenant.key);
  const { page, complaints, close } = await world.open('/payouts/new');
  await page.getByLabel('Payee').fill('lovel');
  await page
    .locator('datalist option', { hasText: 'Ada Lovelace' })
    .first()
    .waitFor({ state: 'attached' });
  await page.getByLabel('Payee').fill('nobody of this name');
  await eventually(async () => (await page.locator('datalist option').count()) === 0);
  await page.getByLabel('Payee').fill('ben_00000000000000000000000000');
  await page.getByText('No payee has this address or id.').waitFor();
  await page.getByLabel('Payee').fill(to.beneficiaryId);
  await page.locator('.hint', { hasText: 'Ada Lovelace' }).waitFor();
  await page.getByLabel('Purpose').selectOption('contractor_payment');
  await page.getByLabel('Amount').fill('12.345');
  await page.getByText('Not a valid amount in this currency.').waitFor();
  await page.getByLabel('Amount').fill('99,999,999,999.00');
  await page.getByText('The amount is not valid.').waitFor();
  await page.getByLabel('Amount').fill('12.34');
  await page.getByText('Ready to be created.').waitFor();
  await page.getByRole('button', { name: 'Create payout' }).dblclick();
  await page.getByRole('heading', { name: 'Payout to Ada Lovelace' }).waitFor();
  const { rows: made } = await world.harness.database.pool.query(
    'SELECT amount_minor FROM payout WHERE beneficiary_id = $1',
    [to.beneficiaryId],
  );
  expect(made).toEqual([{ amount_minor: '1234' }]);
  expect(complaints).toEqual([]);
  await close();
});

test("another business's payout is not there, by its address or by a search", async () => {
  const other = await makeTenant(world.harness);
  for (const key of [other.key, await other.keyWithRole('viewer')]) {
    const { page, complaints, close } = await world.open(`/payouts/${invoice}`, { as: key });
    await page.getByText('Payout not found').waitFor();
    await page.goto(`/console/payouts?find=${invoice}`);
    await page.getByText('No results for').waitFor();
    await page.goto(`/console/payouts?externalRef=INV%202026/117`);
    await page.getByText('No matching payouts').waitFor();
    expect(complaints).toEqual([]);
    await close();
  }
});

test('who may only read is offered nothing else', async () => {
  const viewer = await world.tenant.keyWithRole('viewer');
  const { page, complaints, close } = await world.open('/payouts', { as: viewer });
  await rows(page).first().waitFor();
  expect(await page.getByRole('link', { name: 'New payout' }).count()).toBe(0);
  await page.goto(`/console/payouts/${invoice}`);
  await page.getByText('Your role cannot decide on payouts.').waitFor();
  expect(
    await page.locator('main button', { hasText: /Approve|Reject|Cancel|Simulate/ }).count(),
  ).toBe(0);
  await page.goto('/console/payouts/new');
  await page.getByText('Your role cannot create payouts.').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test(
  'the pages of payouts are accessible in every look',
  async () => {
    const id = await create({
      amount_minor: 8_800,
      external_ref: 'INV 2026/119',
      metadata: { batch: '7' },
    });
    await rest('POST', `/v1/payouts/${id}/approve`, { reasons: [{ message: 'As ordered.' }] });
    const faults = [
      ...(await lookAt(world, 'payouts', '/payouts', (page) => rows(page).first().waitFor())),
      ...(await lookAt(world, 'payouts-found', '/payouts?find=INV%202026/117', (page) =>
        rows(page).first().waitFor(),
      )),
      ...(await lookAt(world, 'payouts-nothing', '/payouts?find=nobody', (page) =>
        page.getByText('No results for').waitFor(),
      )),
      ...(await lookAt(world, 'payout', `/payouts/${id}`, (page) =>
        page.getByRole('heading', { name: 'Timeline' }).waitFor(),
      )),
      ...(await lookAt(world, 'payout-missing', '/payouts/pay_x', (page) =>
        page.getByText('Payout not found').waitFor(),
      )),
      ...(await lookAt(world, 'payout-new', '/payouts/new', async (page) => {
        await page.getByLabel('Payee').fill(payee.beneficiaryId);
        await page.getByLabel('Purpose').selectOption('rent');
        await page.getByLabel('Amount').fill('12.34');
        await page.getByText('Ready to be created.').waitFor();
      })),
    ];
    expect(faults).toEqual([]);
  },
  longTestMs,
);

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, makePayee, payoutBody, type TestPayee } from '../../support/factory.ts';
import { keepPicture } from '../world.ts';
import { startConsoleWorld, type ConsoleWorld } from './world.ts';

/* A refresh that fails takes nothing from a reader: neither what was read nor what was chosen and typed. */

let world: ConsoleWorld;
let payee: TestPayee;
let payoutId: string;

beforeAll(async () => {
  world = await startConsoleWorld();
  payee = await makePayee(world.harness, world.tenant.key);
  payoutId = await create();
  await create({ amount_minor: 4_200 });
});
afterAll(() => world.close());

async function create(more: Record<string, unknown> = {}): Promise<string> {
  const { key } = world.tenant;
  const body = payoutBody(payee, more);
  const answer = await world.harness.rest('POST', '/v1/payouts', { key, body });
  return answer.body.payout.id;
}

/** Asks the page's lists anew, as a window does that is seen again, and waits for that many answers. */
async function refresh(page: Page): Promise<void> {
  const asked = page.waitForEvent('request', (request) => request.url().endsWith('/graphql'));
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await asked;
}

/** The line of the page; an open dialog has one of its own. */
const line = (page: Page) =>
  page.locator('.page > .stale').getByText('Not up to date. Last updated');

const ways = {
  'the service is away': (page: Page) =>
    page.route('**/graphql', (route) => route.fulfill({ status: 503, body: '' })),
  'the network is gone': (page: Page) => page.route('**/graphql', (route) => route.abort()),
};

test.each(Object.entries(ways))(
  'selected rows, the open dialog and the typed reason stay while %s',
  async (_what, fail) => {
    const { page, close } = await world.open('/approvals');
    await page.locator(`[data-row="${payoutId}"]`).waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: /^Reject/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Reject 2 payouts?' });
    await dialog.getByLabel('Reason').fill('The invoice is not ours.');
    await fail(page);
    await refresh(page);
    await line(page).waitFor({ state: 'attached' });
    expect(await dialog.isVisible()).toBe(true);
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('The invoice is not ours.');
    expect(await page.locator('tbody tr[data-row]').count()).toBe(2);
    await page.keyboard.press('Escape');
    await page.getByText('2 payouts selected').waitFor();
    // The line says since when.
    expect(await page.locator('.stale time').getAttribute('datetime')).toMatch(/^\d{4}-.*Z$/);
    await keepPicture(page, 'stale-approvals');

    await page.unroute('**/graphql');
    await refresh(page);
    await line(page).waitFor({ state: 'detached' });
    await page.getByText('2 payouts selected').waitFor();
    await close();
  },
);

const pages: [string, () => string, (page: Page) => Promise<unknown>][] = [
  ['payouts', () => '/payouts', (page) => page.locator(`[data-row="${payoutId}"]`).waitFor()],
  ['payees', () => '/payees', (page) => page.getByText('Ada Lovelace').first().waitFor()],
  [
    'a payee',
    () => `/payees/${payee.beneficiaryId}`,
    (page) => page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor(),
  ],
  [
    'a payout',
    () => `/payouts/${payoutId}`,
    (page) => page.getByRole('heading', { name: 'Payout to Ada Lovelace' }).waitFor(),
  ],
  ['webhooks', () => '/webhooks', (page) => page.getByText('Deliveries').first().waitFor()],
  ['members', () => '/members', (page) => page.getByText('Recent access changes').waitFor()],
  ['keys', () => '/keys', (page) => page.locator('tbody tr').first().waitFor()],
  ['overview', () => '/', (page) => page.getByText('Available funds').waitFor()],
];

test.each(pages)('the page of %s keeps what it has', async (_name, path, shown) => {
  const { page, close } = await world.open(path());
  await shown(page);
  await eventually(async () => (await page.locator('.loading').count()) === 0);
  const before = await page.locator('main').innerText();
  await page.route('**/graphql', (route) => route.fulfill({ status: 503, body: '' }));
  await refresh(page);
  await line(page).first().waitFor();
  const text = await page.locator('main').innerText();
  const told = await page.locator('.stale').innerText();
  expect(text.replace(told, '').replaceAll(/\s+/g, ' ')).toBe(before.replaceAll(/\s+/g, ' '));
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await close();
});

test('a browser whose language is no language tag shows the overview', async () => {
  const { page, complaints, close } = await world.open('/sign-in');
  await page.addInitScript(
    `Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true })`,
  );
  await page.goto('/console/');
  await page.getByText('Available funds').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

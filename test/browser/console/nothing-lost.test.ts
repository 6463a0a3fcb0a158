import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../../support/factory.ts';
import { longTestMs } from '../../support/patience.ts';
import { holderOf, linkToken } from '../../support/sessions.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld } from './world.ts';

/* Nothing that somebody typed is lost: while the service is away, when the session ends, and on the way to a page that does not load. */

let world: ConsoleWorld;
let tenant: TestTenant;
let payee: TestPayee;
beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  tenant = await makeTenant(world.harness);
  payee = await makePayee(world.harness, tenant.key);
});

const reason = 'The invoice is not ours.';
const refresh = (page: Page) =>
  page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Reject 2 payouts?' });
const away = (page: Page) =>
  page.route('**/graphql', (route) => route.fulfill({ status: 503, body: '' }));

/** The queue with two payouts, both selected, and a reason typed into the dialog. */
async function typing(page: Page): Promise<void> {
  await page.locator('tbody tr').nth(1).waitFor();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: /^Reject/ }).click();
  await dialogOf(page).getByLabel('Reason').fill(reason);
}

async function openTyping() {
  for (const amount_minor of [4_200, 5_100]) {
    const body = payoutBody(payee, { amount_minor });
    await world.harness.rest('POST', '/v1/payouts', { key: tenant.key, body });
  }
  const opened = await world.open('/approvals', { as: tenant.key });
  await typing(opened.page);
  return opened;
}

async function rejectAtLast(page: Page): Promise<void> {
  expect(await dialogOf(page).getByLabel('Reason').inputValue()).toBe(reason);
  await dialogOf(page).getByRole('button', { name: 'Reject 2' }).click();
  await page.getByText('2 payouts rejected.').first().waitFor();
}

test('a decision is taken up again where it was when the service comes back', async () => {
  const { page, close } = await openTyping();
  await away(page);
  await refresh(page);
  await dialogOf(page).getByText('Not up to date. Last updated').waitFor();
  await dialogOf(page).getByRole('button', { name: 'Reject 2' }).click();
  await dialogOf(page)
    .getByRole('alert')
    .getByText('The service is temporarily unavailable')
    .waitFor();
  await page.unroute('**/graphql');
  await page.evaluate(`window.dispatchEvent(new Event('online'))`);
  await dialogOf(page).getByText('Not up to date. Last updated').waitFor({ state: 'detached' });
  await rejectAtLast(page);
  await close();
});

const ended = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });

/** Opens the link of a mail in another tab, and signs in with it. */
async function signInElsewhere(page: Page, key: string): Promise<Page> {
  const { userId } = await holderOf(world.harness, key);
  const token = await linkToken(world.harness, { userId });
  const tab = await page.context().newPage();
  await tab.goto(`/console/sign-in#${token}`);
  await tab.getByRole('button', { name: 'Sign in now' }).click();
  await tab.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  return tab;
}

test('an ended session is taken up again from another tab', async () => {
  const { page, complaints, close } = await openTyping();
  await page.context().clearCookies();
  await refresh(page);
  await ended(page).waitFor();
  // It cannot be closed by a key, nor be gone on from without a session.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await ended(page).getByRole('button', { name: 'Continue' }).click();
  await ended(page).getByText('Nobody has signed in yet.').waitFor();
  const tab = await signInElsewhere(page, tenant.key);
  await ended(page).waitFor({ state: 'detached' });
  await rejectAtLast(page);

  // Who signs out leaves nothing behind in the other tabs.
  await tab.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('nobody else goes on with what somebody typed', async () => {
  const { page, complaints, close } = await openTyping();
  await page.context().clearCookies();
  await refresh(page);
  await ended(page).waitFor();
  await signInElsewhere(page, await tenant.keyWithRole('approver'));
  await ended(page).getByText('is now signed in. This page belongs to').waitFor();
  await ended(page).getByRole('button', { name: 'Continue' }).click();
  await ended(page).getByText('nobody else can continue it').waitFor();
  expect(await ended(page).isVisible()).toBe(true);
  await ended(page).getByRole('button', { name: 'Discard and leave' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a form stays where it is while another page cannot be loaded', async () => {
  const { page, close } = await world.open('/payouts/new', { as: tenant.key });
  await page.getByLabel('Your reference').fill('INV 7');
  await page.route('**/console/assets/**', (route) => route.abort());
  const leave = page.getByRole('link', { name: 'Payees' });
  await leave.click();
  await page.getByText('That page could not be loaded').first().waitFor();
  expect(await page.getByLabel('Your reference').inputValue()).toBe('INV 7');
  expect(new URL(page.url()).pathname).toBe('/console/payouts/new');
  await page.unroute('**/console/assets/**');
  const other = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Open in a new tab' }).click();
  await (await other).getByRole('heading', { level: 1, name: 'Payees' }).waitFor();
  expect(await page.getByLabel('Your reference').inputValue()).toBe('INV 7');
  await page.getByRole('link', { name: 'Open it here' }).click();
  await page.getByRole('heading', { level: 1, name: 'Payees' }).waitFor();
  expect(await page.getByText('That page could not be loaded').count()).toBe(0);
  await close();
});

test('a form that is checked while the service is away says so, and is checked when it is back', async () => {
  const { page, close } = await world.open('/payouts/new', { as: tenant.key });
  await page.getByLabel('Amount').fill('50.00');
  await page.getByLabel('Purpose').selectOption('contractor_payment');
  await away(page);
  await page.getByLabel('Payee').fill(payee.beneficiaryId);
  await page.getByRole('alert').getByText('The service is temporarily unavailable').waitFor();
  expect(await page.getByText('No payee has this').count()).toBe(0);
  await page.unroute('**/graphql');
  await page.getByText('Ready to be created.').waitFor();
  expect(await page.getByLabel('Amount').inputValue()).toBe('50.00');
  await close();
});

test(
  'what is said meanwhile is accessible in every look',
  async () => {
    await (await openTyping()).close();
    const look = (name: string, path: string, ready: (page: Page) => Promise<unknown>) =>
      lookAt(world, name, path, ready, { as: tenant.key, spoils: true });
    const old = async (page: Page) => {
      await typing(page);
      await away(page);
      await refresh(page);
      await dialogOf(page).getByText('Not up to date. Last updated').waitFor();
    };
    const over = async (page: Page) => {
      await page.locator('tbody tr').nth(1).waitFor();
      await page.context().clearCookies();
      await refresh(page);
      await ended(page).waitFor();
    };
    const unloaded = async (page: Page) => {
      await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      await page.route('**/console/assets/**', (route) => route.fulfill({ status: 404 }));
      await page.getByRole('link', { name: 'Open the payout' }).click();
      await page.getByText('That page could not be loaded').first().waitFor();
    };
    const faults = [
      ...(await look('stale-dialog', '/approvals', old)),
      ...(await look('session-ended', '/approvals', over)),
      ...(await look('not-loaded', '/approvals', unloaded)),
    ];
    expect(faults).toEqual([]);
  },
  longTestMs,
);

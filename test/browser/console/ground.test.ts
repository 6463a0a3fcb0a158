import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePayee, makeTenant, payoutBody } from '../../support/factory.ts';
import { giveProductionKey } from '../../support/production-key.ts';
import { holderOf, linkToken } from '../../support/sessions.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(() => world.close());

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('a member signs in with a mailed link and comes to the page that they asked for', async () => {
  const { page, complaints, close } = await world.open('/?days=7', { as: null });
  await heading(page, 'Sign in').waitFor();
  await page.getByRole('button', { name: 'E-mail me a link' }).click();
  await page.getByText('Enter the e-mail address you were invited with.').waitFor();
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await page.getByRole('button', { name: 'E-mail me a link' }).click();
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
  const { userId } = await holderOf(world.harness, world.tenant.key);
  await page.goto(`${page.url()}#${await linkToken(world.harness, { userId })}`);
  await page.getByRole('button', { name: 'Sign in now' }).click();
  await heading(page, 'Overview').waitFor();
  expect(page.url()).toBe(`${world.origin}/console/?days=7`);
  expect(complaints).toEqual([]);
  await close();
});

test('a link that was used says so, and offers another', async () => {
  const { page, close } = await world.open('/sign-in#used', { as: null });
  await page.getByText('This link is no longer valid.').waitFor();
  expect(await page.getByLabel('E-mail address').isVisible()).toBe(true);
  await close();
});

test('the environment is said above every page and changed by a click', async () => {
  const tenant = await makeTenant(world.harness);
  await world.harness.database.pool.query(
    `UPDATE business SET profile_status = 'accepted' WHERE id = $1`,
    [tenant.businessId],
  );
  const key = await giveProductionKey(world.harness, tenant);
  const { page, complaints, close } = await world.open('/', { as: key });
  const banner = page.getByRole('region', { name: 'Production' });
  await banner.getByText('Real money.').waitFor();
  await page.getByRole('button', { name: 'Switch to sandbox' }).click();
  await page.getByRole('region', { name: 'Sandbox' }).waitFor();
  await page.getByText('You now work in Sandbox.').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Switch to production' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
  const ready = (shown: Page) => heading(shown, 'Overview').waitFor();
  const faults = await lookAt(world, 'production', '/', ready, { as: key });
  expect(faults).toEqual([]);
});

test('who signs out has to sign in again, in every tab', async () => {
  const { page, close } = await world.open('/');
  await heading(page, 'Overview').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await heading(page, 'Sign in').waitFor();
  await page.goto('/console/');
  await heading(page, 'Sign in').waitFor();
  await close();
});

test('everything of the frame is reached with the keyboard alone', async () => {
  const { key } = await makeTenant(world.harness);
  const body = payoutBody(await makePayee(world.harness, key), { validator_strategy: 'auto' });
  await world.harness.rest('POST', '/v1/payouts', { key, body });
  const { page, complaints, close } = await world.open('/', { as: key });
  await page.getByRole('heading', { name: 'Available funds' }).waitFor();
  const focused = () => page.evaluate('document.activeElement.textContent.trim()');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Give your name');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('7 days');
  await page.keyboard.press('Enter');
  await page.waitForURL(/days=7/);
  expect(await focused()).toBe('7 days');
  // Back over the two ways to answer for the name, and over signing out.
  for (let back = 0; back < 4; back += 1) await page.keyboard.press('Shift+Tab');
  expect(await focused()).toBe('Exact times');
  await page.keyboard.press('Enter');
  const time = page.locator('time').first();
  expect(await time.textContent()).toMatch(/\d{2}:\d{2}:\d{2}\.\d{3}/);
  expect(complaints).toEqual([]);
  await close();
});

test('the sign-in page and a page that does not exist are accessible in every look', async () => {
  const signIn = (page: Page) => heading(page, 'Sign in').waitFor();
  const faults = [
    ...(await lookAt(world, 'sign-in', '/sign-in', signIn, { as: null })),
    ...(await lookAt(world, 'not-found', '/nothing/here', (page) =>
      heading(page, 'Page not found').waitFor(),
    )),
  ];
  expect(faults).toEqual([]);
});

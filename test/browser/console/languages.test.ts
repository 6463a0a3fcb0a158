import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { languageCodes } from '../../../src/reference/languages.ts';
import { makePayee, makeTenant, payoutBody } from '../../support/factory.ts';
import { holderOf, sessionLike } from '../../support/sessions.ts';
import { accessibilityFaults, startConsoleWorld, type ConsoleWorld } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(() => world.close());

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name }).waitFor();
const languageOf = (page: Page) => page.evaluate<string>('document.documentElement.lang');

async function makePayout(key: string): Promise<void> {
  const body = payoutBody(await makePayee(world.harness, key), {});
  const { status, text } = await world.harness.rest('POST', '/v1/payouts', { key, body });
  expect(status, text).toBe(201);
}

async function chosenBy(key: string): Promise<string | null> {
  const { userId } = await holderOf(world.harness, key);
  const { rows } = await world.harness.database.pool.query(
    'SELECT language FROM app_user WHERE id = $1',
    [userId],
  );
  return rows[0].language;
}

test('a page begins in the language of the browser; the one that its reader chooses follows them', async () => {
  const { key } = await makeTenant(world.harness);
  await makePayout(key);
  const { page, complaints, close } = await world.open('/sessions', { as: key, locale: 'fr-CA' });
  await heading(page, 'Votre compte');
  expect(await languageOf(page)).toBe('fr');
  expect(await chosenBy(key)).toBeNull();
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await heading(page, 'Ihr Konto');
  expect([await languageOf(page), await chosenBy(key)]).toEqual(['de', 'de']);
  expect(complaints).toEqual([]);
  await close();

  const other = await world.open('/payouts', { as: key });
  await heading(other.page, 'Auszahlungen');
  await other.page.getByText('1.250,00').first().waitFor();
  await other.page.getByRole('link', { name: 'Neue Auszahlung' }).click();
  await heading(other.page, 'Neue Auszahlung');
  expect(await languageOf(other.page)).toBe('de');
  expect(other.complaints).toEqual([]);
  await other.close();
});

test('what somebody chooses before they sign in is kept with them', async () => {
  const { key } = await makeTenant(world.harness);
  const { page, complaints, close } = await world.open('/sign-in', { as: null, locale: 'es-MX' });
  await heading(page, 'Iniciar sesión');
  await page.getByRole('button', { name: 'Português' }).click();
  await heading(page, 'Entrar');
  const value = (await sessionLike(world.harness, key)).slice('session '.length);
  const url = world.origin.replace('http:', 'https:');
  const cookie = { name: '__Host-payouts_session', value, url, secure: true, httpOnly: true };
  await page.context().addCookies([cookie]);
  await page.goto('/console/payees');
  await heading(page, 'Favorecidos');
  await expect.poll(() => chosenBy(key)).toBe('pt');
  expect(complaints).toEqual([]);
  await close();
});

/** Pages with tables, forms and many actions. */
const paths = ['/', '/approvals', '/payouts', '/payees', '/money', '/webhooks', '/settings'];

/** Texts that are seen and do not fit into their button or the head of their column, and what no text says. */
const faults = `[
  ...[...document.querySelectorAll('button, .button, th, nav a')]
    .filter((element) => element.offsetParent !== null && (element.closest('thead') ?? element).getBoundingClientRect().width > 1 &&
      element.scrollWidth > element.clientWidth + 1)
    .map((element) => 'overflows: ' + element.textContent),
  ...(document.body.innerText.match(/.*(?:undefined|\\{\\w+\\}).*/g) ?? []),
  ...(document.documentElement.scrollWidth > 375 ? ['scrolls sideways'] : []),
]`;

/** The other walks look at the English pages. */
const translations = languageCodes.filter((code) => code !== 'en');

test.each(translations)('in %s every text is there and fits on a phone', async (code) => {
  const { key } = await makeTenant(world.harness);
  await makePayout(key);
  const look = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true };
  const options = { as: key, locale: code, bypassCSP: true, ...look };
  const { page, complaints, close } = await world.open('/sessions', options);
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(`/console${path}`, { waitUntil: 'networkidle' });
    await page.locator('h1').waitFor();
    expect(await languageOf(page)).toBe(code);
    const wrong = await page.evaluate<string[]>(faults);
    found.push(...wrong.map((fault) => `${path}: ${fault}`));
  }
  expect(found).toEqual([]);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

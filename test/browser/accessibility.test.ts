import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endRequest, makePayeeLink } from '../support/payee-link.ts';
import { answers, pdfFile, taxDocument } from './answers.ts';
import {
  accessibilityFaults,
  chooseCountry,
  fill,
  keepPicture,
  startBrowserWorld,
  submit,
  submitUnchecked,
  type BrowserWorld,
} from './world.ts';

let world: BrowserWorld;
beforeAll(async () => {
  world = await startBrowserWorld();
});
afterAll(() => world.close());

/** `countries` are those whose questions are looked at: each kind once, and in the dark the richest. */
const looks = [
  {
    name: 'phone-light',
    colorScheme: 'light',
    viewport: { width: 360, height: 740 },
    countries: ['US', 'DE', 'GB', 'MX', 'BR', 'IN'],
  },
  {
    name: 'desktop-dark',
    colorScheme: 'dark',
    viewport: { width: 1280, height: 900 },
    countries: ['GB', 'IN'],
  },
] as const;

/** Checks a page with axe and for sideways scrolling, and keeps its picture. */
async function examine(page: Page, name: string): Promise<void> {
  expect(await accessibilityFaults(page), name).toEqual([]);
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(overflow, name).toBeLessThanOrEqual(0);
  await keepPicture(page, name);
}

test.each(looks)('every page of a full onboarding is accessible: $name', async (look) => {
  const { name, colorScheme, viewport } = look;
  const link = await makePayeeLink(world.harness, world.tenant);
  const options = { colorScheme, viewport, bypassCSP: true };
  const { page, complaints, close } = await world.open(link.path, options);
  await examine(page, `start-${name}`);
  await page.getByRole('link', { name: 'Begin' }).click();
  await page.locator('.privacy summary').click();
  await examine(page, `about-${name}`);
  await page.goto(`${link.path}/about`);
  await submitUnchecked(page);
  await examine(page, `about-faults-${name}`);
  await fill(page, { ...answers.person, country_of_residence: 'US' });
  await submit(page);
  await examine(page, `address-${name}`);
  await page.goto(`${link.path}/bank?country=`);
  await examine(page, `bank-choice-${name}`);
  await page.goto(`${link.path}/address`);
  await fill(page, { ...answers.addresses.US, country: 'US' });
  await submit(page);
  for (const country of look.countries) {
    await chooseCountry(page, country, true);
    await examine(page, `bank-${country}-${name}`);
  }
  await chooseCountry(page, 'US', true);
  await submitUnchecked(page);
  await examine(page, `bank-faults-${name}`);
  await fill(page, { account_holder_name: 'Ada King', ...answers.accounts.US });
  await submit(page);
  await examine(page, `send-${name}`);
  await page.locator('.overview a').first().click();
  await examine(page, `about-given-${name}`);
  await page.goto(`${link.path}/send`);
  await submit(page);
  await examine(page, `thanks-${name}`);
  await page.goto(link.path);
  await examine(page, `used-${name}`);
  expect(complaints).toEqual([]);
  await close();
});

test.each(looks)('so are the document, the company and the ends: $name', async (look) => {
  const { name, colorScheme, viewport } = look;
  const options = { colorScheme, viewport, bypassCSP: true };
  const file = await makePayeeLink(world.harness, world.tenant, { scope: 'tax_documents' });
  const { page, close } = await world.open(`${file.path}/document`, options);
  await examine(page, `document-${name}`);
  await fill(page, taxDocument);
  await page
    .locator('#file')
    .setInputFiles({ ...pdfFile, buffer: Buffer.from('no file of these') });
  await submit(page);
  await examine(page, `document-faults-${name}`);
  const company = await makePayeeLink(world.harness, world.tenant, {
    beneficiaryType: 'business',
  });
  await page.goto(`${company.path}/about?lang=de`);
  await examine(page, `company-${name}`);
  for (const state of ['expired', 'canceled', 'superseded'] as const) {
    const link = await makePayeeLink(world.harness, world.tenant);
    await endRequest(world.harness, link, state);
    await page.goto(`${link.path}?lang=fr`);
    await examine(page, `${state}-${name}`);
  }
  await page.goto('/collect/nothing');
  await examine(page, `unknown-${name}`);
  await close();
});

test('the whole form can be filled in with the keyboard alone', async () => {
  const link = await makePayeeLink(world.harness, world.tenant, { scope: 'bank_details' });
  const { page, complaints, close } = await world.open(link.path);
  const focused = () =>
    page.evaluate('document.activeElement.id || document.activeElement.textContent.trim()');
  const tabTo = async (target: string) => {
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab');
      if ((await focused()) === target) return;
    }
    throw new Error(`the tabulator key never reaches ${target}`);
  };
  const enter = async () => {
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
  };
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to the content');
  expect(
    await page.locator('.skip').evaluate((link) => link.getBoundingClientRect().top),
  ).toBeGreaterThanOrEqual(0);
  await tabTo('Begin');
  await enter();
  await tabTo('country');
  await page.keyboard.type('Germany');
  await tabTo('account_holder_name');
  await page.keyboard.type('Ada King');
  await tabTo('iban');
  await page.keyboard.type('DE89370400440532013000');
  await tabTo('currency');
  await tabTo('Save and continue');
  await enter();
  expect(page.url()).toMatch(/\/send$/);
  await tabTo('Send to Test Business');
  await enter();
  expect(page.url()).toMatch(/\/thanks$/);
  expect(complaints).toEqual([]);
  await close();
});

test.each([true, false])(
  'after a fault the focus is on the summary, whose links lead to the fields (script %s)',
  async (javaScriptEnabled) => {
    const link = await makePayeeLink(world.harness, world.tenant);
    const { page, close } = await world.open(`${link.path}/address`, { javaScriptEnabled });
    // What a check in the browser would have stopped is sent all the same.
    const refused = await page.request.post(`${link.path}/address`, {
      form: { line1: 'x'.repeat(300) },
    });
    expect(refused.status()).toBe(422);
    await fill(page, { line1: 'x'.repeat(255), city: 'Berlin', country: 'DE' });
    if (javaScriptEnabled) {
      await page.locator('#city').fill('');
      await submitUnchecked(page);
    } else {
      await page.locator('#city').fill('');
      await submit(page);
    }
    const summary = page.locator('.summary');
    expect(
      await summary.evaluate((element) => element === element.ownerDocument.activeElement),
    ).toBe(true);
    await summary.getByRole('link').first().click();
    expect(
      await page
        .locator('#city')
        .evaluate((element) => element === element.ownerDocument.activeElement),
    ).toBe(true);
    expect(await page.locator('#line1').inputValue()).toBe('x'.repeat(255));
    await close();
  },
);

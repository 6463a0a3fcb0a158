import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePayeeLink } from '../support/payee-link.ts';
import { answers } from './answers.ts';
import { chooseCountry, fill, startBrowserWorld, submit, type BrowserWorld } from './world.ts';

let world: BrowserWorld;
beforeAll(async () => {
  world = await startBrowserWorld();
});
afterAll(() => world.close());

async function openBank(locale = 'en-US') {
  const link = await makePayeeLink(world.harness, world.tenant, { scope: 'bank_details' });
  return { link, ...(await world.open(`${link.path}/bank`, { locale })) };
}

const faultsOn = (page: Page) => page.locator('.fault').allTextContents();

test('the questions follow the country at once, and keep what fits the next one', async () => {
  const { page, complaints, close } = await openBank();
  expect(await page.locator('#answers').isVisible()).toBe(false);
  expect(await page.locator('#country-choice button').isVisible()).toBe(false);
  await chooseCountry(page, 'DE', true);
  expect(await page.locator('#currency').inputValue()).toBe('EUR');
  await fill(page, { account_holder_name: 'Ada King', iban: 'GB29' });
  await chooseCountry(page, 'FR', true);
  expect(await page.locator('#iban').inputValue()).toBe('GB29');
  await chooseCountry(page, 'US', true);
  expect(await page.locator('#iban').count()).toBe(0);
  expect(await page.locator('#currency').inputValue()).toBe('USD');
  expect(await page.locator('#account_holder_name').inputValue()).toBe('Ada King');
  await fill(page, answers.accounts.US);
  await submit(page);
  expect(page.url()).toMatch(/\/send$/);
  expect(complaints).toEqual([]);
  await close();
});

test('a country that is chosen before the script has arrived counts', async () => {
  const { page, close } = await openBank();
  let chosen = (): void => undefined;
  const choice = new Promise<void>((resolve) => (chosen = resolve));
  await page.route(/form\.js/, async (route) => {
    await choice;
    await route.continue();
  });
  await page.reload({ waitUntil: 'commit' });
  await chooseCountry(page, 'DE', true);
  expect(await page.locator('#answers').isVisible()).toBe(false);
  chosen();
  await page.locator('#iban').waitFor();
  expect(await page.locator('#currency').inputValue()).toBe('EUR');
  await close();
});

test('a British account is asked for by its IBAN alone, and the page says why', async () => {
  const { page, close } = await openBank();
  await chooseCountry(page, 'GB', true);
  await page.locator('.other-way summary').click();
  expect(await page.locator('.other-way p').textContent()).toContain('cannot be paid');
  expect(await page.locator('#routing_code').count()).toBe(0);
  await fill(page, { account_holder_name: 'Ada King', iban: 'GB29NWBK60161331926819' });
  await submit(page);
  expect(page.url()).toMatch(/\/send$/);
  await close();
});

test('the country that was given first is asked for no second time', async () => {
  const link = await makePayeeLink(world.harness, world.tenant);
  const { page, complaints, close } = await world.open(`${link.path}/about`);
  await fill(page, { ...answers.person, country_of_residence: 'DE' });
  await submit(page);
  expect(await page.locator('#country').inputValue()).toBe('DE');
  await fill(page, answers.addresses.DE);
  await submit(page);
  expect(await page.locator('#country').inputValue()).toBe('DE');
  expect(await page.locator('#account_holder_name').inputValue()).toBe('Augusta Ada King');
  await fill(page, { iban: 'GB29' });
  await chooseCountry(page, 'FR', true);
  expect(await page.locator('#iban').inputValue()).toBe('GB29');
  await chooseCountry(page, 'US', true);
  expect(await page.locator('#currency').inputValue()).toBe('USD');
  await fill(page, answers.accounts.US);
  await submit(page);
  const shown = await page.locator('.overview').textContent();
  for (const text of ['Augusta Ada', 'Germany', 'United States', '•••• 6789']) {
    expect(shown).toContain(text);
  }
  await page.getByRole('link', { name: /^Change ?: Bank account$/ }).click();
  expect(await page.locator('#country').inputValue()).toBe('US');
  expect(await page.locator('#account_number').inputValue()).toBe('');
  expect(complaints).toEqual([]);
  await close();
});

test('the end of a link is told in the time zone of the reader, by its name', async () => {
  const link = await makePayeeLink(world.harness, world.tenant);
  const there = { locale: 'de-DE', timezoneId: 'Asia/Tokyo' };
  const scripted = await world.open(link.path, there);
  const place = scripted.page.locator('time');
  expect(await place.textContent()).toMatch(/\d{2}:\d{2} (Uhr )?Japanische Normalzeit$/);
  await scripted.close();
  const plain = await world.open(link.path, { ...there, javaScriptEnabled: false });
  expect(await plain.page.locator('time').textContent()).toMatch(/\d{2}:\d{2} (Uhr )?UTC$/);
  await plain.close();
});

test('an IBAN is grouped while it is typed, also in its middle', async () => {
  const { page, close } = await openBank();
  await chooseCountry(page, 'DE', true);
  const iban = page.locator('#iban');
  await iban.pressSequentially('de8937040044053201300');
  expect(await iban.inputValue()).toBe('DE89 3704 0044 0532 0130 0');
  await iban.press('End');
  await iban.press('0');
  expect(await iban.inputValue()).toBe('DE89 3704 0044 0532 0130 00');
  for (let presses = 0; presses < 20; presses += 1) await iban.press('ArrowLeft');
  await iban.press('Backspace');
  expect(await iban.inputValue()).toBe('DE89 3040 0440 5320 1300 0');
  await iban.press('7');
  expect(await iban.inputValue()).toBe('DE89 3704 0044 0532 0130 00');
  await close();
});

test.each([375, 320])(
  'the longest IBAN is seen as a whole on a phone of %i pixels, and Enter sends it',
  async (width) => {
    const link = await makePayeeLink(world.harness, world.tenant, { scope: 'bank_details' });
    const phone = { viewport: { width, height: 740 }, isMobile: true, hasTouch: true };
    const { page, complaints, close } = await world.open(`${link.path}/bank`, phone);
    await chooseCountry(page, 'MT', true);
    await fill(page, { account_holder_name: 'Ada King', iban: 'MT84MALT011000012345MTLCAST001S' });
    const unseen = `(() => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.getElementById('iban');
      return [scrollWidth - clientWidth, scrollHeight - clientHeight];
    })()`;
    expect(await page.evaluate(unseen)).toEqual([0, 0]);
    await page.locator('#iban').press('Enter');
    await page.waitForURL(/\/send$/);
    expect(complaints).toEqual([]);
    await close();
  },
);

test('a typing error is told on leaving the field, and forgiven once it is corrected', async () => {
  const { page, close } = await openBank();
  await chooseCountry(page, 'DE', true);
  await page.locator('#iban').fill('DE88370400440532013000');
  expect(await faultsOn(page)).toEqual([]);
  await page.locator('#currency').focus();
  expect(await faultsOn(page)).toEqual([
    'The check digits of this IBAN do not match. Please look for a typing error.',
  ]);
  expect(await page.locator('#iban').getAttribute('aria-describedby')).toBe('iban-hint iban-fault');
  await page.locator('#iban').fill('DE89370400440532013000');
  expect(await faultsOn(page)).toEqual([]);
  await chooseCountry(page, 'US', true);
  await page.locator('#routing_code').fill('021000022');
  await page.locator('#currency').focus();
  expect((await faultsOn(page))[0]).toContain('its check digit does not match');
  await close();
});

test('what is missing is told before anything is sent, in the language of the page', async () => {
  const link = await makePayeeLink(world.harness, world.tenant);
  const { page, close } = await world.open(`${link.path}/about`, { locale: 'de-AT' });
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') sent += 1;
  });
  await fill(page, { first_name: 'Ada' });
  await page.locator('#answers button').click();
  expect(await faultsOn(page)).toEqual([
    'Geben Sie Ihren Nachnamen an.',
    'Geben Sie Ihr Geburtsdatum an.',
    'Wählen Sie das Land Ihres Wohnsitzes.',
  ]);
  // Below the hints of the date and of the country, as the server's page has them.
  expect(await page.locator('.hint + .fault').count()).toBe(2);
  expect(
    await page
      .locator('#last_name')
      .evaluate((element) => element === element.ownerDocument.activeElement),
  ).toBe(true);
  expect(sent).toBe(0);
  await fill(page, { ...answers.person, country_of_residence: 'DE' });
  expect(await faultsOn(page)).toEqual([]);
  await submit(page);
  expect(page.url()).toMatch(/\/address$/);
  await close();
});

test('the browser sends our own forms without an origin, and they are taken', async () => {
  const link = await makePayeeLink(world.harness, world.tenant);
  const { page, close } = await world.open(`${link.path}/about`);
  const posted = page.waitForRequest((request) => request.method() === 'POST');
  await fill(page, { ...answers.person, country_of_residence: 'US' });
  await submit(page);
  const headers = await (await posted).allHeaders();
  expect(headers['origin']).toBe('null');
  expect(headers['sec-fetch-site']).toBe('same-origin');
  expect(headers['referer']).toBeUndefined();
  expect(page.url()).toMatch(/\/address$/);
  await close();
});

test("another site's form is refused, even one that knows the link", async () => {
  const link = await makePayeeLink(world.harness, world.tenant);
  const { page, close } = await world.open('about:blank');
  // The loopback address by its other name is another site to the browser.
  const target = `${world.harness.baseUrl.replace('127.0.0.1', 'localhost')}${link.path}/address`;
  await page.goto(`${world.harness.baseUrl}/docs/errors`);
  await page.route('**/evil', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form id="answers" method="post" action="${target}"><input name="city" value="X"><button>Go</button></form>`,
    }),
  );
  await page.goto(`${world.harness.baseUrl}/evil`);
  await submit(page);
  expect(await page.locator('h1').textContent()).toBe('This did not come from our page');
  await close();
});

test('a double click is one submission, and ends on the thanks', async () => {
  const { link, page, close } = await openBank();
  await chooseCountry(page, 'DE', true);
  await fill(page, { account_holder_name: 'Ada King', ...answers.accounts.DE });
  await submit(page);
  // Past the script, which would hold back the second click.
  await page.evaluate(
    `(() => { const form = document.getElementById('answers'); form.submit(); form.submit(); })()`,
  );
  await page.waitForURL('**/thanks');
  expect(await page.locator('h1').textContent()).toBe('Thank you, everything has arrived');
  const { body } = await world.harness.rest(
    'GET',
    `/v1/beneficiaries/${link.beneficiaryId}/bank-accounts`,
    { key: world.tenant.key },
  );
  expect(body.bank_accounts).toHaveLength(1);
  await close();
});

test.each([
  ['de-CH', 'de', 'Test Business bittet um Ihre Angaben'],
  ['fr-FR', 'fr', 'Test Business vous demande quelques informations'],
  ['es-MX', 'es', 'Test Business le pide sus datos'],
  ['pt-BR', 'pt-BR', 'Test Business está pedindo os seus dados'],
  ['ja-JP', 'en', 'Test Business asks for your details'],
])('a browser in %s is spoken to in %s', async (locale, lang, title) => {
  const link = await makePayeeLink(world.harness, world.tenant);
  const { page, complaints, close } = await world.open(link.path, { locale });
  expect(await page.locator('html').getAttribute('lang')).toBe(lang);
  expect(await page.locator('h1').textContent()).toBe(title);
  expect(complaints).toEqual([]);
  await close();
});

test('a chosen language stays through the steps, without a cookie', async () => {
  const link = await makePayeeLink(world.harness, world.tenant, { scope: 'bank_details' });
  const options = { javaScriptEnabled: false, locale: 'en-US' };
  const { page, close } = await world.open(link.path, options);
  await page.getByRole('link', { name: 'Français' }).click();
  await page.getByRole('link', { name: 'Commencer' }).click();
  expect(await page.locator('#country option[value=DE]').textContent()).toContain('Allemagne');
  await chooseCountry(page, 'DE', false);
  expect(await page.locator('h1').textContent()).toBe('Votre compte bancaire');
  await fill(page, { account_holder_name: 'Ada King', ...answers.accounts.DE });
  await submit(page);
  expect(await page.locator('h1').textContent()).toBe('Vérifier et envoyer');
  await submit(page);
  expect(await page.locator('h1').textContent()).toBe('Merci, tout est bien arrivé');
  expect(await page.context().cookies()).toEqual([]);
  await close();
});

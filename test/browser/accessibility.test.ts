import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textsFor } from '../../rest/collect/languages.ts';
import { failurePage } from '../../rest/collect/pages/ended.ts';
import type { MailContent } from '../../src/mail/send.ts';
import { collectionMail } from '../../src/mail/templates/collection.ts';
import { memberMail } from '../../src/mail/templates/member.ts';
import { refusedMail, registrationMail } from '../../src/mail/templates/registration.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { sampleLogo } from '../support/images.ts';
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

/**
 * Each page is looked at twice, once plain and once in the colours of a business. `countries` are those
 * whose questions are looked at: each kind once, and in the dark the richest.
 */
const looks = [
  {
    name: 'phone-light',
    language: 'en',
    branded: false,
    colorScheme: 'light',
    viewport: { width: 360, height: 740 },
    countries: ['US', 'DE', 'GB', 'MX', 'BR', 'IN'],
  },
  {
    name: 'desktop-dark',
    language: 'de',
    branded: true,
    colorScheme: 'dark',
    viewport: { width: 1280, height: 900 },
    countries: ['GB', 'IN'],
  },
] as const;

type Look = (typeof looks)[number];

/** A pale colour, of which the service has to make shades that can be read. */
const branding = {
  color: '#f5b301',
  support_contact: 'help@example.com',
  privacy_url: 'https://example.com/privacy',
  logo: sampleLogo().toString('base64'),
};

const tenants = new Map<boolean, TestTenant>();

beforeAll(async () => {
  const branded = await makeTenant(world.harness);
  const set = await world.harness.rest('PUT', '/v1/business/collection-branding', {
    key: branded.key,
    body: branding,
  });
  expect(set.status).toBe(200);
  tenants.set(true, branded).set(false, world.tenant);
});

function linkIn({ branded }: Look, options?: Parameters<typeof makePayeeLink>[2]) {
  return makePayeeLink(world.harness, tenants.get(branded) ?? world.tenant, options);
}

const openIn = ({ colorScheme, viewport }: Look, path: string) =>
  world.open(path, { colorScheme, viewport, bypassCSP: true });

/** Checks a page with axe and for sideways scrolling, and keeps its picture. */
async function examine(page: Page, name: string): Promise<void> {
  expect(await accessibilityFaults(page), name).toEqual([]);
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(overflow, name).toBeLessThanOrEqual(0);
  await keepPicture(page, name);
}

test.each(looks)('every page of a full onboarding is accessible: $name', async (look) => {
  const { name, language } = look;
  const link = await linkIn(look);
  const step = (at: string, query = '') => `${link.path}/${at}?lang=${language}${query}`;
  const { page, complaints, close } = await openIn(look, `${link.path}?lang=${language}`);
  await examine(page, `start-${name}`);
  await page.locator('a.button').click();
  await page.locator('.privacy summary').click();
  await examine(page, `about-${name}`);
  await page.goto(step('about'));
  await submitUnchecked(page);
  await examine(page, `about-faults-${name}`);
  await page.locator('#answers button').click();
  await examine(page, `about-checked-${name}`);
  await fill(page, { ...answers.person, country_of_residence: 'US' });
  await submit(page);
  await examine(page, `address-${name}`);
  await page.goto(step('bank', '&country='));
  await examine(page, `bank-choice-${name}`);
  await page.goto(step('address'));
  await fill(page, { ...answers.addresses.US, country: 'US' });
  await submit(page);
  for (const country of look.countries) {
    await chooseCountry(page, country, true);
    if (country === 'GB') await page.locator('.other-way summary').click();
    await examine(page, `bank-${country}-${name}`);
  }
  await chooseCountry(page, 'US', true);
  await fill(page, { account_holder_name: '' });
  await submitUnchecked(page);
  await examine(page, `bank-faults-${name}`);
  await fill(page, { account_holder_name: 'Ada King', ...answers.accounts.US });
  await submit(page);
  await examine(page, `send-${name}`);
  await page.locator('.overview a').first().click();
  await examine(page, `about-given-${name}`);
  await page.goto(step('send'));
  await submit(page);
  await examine(page, `thanks-${name}`);
  await page.goto(`${link.path}?lang=${language}`);
  await examine(page, `used-${name}`);
  expect(complaints).toEqual([]);
  await close();
});

test.each(looks)('so are the document, the company and the ends: $name', async (look) => {
  const { name, language } = look;
  const file = await linkIn(look, { scope: 'tax_documents' });
  const { page, close } = await openIn(look, `${file.path}/document?lang=${language}`);
  await examine(page, `document-${name}`);
  await fill(page, taxDocument);
  await page
    .locator('#file')
    .setInputFiles({ ...pdfFile, buffer: Buffer.from('no file of these') });
  await submit(page);
  await examine(page, `document-faults-${name}`);
  const company = await linkIn(look, { beneficiaryType: 'business' });
  await page.goto(`${company.path}/about?lang=${language}`);
  await examine(page, `company-${name}`);
  await fill(page, { ...answers.business, country_of_incorporation: 'DE' });
  await submit(page);
  await fill(page, { ...answers.addresses.DE });
  await submit(page);
  await fill(page, { ...answers.accounts.DE });
  await submit(page);
  await examine(page, `company-send-${name}`);
  for (const state of ['expired', 'canceled', 'superseded'] as const) {
    const link = await linkIn(look);
    await endRequest(world.harness, link, state);
    await page.goto(`${link.path}?lang=${language}`);
    await examine(page, `${state}-${name}`);
  }
  await close();
});

test.each(looks)('so is every failure: $name', async (look) => {
  const { name, language } = look;
  const { page, close } = await openIn(look, `/collect/nothing?lang=${language}`);
  await examine(page, `unknown-${name}`);
  const link = await linkIn(look, { scope: 'bank_details' });
  await page.goto(`${link.path}/nothing?lang=${language}`);
  await examine(page, `no-page-${name}`);
  // The failures that need an attack or a fault are drawn by the function that draws them all.
  const texts = textsFor(10)[language];
  const asset = (wanted: string) => `/collect/assets/${wanted}`;
  const links = {
    page: () => '#',
    inLanguage: () => '#',
    asset,
    brand: () => '#',
    logo: () => '#',
  };
  const kinds = ['tooMany', 'tooLarge', 'badRequest', 'foreign', 'busy', 'ours', 'method'] as const;
  for (const kind of kinds) {
    const failed = { kind, wait: 90, requestId: 'req_01k0000000' };
    const drawn = failurePage({ language, texts, links }, failed);
    await page.route('**/drawn', (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body: drawn }),
    );
    await page.goto(`/drawn`);
    await examine(page, `${kind}-${name}`);
    await page.unroute('**/drawn');
  }
  await close();
});

/** The mails of each kind, as the templates make them. */
function mailsIn({ language, branded }: Look): Readonly<Record<string, MailContent>> {
  const mail = {
    businessName: branded ? 'Nordlicht Verlag GmbH' : 'Test Business',
    isAccepted: branded,
    payeeName: 'Ada King',
    language,
    environment: branded ? 'production' : 'sandbox',
    link: `https://payouts.example.com/collect/${'Ab3_'.repeat(10)}Xyz?lang=${language}`,
    expiresAt: new Date('2026-11-29T09:30:00Z'),
    branding: branded
      ? {
          color: branding.color,
          supportContact: branding.support_contact,
          privacyUrl: branding.privacy_url,
          logo: { content: sampleLogo(), contentType: 'image/png', width: 180, height: 60 },
        }
      : { color: null, supportContact: null, privacyUrl: null, logo: null },
  } as const;
  return {
    onboarding: collectionMail({ ...mail, scope: 'full_onboarding' }),
    bank: collectionMail({ ...mail, scope: 'bank_details' }),
    tax: collectionMail({ ...mail, scope: 'tax_documents', payeeName: '' }),
    member: memberMail({
      businessName: mail.businessName,
      invitedBy: 'Ada Lovelace',
      role: 'approver',
      environment: 'production',
      expiresAt: mail.expiresAt,
      token: 'Ab3_'.repeat(10),
      baseUrl: 'https://payouts.example.com',
    }),
    registration: registrationMail({
      businessName: mail.businessName,
      baseUrl: 'https://payouts.example.com',
      docsUrl: 'https://payouts.example.com/docs',
      proof: { token: 'Ab3_'.repeat(10), expiresAt: mail.expiresAt },
    }),
    refused: refusedMail({
      businessName: mail.businessName,
      claimed: 'address',
      baseUrl: 'https://payouts.example.com',
      token: 'Ab3_'.repeat(10),
      expiresAt: mail.expiresAt,
    }),
  };
}

test.each(looks)('so is every mail: $name', async (look) => {
  const { page, complaints, close } = await openIn(look, '/collect/nothing');
  for (const [kind, mail] of Object.entries(mailsIn(look))) {
    const logo = mail.images?.[0]?.content.toString('base64') ?? '';
    await page.setContent(mail.html.replaceAll(/cid:[^"]+/g, `data:image/png;base64,${logo}`));
    await examine(page, `mail-${kind}-${look.name}`);
  }
  expect(complaints).toEqual([]);
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

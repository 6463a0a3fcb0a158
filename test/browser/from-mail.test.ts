import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { invitedNames } from '../support/payee-link.ts';
import { answers, pdfFile, taxDocument } from './answers.ts';
import { collectionPathOf } from './mail-sink.ts';
import { chooseCountry, fill, startBrowserWorld, submit, type BrowserWorld } from './world.ts';

let world: BrowserWorld;
beforeAll(async () => {
  world = await startBrowserWorld(true);
});
afterAll(() => world.close());

type Type = 'person' | 'business';
type Country = 'US' | 'DE';

/** Invites somebody over the API, and opens the link of the mail that the real job sends. */
async function invite(type: Type, scope: string): Promise<{ beneficiaryId: string; path: string }> {
  const email = `payee-${randomUUID()}@example.com`;
  const answer = await world.harness.rest('POST', '/v1/beneficiaries/collection-invites', {
    key: world.tenant.key,
    body: { invites: [{ email, beneficiary_type: type, scope, ...invitedNames[type] }] },
  });
  const [result] = answer.body.results;
  expect(result).toMatchObject({ status: 'invited' });
  const mail = await world.sink.mailTo(email);
  return { beneficiaryId: result.beneficiary_id, path: collectionPathOf(mail) };
}

async function read(path: string) {
  const answer = await world.harness.rest('GET', path, { key: world.tenant.key });
  expect(answer.status).toBe(200);
  return answer.body;
}

async function giveIdentity(page: Page, type: Type, country: Country): Promise<void> {
  const field = type === 'person' ? 'country_of_residence' : 'country_of_incorporation';
  await fill(page, { ...answers[type], [field]: country });
  await submit(page);
  await fill(page, { ...answers.addresses[country], country });
  await submit(page);
}

async function giveAccount(page: Page, country: Country, scripted: boolean): Promise<void> {
  await chooseCountry(page, country, scripted);
  await fill(page, { account_holder_name: 'Ada King', ...answers.accounts[country] });
  await submit(page);
}

async function begin(path: string, scripted: boolean) {
  const opened = await world.open(path, { javaScriptEnabled: scripted });
  await opened.page.getByRole('link', { name: 'Begin' }).click();
  return opened;
}

async function expectThanks(page: Page): Promise<void> {
  expect(await page.locator('h1').textContent()).toBe('Thank you, everything has arrived');
  expect(new URL(page.url()).pathname).toMatch(/\/thanks$/);
}

const cases = (['person', 'business'] as const).flatMap((type) =>
  (['US', 'DE'] as const).flatMap((country) =>
    [true, false].map((scripted) => ({ type, country, scripted })),
  ),
);

test.each(cases)(
  'from the mail to the changed beneficiary and its account: $type, $country, script $scripted',
  async ({ type, country, scripted }) => {
    const { beneficiaryId, path } = await invite(type, 'full_onboarding');
    const { page, complaints, close } = await begin(path, scripted);
    await giveIdentity(page, type, country);
    await giveAccount(page, country, scripted);
    await submit(page);
    await expectThanks(page);
    expect(complaints).toEqual([]);
    await close();

    const { beneficiary } = await read(`/v1/beneficiaries/${beneficiaryId}`);
    expect(beneficiary).toMatchObject({
      collection_status: 'details_submitted',
      identity_complete: true,
      pending_requests: [],
      postal_address: { ...answers.addresses[country], country },
      ...(type === 'person'
        ? { first_name: 'Augusta Ada', last_name: 'King', country_of_residence: country }
        : { business_name: 'Analytical Engines GmbH', country_of_incorporation: country }),
    });
    const { bank_accounts: accounts } = await read(
      `/v1/beneficiaries/${beneficiaryId}/bank-accounts`,
    );
    expect(accounts).toMatchObject([
      {
        account_holder_name: 'Ada King',
        country,
        currency: country === 'US' ? 'USD' : 'EUR',
        validation_status: 'validated',
      },
    ]);
  },
);

test.each(cases.filter(({ type, country }) => (type === 'person') === (country === 'US')))(
  'an account alone changes nothing else: $type, $country, script $scripted',
  async ({ type, country, scripted }) => {
    const { beneficiaryId, path } = await invite(type, 'bank_details');
    const before = (await read(`/v1/beneficiaries/${beneficiaryId}`)).beneficiary;
    const { page, complaints, close } = await begin(path, scripted);
    await giveAccount(page, country, scripted);
    await submit(page);
    await expectThanks(page);
    expect(complaints).toEqual([]);
    await close();
    const after = (await read(`/v1/beneficiaries/${beneficiaryId}`)).beneficiary;
    expect({ ...after, pending_requests: [] }).toEqual({ ...before, pending_requests: [] });
    const { bank_accounts: accounts } = await read(
      `/v1/beneficiaries/${beneficiaryId}/bank-accounts`,
    );
    expect(accounts).toMatchObject([{ country }]);
  },
);

test.each([true, false])('a tax document reaches the business, script %s', async (scripted) => {
  const { beneficiaryId, path } = await invite('person', 'tax_documents');
  const { page, complaints, close } = await begin(path, scripted);
  await fill(page, taxDocument);
  await page.locator('#file').setInputFiles(pdfFile);
  await submit(page);
  await expectThanks(page);
  expect(complaints).toEqual([]);
  await close();
  const { tax_documents: documents } = await read(
    `/v1/beneficiaries/${beneficiaryId}/tax-documents`,
  );
  expect(documents).toMatchObject([{ form_type: 'w8ben', content_type: 'application/pdf' }]);
  const url = `/v1/beneficiaries/${beneficiaryId}/tax-documents/${documents[0].id}/content`;
  const { text } = await world.harness.rest('GET', url, { key: world.tenant.key });
  expect(text).toBe(pdfFile.buffer.toString());
});

test('a used link says so to whoever opens it again, with nothing of the payee', async () => {
  const { path } = await invite('person', 'bank_details');
  const { page, close } = await begin(path, true);
  await giveAccount(page, 'DE', true);
  await submit(page);
  const again = await page.goto(path);
  expect(again?.status()).toBe(410);
  const text = (await page.locator('main').textContent()) ?? '';
  expect(text).toContain('This link has been used');
  for (const secret of ['Ada', 'King', '0532', 'example.com']) expect(text).not.toContain(secret);
  await close();
});

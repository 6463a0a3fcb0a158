import { expect, test } from 'vitest';
import { endRequest, makePayeeLink, type PayeeLink } from '../support/payee-link.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const harness = useHarness({
  worker: false,
  env: { COLLECTION_ADDRESS_RATE_LIMIT: '1000000', COLLECTION_LINK_RATE_LIMIT: '1000000' },
});
const tenant = useTenant(harness);

interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function page(path: string, init: RequestInit = {}): Promise<Page> {
  const answer = await fetch(harness.baseUrl + path, { redirect: 'manual', ...init });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

function send(path: string, values: Record<string, string>, headers: HeadersInit = {}) {
  return page(path, { method: 'POST', body: new URLSearchParams(values), headers });
}

function upload(path: string, values: Record<string, string>, file?: Blob): Promise<Page> {
  const body = new FormData();
  for (const [name, value] of Object.entries(values)) body.set(name, value);
  if (file !== undefined) body.set('file', file, 'w9.pdf');
  return page(path, { method: 'POST', body });
}

const person = {
  first_name: 'Augusta Ada',
  last_name: 'King',
  date_of_birth_day: '10',
  date_of_birth_month: '12',
  date_of_birth_year: '1979',
  country_of_residence: 'DE',
};
const address = {
  line1: 'Unter den Linden 1',
  postal_code: '10117',
  city: 'Berlin',
  country: 'DE',
};
const germanAccount = {
  country: 'DE',
  account_holder_name: 'Ada King',
  iban: 'DE89 3704 0044 0532 0130 00',
  currency: 'EUR',
};
const pdf = new Blob(['%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n']);

/** Where the form on a page leads to. */
function actionOf(text: string): string {
  const action = /<form[^>]*\bid="answers"[^>]*>/.exec(text)?.[0] ?? '';
  return (/action="([^"]*)"/.exec(action)?.[1] ?? '').replaceAll('&amp;', '&');
}

async function beneficiaryOf({ beneficiaryId }: PayeeLink) {
  const answer = await harness.rest('GET', `/v1/beneficiaries/${beneficiaryId}`, {
    key: tenant.key,
  });
  return answer.body.beneficiary;
}

test('takes a person from the first page to the changed beneficiary', async () => {
  const link = await makePayeeLink(harness, tenant);
  const start = await page(link.path);
  expect(start.status).toBe(200);
  expect(start.text).toContain('Test Business asks for your details');
  expect(start.text).toContain(`href="${link.path}/about"`);

  const about = await send(`${link.path}/about`, person);
  expect([about.status, about.headers.get('location')]).toEqual([303, `${link.path}/address`]);
  const home = await send(`${link.path}/address`, address);
  expect([home.status, home.headers.get('location')]).toEqual([303, `${link.path}/bank`]);
  const bank = await send(`${link.path}/bank`, germanAccount);
  expect([bank.status, bank.headers.get('location')]).toEqual([303, `${link.path}/send`]);
  expect((await beneficiaryOf(link)).first_name).toBe('Ada');

  const check = await page(`${link.path}/send`);
  const sent = await send(actionOf(check.text), {});
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `${link.path}/thanks`]);
  const thanks = await page(`${link.path}/thanks`);
  expect(thanks.status).toBe(200);
  expect(thanks.text).toContain('Thank you, everything has arrived');

  expect(await beneficiaryOf(link)).toMatchObject({
    first_name: 'Augusta Ada',
    last_name: 'King',
    country_of_residence: 'DE',
    collection_status: 'details_submitted',
    identity_complete: true,
  });
  const accounts = await harness.rest(
    'GET',
    `/v1/beneficiaries/${link.beneficiaryId}/bank-accounts`,
    {
      key: tenant.key,
    },
  );
  expect(accounts.body.bank_accounts).toMatchObject([
    { country: 'DE', currency: 'EUR', validation_status: 'validated' },
  ]);
});

/** What stands on a page for people to read, without the lists to choose from. */
function shownOn(text: string): string {
  return text
    .replace(/<select[^]*?<\/select>|<template[^]*?<\/template>|<[^>]*>/g, '')
    .replace(/\s+/g, ' ');
}

/** The code that is chosen in a list. */
const chosenIn = (text: string, name: string): string =>
  new RegExp(`<select[^>]*name="${name}"[^]*?<option value="(\\w*)" selected`).exec(text)?.[1] ??
  '';

test('the last page shows what was given, masked, and no page shows more', async () => {
  const link = await makePayeeLink(harness, tenant);
  await send(`${link.path}/about`, person);
  await send(`${link.path}/address`, { ...address, line2: 'Hinterhaus' });
  await send(`${link.path}/bank`, germanAccount);
  const check = await page(`${link.path}/send?lang=de`);
  const shown = shownOn(check.text);
  for (const line of [
    'Vornamen Augusta Ada',
    'Nachname King',
    'Geburtsdatum •••• 1979',
    'Land des Wohnsitzes Deutschland',
    'Straße und Hausnummer U••• d••• L••• 1•••',
    'Ort Berlin',
    'Kontoinhaber Ada King',
    'IBAN •••• 3000',
    'Währung des Kontos Euro (EUR)',
  ]) {
    expect(shown).toContain(line);
  }
  const ways = [...check.text.matchAll(/<section[^]*?href="([^"?]*)/g)].map(([, way]) => way);
  expect(ways).toEqual(['about', 'address', 'bank'].map((step) => `${link.path}/${step}`));
  const hidden = ['1979-12', '12-10', 'Unter den Linden', 'Hinterhaus', '10117', '0532', '3704'];
  for (const name of ['', '/about', '/address', '/bank', '/send', '/bank?country=DE']) {
    const { status, text } = await page(link.path + name);
    expect(status).toBe(200);
    for (const value of hidden) expect(text, name).not.toContain(value);
  }
  const about = await page(`${link.path}/about`);
  expect(about.text).toContain('You have already given this.');
  expect(about.text).toContain('value="Augusta Ada"');
  expect(about.text).not.toContain('1979');
  await endRequest(harness, link, 'submitted');
  const used = await page(link.path);
  for (const value of [...hidden, 'Augusta', 'Ada', 'Lovelace']) {
    expect(used.text).not.toContain(value);
  }
});

test('of a company the end of the register number is shown, at most half of it', async () => {
  const link = await makePayeeLink(harness, tenant, { beneficiaryType: 'business' });
  for (const [number, end] of [
    ['HRB 12345', '2345'],
    ['ABC12', '12'],
    ['7', null],
  ] as const) {
    const company = {
      business_name: 'Analytical <b>Engines</b> GmbH',
      registration_number: number,
      country_of_incorporation: 'DE',
    };
    await send(`${link.path}/about`, company);
    await send(`${link.path}/address`, address);
    await send(`${link.path}/bank`, germanAccount);
    const shown = shownOn((await page(`${link.path}/send`)).text);
    expect(shown).toContain('Analytical &lt;b&gt;Engines&lt;/b&gt; GmbH');
    expect(shown).not.toContain(number === '7' ? '• 7' : number);
    if (end !== null) expect(shown).toContain(`Registration number •••• ${end}`);
  }
});

test('the country is asked once, and carried on until another is chosen', async () => {
  const link = await makePayeeLink(harness, tenant);
  expect(chosenIn((await page(`${link.path}/bank`)).text, 'country')).toBe('');
  await send(`${link.path}/about`, { ...person, country_of_residence: 'US' });
  expect(chosenIn((await page(`${link.path}/address`)).text, 'country')).toBe('US');
  const bank = await page(`${link.path}/bank`);
  expect(chosenIn(bank.text, 'country')).toBe('US');
  expect(chosenIn(bank.text, 'currency')).toBe('USD');
  expect(bank.text).toContain('name="routing_code"');
  expect(bank.text).toContain('value="Augusta Ada King"');
  await send(`${link.path}/address`, address);
  expect(chosenIn((await page(`${link.path}/bank`)).text, 'country')).toBe('DE');
  await send(`${link.path}/bank`, { ...germanAccount, currency: 'USD' });
  const again = await page(`${link.path}/bank`);
  expect(chosenIn(again.text, 'currency')).toBe('USD');
  expect(again.text).toContain('value="Ada King"');
  const other = await page(`${link.path}/bank?country=MX`);
  expect([chosenIn(other.text, 'country'), chosenIn(other.text, 'currency')]).toEqual([
    'MX',
    'MXN',
  ]);
});

test('a fault keeps what was typed, a date in its three parts too, but no identifier', async () => {
  const link = await makePayeeLink(harness, tenant);
  const about = await send(`${link.path}/about`, { ...person, last_name: '' });
  expect(about.status).toBe(422);
  expect(about.text).toContain('<title>Error: About you – Test Business</title>');
  expect(about.text).toContain('<a href="#last_name">Enter your last name.</a>');
  expect(about.text).toContain('value="Augusta Ada"');
  expect(about.text).toContain('<option value="DE" selected>');
  const valueOf = (text: string, id: string) =>
    new RegExp(`<input[^>]*id="${id}"[^>]*value="([^"]*)"`).exec(text)?.[1];
  const parts = ['day', 'month', 'year'].map((part) => `date_of_birth_${part}`);
  expect(parts.map((id) => valueOf(about.text, id))).toEqual(['10', '12', '1979']);
  const impossible = { ...person, date_of_birth_day: '31', date_of_birth_month: '<2' };
  const wrong = await send(`${link.path}/about`, impossible);
  expect(wrong.status).toBe(422);
  expect(parts.map((id) => valueOf(wrong.text, id))).toEqual(['31', '&lt;2', '1979']);

  const iban = 'DE88370400440532013000';
  const bank = await send(`${link.path}/bank`, { ...germanAccount, iban });
  expect(bank.status).toBe(422);
  expect(bank.text).toContain('The check digits of this IBAN do not match.');
  expect(bank.text).toContain('value="Ada King"');
  expect(bank.text).not.toContain('0532');
});

test('a British account is asked for by its IBAN, and the page says why', async () => {
  const link = await makePayeeLink(harness, tenant, { scope: 'bank_details' });
  const { text } = await page(`${link.path}/bank?country=GB`);
  const form = text.slice(text.indexOf('id="answers"'));
  expect(form).toContain('name="iban"');
  expect(form).not.toMatch(/name="(routing_code|account_number)"/);
  expect(shownOn(form)).toContain('by its sort code and account number alone cannot be paid');
  const numbers = { routing_code: '60-16-13', account_number: '31926819' };
  const values = { country: 'GB', currency: 'GBP', account_holder_name: 'Ada', ...numbers };
  const refused = await send(`${link.path}/bank`, values);
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('<a href="#iban">Enter the IBAN.</a>');
  expect(refused.text).not.toContain('31926819');
});

test.each([
  ['US', { routing_code: '021000021', account_number: '000123456789', account_type: 'savings' }],
  ['GB', { iban: 'GB29NWBK60161331926819' }],
  ['MX', { clabe: '032180000118359719' }],
  ['BR', { pix_key: '123.456.789-09' }],
  ['IN', { account_number: '50100012345678', routing_code: 'HDFC0000001' }],
])('asks for and takes an account in %s: %o', async (country, identifiers) => {
  const link = await makePayeeLink(harness, tenant, { scope: 'bank_details' });
  const form = await page(`${link.path}/bank?country=${country}`);
  for (const name of Object.keys(identifiers)) expect(form.text).toContain(`name="${name}"`);
  const currency = /<option value="([A-Z]{3})" selected>/.exec(form.text)?.[1] ?? '';
  const values = { country, currency, account_holder_name: 'Ada', ...identifiers };
  const saved = await send(`${link.path}/bank`, values);
  expect([saved.status, saved.headers.get('location')]).toEqual([303, `${link.path}/send`]);
  const check = await page(`${link.path}/send`);
  expect((await send(actionOf(check.text), {})).status).toBe(303);
  const accounts = await harness.rest(
    'GET',
    `/v1/beneficiaries/${link.beneficiaryId}/bank-accounts`,
    {
      key: tenant.key,
    },
  );
  expect(accounts.body.bank_accounts).toMatchObject([{ country, currency }]);
});

test.each(['US', 'DE', 'GB', 'MX', 'BR', 'IN'])(
  'an empty account in %s is refused beside a field that is on the page',
  async (country) => {
    const link = await makePayeeLink(harness, tenant, { scope: 'bank_details' });
    const refused = await send(`${link.path}/bank`, { country });
    expect(refused.status).toBe(422);
    const targets = [...refused.text.matchAll(/<li><a href="#(\w+)">/g)].map(([, id = '']) => id);
    expect(targets.length).toBeGreaterThan(1);
    for (const id of targets) expect(refused.text).toContain(`id="${id}"`);
  },
);

test('without a country, or with one that does not exist, the bank page asks for it', async () => {
  const link = await makePayeeLink(harness, tenant, { scope: 'bank_details' });
  for (const country of ['', 'XX']) {
    const refused = await send(`${link.path}/bank`, { ...germanAccount, country });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('<a href="#country">Choose the country of the bank.</a>');
  }
});

test('takes a tax document: number, form and file', async () => {
  const link = await makePayeeLink(harness, tenant, { scope: 'tax_documents' });
  const form = await page(`${link.path}/document`);
  const empty = await upload(actionOf(form.text), { form_type: 'w9' });
  expect(empty.status).toBe(422);
  expect(empty.text).toContain('<a href="#file">Choose a file.</a>');
  expect(empty.text).toContain('value="w9" checked');

  const values = { form_type: 'w9', tax_id: '078-05-1120' };
  const wrong = await upload(actionOf(form.text), values, new Blob(['<html>']));
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('This file is not a complete PDF, PNG or JPEG.');
  expect(wrong.text).not.toContain('078-05-1120');

  const sent = await upload(actionOf(form.text), values, pdf);
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `${link.path}/thanks`]);
  expect((await beneficiaryOf(link)).has_tax_id ?? true).toBe(true);
});

test.each([
  ['submitted', 'This link has been used'],
  ['expired', 'This link has expired'],
  ['canceled', 'This link was withdrawn'],
  ['superseded', 'There is a newer link'],
] as const)(
  'a link that is %s has a page of its own, also for a form on its way',
  async (state, title) => {
    const link = await makePayeeLink(harness, tenant);
    await endRequest(harness, link, state);
    for (const answer of [
      await page(link.path),
      await page(`${link.path}/about`),
      await send(`${link.path}/about`, person),
      await send(`${link.path}/send?visit=0123456789abcdef`, {}),
    ]) {
      expect(answer.status).toBe(410);
      expect(answer.text).toContain(`<h1>${title}</h1>`);
    }
  },
);

test('a link past its time has expired, even before a job says so', async () => {
  const link = await makePayeeLink(harness, tenant);
  await harness.database.pool.query(
    `UPDATE collection_request SET expires_at = now() - interval '1 second' WHERE id = $1`,
    [link.requestId],
  );
  const answer = await page(link.path);
  expect(answer.status).toBe(410);
  expect(answer.text).toContain('<h1>This link has expired</h1>');
});

test.each([
  ['an unknown token', 'x'.repeat(43), 404],
  ['a short token', 'abc', 404],
  ['a very long token', 'y'.repeat(7_000), 404],
  ['a token longer than a URL may be', 'y'.repeat(9_000), 414],
  ['malformed percent-encoding', '%E0%A4%A', 400],
  ['another alphabet', encodeURIComponent('ä'.repeat(43)), 404],
])('%s gets an honest page', async (_case, token, status) => {
  for (const name of ['', '/about', '/thanks']) {
    const answer = await page(`/collect/${token}${name}`);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.text).toContain('<html lang="en">');
    expect(answer.text).not.toContain(token.slice(0, 40));
  }
});

test('a step of another scope, and a page that is none, are not there', async () => {
  const link = await makePayeeLink(harness, tenant, { scope: 'bank_details' });
  for (const name of ['about', 'document', 'nothing', 'about/more']) {
    expect((await page(`${link.path}/${name}`)).status).toBe(404);
  }
  expect((await send(`${link.path}/about`, person)).status).toBe(404);
  expect((await page('/collect')).status).toBe(404);
  expect((await page('/collect/assets/secret.txt')).status).toBe(404);
});

test('other methods are refused with the ones there are', async () => {
  const link = await makePayeeLink(harness, tenant);
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const answer = await page(`${link.path}/about`, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
  }
  const answer = await page(link.path, { method: 'POST' });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  const asset = await page('/collect/assets/form.js', { method: 'POST' });
  expect([asset.status, asset.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  const head = await page(link.path, { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([200, '']);
});

test('sends all before anything else when the last page is opened too early', async () => {
  const link = await makePayeeLink(harness, tenant);
  await send(`${link.path}/about`, person);
  for (const answer of [await page(`${link.path}/send`), await send(`${link.path}/send`, {})]) {
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${link.path}/address`]);
  }
});

test('the thanks are there only after everything was sent', async () => {
  const link = await makePayeeLink(harness, tenant);
  const early = await page(`${link.path}/thanks`);
  expect([early.status, early.headers.get('location')]).toEqual([303, link.path]);
});

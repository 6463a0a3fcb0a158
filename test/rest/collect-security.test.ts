import { beforeAll, expect, test, vi } from 'vitest';
import { makeTenant } from '../support/factory.ts';
import { startHarness } from '../support/harness.ts';
import { makePayeeLink } from '../support/payee-link.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const lines: unknown[] = [];
const harness = useHarness({
  worker: false,
  env: {
    LOG_LEVEL: 'trace',
    PUBLIC_URL: 'https://payouts.example.com/pay',
    COLLECTION_ADDRESS_RATE_LIMIT: '1000000',
    COLLECTION_LINK_RATE_LIMIT: '1000000',
  },
});
const tenant = useTenant(harness);

beforeAll(async () => {
  for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const) {
    vi.spyOn(harness.services.log, level).mockImplementation((...given: unknown[]) => {
      lines.push(given);
    });
  }
});

async function page(path: string, init: RequestInit = {}) {
  const answer = await fetch(harness.baseUrl + path, { redirect: 'manual', ...init });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const address = { line1: 'Unter den Linden 1', city: 'Berlin', country: 'DE' };
const account = {
  country: 'DE',
  account_holder_name: 'Ada King',
  iban: 'DE89370400440532013000',
  currency: 'EUR',
};

const send = (path: string, values: Record<string, string>, headers: HeadersInit = {}) =>
  page(path, { method: 'POST', body: new URLSearchParams(values), headers });

test('every answer has a strict policy, is kept nowhere and told to nobody', async () => {
  const { path } = await makePayeeLink(harness, tenant);
  for (const answer of [
    await page(path),
    await page(`${path}/bank?country=US`),
    await send(`${path}/about`, {}),
    await send(`${path}/address`, address),
    await page('/collect/unknown'),
    await page('/collect/%E0'),
    await page(path, { method: 'DELETE' }),
  ]) {
    const { headers, text } = answer;
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none';script-src 'self';style-src 'self';img-src 'self'",
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
    // Nothing inline, and nothing from elsewhere.
    expect(text).not.toMatch(/<style|\sstyle=|<script>|\son[a-z]+=|(src|href)="(https?:)?\/\//i);
  }
});

test('links begin with the path of PUBLIC_URL', async () => {
  const { path } = await makePayeeLink(harness, tenant);
  const { text } = await page(path);
  expect(text).toContain(`href="/pay${path}/about"`);
  const sent = await send(`${path}/address`, address);
  expect(sent.headers.get('location')).toBe(`/pay${path}/bank`);
});

test('style sheets, script and icon are kept for good under the address of their content alone', async () => {
  const { text } = await page('/collect/unknown');
  const urls = [...text.matchAll(/(?:href|src)="\/pay(\/collect\/assets\/[^"]+)"/g)];
  expect(urls).toHaveLength(4);
  for (const [, url = ''] of urls) {
    const kept = await page(url);
    expect(kept.status).toBe(200);
    expect(kept.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const older = await page(url.replace(/v=.*/, 'v=older'));
    expect([older.status, older.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(older.text).toBe(kept.text);
  }
});

test.each([
  ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a sister domain', { 'sec-fetch-site': 'same-site', origin: 'null' }, 403],
  ['another origin, from a browser that tells no site', { origin: 'https://evil.example' }, 403],
  ['an origin that is none', { origin: 'evil' }, 403],
  ['our page', { 'sec-fetch-site': 'same-origin', origin: 'null' }, 303],
  ['the address bar', { 'sec-fetch-site': 'none' }, 303],
  ['our page, from a browser that tells no site', { origin: 'null' }, 303],
  ['the public address', { origin: 'https://payouts.example.com' }, 303],
])('a form from %s: %o is answered %i', async (_from, headers, status) => {
  const { path } = await makePayeeLink(harness, tenant);
  const answer = await send(`${path}/address`, address, headers);
  expect(answer.status).toBe(status);
  const next = await page(`${path}/address`);
  expect(next.text.includes('You have already given this.')).toBe(status === 303);
});

test('a form from the address that the service is reached at is taken', async () => {
  const { path } = await makePayeeLink(harness, tenant);
  const answer = await send(`${path}/address`, address, { origin: harness.baseUrl });
  expect(answer.status).toBe(303);
});

test('bodies of another type, form or size get honest pages', async () => {
  const { path } = await makePayeeLink(harness, tenant);
  const file = await makePayeeLink(harness, tenant, { scope: 'tax_documents' });
  const post = (to: string, type: string, body: string) =>
    page(to, { method: 'POST', body, headers: { 'content-type': type } });
  const multipart = 'multipart/form-data; boundary=x';
  const statuses = [
    await post(`${path}/about`, 'application/json', '{}'),
    await post(`${path}/about`, multipart, '--x--'),
    await post(`${file.path}/document`, 'application/x-www-form-urlencoded', 'tax_id=1'),
    await post(`${file.path}/document`, multipart, 'nothing of the kind'),
    await post(`${path}/about`, 'application/x-www-form-urlencoded', 'a'.repeat(70_000)),
    await post(`${file.path}/document`, multipart, 'a'.repeat(12 * 1024 * 1024)),
  ].map(({ status, headers }) => `${status} ${headers.get('content-type') ?? ''}`);
  const html = 'text/html; charset=utf-8';
  expect(statuses).toEqual([415, 415, 415, 400, 413, 413].map((status) => `${status} ${html}`));
});

test('a file may have 10 MiB and not a byte more', async () => {
  const { path } = await makePayeeLink(harness, tenant, { scope: 'tax_documents' });
  const pdf = (size: number) => {
    const bytes = Buffer.alloc(size, 0x20);
    bytes.write('%PDF-1.7');
    bytes.write('%%EOF', size - 5);
    const form = new FormData();
    form.set('form_type', 'other');
    form.set('tax_id', '12345');
    form.set('file', new Blob([bytes]), 'large.pdf');
    return page(`${path}/document`, { method: 'POST', body: form });
  };
  const refused = await pdf(10 * 1024 * 1024 + 1);
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('This file is larger than 10 MB.');
  expect((await pdf(10 * 1024 * 1024)).status).toBe(303);
});

/** A link with all of its steps given. */
async function readyLink() {
  const link = await makePayeeLink(harness, tenant, { scope: 'bank_details' });
  const saved = await send(`${link.path}/bank`, account);
  expect(saved.status).toBe(303);
  return link;
}

async function visitOf(path: string): Promise<string> {
  const { text } = await page(`${path}/send`);
  return /visit=([\w-]+)/.exec(text)?.[1] ?? '';
}

test('of fifty who send at once one is thanked, and the others are told the truth', async () => {
  const { path, beneficiaryId } = await readyLink();
  const visits = await Promise.all(Array.from({ length: 50 }, () => visitOf(path)));
  expect(new Set(visits).size).toBe(50);
  const answers = await Promise.all(visits.map((visit) => send(`${path}/send?visit=${visit}`, {})));
  const thanked = answers.filter(({ headers }) => headers.get('location')?.endsWith('/thanks'));
  const late = answers.filter(({ status }) => status === 410);
  expect([thanked.length, late.length]).toEqual([1, 49]);
  for (const { text } of late) expect(text).toContain('This link has been used');
  const list = `/v1/beneficiaries/${beneficiaryId}/bank-accounts`;
  const { body } = await harness.rest('GET', list, { key: tenant.key });
  expect(body.bank_accounts).toHaveLength(1);
});

test('who sends the same page many times, at once or later, is thanked each time', async () => {
  const { path } = await readyLink();
  const visit = await visitOf(path);
  const again = () => send(`${path}/send?visit=${visit}`, {});
  const answers = [...(await Promise.all(Array.from({ length: 10 }, again))), await again()];
  for (const { status, headers } of answers) {
    expect([status, headers.get('location')]).toEqual([303, `/pay${path}/thanks`]);
  }
  expect((await send(`${path}/send?visit=${'x'.repeat(22)}`, {})).status).toBe(410);
});

test('a business chooses its name, and the page shows it as text', async () => {
  const hostile = await makeTenant(harness);
  const name = `</title><script>alert(1)</script>"'><img src=x onerror=alert(2)>`;
  await harness.database.pool.query('UPDATE business SET company_name = $2 WHERE id = $1', [
    hostile.businessId,
    name,
  ]);
  const { path } = await makePayeeLink(harness, hostile);
  for (const where of ['', '/about', '/bank?country=IN', '/send']) {
    const { text } = await page(path + where);
    expect(text).not.toMatch(/<script>|<img/);
  }
  expect((await page(path)).text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});

test.each([
  ['de-AT,de;q=0.9,en;q=0.5', '', 'de'],
  ['ja, fr;q=0.3, es;q=0.8', '', 'es'],
  ['pt', '', 'pt-BR'],
  ['de;q=0, en', '', 'en'],
  ['*', '', 'en'],
  ['', '', 'en'],
  [';;;,,q=,de;q=x', '', 'en'],
  ['en', '?lang=fr', 'fr'],
  ['de', '?lang=FR-ca', 'fr'],
  ['de', '?lang=xx', 'de'],
  ['de', '?lang=fr&lang=es', 'de'],
])('Accept-Language "%s" and address "%s" give %s', async (accepted, query, lang) => {
  const { text, headers } = await page(`/collect/none${query}`, {
    headers: { 'accept-language': accepted },
  });
  expect(text).toContain(`<html lang="${lang}">`);
  expect(headers.get('vary')).toContain('Accept-Language');
});

test('a limit has a page, and says how long to wait', async () => {
  const strict = await startHarness({ worker: false, env: { COLLECTION_LINK_RATE_LIMIT: '2' } });
  try {
    const { path } = await makePayeeLink(strict, await makeTenant(strict));
    const answers = [];
    for (let requests = 0; requests < 3; requests += 1) {
      answers.push(await fetch(strict.baseUrl + path));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    const refused = answers[2];
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused?.text()).toMatch(/please wait \d+ (seconds?|minutes?)/);
  } finally {
    await strict.close();
  }
});

test('neither a token nor what was entered reaches the log', async () => {
  const { path, token } = await readyLink();
  await page(path);
  await page(`${path}/nothing-of-ours`);
  await page(`${path}/%E0`);
  await page(path, { method: 'PUT' });
  await send(`${path}/bank`, { ...account, iban: 'DE88370400440532013000' });
  await send(`${path}/send?visit=${await visitOf(path)}`, {});
  const log = JSON.stringify(lines);
  expect(log).toContain('/collect/:token/bank');
  expect(log).not.toContain(token);
  for (const secret of ['0532013000', 'Ada King', 'Unter den Linden']) {
    expect(log).not.toContain(secret);
  }
  // Nor any other token of this file: whatever looks like one is not there.
  expect(log).not.toMatch(/collect\/[\w-]{43}/);
});

import { expect, test } from 'vitest';
import { contrastOf, paletteOf } from '../../src/values/color.ts';
import { collectionMail } from '../../src/mail/templates/collection.ts';
import { files } from '../support/collection.ts';
import { behind } from '../support/behind.ts';
import { jpegOf, pngHeader, pngOf } from '../support/images.ts';
import { makePayeeLink } from '../support/payee-link.ts';
import { giveProductionKey } from '../support/production-key.ts';
import { makeTenant } from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({
  worker: false,
  env: { COLLECTION_ADDRESS_RATE_LIMIT: '1000000', COLLECTION_LINK_RATE_LIMIT: '1000000' },
});

const path = '/v1/business/collection-branding';
const read = (key: string) => harness.rest('GET', path, { key });
const change = (key: string, body: unknown) => harness.rest('PUT', path, { key, body });
const nothing = {
  color: null,
  support_contact: null,
  privacy_url: null,
  language: null,
  logo: null,
};
const full = {
  color: '#7c3aed',
  support_contact: 'help@example.com',
  privacy_url: 'https://example.com/privacy?a=1&b=2',
  language: 'de',
};

async function page(target: string, init: RequestInit = {}) {
  const answer = await fetch(harness.baseUrl + target, { redirect: 'manual', ...init });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

test('what is set is read back, absent fields stay, null clears, and a repetition changes nothing', async () => {
  const { key } = await makeTenant(harness);
  expect((await read(key)).body).toEqual({ collection_branding: nothing });
  const logo = pngOf(30, 10);
  const set = await change(key, { ...full, color: '#7C3AED', logo: logo.toString('base64') });
  expect(set.status).toBe(200);
  const expected = {
    ...full,
    logo: {
      content_type: 'image/png',
      digest: expect.stringMatching(/^[0-9a-f]{32}$/),
      width: 30,
      height: 10,
      size_bytes: logo.length,
    },
  };
  expect(set.body).toEqual({ collection_branding: expected });
  expect((await read(key)).body).toEqual(set.body);
  expect((await change(key, { ...full, logo: logo.toString('base64') })).body).toEqual(set.body);
  expect((await change(key, {})).body).toEqual(set.body);
  const cleared = await change(key, { color: null, logo: null });
  expect(cleared.body.collection_branding).toEqual({ ...full, color: null, logo: null });
  const photo = await change(key, { logo: jpegOf(640, 480).toString('base64') });
  expect(photo.body.collection_branding.logo).toMatchObject({
    content_type: 'image/jpeg',
    width: 640,
    height: 480,
  });
});

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const largest = Buffer.concat([pngOf(2, 2), Buffer.alloc(128 * 1024)]);

test.each([
  [{ color: 'red' }, 'color invalid_format'],
  [{ color: '#12345' }, 'color invalid_format'],
  [{ color: '#123456;}body{display:none' }, 'color invalid_format'],
  [{ color: '' }, 'color too_short'],
  [{ support_contact: 'javascript:alert(1)' }, 'support_contact invalid_format'],
  [{ support_contact: 'http://example.com' }, 'support_contact invalid_format'],
  [{ privacy_url: 'http://example.com' }, 'privacy_url invalid_format'],
  [{ privacy_url: 'https://me:secret@example.com' }, 'privacy_url invalid_format'],
  [{ privacy_url: `https://example.com/${'x'.repeat(255)}` }, 'privacy_url too_long'],
  [{ language: 'ja' }, 'language invalid_value'],
  [{ logo: 'not base64' }, 'logo invalid_format'],
  [{ logo: '' }, 'logo file_type_unsupported'],
  [{ logo: svg.toString('base64') }, 'logo file_type_unsupported'],
  [{ logo: files.pdf.toString('base64') }, 'logo file_type_unsupported'],
  [{ logo: largest.toString('base64') }, 'logo file_too_large'],
  [{ logo: pngHeader(2_049, 10).toString('base64') }, 'logo invalid_value'],
  [{ logo: pngHeader(10, 0).toString('base64') }, 'logo invalid_value'],
  [{ logo: jpegOf(10, 65_535).toString('base64') }, 'logo invalid_value'],
  [{ logo: files.jpeg.toString('base64') }, 'logo invalid_value'],
  [{ colour: '#123456' }, 'colour unknown_field'],
])('refuses %j and leaves everything as it was', async (body, fault) => {
  const { key } = await makeTenant(harness);
  await change(key, full);
  const refused = await change(key, { support_contact: 'other@example.com', ...body });
  expect([refused.status, refused.body.error.code]).toEqual([400, 'validation_failed']);
  const details = refused.body.error.details as { field: string; code: string }[];
  expect(details.map(({ field, code }) => `${field} ${code}`)).toEqual([fault]);
  expect((await read(key)).body.collection_branding).toEqual({ ...full, logo: null });
});

test('the faults of the logo are told beside the others, on GraphQL too', async () => {
  const { key } = await makeTenant(harness);
  const mutation = `mutation ($input: CollectionBrandingInput!) {
    collectionBrandingUpdate(input: $input) { color }
  }`;
  const input = { color: 'red', privacyUrl: 'x', logo: svg.toString('base64') };
  const refused = await harness.graphql(key, mutation, { input });
  const { code, details } = refused.body.errors[0].extensions;
  expect(code).toBe('validation_failed');
  expect(details.map(({ field }: { field: string }) => field)).toEqual([
    'color',
    'privacyUrl',
    'logo',
  ]);
});

test('each tenant and each environment has its own', async () => {
  const [ours, theirs] = [await makeTenant(harness), await makeTenant(harness)];
  const production = await giveProductionKey(harness, ours);
  await change(ours.key, full);
  for (const key of [theirs.key, production]) {
    expect((await read(key)).body.collection_branding).toEqual(nothing);
  }
  await change(production, { color: '#000000' });
  expect((await read(ours.key)).body.collection_branding).toEqual({ ...full, logo: null });
  const viewer = await ours.keyWithRole('viewer');
  expect((await read(viewer)).status).toBe(200);
  const refused = await change(viewer, { color: '#111111' });
  expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden']);
});

test('two who change different fields at once lose nothing', async () => {
  const { key, tenantId } = await makeTenant(harness);
  await change(key, { language: 'fr' });
  const answers = await behind(
    harness.database.pool,
    (client) =>
      client.query('SELECT 1 FROM collection_branding WHERE tenant_id = $1 FOR UPDATE', [tenantId]),
    () =>
      Promise.all([
        change(key, { color: '#123456' }),
        change(key, { support_contact: 'help@example.com' }),
      ]),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await read(key)).body.collection_branding).toEqual({
    ...nothing,
    language: 'fr',
    color: '#123456',
    support_contact: 'help@example.com',
  });
});

test('the pages of a link show it: logo, colour, help and privacy notice', async () => {
  const tenant = await makeTenant(harness);
  const link = await makePayeeLink(harness, tenant);
  const plain = await page(link.path);
  expect(plain.text).not.toMatch(/brand-|class="logo"|<footer/);
  expect((await page(`${link.path}/logo/${'0'.repeat(32)}`)).status).toBe(404);

  const logo = pngOf(30, 10);
  const set = await change(tenant.key, { ...full, logo: logo.toString('base64') });
  const { digest } = set.body.collection_branding.logo;
  const { text, headers } = await page(link.path);
  expect(headers.get('content-security-policy')).toContain("style-src 'self';img-src 'self'");
  expect(text).not.toMatch(/<style|\sstyle=/);
  expect(text).toMatch(/<a href="mailto:help@example\.com"\s*>help@example\.com<\/a/);
  expect(text).toContain(
    'href="https://example.com/privacy?a=1&amp;b=2" rel="noreferrer noopener" target="_blank"',
  );
  const source = /<img class="logo" src="([^"]+)" width="30" height="10" alt="" \/>/.exec(
    text,
  )?.[1];
  expect(source).toBe(`${link.path}/logo/${digest}`);
  const image = await fetch(harness.baseUrl + source);
  expect(Buffer.from(await image.arrayBuffer()).equals(logo)).toBe(true);
  expect(Object.fromEntries(image.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'private, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  for (const wrong of [`${link.path}/logo/${'0'.repeat(32)}`, `/collect/unknown/logo/${digest}`]) {
    expect((await page(wrong)).status).toBe(404);
  }
  expect((await page(`${link.path}/logo/${digest}`, { method: 'POST' })).status).toBe(405);

  const sheet = /<link rel="stylesheet" href="([^"]*brand-7c3aed[^"]*)"/.exec(text)?.[1] ?? '';
  const style = await page(sheet);
  expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(style.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(style.text).toContain('--button: #7c3aed;');
  const older = await page(sheet.replace(/v=.*/, 'v=older'));
  expect(older.headers.get('cache-control')).toBe('no-cache');
  for (const none of ['brand-7C3AED.css', 'brand-red.css', 'brand-123.css']) {
    expect((await page(`/collect/assets/${none}`)).status).toBe(404);
  }

  const help = { support_contact: 'https://help.example.com/payees', privacy_url: null };
  await change(tenant.key, help);
  const other = await page(link.path);
  expect(other.text).toMatch(/target="_blank"\s*>help\.example\.com<\/a/);
  expect(other.text).not.toContain('Privacy notice');
});

test('an address that could add recipients to the mail of its reader names itself alone', async () => {
  const tenant = await makeTenant(harness);
  const link = await makePayeeLink(harness, tenant);
  const contact = 'a?bcc=eve&subject=b%0d@example.com';
  const set = await change(tenant.key, { support_contact: contact });
  expect(set.body.collection_branding.support_contact).toBe(contact);
  const href = 'href="mailto:a%3Fbcc%3Deve%26subject%3Db%250d@example.com"';
  expect((await page(link.path)).text).toContain(href);
  const branding = { color: null, supportContact: contact, privacyUrl: null, logo: null };
  const mail = collectionMail({
    businessName: 'Test Business',
    isAccepted: true,
    payeeName: 'Ada King',
    language: 'en',
    environment: 'production',
    scope: 'bank_details',
    link: 'https://pay.example.com/collect/x',
    expiresAt: new Date('2026-11-29T09:30:00Z'),
    branding,
  });
  expect(mail.html).toContain(href);
});

test('the shades of every colour can be read, in the light and in the dark', () => {
  const steps = [0, 51, 102, 153, 204, 255];
  const hex = (value: number) => value.toString(16).padStart(2, '0');
  for (const red of steps) {
    for (const green of steps) {
      for (const blue of steps) {
        const color = `#${hex(red)}${hex(green)}${hex(blue)}`;
        const { button, buttonStrong, onButton, light, dark } = paletteOf(color);
        const pairs = [
          [onButton, button],
          [onButton, buttonStrong],
          ...[light, dark].flatMap(({ accent, accentStrong, tint, onAccent }, index) => {
            const grounds =
              index === 0 ? ['#ffffff', '#f3f5f4', tint] : ['#101415', '#191f20', tint];
            const texts = [accent, accentStrong].flatMap((text) =>
              grounds.map((ground) => [text, ground]),
            );
            return [...texts, [onAccent, accent]];
          }),
        ];
        for (const [text = '', ground = ''] of pairs) {
          expect(
            contrastOf(text, ground),
            `${text} on ${ground} of ${color}`,
          ).toBeGreaterThanOrEqual(4.5);
        }
      }
    }
  }
});

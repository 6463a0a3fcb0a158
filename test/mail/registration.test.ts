import { expect, test } from 'vitest';
import { html } from '../../src/values/html.ts';
import { memberMail } from '../../src/mail/templates/member.ts';
import { refusedMail, registrationMail } from '../../src/mail/templates/registration.ts';

const urls = {
  baseUrl: 'https://payouts.example.com',
  docsUrl: 'https://payouts.example.com/docs',
  proof: { token: 'Ab3_'.repeat(10), expiresAt: new Date('2026-11-29T09:30:00Z') },
};

test('names the business, the base URL and the documentation in both parts', () => {
  const mail = registrationMail({ businessName: 'Åse & Söhne', ...urls });
  expect(mail.text).toContain('Åse & Söhne is registered');
  expect(mail.html).toContain('<strong>Åse &amp; Söhne</strong>');
  for (const part of [mail.text, mail.html]) {
    expect(part).toContain(urls.baseUrl);
    expect(part).toContain(urls.docsUrl);
    expect(part).not.toMatch(/pos_(sandbox|production)_/);
  }
});

test('escapes the name and keeps it short and on one line', () => {
  const mail = registrationMail({
    businessName: `<img src=x onerror="a">\r\nWin 😀 ${'y'.repeat(200)}`,
    ...urls,
  });
  expect(mail.html).not.toContain('<img');
  expect(mail.html).toContain('&lt;img src=x onerror=&quot;a&quot;&gt; Win 😀');
  expect(mail.text).toContain('<img src=x onerror="a"> Win 😀');
  expect(mail.text).not.toContain('y'.repeat(60));
});

test.each([
  ['https://evil.example/prize', 'https evil example prize'],
  ['Win at evil.example!', 'Win at evil example!'],
  ['a@evil。example', 'a evil example'],
  ['J.P. Morgan & Co. KG', 'J.P. Morgan & Co. KG'],
  ['://', '://'],
])('a name that would become a link is none: %s', (businessName, shown) => {
  expect(registrationMail({ businessName, ...urls }).text).toContain(`\n${shown} is registered`);
  const member = {
    businessName,
    invitedBy: businessName,
    role: 'viewer',
    token: 'x',
    baseUrl: urls.baseUrl,
  };
  const expiresAt = new Date('2026-11-29T09:30:00Z');
  const invitation = (environment: string) => memberMail({ ...member, environment, expiresAt });
  expect(invitation('sandbox').subject).toBe(`${shown}: sign in, or get your API key`);
  expect(invitation('production').subject).toBe(`${businessName}: sign in, or get your API key`);
  expect(invitation('sandbox').text).toContain(`\n${shown} for ${shown} asks you to act for it`);
});

test('the template tag escapes every value but its own', () => {
  expect(html`<p title="${`"'<>&`}">${[html`<b>${1}</b>`, '<', null]}</p>`.toString()).toBe(
    '<p title="&quot;&#39;&lt;&gt;&amp;"><b>1</b>&lt;</p>',
  );
});

test('both mails lead to the page that proves the address, and say until when', () => {
  const { baseUrl, proof } = urls;
  const greeting = registrationMail({ businessName: 'Engines', ...urls });
  const refused = refusedMail({ businessName: 'Engines', claimed: 'domain', baseUrl, ...proof });
  for (const { text, html: page } of [greeting, refused]) {
    for (const part of [text, page]) {
      expect(part).toContain(`${baseUrl}/registration/${proof.token}`);
      expect(part).toContain('2026-11-29 09:30 UTC');
      expect(part).toContain('Engines');
    }
  }
  const proven = registrationMail({ businessName: 'Engines', ...urls, proof: null });
  expect(proven.text).not.toContain('/registration/');
});

test('the name of a refused registration becomes no link either', () => {
  const { baseUrl, proof } = urls;
  const mail = refusedMail({
    businessName: 'https://evil.example/prize',
    claimed: 'address',
    baseUrl,
    ...proof,
  });
  expect(mail.text).not.toContain('evil.example');
});

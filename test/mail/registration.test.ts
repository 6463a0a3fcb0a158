import { expect, test } from 'vitest';
import { html } from '../../src/values/html.ts';
import { registrationMail } from '../../src/mail/templates/registration.ts';

const urls = {
  baseUrl: 'https://payouts.example.com',
  docsUrl: 'https://payouts.example.com/docs',
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

test('the template tag escapes every value but its own', () => {
  expect(html`<p title="${`"'<>&`}">${[html`<b>${1}</b>`, '<', null]}</p>`.toString()).toBe(
    '<p title="&quot;&#39;&lt;&gt;&amp;"><b>1</b>&lt;</p>',
  );
});

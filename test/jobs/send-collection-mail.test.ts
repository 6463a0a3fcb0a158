import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handlers } from '../../jobs/handlers.ts';
import { loadConfig, type Config } from '../../src/process/config.ts';
import type { StoredMail } from '../../dev/mailbox/mail.ts';
import { startMailbox, type Mailbox } from '../../dev/mailbox/server.ts';
import { MailNotSent } from '../../src/mail/send.ts';
import type { Services } from '../../src/process/services.ts';
import { newAddress } from '../support/beneficiaries.ts';
import { bankAccount, formCalls, identity } from '../support/collection.ts';
import { pngOf } from '../support/images.ts';
import { eventually, makeTenant, type TestTenant } from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';

let folder: string;
let mailbox: Mailbox;
let harness: Harness;
let tenant: TestTenant;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'collection-mail-'));
  mailbox = await startMailbox({ httpPort: 0, smtpPort: 0, file: join(folder, 'mails.jsonl') });
  harness = await startHarness({ worker: false, env: { PUBLIC_URL: 'https://pay.example.com' } });
  tenant = await makeTenant(harness);
});
afterAll(async () => {
  await harness.close();
  await mailbox.close();
  await rm(folder, { recursive: true });
});

/** The services with this mail server; an empty one is none. */
function withSmtp(smtpUrl: string): Services {
  const config: Config = loadConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: harness.database.url,
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'Payouts <no-reply@example.com>',
    PUBLIC_URL: 'https://pay.example.com',
  });
  return { ...harness.services, config };
}

async function mailsTo(address: string): Promise<StoredMail[]> {
  const answer = await fetch(`${mailbox.url}/mails.json`);
  const { mails } = (await answer.json()) as { mails: StoredMail[] };
  return mails.filter(({ to }) => to.includes(address));
}

interface Invited {
  readonly email: string;
  readonly beneficiaryId: string;
  readonly job: { readonly tenantId: string; readonly requestId: string };
}

async function invite(more: Record<string, unknown> = {}, of = tenant): Promise<Invited> {
  const email = newAddress();
  const row = { email, beneficiary_type: 'person', first_name: 'Ada', last_name: 'King', ...more };
  const answer = await harness.rest('POST', '/v1/beneficiaries/collection-invites', {
    key: of.key,
    body: { invites: [row] },
  });
  const [result] = answer.body.results;
  const job = { tenantId: of.tenantId, requestId: result.collection_request.id as string };
  return { email, beneficiaryId: result.beneficiary_id, job };
}

async function mailOf({ job }: Invited) {
  const { rows } = await harness.database.pool.query(
    `SELECT mail_status, mail_attempts, mail_error, mailed_at IS NOT NULL AS mailed
     FROM collection_request WHERE id = $1`,
    [job.requestId],
  );
  return rows[0] as Record<string, unknown>;
}

/** An SMTP server that answers every recipient with this. */
async function answering(answer: string): Promise<{ url: string; close(): void }> {
  const server = createServer((socket) => {
    socket.write('220 hi\r\n');
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      socket.write(`${data.toString().startsWith('RCPT') ? answer : '250 ok'}\r\n`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, close: () => server.close() };
}

const linkPattern = /https:\/\/pay\.example\.com\/collect\/([\w-]{43})(?![\w-])/g;
const tokensIn = (text: string) => [...text.matchAll(linkPattern)].map((match) => match[1] ?? '');

test('the mail carries the link that opens the form, and is readable in both parts', async () => {
  const invited = await invite();
  await handlers.send_collection_mail(invited.job, withSmtp(mailbox.smtpUrl));
  const [mail] = await mailsTo(invited.email);
  if (mail === undefined) throw new Error('no mail');
  expect(mail.subject).toBe('[Test] Test Business asks for your payout details');
  expect(mail.message_id).toContain(`collection.${invited.job.requestId}@example.com`);
  for (const part of [mail.text, mail.html]) {
    expect(part).toContain('Test Business wants to pay you');
    expect(part).toContain('It can be used once');
    expect(part).toMatch(/until \d{1,2} \w+ \d{4} at \d{2}:\d{2} UTC/);
    expect(part).toContain('Hello Ada King,');
  }
  const tokens = new Set([mail.text, mail.html].flatMap((part) => tokensIn(part ?? '')));
  expect(tokens.size).toBe(1);
  const [token = ''] = tokens;
  const form = formCalls(harness);
  expect((await form.submit(token, { identity, bankAccount })).body.data.form.state).toBe(
    'submitted',
  );
  expect(await mailOf(invited)).toEqual({
    mail_status: 'sent',
    mail_attempts: 1,
    mail_error: null,
    mailed: true,
  });
});

test('a mail that is out is not sent again, and a link that is not live sends nothing', async () => {
  const invited = await invite();
  const services = withSmtp(mailbox.smtpUrl);
  await handlers.send_collection_mail(invited.job, services);
  await handlers.send_collection_mail(invited.job, services);
  expect(await mailsTo(invited.email)).toHaveLength(1);
  const canceled = await invite();
  const path = `/v1/beneficiaries/${canceled.beneficiaryId}/collection-requests/${canceled.job.requestId}`;
  expect((await harness.rest('DELETE', path, { key: tenant.key })).status).toBe(204);
  await handlers.send_collection_mail(canceled.job, services);
  expect(await mailsTo(canceled.email)).toEqual([]);
  expect(await mailOf(canceled)).toMatchObject({ mail_status: 'pending', mail_attempts: 0 });
});

test('without an SMTP server nothing is sent and nothing is tried', async () => {
  const invited = await invite();
  await handlers.send_collection_mail(invited.job, withSmtp(''));
  expect(await mailOf(invited)).toMatchObject({ mail_status: 'pending', mail_attempts: 0 });
});

test('a passing refusal is tried again with another link, and every link opens the form', async () => {
  const invited = await invite();
  const busy = await answering('451 later');
  await expect(handlers.send_collection_mail(invited.job, withSmtp(busy.url))).rejects.toThrow(
    MailNotSent,
  );
  busy.close();
  expect(await mailOf(invited)).toMatchObject({
    mail_status: 'pending',
    mail_attempts: 1,
    mail_error: 'The mail server did not take the mail: SMTP 451',
  });
  // As if the process had died after the server had taken the mail.
  await handlers.send_collection_mail(invited.job, withSmtp(mailbox.smtpUrl));
  await harness.database.pool.query(
    `UPDATE collection_request SET mail_status = 'pending' WHERE id = $1`,
    [invited.job.requestId],
  );
  await handlers.send_collection_mail(invited.job, withSmtp(mailbox.smtpUrl));
  const mails = await mailsTo(invited.email);
  expect(new Set(mails.map((mail) => mail.message_id)).size).toBe(1);
  const tokens = new Set(mails.flatMap((mail) => tokensIn(mail.text ?? '')));
  expect(tokens.size).toBe(2);
  for (const token of tokens) {
    expect((await formCalls(harness).open(token)).body.data.form.state).toBe('live');
  }
});

test('a lasting refusal, and the twelfth passing one, make a dead letter; a resend starts anew', async () => {
  const refused = await invite();
  const never = await answering('550 no such mailbox');
  await handlers.send_collection_mail(refused.job, withSmtp(never.url));
  never.close();
  expect(await mailOf(refused)).toMatchObject({ mail_status: 'dead', mail_attempts: 1 });
  const worn = await invite();
  await harness.database.pool.query(
    'UPDATE collection_request SET mail_attempts = 11 WHERE id = $1',
    [worn.job.requestId],
  );
  const busy = await answering('451 later');
  await handlers.send_collection_mail(worn.job, withSmtp(busy.url));
  busy.close();
  expect(await mailOf(worn)).toMatchObject({ mail_status: 'dead', mail_attempts: 12 });
  // The business sees it, and may invite the same address again at once: the failed link does not count.
  const answer = await harness.graphql(
    tenant.key,
    'query ($id: ID!) { beneficiary(id: $id) { collectionRequests { mailStatus mailError } } }',
    { id: worn.beneficiaryId },
  );
  expect(answer.body.data.beneficiary.collectionRequests).toEqual([
    { mailStatus: 'dead', mailError: 'The mail server did not take the mail: SMTP 451' },
  ]);
  const again = await invite({ email: worn.email });
  expect(again.beneficiaryId).toBe(worn.beneficiaryId);
  expect(again.job.requestId).not.toBe(worn.job.requestId);
});

test('names the legal name, kept short and escaped; production is no test', async () => {
  const production = await makeTenant(harness, { environment: 'production' });
  const name = `<b>Engines</b> & Söhne\r\nBcc: x@example.com ${'long '.repeat(40)}`;
  await harness.database.pool.query('UPDATE business SET legal_name = $2 WHERE id = $1', [
    production.businessId,
    name,
  ]);
  for (const [scope, asked] of [
    ['bank_details', 'asks for your bank details'],
    ['tax_documents', 'asks for a tax document'],
  ] as const) {
    const invited = await invite({ scope }, production);
    await handlers.send_collection_mail(invited.job, withSmtp(mailbox.smtpUrl));
    const [mail] = await mailsTo(invited.email);
    expect(mail?.to).toEqual([invited.email]);
    expect(mail?.subject).toMatch(/^<b>Engines<\/b> & Söhne Bcc: x@example\.com long .*…/);
    expect(mail?.subject).toContain(asked);
    expect(mail?.html).toContain('&lt;b&gt;Engines&lt;/b&gt; &amp; Söhne');
    expect(mail?.text).not.toContain('sandbox');
  }
});

async function mailFor(more: Record<string, unknown>, of = tenant): Promise<StoredMail> {
  const invited = await invite(more, of);
  await handlers.send_collection_mail(invited.job, withSmtp(mailbox.smtpUrl));
  const [mail] = await mailsTo(invited.email);
  if (mail === undefined) throw new Error('no mail');
  return mail;
}

test.each([
  ['en', 'Hello Ada King,', 'asks for your payout details', 'Open the form'],
  ['de', 'Guten Tag Ada King,', 'bittet um Ihre Angaben', 'Formular öffnen'],
  ['fr', 'Bonjour Ada King,', 'vous demande vos coordonnées', 'Ouvrir le formulaire'],
  ['es', 'Hola, Ada King:', 'le pide sus datos', 'Abrir el formulario'],
  ['pt', 'Olá, Ada King.', 'pede os seus dados', 'Abrir o formulário'],
])('an invite in %s is mailed in it, greets, and its link opens the form in it', async (...all) => {
  const [language, greeting, subject, open] = all;
  const { html, text, ...mail } = await mailFor({ language });
  expect(mail.subject).toContain(`Test Business ${subject}`);
  for (const part of [text, html]) {
    expect(part).toContain(greeting);
    expect(part).toContain(open);
    expect(part).toMatch(new RegExp(`/collect/[\\w-]{43}\\?lang=${language}(?!\\w)`));
    expect(part).toMatch(/ UTC\./);
  }
  expect(html).toContain(`<html lang="${language}">`);
  expect(html).not.toMatch(/src="(?!cid:)|url\(|<link|<script|@import/);
});

test('without a named language, the country of the payee decides, then the business, then English', async () => {
  const other = await makeTenant(harness);
  const brand = (body: unknown) =>
    harness.rest('PUT', '/v1/business/collection-branding', { key: other.key, body });
  const withCountry = async (country: string | null) => {
    const email = newAddress();
    const person = { email, beneficiary_type: 'person', first_name: 'Ada', last_name: 'King' };
    const created = await harness.rest('POST', '/v1/beneficiaries', {
      key: other.key,
      body: { ...person, country_of_residence: country, date_of_birth: '1990-12-10' },
    });
    expect(created.status).toBe(201);
    const answer = await harness.rest('POST', '/v1/beneficiaries/collection-invites', {
      key: other.key,
      body: { invites: [{ beneficiary_id: created.body.beneficiary.id }] },
    });
    const job = {
      tenantId: other.tenantId,
      requestId: answer.body.results[0].collection_request.id as string,
    };
    await handlers.send_collection_mail(job, withSmtp(mailbox.smtpUrl));
    const [mail] = await mailsTo(email);
    expect(mail?.text).not.toContain('?lang=');
    return /<html lang="(\w+)">/.exec(mail?.html ?? '')?.[1];
  };
  expect(await withCountry('MX')).toBe('es');
  expect(await withCountry('CA')).toBe('en');
  expect(await withCountry(null)).toBe('en');
  expect((await brand({ language: 'fr' })).status).toBe(200);
  expect(await withCountry('CA')).toBe('fr');
  expect(await withCountry('AT')).toBe('de');
});

const setStatus = ({ businessId }: TestTenant, status: string) =>
  harness.database.pool.query('UPDATE business SET profile_status = $2 WHERE id = $1', [
    businessId,
    status,
  ]);

/** A tenant whose branding has everything. */
async function branded(): Promise<{ tenant: TestTenant; logo: Buffer }> {
  const other = await makeTenant(harness);
  const logo = pngOf(320, 40);
  const set = await harness.rest('PUT', '/v1/business/collection-branding', {
    key: other.key,
    body: {
      color: '#ffd400',
      support_contact: 'help@example.com',
      privacy_url: 'https://example.com/privacy',
      logo: logo.toString('base64'),
    },
  });
  expect(set.status).toBe(200);
  return { tenant: other, logo };
}

test('the mail has the branding of its tenant, and brings the logo along', async () => {
  const { tenant: other, logo } = await branded();
  await setStatus(other, 'accepted');
  const mail = await mailFor({}, other);
  expect(mail.html).toContain('background:#ffd400');
  expect(mail.html).toContain('color:#000000');
  expect(mail.html?.replaceAll(/\s+/g, ' ')).toContain('width="160" height="20"');
  expect(mail.html).toContain('href="mailto:help@example.com"');
  expect(mail.html).toContain('href="https://example.com/privacy"');
  expect(mail.text).toContain('Questions? help@example.com');
  expect(mail.text).toContain('Privacy notice: https://example.com/privacy');
  expect(mail.attachments).toMatchObject([{ type: 'image/png', bytes: logo.length }]);
  expect((await mailFor({})).attachments).toEqual([]);
});

test.each(['incomplete', 'submitted'])(
  'a sandbox whose profile is %s mails no link and no picture but those of the service',
  async (status) => {
    const { tenant: other } = await branded();
    await setStatus(other, status);
    await harness.database.pool.query('UPDATE business SET company_name = $2 WHERE id = $1', [
      other.businessId,
      'Win at evil.example/prize',
    ]);
    const mail = await mailFor({}, other);
    expect(mail.subject).toBe('[Test] Win at evil example prize asks for your payout details');
    expect(mail.html).toContain('background:#ffd400');
    expect(mail.attachments).toEqual([]);
    for (const part of [mail.text ?? '', mail.html ?? '']) {
      expect(part).not.toMatch(/evil\.|help@|example\.com\/privacy|<img/);
      const links = [...part.matchAll(/(?:https?|mailto):[^\s"<]+/g)].map(([link]) => link);
      expect(links.filter((link) => !link.startsWith('https://pay.example.com/collect/'))).toEqual(
        [],
      );
    }
  },
);

test('a name that would become a link is no greeting', async () => {
  for (const name of ['evil.example', 'https://evil.example', 'a@b', 'x\\\\y']) {
    const { text } = await mailFor({ first_name: name });
    expect(text?.startsWith('Hello,\n'), name).toBe(true);
    expect(text).not.toContain('evil');
  }
});

test('a server without TLS gets no mail where TLS is required', async () => {
  const invited = await invite();
  const services = withSmtp(`${mailbox.smtpUrl}/?requireTLS=true`);
  await expect(handlers.send_collection_mail(invited.job, services)).rejects.toThrow(MailNotSent);
  expect(await mailsTo(invited.email)).toEqual([]);
});

test('no token, and no detail of the payee, is in a job', async () => {
  await invite();
  const { rows } = await harness.database.pool.query<{ payload: object; priority: number }>(
    `SELECT j.payload, j.priority FROM graphile_worker._private_jobs j
     JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     WHERE t.identifier = 'send_collection_mail'`,
  );
  expect(rows.length).toBeGreaterThan(5);
  for (const { payload, priority } of rows) {
    expect(Object.keys(payload).toSorted()).toEqual(['requestId', 'tenantId']);
    expect(priority).toBe(10);
  }
});

test('the worker sends what is due', async () => {
  const running = await startHarness({ env: { SMTP_URL: mailbox.smtpUrl } });
  try {
    const other = await makeTenant(running);
    const email = newAddress();
    await running.rest('POST', '/v1/beneficiaries/collection-invites', {
      key: other.key,
      body: {
        invites: [{ email, beneficiary_type: 'business', business_name: 'Engines Ltd' }],
      },
    });
    await eventually(async () => (await mailsTo(email)).length === 1);
  } finally {
    await running.close();
  }
});

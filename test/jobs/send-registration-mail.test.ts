import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handlers } from '../../jobs/handlers.ts';
import { loadConfig, type Config } from '../../src/process/config.ts';
import { registerBusiness } from '../../src/domain/business/register.ts';
import {
  openRegistrationProof,
  proveMailbox,
} from '../../src/domain/business/registration-proof.ts';
import { newId } from '../../src/values/ids.ts';
import type { StoredMail } from '../../dev/mailbox/mail.ts';
import { startMailbox, type Mailbox } from '../../dev/mailbox/server.ts';
import { MailNotSent } from '../../src/mail/send.ts';
import { closeServices, createServices, type Services } from '../../src/process/services.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let folder: string;
let mailbox: Mailbox;
let database: TestDatabase;
let services: Services;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'registration-mail-'));
  mailbox = await startMailbox({ httpPort: 0, smtpPort: 0, file: join(folder, 'mails.jsonl') });
  database = await testDatabase();
  services = createServices(config(mailbox.smtpUrl), 'worker');
});
afterAll(async () => {
  await closeServices(services);
  await mailbox.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** Settings with this mail server; an empty one is none. */
function config(smtpUrl: string): Config {
  return loadConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.url,
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'Payouts <no-reply@example.com>',
    PUBLIC_URL: 'https://payouts.example.com',
  });
}

const withSmtp = (smtpUrl: string): Services => ({ ...services, config: config(smtpUrl) });

async function mails(): Promise<StoredMail[]> {
  const answer = await fetch(`${mailbox.url}/mails.json`);
  return ((await answer.json()) as { mails: StoredMail[] }).mails;
}

async function register(email: string) {
  const { business, user, apiKey } = await registerBusiness(services, {
    email,
    companyName: 'Analytical Engines',
  });
  return { job: { businessId: business.id, userId: user.id }, key: apiKey.key };
}

/** An SMTP server that refuses every recipient with this answer. */
async function refusing(answer: string): Promise<{ url: string; close(): void }> {
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

test('greets the registrant without the key; a repetition is the same mail', async () => {
  const { job, key } = await register('ada@example.com');
  await handlers.send_registration_mail(job, services);
  await handlers.send_registration_mail(job, services);
  const sent = await mails();
  expect(sent).toHaveLength(2);
  for (const mail of sent) {
    expect(mail.to).toEqual(['ada@example.com']);
    expect(mail.text).toContain('Analytical Engines');
    expect(mail.text).toContain('https://payouts.example.com/docs');
    expect(JSON.stringify(mail)).not.toContain(key);
  }
  expect(new Set(sent.map((mail) => mail.message_id)).size).toBe(1);
});

test('without an SMTP server, or without the registrant, it sends nothing and ends', async () => {
  const { job } = await register('bob@example.com');
  const before = await mails();
  await handlers.send_registration_mail(job, withSmtp(''));
  await handlers.send_registration_mail({ ...job, userId: newId('user') }, services);
  expect(await mails()).toEqual(before);
});

test('a passing refusal is thrown, so that the job is tried again; a lasting one ends it', async () => {
  const { job } = await register('eve@example.com');
  const busy = await refusing('451 later');
  await expect(handlers.send_registration_mail(job, withSmtp(busy.url))).rejects.toThrow(
    MailNotSent,
  );
  busy.close();
  const never = await refusing('550 no such mailbox');
  await expect(handlers.send_registration_mail(job, withSmtp(never.url))).resolves.toBeUndefined();
  never.close();
});

/** The token of the link in the newest mail to an address. */
async function mailedToken(email: string): Promise<string> {
  const mail = (await mails()).find(({ to }) => to.includes(email));
  return /\/registration\/([A-Za-z0-9_-]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
}

const client = () => ({ services, clientAddress: null, reportLimit: () => undefined });

test('the link of the mail proves the address, and after it the mail has none', async () => {
  const email = 'grace@example.com';
  const { job } = await register(email);
  await handlers.send_registration_mail(job, services);
  const token = await mailedToken(email);
  const proof = await openRegistrationProof(client(), token);
  expect(proof).toMatchObject({ state: 'live', kind: 'registered', email });
  const nothing = { takeOver: false, keyIds: [], membershipIds: [] };
  expect(await proveMailbox(client(), token, nothing)).toMatchObject({
    businessId: job.businessId,
  });
  await handlers.send_registration_mail(job, services);
  expect(await mailedToken(email)).toBe('');
});

test('a refused registrant is mailed a link, unless the claim was proven meanwhile', async () => {
  const email = 'alan@example.com';
  await register(email);
  await expect(register(email)).rejects.toMatchObject({ code: 'EMAIL_ALREADY_REGISTERED' });
  const { rows } = await database.pool.query<{ id: string; business_id: string }>(
    `SELECT id, business_id FROM registration_proof WHERE email_key = $1 AND kind = 'address'`,
    [email],
  );
  const requestId = rows[0]?.id ?? '';
  const businessId = rows[0]?.business_id ?? '';
  await handlers.send_proof_mail({ requestId }, services);
  expect(await openRegistrationProof(client(), await mailedToken(email))).toMatchObject({
    state: 'live',
    kind: 'address',
    askedCompanyName: 'Analytical Engines',
  });
  await database.pool.query('UPDATE business SET registration_proven_at = now() WHERE id = $1', [
    businessId,
  ]);
  const before = await mails();
  await handlers.send_proof_mail({ requestId }, services);
  await handlers.send_proof_mail({ requestId: randomUUID() }, services);
  expect(await mails()).toEqual(before);
});

import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMailer, type Mailer } from '../../../src/mail/send.ts';
import { type Mailbox, startMailbox } from '../../../dev/mailbox/server.ts';
import type { StoredMail } from '../../../dev/mailbox/mail.ts';

let folder: string;
let file: string;
let mailbox: Mailbox;
let mailer: Mailer;

async function open(): Promise<void> {
  mailbox = await startMailbox({ httpPort: 0, smtpPort: 0, file });
  mailer = createMailer({ smtpUrl: mailbox.smtpUrl, from: 'Payouts <no-reply@example.com>' });
}

async function close(): Promise<void> {
  mailer.close();
  await mailbox.close();
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailbox-'));
  file = join(folder, 'mailbox.jsonl');
  await open();
});

afterEach(async () => {
  await close();
  await rm(folder, { recursive: true });
});

const get = (path: string): Promise<Response> => fetch(`${mailbox.url}${path}`);

async function mails(): Promise<StoredMail[]> {
  return ((await (await get('/mails.json')).json()) as { mails: StoredMail[] }).mails;
}

function send(subject: string, text = 'Hello', html = '<p>Hello</p>'): Promise<void> {
  return mailer.send({ to: 'ada@example.com', subject, text, html, messageId: `evt_${subject}` });
}

test('keeps what the mailer sends: headers, both parts and the links', async () => {
  await mailer.send({
    to: 'grüße@example.com',
    subject: 'Zahlung für Åse',
    text: 'Open https://pay.example.com/collect/abc?x=1&y=2. Thanks.',
    html: '<a href="https://pay.example.com/collect/abc?x=1&amp;y=2">open</a> <a href="javascript:x">no</a>',
    messageId: 'evt_1',
  });
  const [mail] = await mails();
  expect(mail).toMatchObject({
    id: 1,
    from: 'Payouts <no-reply@example.com>',
    to: ['grüße@example.com'],
    subject: 'Zahlung für Åse',
    message_id: '<evt_1@example.com>',
    links: ['https://pay.example.com/collect/abc?x=1&y=2'],
  });
  expect(mail?.text.trim()).toBe('Open https://pay.example.com/collect/abc?x=1&y=2. Thanks.');
});

test('survives a restart, a line cut short and keeps on counting', async () => {
  await send('first');
  await send('second');
  await close();
  await appendFile(file, '{"id":3,"received_at":"20');
  await open();
  await send('third');
  expect((await mails()).map(({ id, subject }) => [id, subject])).toEqual([
    [3, 'third'],
    [2, 'second'],
    [1, 'first'],
  ]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('keeps the last 500, also in the file after a restart', async () => {
  await send('only');
  await close();
  const line = await readFile(file, 'utf8');
  const record = JSON.parse(line) as StoredMail;
  const more = Array.from({ length: 700 }, (_, index) => ({ ...record, id: index + 2 }));
  await appendFile(file, more.map((mail) => `${JSON.stringify(mail)}\n`).join(''));
  await open();
  await send('newest');
  const kept = await mails();
  expect(kept).toHaveLength(500);
  expect(kept[0]).toMatchObject({ id: 702, subject: 'newest' });
  expect(kept.at(-1)?.id).toBe(203);
});

test('escapes everything on the pages and sends a strict policy', async () => {
  const evil = '"><script>alert(1)</script>';
  await mailer.send({
    to: 'ada@example.com',
    subject: evil,
    text: `${evil} https://example.com/"onclick=`,
    html: '<script>alert(2)</script>',
    messageId: 'evt_2',
  });
  for (const path of ['/', '/mails/1']) {
    const response = await get(path);
    const body = await response.text();
    expect(body).not.toContain('<script');
    expect(body).toContain('&lt;script&gt;alert(1)');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  }
  const part = await get('/mails/1/html');
  expect(await part.text()).toContain('<script>alert(2)</script>');
  expect(part.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
  expect(await (await get('/mails/1')).text()).toMatch(/<iframe[^>]* sandbox=""/);
});

test('answers health, the style sheet, unknown mails and other methods', async () => {
  expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' });
  expect((await get('/style.css')).headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(await (await get('/')).text()).toContain('No mail yet');
  expect((await get('/mails/1')).status).toBe(404);
  expect((await get('/mails/1e3')).status).toBe(404);
  expect((await fetch(mailbox.url, { method: 'POST', body: 'x' })).status).toBe(405);
});

test('refuses a foreign host name that was made to resolve here', async () => {
  const asked = request(`${mailbox.url}/mails.json`, { headers: { Host: 'evil.example' } }).end();
  const [response] = (await once(asked, 'response')) as [{ statusCode: number; resume(): void }];
  response.resume();
  expect(response.statusCode).toBe(421);
});

test('refuses a message that is too large and goes on taking others', async () => {
  await expect(send('large', 'x'.repeat(6 * 1024 * 1024))).rejects.toMatchObject({
    permanent: true,
  });
  await send('small');
  expect((await mails()).map(({ subject }) => subject)).toEqual(['small']);
});

test('survives a client that hangs up in the middle of a message', async () => {
  const { hostname, port } = new URL(mailbox.smtpUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, 'data');
  socket.write('HELO x\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<d@e.f>\r\nDATA\r\nSubject: cut\r\n');
  await once(socket, 'data');
  socket.destroy();
  await send('after');
  expect((await mails()).map(({ subject }) => subject)).toEqual(['after']);
});

test('a taken port is an error and leaves nothing open', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const other = join(folder, 'other.jsonl');
  await expect(startMailbox({ httpPort: port, smtpPort: 0, file: other })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  taken.close();
});

test('removes the mails to an address, also from the file', async () => {
  await send('first');
  await mailer.send({
    to: 'bob@example.com',
    subject: 'second',
    text: 'Hi',
    html: '',
    messageId: 'e',
  });
  const refused = await fetch(`${mailbox.url}/mails`, { method: 'DELETE' });
  expect(refused.status).toBe(404);
  const removed = await fetch(`${mailbox.url}/mails?to=Ada@Example.com`, { method: 'DELETE' });
  expect(await removed.json()).toEqual({ removed: 1 });
  expect((await mails()).map(({ subject }) => subject)).toEqual(['second']);
  expect(await readFile(file, 'utf8')).not.toContain('ada@example.com');
  await send('third');
  await close();
  await open();
  expect((await mails()).map(({ id, subject }) => [id, subject])).toEqual([
    [3, 'third'],
    [2, 'second'],
  ]);
});

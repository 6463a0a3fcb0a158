import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createMailer, MailNotSent } from '../../src/mail/send.ts';

let server: Server | undefined;
afterEach(() => server?.close());

/** An SMTP server that greets and answers each recipient as it is told. */
async function answering(greeting: string, recipient: string): Promise<string> {
  server = createServer((socket) => {
    socket.write(`${greeting}\r\n`);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      socket.write(`${data.toString().startsWith('RCPT') ? recipient : '250 ok'}\r\n`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function failure(smtpUrl: string): Promise<MailNotSent> {
  const mailer = createMailer({ smtpUrl, from: 'no-reply@example.com' });
  const mail = { to: 'ada@example.com', subject: 's', text: 'token-canary', html: '<p></p>' };
  const error: unknown = await mailer.send({ ...mail, messageId: 'evt_1' }).then(
    () => 'sent',
    (reason: unknown) => reason,
  );
  mailer.close();
  expect(error).toBeInstanceOf(MailNotSent);
  return error as MailNotSent;
}

test('a 5xx is permanent, a 4xx and no server are not', async () => {
  expect(
    (await failure(await answering('220 hi', '550 no such <ada@example.com>'))).permanent,
  ).toBe(true);
  server?.close();
  const busy = await answering('220 hi', '451 later');
  expect((await failure(busy)).permanent).toBe(false);
  server?.close();
  const gone = await failure('smtp://127.0.0.1:1');
  expect(gone).toMatchObject({ permanent: false, message: expect.stringContaining('ESOCKET') });
});

test('the error tells neither recipient, content nor password', async () => {
  const url = await answering('220 hi', '550 no such <ada@example.com>');
  const error = await failure(url);
  const shown = `${error.message} ${JSON.stringify(error)} ${String(error.cause)}`;
  expect(shown).not.toMatch(/ada@example\.com|token-canary/);
  expect(error.message).toContain('SMTP 550');
});

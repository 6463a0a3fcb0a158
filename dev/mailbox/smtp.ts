import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { parseMail } from './mail.ts';
import type { MailStore } from './store.ts';

/** Largest message taken, announced with SIZE (RFC 1870). */
const maxBytes = 5 * 1024 * 1024;

/** An error with the SMTP status to answer. */
function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

async function readMessage(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // Read to the end even past the limit: the client waits for an answer only after its last byte.
  for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk as Buffer);
  if (stream.sizeExceeded) throw refusal(552, 'Message is too large');
  return Buffer.concat(chunks);
}

async function storeMessage(
  store: MailStore,
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
): Promise<void> {
  const raw = await readMessage(stream);
  const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
  const to = envelope.rcptTo.map(({ address }) => address);
  await store.add(async (id) => {
    try {
      return await parseMail(raw, { from, to }, id, new Date());
    } catch {
      throw refusal(554, 'Message is not readable');
    }
  });
}

/** Stores one message. Resolves with a refusal to answer, or null when it is on disk. */
async function keep(
  store: MailStore,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<Error | null> {
  try {
    await storeMessage(store, stream, session);
    return null;
  } catch (error) {
    return error instanceof Error ? error : refusal(451, 'Not stored');
  }
}

/**
 * An SMTP server on 127.0.0.1 that accepts mail for every address and forwards none. It has no
 * TLS and no login, and is for development only. Rejects when the port is taken.
 */
export async function startSmtpSink(
  store: MailStore,
  port: number,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: maxBytes,
    closeTimeout: 1_000,
    onData(stream, session, done) {
      void keep(store, stream, session).then(done);
    },
  });
  // A client that hangs up is harmless, but without a listener its error would end the process.
  server.on('error', () => undefined);
  const listener = server.listen(port, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
      }),
  };
}

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface MailSink {
  /** For SMTP_URL. */
  readonly url: string;
  /** The next mail to an address; one that is there already counts. */
  mailTo(address: string): Promise<Email>;
  close(): Promise<void>;
}

/** An SMTP server that keeps what it gets, parsed by a library that the service does not use. */
export async function startMailSink(): Promise<MailSink> {
  const mails: Email[] = [];
  const waiting = new Set<() => void>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          mails.push(mail);
          done();
          for (const look of waiting) look();
        });
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;

  function take(address: string): Email | undefined {
    const found = mails.findIndex(({ to }) => to?.some((entry) => entry.address === address));
    return found === -1 ? undefined : mails.splice(found, 1)[0];
  }

  return {
    url: `smtp://127.0.0.1:${port}`,
    mailTo: (address) =>
      new Promise((resolve) => {
        const look = () => {
          const mail = take(address);
          if (mail === undefined) return;
          waiting.delete(look);
          resolve(mail);
        };
        waiting.add(look);
        look();
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The one link of a mail that leads to the collection pages, in both of its parts. */
export function collectionPathOf(mail: Email): string {
  const pattern = /https?:\/\/[^\s"<>]+(\/collect\/[\w-]+)/g;
  const paths = [mail.text ?? '', mail.html ?? ''].map((part) =>
    [...part.matchAll(pattern)].map(([, path = '']) => path),
  );
  const all = new Set(paths.flat());
  const [path] = all;
  if (path === undefined || all.size !== 1 || paths.some((part) => part.length === 0)) {
    throw new Error(`the mail has ${all.size} collection links`);
  }
  return path;
}

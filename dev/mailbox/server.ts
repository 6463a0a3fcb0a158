import type { MailboxConfig } from './config.ts';
import { startMailboxPage } from './http.ts';
import { startSmtpSink } from './smtp.ts';
import { openMailStore } from './store.ts';

export interface Mailbox {
  /** Address of the web page, without a slash at the end. */
  readonly url: string;
  /** What `SMTP_URL` must be for mails to arrive here. */
  readonly smtpUrl: string;
  close(): Promise<void>;
}

/**
 * Starts the local mailbox: an SMTP server that takes every mail, and a page that shows them. Port
 * 0 takes a free one. Rejects when a port is taken or the file cannot be written.
 */
export async function startMailbox(config: MailboxConfig): Promise<Mailbox> {
  await using started = new AsyncDisposableStack();
  const store = await openMailStore(config.file);
  started.defer(() => store.close());
  const smtp = await startSmtpSink(store, config.smtpPort);
  started.defer(() => smtp.close());
  const page = await startMailboxPage(store, config.httpPort);
  started.defer(() => page.close());
  // From here on the caller closes both. After a failure above, `using` closes them in reverse order.
  const running = started.move();
  return {
    url: `http://127.0.0.1:${page.port}`,
    smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
    close: () => running.disposeAsync(),
  };
}

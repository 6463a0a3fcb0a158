import { readMailboxConfig } from './config.ts';
import { startMailbox } from './server.ts';

const mailbox = await startMailbox(readMailboxConfig());
console.log(`mailbox: page at ${mailbox.url}, mail taken at ${mailbox.smtpUrl}`);

let stopping: Promise<void> | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopping ??= mailbox.close();
  });
}

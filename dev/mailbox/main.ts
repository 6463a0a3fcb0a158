import { readMailboxConfig } from './config.ts';
import { type Mailbox, startMailbox } from './server.ts';

/** A setting that is wrong, a busy port or a folder that cannot be written is one line, not a stack. */
async function start(): Promise<Mailbox> {
  try {
    return await startMailbox(readMailboxConfig());
  } catch (error) {
    console.error(`The mailbox does not start: ${(error as Error).message}`);
    process.exit(1);
  }
}

const mailbox = await start();
console.log(`mailbox: page at ${mailbox.url}, mail taken at ${mailbox.smtpUrl}`);

let stopping: Promise<void> | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopping ??= mailbox.close();
  });
}

import { join } from 'node:path';
import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65_535);

const environment = z.object({
  MAILBOX_PORT: port.default(3002),
  SMTP_PORT: port.default(3025),
  DATA_DIR: z.string().min(1).default('.data'),
  MAILBOX_FILE: z.string().min(1).optional(),
});

export interface MailboxConfig {
  /** Port of the web page; 0 takes a free one. */
  readonly httpPort: number;
  readonly smtpPort: number;
  readonly file: string;
}

/** Settings of the local mailbox. Throws an Error that names each malformed one. */
export function readMailboxConfig(env: NodeJS.ProcessEnv = process.env): MailboxConfig {
  const parsed = environment.safeParse(env);
  if (!parsed.success) {
    throw new Error(`The mailbox's settings are invalid.\n${z.prettifyError(parsed.error)}`);
  }
  const settings = parsed.data;
  return {
    httpPort: settings.MAILBOX_PORT,
    smtpPort: settings.SMTP_PORT,
    file: settings.MAILBOX_FILE ?? join(settings.DATA_DIR, 'mailbox.jsonl'),
  };
}

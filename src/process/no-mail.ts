import type { Config } from './config.ts';

/** What somebody has to mend where production sends no e-mail, or null. */
export function mailWarning({
  NODE_ENV,
  SMTP_URL,
}: Pick<Config, 'NODE_ENV' | 'SMTP_URL'>): string | null {
  if (NODE_ENV !== 'production' || SMTP_URL !== null) return null;
  return 'SMTP_URL is not set: no e-mail is sent, so no registration can be proven and nobody gets a link to sign in';
}

import { html } from '../../values/html.ts';
import { code, mailLayout, note, paragraph, plainBranding } from '../layout.ts';
import type { MailContent } from '../send.ts';
import { shortName, unlinkedName } from '../short-name.ts';

interface MemberMail {
  readonly businessName: string;
  readonly role: string;
  readonly environment: string;
  readonly expiresAt: Date;
  readonly token: string;
  /** Where GraphQL is reached, for example `https://payouts.example.com/graphql`. */
  readonly endpoint: string;
}

/**
 * The mail to a member who is to get a key of their own. The token is sent in the body of a request
 * and never in an address, so that it reaches no log and no browser history. Anybody who registers
 * can have this mail sent, so it says who asks and that it may be ignored.
 */
export function memberMail(mail: MemberMail): MailContent {
  const { role, environment, token, endpoint } = mail;
  // An operator has accepted each business of production.
  const name = (environment === 'sandbox' ? unlinkedName : shortName)(mail.businessName);
  const until = `${mail.expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const title = `${name}: get your API key`;
  const query = `mutation ($token: String!) { memberAccept(token: $token) { apiKey { key } } }`;
  const request = JSON.stringify({ query, variables: { token } });
  const command = `curl -H 'Content-Type: application/json' \\\n  -d '${request}' \\\n  ${endpoint}`;
  const asks = `${name} asks you to act for it with the role ${role} (${environment}).`;
  const once = `This request answers with an API key of yours, shown once. It works once, until ${until}.`;
  const warning =
    'Whoever has the key acts as you: run the request yourself, and give neither this mail nor the key to anybody, also not to a colleague.';
  const ignore = 'If you do not expect this, ignore it: without the request nothing happens.';
  const text = `${title}\n\n${asks}\n\n${once}\n\n${command}\n\n${warning}\n\n${ignore}\n`;
  const content = html`${paragraph(asks)} ${paragraph(once)} ${code(command)} ${paragraph(warning)}
  ${note(ignore)}`;
  const frame = { lang: 'en', title, name, branding: plainBranding };
  return { subject: title, text, html: mailLayout(frame, content) };
}

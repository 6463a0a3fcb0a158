import { html } from '../../values/html.ts';
import { button, code, mailLayout, note, paragraph, plainBranding } from '../layout.ts';
import type { MailContent } from '../send.ts';
import { signInUrl } from './sign-in.ts';
import { shortName, unlinkedName } from '../short-name.ts';

interface MemberMail {
  readonly businessName: string;
  /** Who invites, by name or address; null where it is no member. */
  readonly invitedBy: string | null;
  readonly role: string;
  readonly environment: string;
  readonly expiresAt: Date;
  readonly token: string;
  /** Where the service is reached, for example `https://payouts.example.com`. */
  readonly baseUrl: string;
}

/**
 * The mail to a member who is to sign in or to get a key of their own. The token is sent in the body of a request
 * or behind the `#` of an address, so that it reaches no log. Anybody who registers
 * can have this mail sent, so it says who asks and that it may be ignored.
 */
export function memberMail(mail: MemberMail): MailContent {
  const { role, environment, token, baseUrl } = mail;
  // An operator has accepted each business of production.
  const nameOf = environment === 'sandbox' ? unlinkedName : shortName;
  const name = nameOf(mail.businessName);
  const asking = mail.invitedBy === null ? '' : `${nameOf(mail.invitedBy)} for `;
  const until = `${mail.expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const title = `${name}: sign in, or get your API key`;
  const query = `mutation ($token: String!) { memberAccept(token: $token) { apiKey { key } } }`;
  const body = JSON.stringify({ query, variables: { token } });
  const command = `curl -H 'Content-Type: application/json' \\\n  -d '${body}' \\\n  ${baseUrl}/graphql`;
  const asks = `${asking}${name} asks you to act for it with the role ${role} (${environment}).`;
  const href = signInUrl(baseUrl, token);
  const once = `It works once, until ${until}: either you sign in with it, or you take an API key.`;
  const request = 'For a program, this request answers with an API key of yours, shown once:';
  const warning =
    'Whoever uses this mail acts as you: use it yourself, and give neither the mail nor the key to anybody, also not to a colleague.';
  const ignore = 'If you do not expect this, ignore it: unless you use it, nothing happens.';
  const text = `${title}\n\n${asks}\n\n${once}\n\nSign in: ${href}\n\n${request}\n\n${command}\n\n${warning}\n\n${ignore}\n`;
  const content = html`${paragraph(asks)} ${button(href, 'Sign in', plainBranding)}
  ${paragraph(once)} ${paragraph(request)} ${code(command)} ${paragraph(warning)} ${note(ignore)}`;
  const frame = { lang: 'en', title, name, branding: plainBranding };
  return { subject: title, text, html: mailLayout(frame, content) };
}

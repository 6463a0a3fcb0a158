import { html } from '../../values/html.ts';
import { button, link, mailLayout, note, paragraph, plainBranding } from '../layout.ts';
import type { MailContent } from '../send.ts';

interface SignInMail {
  readonly token: string;
  readonly expiresAt: Date;
  readonly operator: boolean;
  /** Where the service is reached, for example `https://payouts.example.com`. */
  readonly baseUrl: string;
}

/** The page of the console that takes a token. It stands behind a `#`, so that no server logs it. */
export const signInUrl = (baseUrl: string, token: string): string =>
  `${baseUrl}/console/sign-in#${token}`;

/** The mail with the link by which a person signs in. Anybody can ask for it, so it may be ignored. */
export function signInMail({ token, expiresAt, operator, baseUrl }: SignInMail): MailContent {
  const { host } = new URL(baseUrl);
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const title = operator ? `Sign in to ${host} as an operator` : `Sign in to ${host}`;
  const href = signInUrl(baseUrl, token);
  const asked = `Somebody, probably you, asked for a link to sign in to the console of ${host}.`;
  const once = `It works once, until ${until}, in the browser in which you open it.`;
  const copy = 'If the button does not work, copy this address into your browser:';
  const warning =
    'Whoever opens the link is signed in as you: do not hand this mail on. Nobody of ours will ever ask you for it.';
  const ignore = 'If you did not ask for it, ignore it: without the link nothing happens.';
  const text = `${title}\n\n${asked}\n\n${href}\n\n${once}\n\n${warning}\n\n${ignore}\n`;
  const content = html`${paragraph(asked)} ${button(href, 'Sign in', plainBranding)}
  ${paragraph(once)} ${note(copy)} ${note(link(href, href, plainBranding))} ${paragraph(warning)}
  ${note(ignore)}`;
  const frame = { lang: 'en', title, name: host, branding: plainBranding };
  return { subject: title, text, html: mailLayout(frame, content) };
}

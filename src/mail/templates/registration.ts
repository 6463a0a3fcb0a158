import { html, type Html } from '../../values/html.ts';
import { button, link, mailLayout, note, paragraph, plainBranding } from '../layout.ts';
import type { MailContent } from '../send.ts';
import { unlinkedName } from '../short-name.ts';

interface RegistrationMail {
  readonly businessName: string;
  /** Where the API is reached, for example `https://payouts.example.com`. */
  readonly baseUrl: string;
  readonly docsUrl: string;
  /** The link that proves the address; null where there is nothing to prove. */
  readonly proof: { readonly token: string; readonly expiresAt: Date } | null;
}

/** The page on which whoever has the mailbox proves it. Opening it changes nothing. */
const proofUrl = (baseUrl: string, token: string): string => `${baseUrl}/registration/${token}`;

const momentOf = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** What the link is for, and the link. */
function proofParts(
  { baseUrl, proof }: Pick<RegistrationMail, 'baseUrl' | 'proof'>,
  why: string,
  label: string,
): { readonly text: string; readonly html: Html | null } {
  if (proof === null) return { text: '', html: null };
  const href = proofUrl(baseUrl, proof.token);
  const once = `The link works once, until ${momentOf(proof.expiresAt)}. It shows a page with a button; nothing happens before you press it.`;
  return {
    text: `\n${why}\n\n${label}: ${href}\n\n${once}\n`,
    html: html`${paragraph(why)} ${button(href, label, plainBranding)} ${note(once)}
    ${note(link(href, href, plainBranding))}`,
  };
}

/**
 * What a registrant is told after `POST /v1/registration`. The API key is not in it: it was shown
 * once, in the answer, and a mailbox is no place for it. Registration needs no proof that the address
 * is the registrant's, so a stranger can choose the name that somebody else reads here.
 */
export function registrationMail({
  businessName,
  baseUrl,
  docsUrl,
  proof,
}: RegistrationMail): MailContent {
  const name = unlinkedName(businessName);
  const title = 'Your sandbox is ready';
  const proving = proofParts(
    { baseUrl, proof },
    'Confirm that this address is yours. Until then the address and its domain can be taken over by whoever proves them, and the business cannot be accepted for production.',
    'Confirm this address',
  );
  const text = `${title}

${name} is registered, and its sandbox is open.
${proving.text}
Base URL: ${baseUrl}
Documentation: ${docsUrl}

Next: submit the business profile (PUT /v1/business/profile). That funds the sandbox wallet
with test money and raises the rate limit. Nothing in the sandbox moves real money.

Your API key was shown once, when you registered. It is not in this mail, and nobody will
ask you for it.

If you did not register, you can ignore this mail.
`;
  const address = (url: string) => link(url, url, plainBranding);
  const content = html`${paragraph(
    html`<strong>${name}</strong> is registered, and its sandbox is open.`,
  )}
  ${proving.html}
  ${paragraph(
    html`Base URL: ${address(baseUrl)}<br />
      Documentation: ${address(docsUrl)}`,
  )}
  ${paragraph(
    html`Next: submit the business profile (<code>PUT /v1/business/profile</code>). That funds the
      sandbox wallet with test money and raises the rate limit. Nothing in the sandbox moves real
      money.`,
  )}
  ${note(
    'Your API key was shown once, when you registered. It is not in this mail, and nobody will ask you for it.',
  )}
  ${note('If you did not register, you can ignore this mail.')}`;
  const frame = { lang: 'en', title, name, branding: plainBranding };
  return { subject: title, text, html: mailLayout(frame, content) };
}

interface RefusedMail {
  /** The business that the refused registration asked for. */
  readonly businessName: string;
  /** What another registration claims without a proof. */
  readonly claimed: 'address' | 'domain';
  readonly baseUrl: string;
  readonly token: string;
  readonly expiresAt: Date;
}

/** The mail to a registrant who was refused, by which whoever has the mailbox takes the claim over. */
export function refusedMail({
  businessName,
  claimed,
  baseUrl,
  token,
  expiresAt,
}: RefusedMail): MailContent {
  const name = unlinkedName(businessName);
  const { host } = new URL(baseUrl);
  const title = `Prove your address to register at ${host}`;
  const what = claimed === 'address' ? 'this address' : 'the domain of this address';
  const asked = `Somebody, probably you, wanted to register ${name} at ${host} with this address. Another registration has named ${what} before, and nobody has proven that one.`;
  const proving = proofParts(
    { baseUrl, proof: { token, expiresAt } },
    'If it was you, the link below shows what there is, and lets you decide.',
    'Look at it',
  );
  const ignore = 'If it was not you, ignore this mail: unless you press a button, nothing happens.';
  const text = `${title}\n\n${asked}\n${proving.text}\n${ignore}\n`;
  const content = html`${paragraph(asked)} ${proving.html} ${note(ignore)}`;
  const frame = { lang: 'en', title, name: host, branding: plainBranding };
  return { subject: title, text, html: mailLayout(frame, content) };
}

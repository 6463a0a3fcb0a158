import { html } from '../../values/html.ts';
import { mailLayout } from '../layout.ts';
import { shortName } from '../short-name.ts';

export interface CollectionMail {
  readonly businessName: string;
  readonly environment: 'sandbox' | 'production';
  readonly scope: 'full_onboarding' | 'bank_details' | 'tax_documents';
  /** The form, with its token: whoever has this mail can open it. */
  readonly link: string;
  readonly expiresAt: Date;
}

/** What each scope asks for: in the subject, and why it is asked. */
const texts = {
  full_onboarding: {
    subject: (name: string) => `${name} asks for your payout details`,
    why: (name: string) =>
      `${name} wants to pay you, and needs to know who you are and where to send the money: your identity details, your address and a bank account.`,
  },
  bank_details: {
    subject: (name: string) => `${name} asks for your bank details`,
    why: (name: string) =>
      `${name} wants to pay you, and needs to know the bank account that the money is to be sent to.`,
  },
  tax_documents: {
    subject: (name: string) => `${name} asks for a tax document`,
    why: (name: string) =>
      `${name} pays you, and needs your tax number and a tax document: a PDF, or a photo of the form.`,
  },
} as const;

const dateTime = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

const linkRules =
  'The link opens the form without a password, so please keep this mail to yourself. It can be used once. Until then you can stop halfway and come back to what you saved.';

const strangers = (name: string): string =>
  `If you do not know ${name}, or do not expect to be paid by them, do not fill in the form. You can ignore this mail: the link then expires, and nothing else happens. If in doubt, ask ${name} in another way than by answering this mail.`;

const testing =
  'This is a test from the sandbox. No money moves, and no real details should be given.';

/**
 * The mail that carries a collection link: who asks, what for, how long the link lives, and what to do
 * if it comes as a surprise. The business that is named chose its own name, so it is kept short, and
 * the mail says how to find out whether it is who it says.
 */
export function collectionMail(mail: CollectionMail): {
  subject: string;
  text: string;
  html: string;
} {
  const name = shortName(mail.businessName);
  const { subject, why } = texts[mail.scope];
  const sandbox = mail.environment === 'sandbox';
  const title = subject(name);
  const until = `${dateTime.format(mail.expiresAt)} UTC`;
  const text = `${title}

${sandbox ? `${testing}\n\n` : ''}${why(name)}

Open the form (until ${until}):
${mail.link}

${linkRules}

${strangers(name)}
`;
  const content = html`${sandbox ? html`<p><strong>${testing}</strong></p>` : null}
    <p>${why(name)}</p>
    <p style="margin:24px 0">
      <a
        href="${mail.link}"
        style="display:inline-block;padding:12px 20px;border-radius:6px;background:#1d4ed8;color:#ffffff;font-weight:600;text-decoration:none"
        >Open the form</a
      >
    </p>
    <p>The link works until ${until}. If the button does not, copy this address:</p>
    <p style="overflow-wrap:anywhere">${mail.link}</p>
    <p>${linkRules}</p>
    <p>${strangers(name)}</p>`;
  return {
    subject: sandbox ? `[Test] ${title}` : title,
    text,
    html: mailLayout(title, content),
  };
}

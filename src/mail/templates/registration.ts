import { html } from '../../values/html.ts';
import { link, mailLayout, note, paragraph, plainBranding } from '../layout.ts';
import type { MailContent } from '../send.ts';
import { unlinkedName } from '../short-name.ts';

interface RegistrationMail {
  readonly businessName: string;
  /** Where the API is reached, for example `https://payouts.example.com`. */
  readonly baseUrl: string;
  readonly docsUrl: string;
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
}: RegistrationMail): MailContent {
  const name = unlinkedName(businessName);
  const title = 'Your sandbox is ready';
  const text = `${title}

${name} is registered, and its sandbox is open.

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

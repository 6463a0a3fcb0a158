import type { LanguageCode } from '../../reference/languages.ts';
import { contactHref } from '../../values/contact.ts';
import { html, type Html } from '../../values/html.ts';
import { say } from '../../values/say.ts';
import {
  button,
  link,
  logoId,
  mailLayout,
  note,
  notice,
  paragraph,
  type MailBranding,
} from '../layout.ts';
import type { MailContent } from '../send.ts';
import { greetableName, shortName, unlinkedName } from '../short-name.ts';
import de from '../texts/de.json' with { type: 'json' };
import en from '../texts/en.json' with { type: 'json' };
import es from '../texts/es.json' with { type: 'json' };
import fr from '../texts/fr.json' with { type: 'json' };
import pt from '../texts/pt.json' with { type: 'json' };
import type { MailTexts } from '../texts/texts.gen.ts';

/** A text that is missing in a language does not compile. Names are put in as plain text. */
const languages = { en, de, fr, es, pt } as const satisfies Record<LanguageCode, typeof en>;

export interface CollectionMail {
  readonly businessName: string;
  /** Whether an operator has accepted the business, so that its name is shown as it is. */
  readonly isAccepted: boolean;
  /** How the business knows the payee; empty when it knows no name. */
  readonly payeeName: string;
  readonly language: LanguageCode;
  readonly branding: MailBranding;
  readonly environment: 'sandbox' | 'production';
  readonly scope: 'full_onboarding' | 'bank_details' | 'tax_documents';
  /** The form, with its token: whoever has this mail can open it. */
  readonly link: string;
  readonly expiresAt: Date;
}

/** A moment with its time zone: where the reader lives is not known. */
function momentOf(at: Date, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(at)} UTC`;
}

/** Whom to ask and how the data is used, as text. */
function footerText({ supportContact, privacyUrl }: MailBranding, texts: MailTexts): string {
  const lines = [
    ...(supportContact === null ? [] : [`${texts.questions} ${supportContact}`]),
    ...(privacyUrl === null ? [] : [`${texts.privacyNotice}${texts.colon} ${privacyUrl}`]),
  ];
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

function footerHtml(branding: MailBranding, texts: MailTexts): Html | null {
  const { supportContact: contact, privacyUrl } = branding;
  if (contact === null && privacyUrl === null) return null;
  return html`${
    contact === null
      ? null
      : note(html`${texts.questions} ${link(contactHref(contact), contact, branding)}`)
  }
  ${privacyUrl === null ? null : note(link(privacyUrl, texts.privacyNotice, branding))}`;
}

/** Everything that the mail says, in its language. */
function sentencesOf(mail: CollectionMail, texts: MailTexts) {
  const name = (mail.isAccepted ? shortName : unlinkedName)(mail.businessName);
  const payee = greetableName(mail.payeeName);
  return {
    name,
    title: texts.subject[mail.scope]({ business: name }),
    greeting: payee === null ? texts.greetingWithoutName : texts.greeting({ name: payee }),
    testing: mail.environment === 'sandbox' ? texts.testing : null,
    why: texts.why[mail.scope]({ business: name }),
    until: texts.until({ until: momentOf(mail.expiresAt, texts.locale) }),
    strangers: texts.strangers({ business: name }),
  };
}

/**
 * The mail that carries a collection link, in the payee's language and the look of the form: who asks,
 * what for, how long the link lives, and what to do if it comes as a surprise. The business that is
 * named chose its own name, so it is kept short, and the mail says how to find out whether it is who it says.
 */
export function collectionMail(mail: CollectionMail): MailContent {
  const { branding } = mail;
  // The type is made from the texts by `npm run generate`.
  const texts = say(languages[mail.language]) as unknown as MailTexts;
  const { name, title, greeting, testing, why, until, strangers } = sentencesOf(mail, texts);
  const text = `${greeting}

${testing === null ? '' : `${testing}\n\n`}${why}

${texts.open}${texts.colon}
${mail.link}

${until}

${texts.rules}

${strangers}
${footerText(branding, texts)}`;
  const content = html`${testing === null ? null : notice(testing)} ${paragraph(greeting)}
  ${paragraph(why)} ${button(mail.link, texts.open, branding)} ${paragraph(until)}
  ${note(texts.copy)} ${note(link(mail.link, mail.link, branding))} ${note(texts.rules)}
  ${note(strangers)}`;
  const footer = footerHtml(branding, texts);
  const { logo } = branding;
  return {
    subject: testing === null ? title : `[${texts.test}] ${title}`,
    text,
    html: mailLayout({ lang: mail.language, title, name, branding, footer }, content),
    images:
      logo === null ? [] : [{ id: logoId, contentType: logo.contentType, content: logo.content }],
  };
}

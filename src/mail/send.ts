import { createTransport } from 'nodemailer';

/** An image that travels with a mail. The HTML part shows it as `cid:<id>`. */
export interface MailImage {
  readonly id: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** What a mail says, in a part for people who read text and one for those who read HTML. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** None where it is absent. */
  readonly images?: readonly MailImage[];
}

/** One mail to one recipient. `messageId` is the part before the `@` of the Message-ID header. */
export interface Mail extends MailContent {
  readonly to: string;
  /**
   * The same for every attempt at one mail, so that a mail sent twice after a crash is shown once
   * by mailboxes that recognise it (RFC 5322, section 3.6.4).
   */
  readonly messageId: string;
}

export interface Mailer {
  /** Hands the mail to the SMTP server; resolves when the server has taken it. Throws MailNotSent. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

interface MailerOptions {
  /**
   * `smtp://` (STARTTLS where the server offers it; with `?requireTLS=true` nowhere else) or
   * `smtps://` (TLS from the start), with `user:password@` where needed. Certificates are verified.
   */
  readonly smtpUrl: string;
  /** The From header, for example `Payouts <no-reply@example.com>`. */
  readonly from: string;
}

/**
 * The server did not take a mail. `permanent` when it answered 5xx to the addresses or the content
 * (RFC 5321, section 4.2.1): the same mail will be refused again. A refused login or a server without
 * the TLS that is required is no fault of the mail, and may be repaired. The message names neither the
 * recipient nor the content, because a mail may carry a single-use link and errors are logged.
 */
export class MailNotSent extends Error {
  readonly permanent: boolean;
  constructor(permanent: boolean, reason: string) {
    super(`The mail server did not take the mail: ${reason}`);
    this.name = 'MailNotSent';
    this.permanent = permanent;
  }
}

const connectTimeoutMs = 10_000;
const idleTimeoutMs = 30_000;

function toMailNotSent(error: unknown): MailNotSent {
  const { responseCode, code } = (error ?? {}) as { responseCode?: unknown; code?: unknown };
  if (typeof responseCode === 'number') {
    const aboutTheMail = code === 'EENVELOPE' || code === 'EMESSAGE';
    return new MailNotSent(aboutTheMail && responseCode >= 500, `SMTP ${responseCode}`);
  }
  return new MailNotSent(false, typeof code === 'string' ? code : 'no answer');
}

/** Inline: it belongs to the HTML part and is no file to be saved. */
function attachmentOf({ id, contentType, content }: MailImage) {
  const filename = `logo.${contentType === 'image/png' ? 'png' : 'jpg'}`;
  return { cid: id, contentType, content, filename, contentDisposition: 'inline' as const };
}

function domainOf(from: string): string {
  return /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}

/**
 * A mailer over one SMTP server. A connection is opened for each mail: mails are rare here, and an
 * idle pooled connection would only be found dead when the next one is due.
 */
export function createMailer({ smtpUrl, from }: MailerOptions): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: idleTimeoutMs,
    // A template must never make the worker read a file or fetch a URL into a mail.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = domainOf(from);
  return {
    async send({ to, subject, text, html, images = [], messageId }) {
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          html,
          attachments: images.map(attachmentOf),
          messageId: `<${messageId}@${domain}>`,
          // Keeps vacation responders from answering (RFC 3834, section 5).
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        throw toMailNotSent(error);
      }
    },
    close: () => transport.close(),
  };
}

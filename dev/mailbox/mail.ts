import PostalMime, { type Address, type Email } from 'postal-mime';
import { z } from 'zod';

const attachment = z.object({ name: z.string(), type: z.string(), bytes: z.number() });

/** A mail as the mailbox keeps it, one line of its file. Attachments are named but not kept, except images that the HTML shows. */
export const storedMail = z.object({
  id: z.number().int().positive(),
  received_at: z.iso.datetime(),
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  message_id: z.string().nullable(),
  text: z.string(),
  html: z.string().nullable(),
  links: z.array(z.string()),
  attachments: z.array(attachment),
});
export type StoredMail = z.infer<typeof storedMail>;

interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

/** The header's address where it is one mailbox, so that the display name is seen. */
function showAddress(address: Address | undefined, fallback: string): string {
  if (address?.address === undefined || address.address === '') return fallback;
  return address.name === '' ? address.address : `${address.name} <${address.address}>`;
}

function httpUrl(candidate: string): string | null {
  const url = URL.parse(candidate);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

/** The http and https addresses in a mail, in order of appearance, each once. */
function findLinks(text: string, html: string | null): string[] {
  const inText = [...text.matchAll(/https?:\/\/[^\s<>"']+/g)].map(([url]) =>
    // Punctuation that ends a sentence is not part of the address.
    url.replace(/[.,;:!?)\]]+$/, ''),
  );
  const inHtml = [...(html ?? '').matchAll(/\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map((match) =>
    (match[1] ?? match[2] ?? '').replaceAll('&amp;', '&'),
  );
  const links = [...inText, ...inHtml].map(httpUrl).filter((url) => url !== null);
  return [...new Set(links)];
}

/** An image that is larger is not shown; the file of the mailbox would grow with it. */
const largestImage = 256 * 1024;

/** The HTML part with the images that the mail brings along in the place of their `cid:` addresses. */
function withImages({ html, attachments }: Email): string | null {
  let shown = html ?? null;
  for (const { contentId, mimeType, content } of attachments) {
    // The parser gives bytes unless it is asked for text.
    const bytes = Buffer.from(content as ArrayBuffer);
    const isImage = /^image\/(?:png|jpeg|gif)$/.test(mimeType) && bytes.length <= largestImage;
    if (contentId === undefined || !isImage || shown === null) continue;
    const address = `cid:${contentId.replace(/^<|>$/g, '')}`;
    shown = shown.replaceAll(address, `data:${mimeType};base64,${bytes.toString('base64')}`);
  }
  return shown;
}

/**
 * Reads a message as it came over SMTP (RFC 5322, MIME). The envelope decides the recipients, as it
 * does for a real mailbox. Throws when the message is not parseable.
 */
export async function parseMail(
  raw: Uint8Array,
  envelope: Envelope,
  id: number,
  receivedAt: Date,
): Promise<StoredMail> {
  const email = await PostalMime.parse(raw, { maxNestingDepth: 32 });
  const text = email.text ?? '';
  const html = withImages(email);
  return {
    id,
    received_at: receivedAt.toISOString(),
    from: showAddress(email.from, envelope.from),
    to: [...envelope.to],
    subject: email.subject ?? '',
    message_id: email.messageId ?? null,
    text,
    html,
    links: findLinks(text, html),
    attachments: email.attachments.map(({ filename, mimeType, content }) => ({
      name: filename ?? 'unnamed',
      type: mimeType,
      bytes: typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength,
    })),
  };
}

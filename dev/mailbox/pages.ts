import { html, type Html } from '../../src/values/html.ts';
import type { StoredMail } from './mail.ts';

function page(title: string, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        ${content}
      </body>
    </html> `.toString();
}

const subjectOf = (mail: StoredMail): string =>
  mail.subject.trim() === '' ? '(no subject)' : mail.subject;

/** In UTC: the page has no script that could find out the reader's time zone. */
const time = (iso: string): Html =>
  html`<time class="time" datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;

const listItem = (mail: StoredMail): Html =>
  html`<li>
    <a href="/mails/${mail.id}">
      <span class="subject">${subjectOf(mail)}</span>
      <span class="people">to ${mail.to.join(', ')}</span>
      ${time(mail.received_at)}
    </a>
  </li> `;

/** The list of mails, newest first. */
export function listPage(mails: readonly StoredMail[]): string {
  const list =
    mails.length === 0
      ? html`<p class="surface none">No mail yet. <a href="/">Look again</a></p>`
      : html`<ol class="surface mails">
          ${mails.map(listItem)}
        </ol>`;
  return page(
    `Mailbox (${mails.length})`,
    html`<header>
        <p>Local mailbox: every mail of this installation, delivered to nobody else.</p>
      </header>
      <main>
        <h1>${mails.length === 1 ? '1 mail' : `${mails.length} mails`}</h1>
        ${list}
      </main>`,
  );
}

const linkList = (links: readonly string[]): Html | null =>
  links.length === 0
    ? null
    : html`<h2>Links</h2>
        <ul class="surface links">
          ${links.map((url) => html`<li><a href="${url}" rel="noopener noreferrer">${url}</a></li> `)}
        </ul>`;

const attachmentList = ({ attachments }: StoredMail): Html | null =>
  attachments.length === 0
    ? null
    : html`<h2>Attachments (not kept)</h2>
        <ul class="surface links">
          ${attachments.map(({ name, type, bytes }) => html`<li>${name}, ${type}, ${bytes} bytes</li> `)}
        </ul>`;

/**
 * The HTML part is a document of its own, in a frame without scripts, forms, popups or an origin:
 * nothing in a mail acts with the rights of this page.
 */
const htmlPart = (mail: StoredMail): Html | null =>
  mail.html === null
    ? null
    : html`<h2>HTML</h2>
        <iframe
          class="surface"
          sandbox=""
          src="/mails/${mail.id}/html"
          title="HTML part of the mail"
        ></iframe>`;

/** One mail: headers, text part, links, HTML part. */
export function mailPage(mail: StoredMail): string {
  return page(
    subjectOf(mail),
    html`<header>
        <p><a href="/">All mails</a></p>
      </header>
      <main>
        <h1>${subjectOf(mail)}</h1>
        <dl class="surface">
          <dt>From</dt>
          <dd>${mail.from}</dd>
          <dt>To</dt>
          <dd>${mail.to.join(', ')}</dd>
          <dt>Received</dt>
          <dd>${time(mail.received_at)}</dd>
          <dt>Message-ID</dt>
          <dd>${mail.message_id ?? 'none'}</dd>
        </dl>
        <h2>Text</h2>
        <pre class="surface body">${mail.text === '' ? '(no text part)' : mail.text}</pre>
        ${linkList(mail.links)} ${attachmentList(mail)} ${htmlPart(mail)}
      </main>`,
  );
}

/** The page for an unknown address. */
export function notFoundPage(): string {
  return page(
    'Not found',
    html`<header>
        <p><a href="/">All mails</a></p>
      </header>
      <main>
        <h1>Not found</h1>
        <p>There is no such mail; the mailbox keeps the last 500.</p>
      </main>`,
  );
}

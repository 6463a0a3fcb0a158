import { html } from '../../src/values/html.ts';
import { codeBlock } from './highlight.ts';
import type { NavigationGroup } from './layout.ts';
import type { DocPage } from './page.ts';

/** A page with its summary, as the front page shows it. */
export interface Card {
  readonly path: string;
  readonly title: string;
  readonly summary: string;
}

const doors: readonly Card[] = [
  {
    path: '/docs/guides/quickstart',
    title: 'Quickstart',
    summary: 'From a key to a settled payout in the sandbox, in five minutes.',
  },
  {
    path: '/docs/reference',
    title: 'API reference',
    summary: 'Every operation: what it takes, what it answers, and how it fails.',
  },
  {
    path: '/docs/guides/webhooks',
    title: 'Webhooks',
    summary: 'Signed events, verifiers in five languages, retries and redelivery.',
  },
  {
    path: '/docs/errors',
    title: 'Errors',
    summary: 'Every code, what it means and what to do about it.',
  },
];

/** The first page: what this is, the first call, and where to go. */
export function frontPage(navigation: readonly NavigationGroup[], server: string): DocPage {
  const first = `curl "${server}/v1/payouts" \\\n  -H "Authorization: Bearer $API_KEY"`;
  const cards = doors.map(
    ({ path, title, summary }) =>
      html`<li>
        <a href="${path}">${title}</a>
        <p>${summary}</p>
      </li>`,
  );
  const groups = navigation.slice(1).map(
    ({ title, links }) =>
      html`<section>
        <h2>${title}</h2>
        <ul>
          ${links.map((link) => html`<li><a href="${link.path}">${link.title}</a></li>`)}
        </ul>
      </section>`,
  );
  return {
    path: '/docs',
    title: 'Payouts API',
    summary:
      'Pay people and companies: payees and their bank accounts, approvals, payouts that happen once, and signed webhooks.',
    content: html`<p class="lead">
        Pay people and companies: payees and their bank accounts, approvals, payouts that happen
        once, and signed webhooks.
      </p>
      <ul class="cards">
        ${cards}
      </ul>
      <p>
        REST is under <code>/v1</code> and GraphQL at <code>/graphql</code>. Both take the same
        keys, and the key decides the business and the environment, sandbox or production.
      </p>
      ${codeBlock('sh', first, 'A first call')}
      <div class="groups">${groups}</div>
      <p class="note">
        For programs: <a href="/v1/openapi.json">OpenAPI document</a> ·
        <a href="/llms.txt">llms.txt</a>. Each guide is also served as Markdown: add
        <code>.md</code> to its address.
      </p>`,
    headings: [],
    entries: [],
    markdown: null,
    wide: false,
  };
}

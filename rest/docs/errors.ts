import { catalogue } from '../../src/errors/catalogue.ts';
import { html, type Html } from '../../src/values/html.ts';
import type { SearchEntry, DocPage } from './page.ts';
import { plainText } from './page.ts';
import { renderText, type Links } from './markdown.ts';

/** Where an operation is described, and what it is called. */
export interface NamedOperation {
  readonly address: string;
  readonly call: string;
}

/** More than this, and it is said that any operation may answer so. */
const listed = 12;

function answeredBy(operations: readonly NamedOperation[]): Html | null {
  if (operations.length === 0) return null;
  if (operations.length > listed) return html`<p class="note">Answered by many operations.</p>`;
  const links = operations.map(
    ({ address, call }) =>
      html`<li>
        <a href="${address}"><code>${call}</code></a>
      </li>`,
  );
  return html`<p class="note">Answered by</p>
    <ul class="values">
      ${links}
    </ul>`;
}

const path = '/docs/errors';
const title = 'Error reference';
const lead =
  'Every answer that is not a success has an `error.code` of this list. Codes are stable, messages may change: decide by the code. More may be added.';

/** The error reference, made from the catalogue: every `docs_url` lands on an anchor of it. */
export function errorPage(
  links: Links,
  operationsOf: (code: string) => readonly NamedOperation[],
): DocPage {
  const all = Object.entries(catalogue);
  const sections = all.map(
    ([code, { status, meaning, resolution }]) =>
      html`<section id="${code}" class="error">
        <h2>
          <a class="anchor" href="#${code}"><code>${code}</code></a>
          <span class="status bad">${status}</span>
        </h2>
        ${renderText(meaning, links)} ${renderText(`**What to do:** ${resolution}`, links)}
        ${answeredBy(operationsOf(code))}
      </section>`,
  );
  const texts = all.map(
    ([code, { status, meaning, resolution }]) =>
      `## ${code}\n\nHTTP ${status}. ${meaning}\n\nWhat to do: ${resolution}\n`,
  );
  return {
    path,
    title,
    summary: plainText(lead),
    content: html`<div class="lead">${renderText(lead, links)}</div>
      ${sections}`,
    headings: all.map(([code]) => ({ id: code, text: code, level: 2 })),
    entries: all.map(([code, { meaning, resolution }]): SearchEntry => ({
      path: `${path}#${code}`,
      title: code,
      of: title,
      text: `${meaning} ${resolution}`,
    })),
    markdown: `# ${title}\n\n${lead}\n\n${texts.join('\n')}`,
    wide: false,
  };
}

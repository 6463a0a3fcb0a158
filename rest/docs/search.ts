import { html, type Html } from '../../src/values/html.ts';
import { excerpt, find } from './match.ts';
import type { SearchEntry, DocPage } from './page.ts';

/** A longer question is cut: nobody searches with a page. */
const questionLimit = 200;
const shown = 30;

function resultsOf(entries: readonly SearchEntry[], question: string): Html {
  if (question === '') return html`<p>Type what you look for: a word, a path or an error code.</p>`;
  const found = find(entries, question, shown);
  if (found.length === 0) {
    return html`<p>
      Nothing has all of these words. Try fewer of them, or look through
      <a href="/docs/reference">the reference</a>.
    </p>`;
  }
  return html`<ol class="results">
    ${found.map(
      (entry) =>
        html`<li>
          <a href="${entry.path}">${entry.title}</a>
          <p class="of">${entry.of}</p>
          <p>${excerpt(entry.text, question)}</p>
        </li>`,
    )}
  </ol>`;
}

/** The page of results. */
export function searchPage(entries: readonly SearchEntry[], asked: string): DocPage {
  const question = asked.trim().slice(0, questionLimit);
  return {
    path: '/docs/search',
    title: question === '' ? 'Search' : `Search: ${question}`,
    summary: '',
    content: resultsOf(entries, question),
    headings: [],
    entries: [],
    markdown: null,
    wide: false,
  };
}

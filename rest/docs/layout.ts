import { html, type Html } from '../../src/values/html.ts';
import { attributes } from '../look/attributes.ts';
import type { DocPage } from './page.ts';

interface NavigationLink {
  readonly path: string;
  readonly title: string;
}

/** A group of the list of pages. */
export interface NavigationGroup {
  readonly title: string;
  readonly links: readonly NavigationLink[];
}

/** What all pages are framed with. */
export interface Frame {
  readonly navigation: readonly NavigationGroup[];
  /** The address of an asset, with its version. */
  readonly asset: (name: string) => string;
}

/** A long code may be broken after its underscores. */
const breakable = (text: string): Html =>
  html`${text.split('_').map((part, index) => (index === 0 ? part : html`_<wbr />${part}`))}`;

/** The list of pages. Under a page without a list of its own stand its places. */
function navigationList({ navigation }: Frame, page: DocPage): Html {
  const places = html`<ul class="places">
    ${page.headings.map(({ id, text }) => html`<li><a href="#${id}">${breakable(text)}</a></li>`)}
  </ul>`;
  const entry = ({ path, title }: NavigationLink): Html => {
    const isPresent = path === page.path;
    const link = attributes({ href: path, 'aria-current': isPresent ? 'page' : null });
    return html`<li>
      <a ${link}>${title}</a>
      ${isPresent && page.wide ? places : null}
    </li>`;
  };
  // Where there are places below, they would be out of sight at the end of a long list.
  const isHere = ({ links }: NavigationGroup) => links.some(({ path }) => path === page.path);
  const groups = page.wide
    ? [...navigation.filter(isHere), ...navigation.filter((group) => !isHere(group))]
    : navigation;
  return html`${groups.map(
    ({ title, links }) =>
      html`<h2>${title}</h2>
        <ul>
          ${links.map(entry)}
        </ul>`,
  )}`;
}

function onThisPage({ headings }: DocPage): Html | null {
  if (headings.length < 2) return null;
  return html`<nav class="toc" aria-label="On this page">
    <h2>On this page</h2>
    <ul>
      ${headings.map(
        ({ id, text, level }) =>
          html`<li class="level-${level}"><a href="#${id}">${breakable(text)}</a></li>`,
      )}
    </ul>
  </nav>`;
}

/** The pages before and after in the order of the navigation. */
function pager({ navigation }: Frame, current: string): Html | null {
  const all = navigation.flatMap(({ links }) => links);
  const at = all.findIndex(({ path }) => path === current);
  if (at === -1) return null;
  const [before, after] = [all[at - 1], all[at + 1]];
  const step = (link: NavigationLink | undefined, rel: 'prev' | 'next', word: string) =>
    link === undefined
      ? html`<span></span>`
      : html`<a class="${rel}" href="${link.path}" rel="${rel}"
          ><span>${word}</span> ${link.title}</a
        >`;
  return html`<nav class="pager" aria-label="Next pages">
    ${step(before, 'prev', 'Before')} ${step(after, 'next', 'Next')}
  </nav>`;
}

function searchForm(question: string): Html {
  return html`<form class="search" role="search" action="/docs/search">
    <label class="hidden" for="frame-search">Search the documents</label>
    <input
      ${attributes({
        id: 'frame-search',
        name: 'q',
        type: 'search',
        placeholder: 'Search',
        autocomplete: 'off',
        spellcheck: 'false',
        maxlength: 200,
        value: question,
      })}
    />
    <kbd aria-hidden="true">/</kbd>
  </form>`;
}

const sections = [
  { path: '/docs', title: 'Guides', of: /^\/docs(?:\/guides\/.*)?$/ },
  { path: '/docs/reference', title: 'API reference', of: /^\/docs\/reference/ },
  { path: '/docs/errors', title: 'Errors', of: /^\/docs\/errors$/ },
];

function sectionLinks(current: string): Html {
  const links = sections.map(
    ({ path, title, of }) =>
      html`<a ${attributes({ href: path, 'aria-current': of.test(current) ? 'true' : null })}
        >${title}</a
      >`,
  );
  return html`<nav class="sections" aria-label="Sections">${links}</nav>`;
}

const menuIcon = html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
  <path d="M2 4h12M2 8h12M2 12h12" fill="none" stroke="currentColor" stroke-width="1.5" />
</svg>`;

/**
 * Frames a page: its own style sheet, script and icon, nothing inline. The list of pages is a popover
 * where there is no room beside the text, which needs no script.
 */
export function layout(frame: Frame, page: DocPage, question = ''): string {
  const { path, title, summary, content, markdown, wide } = page;
  const isFront = path === '/docs';
  const toc = wide ? null : onThisPage(page);
  const kind = wide ? 'page wide' : toc === null ? 'page' : 'page with-toc';
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${summary === '' ? null : html`<meta name="description" content="${summary.slice(0, 300)}" />`}
        <title>${isFront ? title : `${title} – Payouts API`}</title>
        <link rel="icon" href="${frame.asset('icon.svg')}" type="image/svg+xml" />
        <link rel="stylesheet" href="${frame.asset('style.css')}" />
        <link rel="stylesheet" href="${frame.asset('content.css')}" />
        <link rel="stylesheet" href="${frame.asset('code.css')}" />
        ${
          markdown === null
            ? null
            : html`<link rel="alternate" type="text/markdown" href="${path}.md" />`
        }
        <script type="module" src="${frame.asset('docs.js')}"></script>
      </head>
      <body>
        <a class="skip" href="#frame-content">Skip to the content</a>
        <header>
          <button class="menu" type="button" popovertarget="frame-pages" aria-label="All pages">
            ${menuIcon}
          </button>
          <a class="home" href="/docs">Payouts API</a>
          ${sectionLinks(path)} ${searchForm(question)}
        </header>
        <div class="${kind}">
          <nav id="frame-pages" class="pages" popover aria-label="All pages">
            ${navigationList(frame, page)}
          </nav>
          <main id="frame-content" tabindex="-1">
            <article>
              <h1>${title}</h1>
              ${content}
            </article>
            <footer>
              ${pager(frame, path)}
              ${
                markdown === null
                  ? null
                  : html`<p class="note"><a href="${path}.md">This page as Markdown</a></p>`
              }
            </footer>
          </main>
          ${toc}
        </div>
      </body>
    </html> `.toString();
}

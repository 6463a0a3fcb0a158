import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml, Html, html } from '../../src/values/html.ts';
import { codeBlock } from './highlight.ts';
import { anchorOf, plainText, type SearchEntry, type Heading } from './page.ts';

/** Where links of a text lead. */
export interface Links {
  /** The address for a link of the text; null where it leads to something that is not served. */
  readonly link: (href: string) => string | null;
  /** The address of what a piece of code names, as an operation or an error does; null for others. */
  readonly code: (text: string) => string | null;
}

/** A text of Markdown in parts. */
interface Rendered {
  readonly title: string;
  readonly summary: string;
  readonly content: Html;
  readonly headings: readonly Heading[];
  readonly entries: readonly Omit<SearchEntry, 'of'>[];
}

const outside = /^(?:https?:|mailto:)/;

function codeSpan(text: string, { code }: Links): string {
  const address = code(text);
  const span = html`<code>${text}</code>`;
  return (address === null ? span : html`<a href="${address}">${span}</a>`).toString();
}

/** A heading leads to itself, so what it names leads nowhere. */
function headingText(text: string): Html {
  const parts = text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').split('`');
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}

/** A block of code. Only a renderer of Mermaid can draw its diagrams; the text beside them says the same. */
function code({ text, lang = '' }: Tokens.Code, isAnswer: boolean): string {
  if (lang === 'mermaid') return '';
  return codeBlock(lang, text, isAnswer ? 'Answer' : undefined).toString();
}

/** The blocks of JSON that stand behind a command: they are what it answers. */
function answersIn(tokens: readonly Token[]): Token[] {
  const language = (token: Token | undefined) =>
    token?.type === 'code' ? (token as Tokens.Code).lang : undefined;
  return tokens.filter(
    (token, index) => language(token) === 'json' && language(tokens[index - 1]) === 'sh',
  );
}

/** Markdown as HTML. HTML in it is not passed on: comments are dropped, the rest is shown as text. */
function renderer(
  links: Links,
  anchors: ReadonlyMap<Token, string>,
  answers: ReadonlySet<Token>,
): Marked {
  const marked = new Marked();
  marked.use({
    renderer: {
      html: ({ text }) => (text.startsWith('<!--') ? '' : escapeHtml(text)),
      image: ({ text }) => escapeHtml(text),
      checkbox: () => '<span class="box" aria-hidden="true"></span> ',
      code: (token) => code(token, answers.has(token)),
      codespan: ({ text }) => codeSpan(text, links),
      heading(token) {
        const id = anchors.get(token) ?? '';
        const anchor = html`<a class="anchor" href="#${id}">${headingText(token.text)}</a>`;
        return `<h${token.depth} id="${id}">${anchor.toString()}</h${token.depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        if (outside.test(href)) return `<a href="${escapeHtml(href)}" rel="noopener">${inner}</a>`;
        const address = links.link(href);
        return address === null ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`;
      },
      table(token) {
        const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') => {
          const written = cells.map(
            ({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`,
          );
          return `<tr>${written.join('')}</tr>`;
        };
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="table" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  return marked;
}

/** Gives each heading its anchor; of two with one text the second is counted. */
function setAnchors(anchors: Map<Token, string>, tokens: readonly Token[]): void {
  const seen = new Map<string, number>();
  for (const token of tokens) {
    if (token.type !== 'heading') continue;
    const id = anchorOf(plainText((token as Tokens.Heading).text));
    const times = seen.get(id) ?? 0;
    seen.set(id, times + 1);
    anchors.set(token, times === 0 ? id : `${id}-${times}`);
  }
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';

/** The sections of a page, each from its heading to the next. */
function entriesOf(
  path: string,
  title: string,
  tokens: readonly Token[],
  anchors: ReadonlyMap<Token, string>,
): Omit<SearchEntry, 'of'>[] {
  const entries: { path: string; title: string; text: string }[] = [{ path, title, text: '' }];
  for (const token of tokens) {
    if (isHeading(token)) {
      const id = anchors.get(token) ?? '';
      entries.push({ path: `${path}#${id}`, title: plainText(token.text), text: '' });
      continue;
    }
    const last = entries.at(-1);
    const isText = token.type !== 'code' && token.type !== 'html';
    if (last !== undefined && isText) last.text += ` ${plainText(token.raw)}`;
  }
  return entries.map((entry) => ({ ...entry, text: entry.text.trim() }));
}

/**
 * Renders a page. Its first heading is the title, which the frame shows, and its first paragraph the
 * summary.
 */
export function renderMarkdown(path: string, source: string, links: Links): Rendered {
  const anchors = new Map<Token, string>();
  const answers = new Set<Token>();
  const marked = renderer(links, anchors, answers);
  const [first, ...tokens] = marked.lexer(source).filter(({ type }) => type !== 'space');
  if (first?.type !== 'heading') throw new Error(`${path} does not begin with a heading`);
  const title = plainText((first as Tokens.Heading).text);
  setAnchors(anchors, tokens);
  for (const token of answersIn(tokens)) answers.add(token);
  const paragraph = tokens.find(({ type }) => type === 'paragraph');
  const headings = tokens.filter(isHeading).flatMap((token): Heading[] => {
    const { depth } = token;
    if (depth !== 2 && depth !== 3) return [];
    return [{ id: anchors.get(token) ?? '', text: plainText(token.text), level: depth }];
  });
  return {
    title,
    summary: plainText((paragraph as Tokens.Paragraph | undefined)?.text ?? ''),
    content: new Html(marked.parser(tokens)),
    headings,
    entries: entriesOf(path, title, tokens, anchors),
  };
}

/** A sentence or a list of the OpenAPI document. */
export function renderText(source: string, links: Links): Html {
  return new Html(renderer(links, new Map(), new Set()).parse(source, { async: false }));
}

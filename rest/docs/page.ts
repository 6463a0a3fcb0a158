import type { Html } from '../../src/values/html.ts';

/** A heading of a page, for the list beside it. */
export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly level: 2 | 3;
}

/** A place that the search finds. */
export interface SearchEntry {
  /** Address, with the anchor of the place. */
  readonly path: string;
  readonly title: string;
  /** The page that it is on, or what kind of thing it is. */
  readonly of: string;
  readonly text: string;
}

/** A page of the documents, made once. */
export interface DocPage {
  /** Address, without a slash at its end. */
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  readonly content: Html;
  readonly headings: readonly Heading[];
  readonly entries: readonly SearchEntry[];
  /** The page as Markdown; null where it has no such form. */
  readonly markdown: string | null;
  /** Whether the page takes the whole width, as those with samples beside the text do. */
  readonly wide: boolean;
}

/** Text without marks of Markdown, for the search and for titles. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s*[-*] |[`*]+/gm, '')
    .replaceAll(/\||-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** An anchor as GitHub makes it of a heading, so that links work in the repository too. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

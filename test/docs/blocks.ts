import { readPage } from './links.ts';

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
  /** The page and the first line, by which a test names it. */
  readonly name: string;
}

/** The fenced blocks of a page, in order; those in lists without their indentation. */
export function blocksOf(page: string): Block[] {
  return [...readPage(page).matchAll(/^( *)```(\S*)[^\n]*\n([^]*?)\n\1```$/gm)].map(
    ([, indent = '', language = '', raw = '']) => {
      const lines = raw.split('\n').map((line) => line.slice(indent.length));
      const text = lines.join('\n');
      return { page, language, text, name: `${page}: ${lines[0] ?? ''}` };
    },
  );
}

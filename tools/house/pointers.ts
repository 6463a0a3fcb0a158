import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import type { SourceFile } from './files.ts';

/** A place that points to what a reader of the repository cannot open. */
export interface Pointer {
  /** `path:line` of the pointer. */
  readonly place: string;
  readonly text: string;
}

/** Between two words of a comment there may be the end of a line and the beginning of the next. */
const gap = String.raw`[\s*/#]+`;

/** Numbered passages of papers, and numbered issues of a tracker. */
const numbered = new RegExp(
  String.raw`\b(specifications?|decisions?|invariants?)(,?${gap}\(?(section${gap})?|,?${gap}§${gap}?)([0-9][0-9.]*|[A-Z][0-9.]*)\b|\bissues?${gap}#?\d+\b`,
  'gi',
);

/** The name of a page; what has a scheme in front of it is the page of somebody else. */
const page = /(?<![\w/.:~-])(?:\.{1,2}\/)*[\w-]+(?:\/[\w.-]+)*\.md\b/g;

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

function numberedPassages(text: string): RegExpExecArray[] {
  // A label is written with a capital letter; after the word alone comes the rest of a sentence.
  return [...text.matchAll(numbered)].filter(([, , , , label]) => label === label?.toUpperCase());
}

function isThere(root: string, from: string, name: string): boolean {
  const places = [posix.dirname(from), '.', 'docs'];
  return places.some((place) => existsSync(posix.join(root, place, name)));
}

/** A migration stays as it was applied, also when a page that it names gets another name. */
const fixed = /^prisma\/migrations\//;

/** Every pointer of the files to a numbered passage, a numbered issue or a page that is not there. */
export function brokenPointers(root: string, files: readonly SourceFile[]): Pointer[] {
  return files.flatMap(({ path, text }) => {
    const pages = fixed.test(path)
      ? []
      : [...text.matchAll(page)].filter(([name]) => !isThere(root, path, name));
    return [...numberedPassages(text), ...pages]
      .toSorted((one, other) => one.index - other.index)
      .map((match) => ({ place: `${path}:${lineOf(text, match.index)}`, text: match[0] }));
  });
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { guides as served } from '../../rest/docs/guides.ts';

const root = join(import.meta.dirname, '../..');
export const docs = join(root, 'docs');

/** Every page that people write. */
export const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'simulator/README.md',
  'console/README.md',
  'client/README.md',
  'client/python/README.md',
  'prisma/operator/README.md',
  ...readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** The pages of docs/guides, in the order in which they are read. */
export const guides = served
  .map(({ file }) => file)
  .filter((file) => file.startsWith('docs/guides/'));

export function readPage(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

export interface Link {
  readonly text: string;
  /** Path of the target from the repository's root. */
  readonly target: string;
  /** The heading in it; empty where the link leads to the whole. */
  readonly anchor: string;
}

/** The links of a page into the repository and into itself. */
export function linksOf(page: string): Link[] {
  return [...readPage(page).matchAll(/\[([^\]]+)\]\(([^)#\s]*)(?:#([^)]*))?\)/g)]
    .map(([, text = '', target = '', anchor = '']) => ({ text, target, anchor }))
    .filter(({ target }) => !/^[a-z]+:/.test(target))
    .map(({ text, target, anchor }) => ({
      text,
      target: target === '' ? page : join(dirname(page), target),
      anchor,
    }));
}

/** The anchors of a page, as GitHub makes them of its headings. */
export function anchorsOf(page: string): ReadonlySet<string> {
  return new Set(
    [...readPage(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Words in backquotes that are a path of the repository, as the tables of some pages have them. */
export function pathsOf(page: string): string[] {
  const quoted = [...readPage(page).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
  return quoted.filter((text) =>
    /^(src|schema|rest|jobs|simulator|dev|test|tools|prisma|docs|deploy|console|client)\/\S*$/.test(
      text,
    ),
  );
}

export const isThere = (path: string): boolean => existsSync(join(root, path));

/** Everything that a module declares at its top level, whether it exports it or not. */
export function declarationsOf(path: string): ReadonlySet<string> {
  const source = ts.createSourceFile(path, readPage(path), ts.ScriptTarget.Latest, true);
  const names = source.statements.flatMap((statement) => {
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map(({ name }) => name.getText(source));
    }
    const named = statement as Partial<ts.DeclarationStatement>;
    return named.name === undefined ? [] : [named.name.getText(source)];
  });
  return new Set(names);
}

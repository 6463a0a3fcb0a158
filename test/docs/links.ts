import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { guides as served } from '../../rest/docs/guides.ts';

const root = join(import.meta.dirname, '../..');
export const docs = join(root, 'docs');

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
}

/** The links of a page into the repository, without those into the page itself. */
export function linksOf(page: string): Link[] {
  return [...readPage(page).matchAll(/\[([^\]]+)\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, text = '', target = '']) => ({ text, target }))
    .filter(({ target }) => !/^[a-z]+:/.test(target))
    .map(({ text, target }) => ({ text, target: join(dirname(page), target) }));
}

/** Words in backquotes that are a path of the repository, as the tables of some pages have them. */
export function pathsOf(page: string): string[] {
  const quoted = [...readPage(page).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
  return quoted.filter((text) =>
    /^(src|schema|rest|jobs|simulator|dev|test|tools|prisma)\/\S*$/.test(text),
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

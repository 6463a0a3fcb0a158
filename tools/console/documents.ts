import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { concatAST, Kind, parse, print, separateOperations, type DocumentNode } from 'graphql';

/** A file of documents of the console, and what it says. */
export interface DocumentFile {
  /** Its path from `console/src`, without its ending: `pages/payees/payees`. */
  readonly name: string;
  readonly path: string;
  readonly document: DocumentNode;
}

/** An operation of the console, whole: with the fragments that it uses, of whichever file. */
export interface ConsoleDocument {
  readonly file: string;
  readonly operation: string;
  readonly text: string;
}

/** Every file of documents of the console: `*.graphql` beside the page that asks. */
export function documentFiles(root: string): DocumentFile[] {
  const sources = join(root, 'console/src');
  return globSync('**/*.graphql', { cwd: sources })
    .toSorted()
    .map((name) => join(sources, name))
    .map((path) => ({
      name: relative(sources, path).replace(/\.graphql$/, ''),
      path,
      document: parse(readFileSync(path, 'utf8')),
    }));
}

/** The operations of the files. Each has a name of its own. */
export function consoleDocuments(files: readonly DocumentFile[]): ConsoleDocument[] {
  const whole = separateOperations(concatAST(files.map(({ document }) => document)));
  return files.flatMap(({ name: file, document }) =>
    document.definitions.flatMap((definition) => {
      if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
      const operation = definition.name?.value ?? '';
      const found = whole[operation];
      if (found === undefined) throw new Error(`${file}: an operation has no name`);
      return [{ file, operation, text: print(found) }];
    }),
  );
}

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The text of one `graphql(…)` call of the console, with the file that makes it. */
export interface ConsoleDocument {
  readonly file: string;
  readonly text: string;
}

function textsIn(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const [text] = node.arguments;
      const isDocument = node.expression.text === 'graphql' && text !== undefined;
      if (isDocument && ts.isNoSubstitutionTemplateLiteral(text)) texts.push(text.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

/** Every document of the console: documents stand in files `*.graphql.ts` and nowhere else. */
export function consoleDocuments(root: string): ConsoleDocument[] {
  const files = globSync('console/src/**/*.graphql.ts', { cwd: root }).toSorted();
  return files.flatMap((file) => textsIn(join(root, file)).map((text) => ({ file, text })));
}

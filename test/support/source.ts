import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/*
 * The SQL of the source, as the compiler reads it. An expression within a template stands as `x`,
 * since its value is known at run time alone.
 */

const root = join(import.meta.dirname, '../..');
const folders = ['src/**/*.ts', 'jobs/**/*.ts', 'schema/**/*.ts'];

export interface SourceText {
  /** File and line. */
  readonly place: string;
  readonly text: string;
}

export interface SourceFragment extends SourceText {
  /** The text between the expressions. */
  readonly pieces: readonly string[];
}

export interface SourceStatement extends SourceText {
  /** The names under which it is prepared; an expression within one stands as `*`. */
  readonly names: readonly string[];
  /** Declared as one of no tenant. */
  readonly ofPlatform: boolean;
}

export interface Source {
  /** Every prepared statement: `{ name, text }`, or made by `named` or `namedOfPlatform`. */
  readonly statements: readonly SourceStatement[];
  /** Every other text: parts of statements, and what is no SQL at all. */
  readonly others: readonly SourceFragment[];
  /** What is declared as a statement and has no text that can be read here. */
  readonly unread: readonly string[];
}

/** The value of a string or a template, with `hole` for each expression in it; null for anything else. */
function textOf(node: ts.Node | undefined, hole: string): string | null {
  if (node === undefined) return null;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => hole + literal.text).join('');
}

/** The same text in pieces, without the expressions. */
function piecesOf(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (!ts.isTemplateExpression(node)) return [];
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
}

function property(object: ts.ObjectLiteralExpression, name: string): ts.Node | undefined {
  const found = object.properties.find((one) => one.name !== undefined && nameOf(one) === name);
  return found !== undefined && ts.isPropertyAssignment(found) ? found.initializer : found;
}

const nameOf = ({ name }: { readonly name?: ts.Node | undefined }): string | null =>
  name !== undefined && ts.isIdentifier(name) ? name.text : null;

/** The name of the innermost function around a node that has one. */
function functionAround(node: ts.Node): string | null {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    if (!ts.isFunctionLike(at)) continue;
    const name = nameOf(at) ?? (ts.isVariableDeclaration(at.parent) ? nameOf(at.parent) : null);
    if (name !== null) return name;
  }
  return null;
}

const calleeOf = (node: ts.Node | undefined): string | null =>
  node !== undefined && ts.isCallExpression(node) && ts.isIdentifier(node.expression)
    ? node.expression.text
    : null;

const isStatement = (type: ts.TypeNode | undefined): boolean =>
  type !== undefined &&
  ts.isTypeReferenceNode(type) &&
  /^(?:Named)?(?:Platform)?Statement$/.test(type.typeName.getText());

function nodesOf(node: ts.Node, found: ts.Node[] = []): ts.Node[] {
  found.push(node);
  ts.forEachChild(node, (child) => void nodesOf(child, found));
  return found;
}

/** The text of a statement: in its place, or of the constant or function of the same file that it names. */
function sqlOf(node: ts.Node | undefined): string | null {
  const own = textOf(node, 'x');
  const name = node !== undefined && ts.isIdentifier(node) ? node.text : calleeOf(node);
  if (node === undefined || own !== null || name === null) return own;
  const texts = nodesOf(node.getSourceFile())
    .filter((one) => ts.isVariableDeclaration(one) || ts.isFunctionDeclaration(one))
    .filter((one) => nameOf(one) === name)
    .flatMap((one) => nodesOf(one).flatMap((part) => textOf(part, 'x') ?? []));
  return texts[0] ?? null;
}

/** What makes a statement from a name, its parameters and its text. */
const namers: readonly (string | null)[] = ['named', 'namedOfPlatform'];

/** The parts of a statement, if the node makes one. */
function partsOf(node: ts.Node): { name: ts.Node; text: string; ofPlatform: boolean } | null {
  if (ts.isCallExpression(node) && namers.includes(calleeOf(node))) {
    const [name, , given] = node.arguments;
    const text = name === undefined ? null : sqlOf(given);
    const ofPlatform = calleeOf(node) === 'namedOfPlatform';
    return name === undefined || text === null ? null : { name, text, ofPlatform };
  }
  if (!ts.isObjectLiteralExpression(node)) return null;
  const name = property(node, 'name');
  const text = name === undefined ? null : sqlOf(property(node, 'text'));
  const ofPlatform = calleeOf(node.parent) === 'platformStatement';
  return name === undefined || text === null ? null : { name, text, ofPlatform };
}

/** What the calls of a function give it as a name: a text, or the `name` of an object. */
function namesGiven(calls: readonly ts.CallExpression[]): string[] {
  return calls.flatMap((call) =>
    call.arguments.flatMap((given) => {
      const own = ts.isObjectLiteralExpression(given) ? property(given, 'name') : given;
      return textOf(own, '*') ?? [];
    }),
  );
}

/** Reads all sources of the service. */
export function readSource(): Source {
  const all = globSync(folders, { cwd: root, exclude: ['src/db/named.ts'] }).flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return nodesOf(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  });
  const place = (node: ts.Node): string => {
    const file = node.getSourceFile();
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    return `${file.fileName}:${line + 1}`;
  };

  const calls = Map.groupBy(all.filter(ts.isCallExpression), (call) => calleeOf(call));
  const made = all.flatMap((node) => {
    const parts = partsOf(node);
    return parts === null ? [] : [{ node, ...parts }];
  });
  const statements = made.map(({ node, name, text, ofPlatform }) => {
    const fixed = textOf(name, '*');
    const given = () => namesGiven(calls.get(functionAround(node)) ?? []);
    return { place: place(node), text, names: fixed === null ? given() : [fixed], ofPlatform };
  });

  const makers = new Set(namers);
  const declared: ts.Node[] = [];
  for (const node of all) {
    const isMaker = ts.isFunctionDeclaration(node) || ts.isArrowFunction(node);
    if (!(isMaker || ts.isVariableDeclaration(node)) || !isStatement(node.type)) continue;
    const name = ts.isVariableDeclaration(node.parent) ? nameOf(node.parent) : nameOf(node);
    if (isMaker) makers.add(name);
    declared.push(node);
  }
  const isRead = (node: ts.Node): boolean =>
    (ts.isVariableDeclaration(node) && makers.has(calleeOf(node.initializer))) ||
    made.some((one) => one.node.getSourceFile() === node.getSourceFile() && within(one.node, node));
  const unread = declared.filter((node) => !isRead(node)).map(place);

  const own = new Set(statements.map(({ text }) => text));
  const others = all.flatMap((node) => {
    const text = textOf(node, 'x');
    return text === null || own.has(text)
      ? []
      : [{ place: place(node), text, pieces: piecesOf(node) }];
  });
  return { statements, others, unread };
}

const within = (inner: ts.Node, outer: ts.Node): boolean =>
  inner.pos >= outer.pos && inner.end <= outer.end;

/** A shorter piece may stand in two texts by chance. */
const tellingLength = 30;

/** Whether a text of the source, with whatever its expressions give, is a part of a text that is made of several. */
export function isPartOf({ pieces }: SourceFragment, whole: string): boolean {
  if (!pieces.some((piece) => piece.trim().length >= tellingLength)) return false;
  let at = 0;
  return pieces.every((piece) => {
    const found = whole.indexOf(piece.trim(), at);
    at = found + piece.trim().length;
    return found >= 0;
  });
}

/** Whether a statement may be prepared under this name. */
export const isNamed = ({ names }: SourceStatement, name: string): boolean =>
  names.some((pattern) => new RegExp(`^${pattern.replaceAll('*', '\\w+')}$`).test(name));

import { SaxesParser } from 'saxes';

/** An element with its text and the elements in it. */
export interface Node {
  readonly name: string;
  text: string;
  readonly children: Node[];
}

/** Why a whole file is refused: a code of ISO 20022's external list of status reasons. */
export class FileRefusal extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'FileRefusal';
    this.code = code;
  }
}

const formatWrong = (message: string): FileRefusal => new FileRefusal('FF01', message);

const deepest = 32;

/**
 * Reads a document whose root has the namespace.
 * @throws FileRefusal FF01 for one that is no XML, is another message, or has a DOCTYPE
 */
export function readXml(text: string, namespace: string): Node {
  const parser = new SaxesParser({ xmlns: true });
  const top: Node = { name: '', text: '', children: [] };
  const open = [top];
  parser.on('error', (error) => {
    throw formatWrong(`It is no XML: ${error.message}`);
  });
  parser.on('doctype', () => {
    throw formatWrong('It has a DOCTYPE.');
  });
  parser.on('opentag', (tag) => {
    if (tag.uri !== namespace) throw formatWrong(`It is not ${namespace}.`);
    if (open.length > deepest) throw formatWrong('It is too deep.');
    const node: Node = { name: tag.local, text: '', children: [] };
    open.at(-1)?.children.push(node);
    // The one attribute of the message; kept as an element, so that there is one way to ask.
    const currency = tag.attributes['Ccy'];
    if (currency !== undefined) {
      node.children.push({ name: 'Ccy', text: currency.value, children: [] });
    }
    open.push(node);
  });
  parser.on('text', (piece) => {
    const node = open.at(-1);
    if (node !== undefined) node.text += piece;
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(text).close();
  const [root] = top.children;
  if (root === undefined) throw formatWrong('It is empty.');
  return root;
}

/** The first element at the end of the path, or null. */
export function at(node: Node, ...path: readonly string[]): Node | null {
  let found: Node | undefined = node;
  for (const name of path) found = found?.children.find((child) => child.name === name);
  return found ?? null;
}

/** The text there, without the white space around it; '' where there is none. */
export const textAt = (node: Node, ...path: readonly string[]): string =>
  at(node, ...path)?.text.trim() ?? '';

export const allAt = (node: Node, name: string): readonly Node[] =>
  node.children.filter((child) => child.name === name);

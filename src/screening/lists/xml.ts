import { BankFileProblem } from '../../providers/bank/problem.ts';
import { all, textOf, type XmlNode } from '../../providers/bank/iso20022/read-node.ts';
import {
  readXml,
  type Entered,
  type XmlLimits,
  type XmlRoot,
} from '../../providers/bank/iso20022/read-xml.ts';
import type { Bytes } from './entry.ts';
import { ListProblem } from './problem.ts';

/** The largest list in use is one of 30 MB, and its longest entry has some hundred kilobytes. */
export const largestList = 268_435_456;

const limits: XmlLimits = {
  bytes: largestList,
  depth: 16,
  text: 262_144,
  name: 128,
  attributes: 64,
  elements: 20_000,
  partText: 4_194_304,
};

/** What a list's format is. */
export interface XmlFormat<Item> {
  readonly root: string;
  /** The namespace that the root must have; null where publishers changed it. */
  readonly namespace: string | null;
  /** The elements around the entries. */
  readonly entered: Entered;
  /** What the attributes of the root say. */
  readonly head?: (attributes: XmlRoot['attributes']) => readonly Item[];
  /** What a whole element says. It is called in the order of the file. */
  readonly part: (node: XmlNode, within: string) => readonly Item[];
}

/**
 * Reads the XML of a list, element by element. The bounds follow from the limits, not from the file.
 *
 * @throws ListProblem for a file that is not what it must be
 */
export async function* readListXml<Item>(bytes: Bytes, format: XmlFormat<Item>) {
  const begin = (root: XmlRoot, emit: (item: Item) => void) => {
    if (root.name !== format.root || !hasNamespace(root, format.namespace)) {
      const found = root.namespace === '' ? root.name : `${root.name} of ${root.namespace}`;
      throw new ListProblem(
        'unknown_message',
        `line ${root.place.line}: the root element is ${found}, and not ${format.root}.`,
      );
    }
    format.head?.(root.attributes).forEach(emit);
    return {
      root: format.entered,
      enter: () => undefined,
      leave: () => undefined,
      part: (within: string, node: XmlNode) => {
        format.part(node, within).forEach(emit);
      },
    };
  };
  try {
    yield* readXml(bytes, begin, limits);
  } catch (error) {
    if (error instanceof BankFileProblem) throw new ListProblem(error.code, error.message);
    throw error;
  }
}

const hasNamespace = (root: XmlRoot, wanted: string | null): boolean =>
  wanted === null || root.namespace === wanted;

/** The texts at a path of names, every one on the way; without the empty ones. */
export function textsAt(node: XmlNode, ...names: readonly string[]): string[] {
  return nodesAt(node, ...names)
    .map(textOf)
    .filter((text) => text !== '');
}

/** The elements at a path of names, every one on the way. */
export function nodesAt(node: XmlNode, ...names: readonly string[]): readonly XmlNode[] {
  return names.reduce<readonly XmlNode[]>(
    (found, name) => found.flatMap((one) => all(one, name)),
    [node],
  );
}

/** The first text of a name within an element, or the empty text. */
export const firstText = (node: XmlNode, name: string): string => textsAt(node, name)[0] ?? '';

/** An element where the list has none: its publisher changed it, and nobody knows what is missing. */
export function misplaced(node: XmlNode, within: string): never {
  throw new ListProblem(
    'misplaced_element',
    `line ${node.line}: ${node.name} stands in ${within}, where the list has no such element.`,
  );
}

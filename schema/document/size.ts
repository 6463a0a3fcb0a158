import {
  GraphQLError,
  Kind,
  visit,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** How much work a document is, with each fragment counted as often as it is spread. */
export interface Size {
  /** Fields of the outermost level: commands of a mutation, questions of a query. */
  readonly top: number;
  /** All fields that are asked of the service. */
  readonly fields: number;
  /** All fields that are asked about the schema: `__schema` and `__type`, and what is in them. */
  readonly introspection: number;
  /** What fields, arguments, values and directives are made of, down to each name. */
  readonly nodes: number;
}

interface Measured extends Size {
  /** Levels that selections and spreads nest. */
  readonly height: number;
}

/** The definitions of a document that can be run. */
export interface Definitions {
  readonly operations: readonly OperationDefinitionNode[];
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** Deepest nesting of selections, out of all fragments; the engine walks them recursively. */
const maxHeight = 50;

const empty: Measured = { top: 0, fields: 0, introspection: 0, nodes: 0, height: 0 };

/** A hostile document doubles with each fragment; beyond this a count says nothing more. */
const countTo = 1_000_000;
const plus = (a: number, b: number): number => Math.min(countTo, a + b);

function sum(a: Measured, b: Measured): Measured {
  return {
    top: plus(a.top, b.top),
    fields: plus(a.fields, b.fields),
    introspection: plus(a.introspection, b.introspection),
    nodes: plus(a.nodes, b.nodes),
    height: Math.max(a.height, b.height),
  };
}

/** Whether a field of this name answers with the schema itself. */
export function isIntrospective(name: string): boolean {
  return name === '__schema' || name === '__type';
}

/** The definitions by kind. Throws GraphQLError for two fragments of one name. */
export function definitionsOf(document: DocumentNode): Definitions {
  const operations: OperationDefinitionNode[] = [];
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    const { name } = definition;
    if (fragments.has(name.value)) {
      const message = `There can be only one fragment named "${name.value}".`;
      throw new GraphQLError(message, { nodes: name });
    }
    fragments.set(name.value, definition);
  }
  return { operations, fragments };
}

/** The nodes of a selection itself: names, arguments and directives, without what it selects. */
function ownNodes(selection: SelectionNode): number {
  let count = 0;
  visit(selection, {
    enter(node) {
      if (node.kind === Kind.SELECTION_SET) return false;
      count += 1;
      return undefined;
    },
  });
  return count;
}

/**
 * Measures each operation of a document, in their order. A fragment is measured once, and its size is
 * added wherever it is spread, so the work is linear in the length of the text.
 *
 * Throws GraphQLError for a fragment that spreads itself or is never used, and for a document that
 * nests too deeply. A document within the bounds can afterwards be walked field by field, each
 * fragment as often as it is spread: that walk takes no more steps than the measured size.
 */
export function measure({ operations, fragments }: Definitions): readonly Size[] {
  const known = new Map<string, Measured>();
  const entered = new Set<string>();

  function inSelections(set: SelectionSetNode, depth: number): Measured {
    let size = empty;
    for (const selection of set.selections) size = sum(size, inSelection(selection, depth + 1));
    return size;
  }

  function inSelection(selection: SelectionNode, depth: number): Measured {
    if (depth > maxHeight) throw tooDeep();
    const within = below(selection, depth);
    const nodes = plus(within.nodes, ownNodes(selection));
    const height = within.height + 1;
    if (selection.kind !== Kind.FIELD) return { ...within, nodes, height };
    const fields = plus(within.fields, 1);
    const introspection = plus(within.introspection, fields);
    return isIntrospective(selection.name.value)
      ? { top: 1, fields: 0, introspection, nodes, height }
      : { top: 1, fields, introspection: within.introspection, nodes, height };
  }

  function below(selection: SelectionNode, depth: number): Measured {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return inFragment(selection.name.value, depth);
    return selection.selectionSet === undefined
      ? empty
      : inSelections(selection.selectionSet, depth);
  }

  function inFragment(name: string, depth: number): Measured {
    const fragment = fragments.get(name);
    // An unknown one is reported with its place by the engine's own rule.
    if (fragment === undefined) return empty;
    if (entered.has(name)) {
      const message = `Cannot spread fragment "${name}" within itself.`;
      throw new GraphQLError(message, { nodes: fragment });
    }
    let size = known.get(name);
    if (size === undefined) {
      entered.add(name);
      size = inSelections(fragment.selectionSet, depth);
      entered.delete(name);
      known.set(name, size);
    }
    // It may have been measured at a place that is not as deep.
    if (depth + size.height > maxHeight) throw tooDeep();
    return size;
  }

  const sizes = operations.map(({ selectionSet }) => inSelections(selectionSet, 0));
  for (const [name, fragment] of fragments) {
    if (known.has(name)) continue;
    throw new GraphQLError(`Fragment "${name}" is never used.`, { nodes: fragment });
  }
  return sizes;
}

function tooDeep(): GraphQLError {
  return new GraphQLError(`The document nests deeper than ${maxHeight} selections.`);
}

import { GraphQLError, OperationTypeNode, type DocumentNode } from 'graphql';
import { checkIntrospection, countPairs } from './expand.ts';
import { definitionsOf, measure, type Size } from './size.ts';
import { tooMuch, type TextBounds } from './text.ts';

/**
 * What one document may be. It is bounded by its text, before it is validated, which is long work for some short
 * documents. What an operation reads is bounded by its cost (cost.ts), which needs a valid document and its variables.
 */
export interface Bounds extends TextBounds {
  /** Fields of its operations together, with each fragment counted as often as it is spread. */
  readonly fields: number;
  /** Fields of one operation's outermost level. */
  readonly top: number;
}

/** For callers with a key; GraphiQL's introspection has about 200 tokens and 300 fields. */
export const keyedBounds: Bounds = {
  characters: 100_000,
  lines: 1_000,
  tokens: 3_000,
  fields: 500,
  top: 100,
};

/**
 * For everybody else. Without a key there is registration, the form of a collection link, an event
 * of a provider, and in development the schema: none of them is a long document.
 */
export const keylessBounds: Bounds = {
  characters: 20_000,
  lines: 300,
  tokens: 600,
  fields: 120,
  top: 10,
};

/**
 * Commands that one operation may hold. A request pays for one in the tenant's rate, so aliases must
 * not make it a hundred; they also run one after another and would hold the request.
 */
const maxCommands = 10;

/** Bounds that no caller has reason to come near. */
const most = { operations: 50, fragments: 100, introspection: 500, nodes: 10_000, pairs: 2_000 };

function total(sizes: readonly Size[], part: keyof Size): number {
  return sizes.reduce((sum, size) => sum + size[part], 0);
}

/**
 * Refuses a document that would be long work, before the engine's rules look at it: some of them, and
 * what runs an operation, follow a fragment each time it is spread, or compare every field with
 * every other. Throws GraphQLError. Its own work is linear in the document.
 */
export function checkDocument(
  document: DocumentNode,
  bounds: Bounds,
  introspection: boolean,
): void {
  const definitions = definitionsOf(document);
  const { operations, fragments } = definitions;
  if (operations.length > most.operations) throw tooMuch(most.operations, 'operations');
  if (fragments.size > most.fragments) throw tooMuch(most.fragments, 'fragments');
  const sizes = measure(definitions);
  for (const [i, operation] of operations.entries()) {
    const top = sizes[i]?.top ?? 0;
    if (operation.operation === OperationTypeNode.MUTATION && top > maxCommands) {
      const message = `An operation may hold at most ${maxCommands} mutations.`;
      throw new GraphQLError(message, { nodes: operation });
    }
    if (top > bounds.top) throw tooMuch(bounds.top, 'fields at its outermost level');
  }
  if (total(sizes, 'fields') > bounds.fields) throw tooMuch(bounds.fields, 'fields');
  if (total(sizes, 'nodes') > most.nodes) throw tooMuch(most.nodes, 'parts');
  const asked = total(sizes, 'introspection');
  if (asked > most.introspection) throw tooMuch(most.introspection, 'fields about the schema');
  if (asked > 0 && !introspection) {
    throw new GraphQLError('Introspection (__schema and __type) is off on this server.');
  }
  for (const { selectionSet } of operations) checkIntrospection([selectionSet], fragments);
  const pairs = operations.reduce(
    (sum, { selectionSet }) => sum + countPairs([selectionSet], fragments),
    0,
  );
  if (pairs > most.pairs) throw tooMuch(most.pairs, 'repetitions of its fields');
}

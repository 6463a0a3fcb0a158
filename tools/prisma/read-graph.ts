import { deserializeParamGraph, serializeParamGraph } from '@prisma/param-graph';

/** A graph as the generated class holds it. */
export type SerializedGraph = ReturnType<typeof serializeParamGraph>;

/** Prisma's names for the reads of src/db/prisma.ts; a count is an aggregate. */
const reads = new Set([
  'findUnique',
  'findUniqueOrThrow',
  'findFirst',
  'findFirstOrThrow',
  'findMany',
  'aggregate',
  'groupBy',
]);

/** Numbers nodes in the order in which they are met, and copies each of them once. */
function nodesInOrder<Node>(nodes: readonly Node[]) {
  const numbers = new Map<number, number>();
  const met: number[] = [];
  const copies: Node[] = [];
  return {
    copies,
    numberOf(id: number | undefined): number | undefined {
      if (id === undefined) return undefined;
      if (!numbers.has(id)) numbers.set(id, met.push(id) - 1);
      return numbers.get(id);
    },
    /** Copies the nodes that were met and are no copies yet; false where there are none. */
    copyNext(copy: (node: Node) => Node): boolean {
      const before = copies.length;
      for (const id of met.slice(before)) {
        const node = nodes[id];
        if (node !== undefined) copies.push(copy(node));
      }
      return copies.length > before;
    },
  };
}

/**
 * The part of Prisma's graph of parameters that reads need. It tells which values of a query become parameters of the
 * plan; two thirds of it are about writes, which the service makes without Prisma.
 */
export function readsOnly(serialized: SerializedGraph): SerializedGraph {
  const graph = deserializeParamGraph(serialized);
  const inputs = nodesInOrder(graph.inputNodes);
  const outputs = nodesInOrder(graph.outputNodes);
  type Edge = { argsNodeId?: number; outputNodeId?: number; childNodeId?: number };
  /** An edge with the new numbers of its nodes; an absent one stays absent. */
  const renumber = <E extends Edge>(edge: E): E => {
    const ids: Edge = {};
    const child = inputs.numberOf(edge.childNodeId);
    const args = inputs.numberOf(edge.argsNodeId);
    const output = outputs.numberOf(edge.outputNodeId);
    if (child !== undefined) ids.childNodeId = child;
    if (args !== undefined) ids.argsNodeId = args;
    if (output !== undefined) ids.outputNodeId = output;
    return { ...edge, ...ids };
  };
  const copy = <E extends Edge>({ edges }: { edges: Record<number, E> }) => ({
    edges: Object.fromEntries(Object.entries(edges).map(([key, edge]) => [key, renumber(edge)])),
  });
  const roots = Object.fromEntries(
    Object.entries(graph.roots)
      .filter(([operation]) => reads.has(operation.slice(operation.indexOf('.') + 1)))
      .map(([operation, root]) => [operation, renumber(root)]),
  );
  while (inputs.copyNext(copy) || outputs.copyNext(copy));
  const { strings } = graph;
  return serializeParamGraph({
    strings,
    roots,
    inputNodes: inputs.copies,
    outputNodes: outputs.copies,
  });
}

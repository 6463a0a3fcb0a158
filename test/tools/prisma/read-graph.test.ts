import { deserializeParamGraph, serializeParamGraph, ParamGraph } from '@prisma/param-graph';
import { expect, test } from 'vitest';
import { readsOnly } from '../../../tools/prisma/read-graph.ts';

const strings = ['where', 'id', 'AND', 'data', 'state', 'payouts', 'first', 'State', 'select'];
const at = (name: string): number => strings.indexOf(name);

/** Payouts and their payee: node 0 is of writes alone, and the conditions of node 3 contain themselves. */
const graph = serializeParamGraph({
  strings: [...strings, 'Payout.createOne', 'Payout.findMany', 'Payout.count', 'executeRaw'],
  inputNodes: [
    { edges: { [at('data')]: { flags: 32, childNodeId: 1 } } },
    { edges: { [at('id')]: { flags: 1, scalarMask: 1 } } },
    { edges: { [at('where')]: { flags: 32, childNodeId: 3 } } },
    {
      edges: {
        [at('id')]: { flags: 1, scalarMask: 1 },
        [at('state')]: { flags: 2, enumNameIndex: at('State') },
        [at('AND')]: { flags: 16, childNodeId: 3 },
      },
    },
    { edges: { [at('first')]: { flags: 1, scalarMask: 2 } } },
  ],
  outputNodes: [
    { edges: {} },
    { edges: { [at('payouts')]: { argsNodeId: 4, outputNodeId: 1 }, [at('select')]: {} } },
  ],
  roots: {
    'Payout.createOne': { argsNodeId: 0, outputNodeId: 0 },
    'Payout.findMany': { argsNodeId: 2, outputNodeId: 1 },
    executeRaw: {},
  },
});

test('the nodes of reads are kept with all that they lead to, and those of writes are not', () => {
  const { inputNodes, outputNodes, roots } = deserializeParamGraph(readsOnly(graph));
  expect(Object.keys(roots)).toEqual(['Payout.findMany']);
  expect([inputNodes.length, outputNodes.length]).toEqual([3, 1]);
});

test('a read finds the same in it as before', () => {
  const lean = ParamGraph.deserialize(readsOnly(graph), () => ({ a: 'A' }));
  const { argsNodeId, outputNodeId } = lean.root('Payout.findMany') ?? {};
  const where = lean.inputEdge(lean.inputNode(argsNodeId), 'where');
  const conditions = lean.inputNode(where?.childNodeId);
  expect(lean.inputEdge(conditions, 'id')).toMatchObject({ flags: 1, scalarMask: 1 });
  const state = lean.inputEdge(conditions, 'state');
  expect(lean.enumValues(state)).toEqual({ a: 'A' });
  expect(lean.getString(state?.enumNameIndex ?? -1)).toBe('State');
  expect(lean.inputEdge(conditions, 'AND')?.childNodeId).toBe(where?.childNodeId);
  const payouts = lean.outputEdge(lean.outputNode(outputNodeId), 'payouts');
  expect(payouts?.outputNodeId).toBe(outputNodeId);
  expect(lean.inputEdge(lean.inputNode(payouts?.argsNodeId), 'first')?.scalarMask).toBe(2);
  expect(lean.root('Payout.createOne')).toBeUndefined();
});

import { brandWithType } from '@pothos/core';
import { requirePermission } from '../src/access/scope.ts';
import { invalid } from '../src/errors/domain-error.ts';
import { resourceOf } from '../src/values/ids.ts';
import { builder } from './builder.ts';
import { nodeTypes } from './node-types.ts';

const mostNodes = 100;

builder.queryField('nodes', (t) =>
  t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: false, items: true },
    description:
      'Resources by their ids, in the order of the ids; 100 at most. Null for an id that is unknown, malformed or of another tenant.',
    args: { ids: t.arg.idList({ required: true, description: 'Ids of any resources.' }) },
    complexity: (args) => ({ field: 1, multiplier: Math.max(args.ids.length, 1) }),
    resolve: async (_root, { ids }, context) => {
      requirePermission(context.call.scope, 'read');
      if (ids.length > mostNodes) {
        throw invalid([
          { field: 'ids', code: 'too_long', message: `must have at most ${mostNodes} items` },
        ]);
      }
      const found = new Map<string, object>();
      for (const [resource, wanted] of Map.groupBy(new Set(ids), resourceOf)) {
        const node = resource === null ? undefined : nodeTypes[resource];
        if (node === undefined) continue;
        for (const row of await node.read(context.prisma, { where: { id: { in: wanted } } })) {
          // The types are named by text in the table, which Pothos's own type does not take.
          brandWithType(row, node.type as never);
          found.set(row.id, row);
        }
      }
      return ids.map((id) => found.get(id) ?? null) as never;
    },
  }),
);

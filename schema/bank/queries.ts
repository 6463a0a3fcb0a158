import { requirePermission } from '../../src/access/scope.ts';
import { listConnections } from '../../src/domain/bank-connection/store.ts';
import { readRouting } from '../../src/domain/route/store.ts';
import { builder } from '../builder.ts';
import { BankConnection, PayoutRouting } from './type.ts';

builder.queryFields((t) => ({
  bankConnections: t.field({
    type: [BankConnection],
    description: 'The bank connections of the tenant, oldest first, closed ones too.',
    resolve: (_root, _args, { call }) => {
      requirePermission(call.scope, 'read');
      return listConnections(call.services.pool, call.scope);
    },
  }),
  payoutProviders: t.stringList({
    description: 'Names of the providers that a route may lead to beside the banks.',
    resolve: (_root, _args, { call: { scope, services } }) => {
      requirePermission(scope, 'read');
      return [...services.providers.namesIn(scope.environment)];
    },
  }),
  payoutRoutes: t.field({
    type: PayoutRouting,
    description: 'Which provider pays what for the tenant.',
    resolve: (_root, _args, { call }) => {
      requirePermission(call.scope, 'read');
      return readRouting(call.services.pool, call.scope);
    },
  }),
}));

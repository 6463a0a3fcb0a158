import { requirePermission } from '../../src/access/scope.ts';
import { newestFirst } from '../../src/domain/page-range.ts';
import { findHit } from '../../src/domain/screening/decision-store.ts';
import { isId } from '../../src/values/ids.ts';
import { builder } from '../builder.ts';
import { connectionOf } from '../lists/connections.ts';
import { resolvePage } from '../lists/connection.ts';
import { pageArgs, pageCost } from '../lists/page-args.ts';
import { ScreeningHit, ScreeningResult } from './type.ts';

const ScreeningResultConnection = connectionOf(
  ScreeningResult,
  'ScreeningResultConnection',
  'A page of looks at a payee, newest first.',
);

builder.queryFields((t) => ({
  screeningHit: t.field({
    type: ScreeningHit,
    nullable: true,
    description: 'A hit by its id; null when unknown.',
    args: { id: t.arg.id({ required: true, description: 'Id of the hit.' }) },
    resolve: (_root, { id }, { call }) => {
      requirePermission(call.scope, 'read');
      return isId('screeningHit', id) ? findHit(call.services.pool, call.scope, id) : null;
    },
  }),
  screeningResults: t.field({
    type: ScreeningResultConnection,
    description: 'Each look at a payee, newest first; none for an unknown payee.',
    args: {
      ...pageArgs,
      beneficiaryId: t.arg.id({ required: true, description: 'The payee.' }),
    },
    complexity: pageCost(20),
    resolve: (_root, args, context) => {
      requirePermission(context.call.scope, 'read');
      const { beneficiaryId } = args;
      const filter = { beneficiaryId };
      return resolvePage(context, {
        list: 'screening results',
        filter,
        args,
        // Asked of PostgreSQL, an id with a NUL in it would be an error of its own.
        fetch: (range) =>
          isId('beneficiary', beneficiaryId)
            ? context.prisma.screeningResult.findMany(newestFirst(filter, range))
            : Promise.resolve([]),
      });
    },
  }),
}));

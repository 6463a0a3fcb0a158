import { z } from 'zod';
import { requirePermission } from '../../src/access/scope.ts';
import { anyOfStates } from '../../src/domain/payout/input.ts';
import {
  changePosition,
  payoutsChangedSince,
  type ChangesFilter,
} from '../../src/domain/payout/updated-since.ts';
import { dateTime, externalRef, idempotencyKey, text } from '../../src/values/fields.ts';
import { isId } from '../../src/values/ids.ts';
import { parseInput } from '../../src/values/validate.ts';
import { builder } from '../builder.ts';
import { resolvePage } from '../lists/connection.ts';
import type { Context } from '../context.ts';
import { Payout, PayoutStateEnum } from './type.ts';

export const PayoutConnection = builder.connectionObject({
  type: Payout,
  name: 'PayoutConnection',
  description: 'A page of payouts, newest first.',
});

const PayoutFilter = builder.inputType('PayoutFilter', {
  description: 'Conditions; all of them must hold.',
  fields: (t) => ({
    state: t.field({ type: [PayoutStateEnum], description: 'One of these states.' }),
    beneficiaryId: t.id({ description: 'Paid to this beneficiary.' }),
    externalRef: t.string({ description: 'With this reference of the business.' }),
    idempotencyKey: t.string({ description: 'Created with this key.' }),
    updatedSince: t.string({
      description:
        'Changed at or after this ISO 8601 time. The list then runs oldest change first, so that a poller can resume; the youngest changes are held back until no earlier one can still be committed.',
    }),
  }),
});

/** Text of a filter goes to the database as it is, so it must be text that the database takes. */
const filterInput = z.strictObject({
  state: anyOfStates.nullish(),
  beneficiaryId: text().nullish(),
  externalRef: externalRef.nullish(),
  idempotencyKey: idempotencyKey.nullish(),
  updatedSince: dateTime.nullish(),
});
type Filter = z.output<typeof filterInput>;

function where(filter: Filter): Record<string, unknown> {
  return {
    ...(filter.state ? { state: { in: filter.state } } : {}),
    ...(filter.beneficiaryId ? { beneficiaryId: filter.beneficiaryId } : {}),
    ...(filter.externalRef ? { externalRef: filter.externalRef } : {}),
    ...(filter.idempotencyKey ? { idempotencyKey: filter.idempotencyKey } : {}),
  };
}

/** A page by change. */
function changesPage(
  context: Context,
  { first, after }: { first?: number | null | undefined; after?: string | null | undefined },
  filter: ChangesFilter,
) {
  return resolvePage(context, {
    list: 'changed payouts',
    filter: { ...filter },
    first,
    after,
    position: changePosition,
    fetch: (position, take) => payoutsChangedSince(context.call, filter, position, take),
  });
}

builder.queryFields((t) => ({
  payout: t.prismaField({
    type: Payout,
    nullable: true,
    description: 'A payout by its id; null when unknown.',
    args: { id: t.arg.id({ required: true, description: 'Id of the payout.' }) },
    resolve: (query, _root, { id }, context) => {
      requirePermission(context.call.scope, 'read');
      if (!isId('payout', id)) return null;
      return context.prisma.payout.findUnique({
        ...query,
        where: { tenantId_id: { tenantId: context.call.scope.tenantId, id } },
      });
    },
  }),
  payouts: t.field({
    type: PayoutConnection,
    description: 'Payouts, newest first; with updatedSince oldest change first.',
    args: {
      first: t.arg.int({ description: 'Page size, 25 by default and 100 at most.' }),
      after: t.arg.string({ description: 'endCursor of the page before.' }),
      filter: t.arg({ type: PayoutFilter, description: 'Which payouts.' }),
    },
    complexity: (args) => ({ field: 1, multiplier: Math.min(args.first ?? 25, 100) / 20 }),
    resolve: async (_root, args, context) => {
      const given = parseInput(filterInput, args.filter ?? {});
      if (given.updatedSince) {
        return changesPage(context, args, { ...given, updatedSince: given.updatedSince });
      }
      const filter = where(given);
      return resolvePage(context, {
        list: 'payouts',
        filter,
        first: args.first,
        after: args.after,
        fetch: (before, take) =>
          context.prisma.payout.findMany({
            where: { ...filter, ...(before === null ? {} : { id: { lt: before } }) },
            orderBy: { id: 'desc' },
            take,
          }),
      });
    },
  }),
}));

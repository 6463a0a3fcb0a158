import { requirePermission } from '../../src/access/scope.ts';
import {
  choosePayoutList,
  exactConditions,
  type PayoutListPlan,
  type PayoutOrder,
} from '../../src/domain/payout/list/choose.ts';
import { payoutListFilter } from '../../src/domain/payout/list/filter.ts';
import {
  countPayoutList,
  listPosition,
  readPayoutList,
  sumPayoutList,
  type ListedPayout,
  type PayoutSum,
} from '../../src/domain/payout/list/read.ts';
import { isId } from '../../src/values/ids.ts';
import { parseInput } from '../../src/values/validate.ts';
import { int, minorUnitsTotal, text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { countedConnectionOf } from '../lists/connections.ts';
import { resolvePage } from '../lists/connection.ts';
import { countedPageCost, pageArgs } from '../lists/page-args.ts';
import { mostCounted, type PageArgs } from '../lists/page.ts';
import { PayoutFilter, PayoutOrderInput } from './list-input.ts';
import { Payout } from './type.ts';

export const PayoutConnection = countedConnectionOf(
  Payout,
  'PayoutConnection',
  'A page of payouts.',
);

/** What the cursors of a list belong to. A list newest first is the usual one, under a name of its own. */
function nameOf({ walk, descending, poll }: PayoutListPlan): string {
  if (poll) return 'changed payouts';
  return walk === 'all' && descending ? 'payouts' : `payouts ${walk} ${String(descending)}`;
}

interface ListArgs extends PageArgs {
  readonly filter?: typeof PayoutFilter.$inferInput | null | undefined;
  readonly orderBy?: typeof PayoutOrderInput.$inferInput | null | undefined;
}

function planOf(given: unknown, orderBy: ListArgs['orderBy']) {
  const filter = parseInput(payoutListFilter, given);
  const order: PayoutOrder | null = orderBy
    ? { field: orderBy.field, descending: orderBy.direction !== 'asc' }
    : null;
  return choosePayoutList(filter, order, Date.now());
}

/** Looking at 10,000 payouts costs as much as some hundred rows. */
const windowCost = 50;

/** Whether a page may look at more payouts than it has: conditions that payouts meet one by one, and others. */
const mayLookFurther = ({ filter, orderBy }: Pick<ListArgs, 'filter' | 'orderBy'>): boolean =>
  typeof filter?.replaced === 'boolean' ||
  (exactConditions.some((name) => filter?.[name]) &&
    (Boolean(orderBy) || Object.values(filter ?? {}).filter(Boolean).length > 1));

/** A filter as a cursor is bound to it. */
const bindingOf = ({ filter }: PayoutListPlan): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]) =>
      value === null ? [] : [[name, typeof value === 'bigint' ? String(value) : value]],
    ),
  );

const PayoutSumObject = builder.objectRef<PayoutSum>('PayoutSum').implement({
  description: 'What the payouts of a list come to in one currency.',
  fields: (t) =>
    shown(t, {
      currency: text('ISO 4217 code.'),
      count: int('How many payouts.'),
      amountMinor: minorUnitsTotal('Their amounts together, in minor units of currency.'),
    }),
});

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
  payoutSums: t.field({
    type: [PayoutSumObject],
    nullable: true,
    description: `What all payouts of a filter come to, by currency in the order of their codes; null where there are more than ${mostCounted.toLocaleString('en')}.`,
    args: { filter: t.arg({ type: PayoutFilter, description: 'Which payouts.' }) },
    // It looks at as many payouts as are counted at most.
    complexity: { field: windowCost },
    resolve: (_root, { filter }, context) => {
      requirePermission(context.call.scope, 'read');
      return sumPayoutList(context.call, planOf(filter ?? {}, null), mostCounted);
    },
  }),
  payouts: t.field({
    type: PayoutConnection,
    description:
      'Payouts, newest first unless the filter or orderBy says otherwise. A page may be short and still have a next one where beneficiaryId, externalRef or idempotencyKey meet other conditions: it looks at 10,000 payouts at most.',
    args: {
      ...pageArgs,
      filter: t.arg({ type: PayoutFilter, description: 'Which payouts.' }),
      orderBy: t.arg({
        type: PayoutOrderInput,
        description: "The order; by default that of the filter's range, or newest first.",
      }),
    },
    complexity: (args) => ({
      ...countedPageCost(args),
      field: mayLookFurther(args) ? windowCost : 1,
    }),
    resolve: async (_root, { filter, orderBy, ...args }, context) => {
      const plan = planOf(filter ?? {}, orderBy);
      return resolvePage<ListedPayout>(context, {
        list: nameOf(plan),
        filter: bindingOf(plan),
        args,
        position: (payout) => listPosition(plan, payout),
        fetch: (range) => readPayoutList(context.call, plan, range),
        count: (most) => countPayoutList(context.call, plan, most),
      });
    },
  }),
}));

import { requirePermission } from '../../src/access/scope.ts';
import {
  countEntries,
  entriesFilter,
  entryPosition,
  readEntries,
  readEntriesOfPayouts,
  type EntriesConditions,
} from '../../src/domain/ledger/entry-list.ts';
import { parseInput } from '../../src/values/validate.ts';
import { builder } from '../builder.ts';
import { countedConnectionOf } from '../lists/connections.ts';
import { childrenCost } from '../lists/children.ts';
import { resolvePage } from '../lists/connection.ts';
import { loadBy } from '../lists/loader.ts';
import { countedPageCost, pageArgs } from '../lists/page-args.ts';
import { Payout } from '../payout/type.ts';
import { LedgerEntryFilter } from './filter.ts';
import { LedgerEntry } from './type.ts';

/** A filter as a cursor is bound to it: null is no condition. */
const definedOf = (filter: EntriesConditions): EntriesConditions =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null));

const LedgerEntryConnection = countedConnectionOf(
  LedgerEntry,
  'LedgerEntryConnection',
  'A page of the entries of the books, newest first.',
);

builder.queryField('ledgerEntries', (t) =>
  t.field({
    type: LedgerEntryConnection,
    description: 'The entries of the books, newest first (docs/ledger.md).',
    args: {
      ...pageArgs,
      filter: t.arg({ type: LedgerEntryFilter, description: 'Which entries.' }),
    },
    complexity: countedPageCost,
    resolve: (_root, args, context) => {
      requirePermission(context.call.scope, 'read');
      const filter = definedOf(parseInput(entriesFilter, args.filter ?? {}));
      return resolvePage(context, {
        list: 'ledger entries',
        filter,
        args,
        position: entryPosition,
        fetch: (range) => readEntries(context.call, filter, range),
        count: (most) => countEntries(context.call, filter, most),
      });
    },
  }),
);

const entriesOf = loadBy(readEntriesOfPayouts, (payoutId) => payoutId);

builder.prismaObjectField(Payout, 'ledgerEntries', (t) =>
  t.field({
    type: [LedgerEntry],
    description:
      'Its latest 100 entries in the books, oldest first: what was reserved and moved for it, and when.',
    complexity: childrenCost,
    resolve: ({ id }, _args, context) => entriesOf(context, id),
  }),
);

import { readPayoutsOf } from '../../src/domain/payout/of-beneficiary.ts';
import { Beneficiary } from '../beneficiary/type.ts';
import { builder } from '../builder.ts';
import { resolvePage } from '../lists/connection.ts';
import { loadBy } from '../lists/loader.ts';
import { PayoutConnection } from './queries.ts';

const payoutsOf = loadBy(
  readPayoutsOf,
  ({ beneficiaryId, before, take }) => `${beneficiaryId} ${before ?? ''} ${take}`,
);

builder.prismaObjectField(Beneficiary, 'payouts', (t) =>
  t.field({
    type: PayoutConnection,
    description: 'Payouts to the beneficiary, newest first.',
    args: {
      first: t.arg.int({ description: 'Page size, 25 by default and 100 at most.' }),
      after: t.arg.string({ description: 'endCursor of the page before.' }),
    },
    complexity: (args) => ({ field: 1, multiplier: Math.min(args.first ?? 25, 100) / 20 }),
    resolve: ({ id: beneficiaryId }, { first, after }, context) =>
      resolvePage(context, {
        list: 'payouts of a beneficiary',
        filter: { beneficiaryId },
        first,
        after,
        fetch: (before, take) => payoutsOf(context, { beneficiaryId, before, take }),
      }),
  }),
);

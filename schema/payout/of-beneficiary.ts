import { countPayoutsOf, readPayoutsOf } from '../../src/domain/payout/of-beneficiary.ts';
import { Beneficiary } from '../beneficiary/type.ts';
import { builder } from '../builder.ts';
import { resolvePage } from '../lists/connection.ts';
import { loadBy } from '../lists/loader.ts';
import { countedPageCost, pageArgs } from '../lists/page-args.ts';
import { PayoutConnection } from './queries.ts';

const payoutsOf = loadBy(readPayoutsOf, (range) => JSON.stringify(range));
const countOf = loadBy(countPayoutsOf, ({ beneficiaryId, most }) => `${beneficiaryId} ${most}`);

builder.prismaObjectField(Beneficiary, 'payouts', (t) =>
  t.field({
    type: PayoutConnection,
    description: 'Payouts to the beneficiary, newest first.',
    args: pageArgs,
    complexity: countedPageCost,
    resolve: ({ id: beneficiaryId }, args, context) =>
      resolvePage(context, {
        list: 'payouts of a beneficiary',
        filter: { beneficiaryId },
        args,
        fetch: (range) => payoutsOf(context, { beneficiaryId, ...range }),
        count: (most) => countOf(context, { beneficiaryId, most }),
      }),
  }),
);

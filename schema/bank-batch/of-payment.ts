import { builder } from '../builder.ts';
import { payoutById, promised } from '../lists/rows.ts';
import { Payout } from '../payout/type.ts';
import { BankPaymentObject } from './type.ts';

builder.objectField(BankPaymentObject, 'payout', (t) =>
  t.field({
    type: Payout,
    description: 'The payout as it is today.',
    resolve: async ({ payoutId }, _args, context) => promised(await payoutById(context, payoutId)),
  }),
);

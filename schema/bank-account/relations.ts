import { builder } from '../builder.ts';
import { Beneficiary } from '../beneficiary/type.ts';
import { beneficiaryById, promised } from '../lists/rows.ts';
import { BankAccount } from './type.ts';

builder.prismaObjectField(BankAccount, 'beneficiary', (t) =>
  t.field({
    type: Beneficiary,
    description: 'The owner as it is today.',
    resolve: async ({ beneficiaryId }, _args, context) =>
      promised(await beneficiaryById(context, beneficiaryId)),
  }),
);

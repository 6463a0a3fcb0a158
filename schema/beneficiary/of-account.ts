import { BankAccount } from '../bank-account/type.ts';
import { builder } from '../builder.ts';
import { beneficiaryById, promised } from '../lists/rows.ts';
import { Beneficiary } from './type.ts';

builder.prismaObjectField(BankAccount, 'beneficiary', (t) =>
  t.field({
    type: Beneficiary,
    description: 'The owner as it is today.',
    resolve: async ({ beneficiaryId }, _args, context) =>
      promised(await beneficiaryById(context, beneficiaryId)),
  }),
);

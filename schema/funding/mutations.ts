import { setSandboxBalance } from '../../src/domain/sandbox/set-balance.ts';
import { builder } from '../builder.ts';
import { FundingAccount } from './type.ts';

const SandboxBalanceInput = builder.inputType('SandboxBalanceInput', {
  description: 'A balance to be reported for the sandbox wallet.',
  fields: (t) => ({
    availableBalanceMinor: t.field({
      type: 'MinorUnits',
      required: true,
      description: 'Minor units of currency, 0 to 999,999,999,999.',
    }),
    currency: t.string({ required: true, description: "ISO 4217; the account's currency." }),
  }),
});

builder.mutationField('sandboxBalanceSet', (t) =>
  t.field({
    nullable: true,
    type: FundingAccount,
    description: 'Sets the balance of the sandbox wallet; with 0, payouts are refused.',
    args: {
      input: t.arg({ type: SandboxBalanceInput, required: true, description: 'The balance.' }),
    },
    resolve: (_root, { input }, context) => setSandboxBalance(context.call, input),
  }),
);

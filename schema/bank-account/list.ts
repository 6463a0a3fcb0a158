import { requirePermission } from '../../src/access/scope.ts';
import {
  bankAccountsFilter,
  listBankAccounts,
  runsByChange,
} from '../../src/domain/bank-account/list.ts';
import { changePosition } from '../../src/domain/changes-range.ts';
import { parseInput } from '../../src/values/validate.ts';
import { builder } from '../builder.ts';
import { resolvePage } from '../lists/connection.ts';
import { connectionOf } from '../lists/connections.ts';
import { pageArgs, pageCost } from '../lists/page-args.ts';
import { BankAccount } from './type.ts';

const BankAccountConnection = connectionOf(
  BankAccount,
  'BankAccountConnection',
  'A page of bank accounts: newest first, or with updatedSince oldest change first.',
);

const BankAccountFilter = builder.inputType('BankAccountFilter', {
  description: 'Conditions; all of them must hold.',
  fields: (t) => ({
    externalRef: t.string({
      description: 'With this reference of yours; the payee is not archived.',
    }),
    updatedSince: t.string({
      description:
        'Changed at this time or later. The list then runs from the oldest change to the newest, and leaves out for a moment what an open transaction may still precede.',
    }),
  }),
});

builder.queryFields((t) => ({
  bankAccounts: t.field({
    type: BankAccountConnection,
    description: 'The bank accounts of all payees, archived ones included.',
    args: {
      ...pageArgs,
      filter: t.arg({ type: BankAccountFilter, description: 'Which bank accounts.' }),
    },
    complexity: pageCost(20),
    resolve: (_root, args, context) => {
      requirePermission(context.call.scope, 'read');
      const filter = parseInput(bankAccountsFilter, args.filter ?? {});
      return resolvePage(context, {
        list: 'bank_accounts',
        filter: { ...filter },
        args,
        ...(runsByChange(filter) && { position: changePosition }),
        fetch: (range) => listBankAccounts(context.call, filter, range),
      });
    },
  }),
}));

import { z } from 'zod';
import { requirePermission } from '../../src/access/scope.ts';
import { readMissingDebits, type MissingDebit } from '../../src/domain/bank-file/missing.ts';
import { lineDoubts, lineMatches, proposalStatuses } from '../../src/domain/bank-file/names.ts';
import { newestFirst } from '../../src/domain/page-range.ts';
import { text as textInput } from '../../src/values/fields.ts';
import { parseInput } from '../../src/values/validate.ts';
import { id, minorUnits, text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { connectionOf } from '../lists/connections.ts';
import { resolvePage } from '../lists/connection.ts';
import { pageArgs, pageCost } from '../lists/page-args.ts';
import {
  BankAccountProposal,
  BankFile,
  BankFileStatusEnum,
  BankLine,
  BankLineDoubtEnum,
  BankLineMatchEnum,
  ProposalStatusEnum,
} from './type.ts';

const BankFileConnection = connectionOf(
  BankFile,
  'BankFileConnection',
  'A page of files of banks, newest first.',
);

const BankLineConnection = connectionOf(
  BankLine,
  'BankLineConnection',
  'A page of movements at banks, newest first.',
);

const BankAccountProposalConnection = connectionOf(
  BankAccountProposal,
  'BankAccountProposalConnection',
  'A page of corrections that banks propose, newest first.',
);

const BankMissingDebit = builder.objectRef<MissingDebit>('BankMissingDebit').implement({
  description:
    'A payout that was in a file for a bank, and whose debit no statement has shown five days after its execution.',
  fields: (t) =>
    shown(t, {
      payoutId: t.exposeID('id', { description: 'The payout.' }),
      connectionId: id('The bank connection.'),
      batchId: id('The batch whose file has it.'),
      executionDate: text('The day on which the bank was asked to execute it, YYYY-MM-DD.'),
      amountMinor: minorUnits('Minor units of currency.'),
      currency: text('ISO 4217 code.'),
    }),
});

const BankMissingDebitConnection = connectionOf(
  BankMissingDebit,
  'BankMissingDebitConnection',
  'A page of payouts that no statement has shown in time, newest first.',
);

const BankFileFilter = builder.inputType('BankFileFilter', {
  description: 'Conditions; all of them must hold.',
  fields: (t) => ({
    connectionId: t.id({ description: 'Of this bank connection.' }),
    status: t.field({ type: BankFileStatusEnum, description: 'With this status.' }),
  }),
});

const BankLineFilter = builder.inputType('BankLineFilter', {
  description: 'Conditions; all of them must hold.',
  fields: (t) => ({
    connectionId: t.id({ description: 'Of this bank connection.' }),
    fileId: t.id({ description: 'That this file told of first.' }),
    match: t.field({ type: BankLineMatchEnum, description: 'Matched so.' }),
    doubt: t.field({ type: BankLineDoubtEnum, description: 'Left to a person for this reason.' }),
  }),
});

const BankAccountProposalFilter = builder.inputType('BankAccountProposalFilter', {
  description: 'Conditions; all of them must hold.',
  fields: (t) => ({
    bankAccountId: t.id({ description: 'About this account.' }),
    status: t.field({ type: ProposalStatusEnum, description: 'With this status.' }),
  }),
});

const fileConditions = z.strictObject({
  connectionId: textInput().nullish(),
  status: z.enum(['arriving', 'received', 'read', 'unreadable']).nullish(),
});
const lineConditions = z.strictObject({
  connectionId: textInput().nullish(),
  fileId: textInput().nullish(),
  match: z.enum(lineMatches).nullish(),
  doubt: z.enum(Object.keys(lineDoubts) as [keyof typeof lineDoubts]).nullish(),
});
const proposalConditions = z.strictObject({
  bankAccountId: textInput().nullish(),
  status: z.enum(proposalStatuses).nullish(),
});

/** The conditions that are given; null is none. */
const given = <T extends object>(filter: T): { [K in keyof T]: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value != null)) as {
    [K in keyof T]: NonNullable<T[K]>;
  };

builder.queryFields((t) => ({
  bankReconciliationFiles: t.field({
    type: BankFileConnection,
    description: 'The files that came from banks, newest first (docs/bank-reconciliation.md).',
    args: { ...pageArgs, filter: t.arg({ type: BankFileFilter, description: 'Which files.' }) },
    complexity: pageCost(5),
    resolve: (_root, args, context) => {
      requirePermission(context.call.scope, 'read');
      const filter = given(parseInput(fileConditions, args.filter ?? {}));
      return resolvePage(context, {
        list: 'bank files',
        filter,
        args,
        fetch: (range) => context.prisma.bankFile.findMany(newestFirst(filter, range)),
      });
    },
  }),
  bankReconciliationLines: t.field({
    type: BankLineConnection,
    description:
      'The movements that banks have told of, newest first. Those with match unmatched wait for a person (docs/bank-reconciliation.md).',
    args: { ...pageArgs, filter: t.arg({ type: BankLineFilter, description: 'Which movements.' }) },
    complexity: pageCost(5),
    resolve: (_root, args, context) => {
      requirePermission(context.call.scope, 'read');
      const filter = given(parseInput(lineConditions, args.filter ?? {}));
      return resolvePage(context, {
        list: 'bank lines',
        filter,
        args,
        fetch: (range) => context.prisma.bankLine.findMany(newestFirst(filter, range)),
      });
    },
  }),
  bankReconciliationMissingDebits: t.field({
    type: BankMissingDebitConnection,
    description:
      'The payouts whose debit no statement has shown five days after their execution, newest first (docs/bank-reconciliation.md).',
    args: pageArgs,
    complexity: pageCost(5),
    resolve: (_root, args, context) => {
      requirePermission(context.call.scope, 'read');
      return resolvePage(context, {
        list: 'bank missing debits',
        filter: {},
        args,
        fetch: (range) => readMissingDebits(context.call, range),
      });
    },
  }),
  bankAccountProposals: t.field({
    type: BankAccountProposalConnection,
    description: 'What banks say is right about accounts that were paid, newest first.',
    args: {
      ...pageArgs,
      filter: t.arg({ type: BankAccountProposalFilter, description: 'Which proposals.' }),
    },
    complexity: pageCost(5),
    resolve: (_root, args, context) => {
      requirePermission(context.call.scope, 'read');
      const filter = given(parseInput(proposalConditions, args.filter ?? {}));
      return resolvePage(context, {
        list: 'bank account proposals',
        filter,
        args,
        fetch: (range) => context.prisma.bankAccountProposal.findMany(newestFirst(filter, range)),
      });
    },
  }),
}));

import { maskedIdentifier, readVersions } from '../../src/domain/bank-account/versions.ts';
import { openHolder } from '../../src/domain/bank-account/details.ts';
import { int, stored, text, time } from '../../src/values/columns.ts';
import { Author, authorOf } from '../access/author.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { childrenBy } from '../lists/children.ts';
import { AccountTypeEnum, BankAccount } from './type.ts';

const BankAccountVersion = builder.prismaObject('BankAccountVersion', {
  description:
    'The details that a bank account has or had. A payout goes to the version that it was created with.',
  fields: (t) =>
    shown(t, {
      version: int('Its number, from 1; the greatest is that of today.'),
      accountHolderName: t.string({
        description: 'Legal name on the account.',
        resolve: (row, _args, { call }) => openHolder(call, 'bankAccountVersion', row),
      }),
      currency: text('ISO 4217.'),
      country: text('Country of the bank, alpha-2.'),
      bankName: text.orNull('Name of the bank.'),
      accountType: stored.orNull(AccountTypeEnum, 'US ACH account type.'),
      maskedAccount: t.string({
        nullable: true,
        description: 'The last four characters of the identifier; null once the owner is erased.',
        resolve: (row, _args, { call }) => maskedIdentifier(call, row),
      }),
      author: t.field({
        type: Author,
        nullable: true,
        description: 'Who gave these details; null where that is not recorded.',
        resolve: ({ actor }) => authorOf(actor),
      }),
      createdAt: time('Since when the account had them.'),
    }),
});

const versionsOf = childrenBy(readVersions);

builder.prismaObjectField(BankAccount, 'versions', (t) =>
  t.field({
    type: [BankAccountVersion],
    description: 'The latest 100 versions of its details, oldest first; the last is that of today.',
    // An account is seldom corrected, so its versions cost less than they could be.
    complexity: { field: 1, multiplier: 5 },
    resolve: ({ id }, _args, context) => versionsOf(context, { id, before: null }),
  }),
);

import { requirePermission } from '../../src/access/scope.ts';
import { readBankMonth, type BankMonth } from '../../src/domain/bank-file/month.ts';
import { id, int, minorUnitsTotal, text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';

export const BankMonthObject = builder.objectRef<BankMonth>('BankMonth').implement({
  description:
    'What happened at one bank connection in one currency in a month, by the days on which the bank booked it. Amounts are in minor units of currency.',
  fields: (t) =>
    shown(t, {
      connectionId: id('The bank connection.'),
      connection: text('How people call the connection.'),
      currency: text('ISO 4217 code.'),
      paidCount: int('Payments whose debit the bank booked.'),
      paidMinor: minorUnitsTotal('What they come to.'),
      returnedCount: int('Payments that came back.'),
      returnedMinor: minorUnitsTotal('What they come to.'),
      feesCount: int('Movements that are fees of the bank.'),
      feesMinor: minorUnitsTotal('What the bank took, less what it gave back of them.'),
      fundingCount: int('Movements by which money came in.'),
      fundingMinor: minorUnitsTotal('What came in.'),
      explainedCount: int('Movements of which a person said what they are.'),
      explainedMinor: minorUnitsTotal('Their credits less their debits.'),
      openCount: int('Movements that match nothing yet: an open difference.'),
      openMinor: minorUnitsTotal('Their credits less their debits.'),
      missingCount: int(
        'Payments to be executed in the month whose debit no statement has shown five days later: an open difference.',
      ),
      missingMinor: minorUnitsTotal('What they come to.'),
    }),
});

/** Which month, of which connections. */
export const monthArgs = () =>
  builder.args((t) => ({
    month: t.string({ required: true, description: 'The month, YYYY-MM.' }),
    connectionId: t.id({
      description: 'Only of this bank connection; of every one where absent.',
    }),
  }));

/** It adds up every movement of the month. */
export const monthCost = { field: 250 };

builder.queryField('bankMonth', (t) =>
  t.field({
    type: [BankMonthObject],
    description:
      'A month at the banks, by connection and currency: what they paid, took back and kept, and what is open. A connection of which no statement tells stands there too. Throws validation_failed.',
    args: monthArgs(),
    complexity: monthCost,
    resolve: (_root, args, { call }) => {
      requirePermission(call.scope, 'read');
      return readBankMonth(call, args);
    },
  }),
);

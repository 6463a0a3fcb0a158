import type { BankPayment } from '../../generated/prisma/client.ts';
import { batchFields, batchPaymentFields } from '../../src/domain/bank-batch/fields.ts';
import { readPayments, type BankQueue, type PaymentsOf } from '../../src/domain/bank-batch/list.ts';
import type { StoredBatch } from '../../src/domain/bank-batch/store.ts';
import { BankSchemeEnum } from '../bank/enums.ts';
import { bool, id, int, minorUnitsTotal, stored, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import './enums.ts';
import { childrenCost } from '../lists/children.ts';
import { loadBy } from '../lists/loader.ts';

export const BankPaymentObject = builder.objectRef<BankPayment>('BankPayment').implement({
  description: 'A payment as it stands in a file for a bank.',
  fields: (t) =>
    shown(t, {
      ...batchPaymentFields,
      instructionId: text('Reference of the submission, between us and our bank.'),
      uetr: text.orNull('UUID that follows the payment through the banks; null in a Nacha file.'),
      traceNumber: text.orNull(
        'Fifteen digits by which a Nacha return names the payment; null in other files.',
      ),
    }),
});

const paymentsOf = loadBy(readPayments, ({ batchId, after }: PaymentsOf) => `${batchId} ${after}`);

export const BankBatchObject = builder.objectRef<StoredBatch>('BankBatch').implement({
  description:
    'A file for a bank, whose bytes were fixed when it was closed (docs/bank-batches.md).',
  fields: (t) =>
    shown(t, {
      id: id('Its id.'),
      ...batchFields,
      needsOperator: bool('Whether it waits for an operator.'),
      payments: t.field({
        type: [BankPaymentObject],
        description: 'Up to 100 of its payments, in the order of the file.',
        args: {
          after: t.arg.int({
            defaultValue: 0,
            description: 'Those behind this place; the first ones where absent.',
          }),
        },
        complexity: childrenCost,
        resolve: ({ id }, { after }, context) =>
          paymentsOf(context, { batchId: id, after: after ?? 0 }),
      }),
    }),
});

export const BankQueueObject = builder.objectRef<BankQueue>('BankQueue').implement({
  description: 'Approved payouts that wait for the next file of a bank connection.',
  fields: (t) =>
    shown(t, {
      connectionId: id('The bank connection.'),
      scheme: stored(BankSchemeEnum, 'How the bank will pay them.'),
      currency: text('ISO 4217 code.'),
      payoutCount: int('How many payouts wait.'),
      amountMinor: minorUnitsTotal('What they come to, in minor units of currency.'),
      oldest: time('Since when the first of them waits.'),
      closesAt: time('The next cut-off: until then they can be canceled and held.'),
      executionDate: text(
        'The day on which the bank is asked to pay what waits until then, YYYY-MM-DD.',
      ),
      problem: text.orNull(
        'Why no file could be made at the latest cut-off; null where there is nothing.',
      ),
    }),
});

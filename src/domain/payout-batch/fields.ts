import { z } from 'zod';
import { bool, id, int, json, minorUnitsTotal, stored, text, time } from '../../values/columns.ts';
import { text as textOf } from '../../values/fields.ts';
import { givenFields } from '../payout/fields.ts';

/*
 * The fields of a batch of payouts and of its rows, declared once: the types and inputs of GraphQL, the contracts and
 * documents of REST and the checks of the commands are made of them.
 */

/** What people call a batch. */
export const batchName = textOf(120);

export const payoutBatchFields = {
  name: text('The name that its maker gave it.'),
  state: stored('PayoutBatchState', 'What it is.'),
  idempotencyKey: text('Key under which it was made; another batch never has it.'),
  rowCount: int('How many rows it has, those that are left out too.'),
  revision: int('Counts the changes of its rows.'),
  isChecked: bool('Whether all of its rows were checked since their latest change.'),
  checkedAt: time.orNull('When all of its rows were last checked; null before.'),
  createdAt: time('When it was made.'),
  submittedAt: time.orNull('When it was submitted; null before.'),
  madeAt: time.orNull(
    'When each of its rows had its payout, or the reason why none could be made; null before.',
  ),
  approvedAt: time.orNull(
    'When it was seen that none of its payouts waits for a decision any more and at least one was approved; null before.',
  ),
  completedAt: time.orNull('When it was seen that each of its payouts has ended; null before.'),
  canceledAt: time.orNull('When it was canceled; null unless it was.'),
  updatedAt: time('When it last changed. The lives of its payouts do not count.'),
};

const { beneficiaryId, bankAccountId, amountMinor, currency, purposeOfPayment } = givenFields;

/**
 * What is given for each row: as for a payout, which each becomes under a key of its own. A draft keeps what is wrong with
 * a value until it is checked, so only the size of a value is judged here.
 */
export const givenRowFields = {
  beneficiaryId,
  bankAccountId,
  amountMinor: {
    ...amountMinor,
    input: z.union([z.number(), z.bigint(), textOf(40)]),
  },
  currency: { ...currency, input: textOf(40) },
  purposeOfPayment: { ...purposeOfPayment, input: textOf(64).nullish() },
  externalRef: givenFields.externalRef,
  metadata: givenFields.metadata,
};

export const batchRowFields = {
  row: int('Its number in the batch, from 1.'),
  status: stored('PayoutBatchRowStatus', 'What became of it.'),
  beneficiaryId: id('The payee, as it was given.'),
  bankAccountId: id('The destination, as it was given.'),
  amountMinor: minorUnitsTotal.orNull(
    'Amount in minor units of currency; null where what was given is no integer.',
  ),
  currency: text('The currency, as it was given.'),
  purposeOfPayment: text.orNull('Why the money is paid, as it was given.'),
  externalRef: text.orNull("The business's own reference."),
  metadata: json.orNull("The business's own key-value pairs."),
  provider: text.orNull(
    'Who would pay it, as the routes stood when it was checked; null before, and for a row that is wrong.',
  ),
  payoutId: id.orNull('The payout that was made of it; null before.'),
};

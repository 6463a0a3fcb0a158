import { readAttempts } from '../../src/domain/disbursement/attempt-list.ts';
import { bool, id, int, minorUnits, stored, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { FailureCodeEnum } from './enums.ts';
import { describedEnum } from '../common/described-enum.ts';
import { childrenBy, childrenCost } from '../lists/children.ts';
import { Payout } from './type.ts';

type AttemptStatus = 'prepared' | 'unknown' | 'submitted' | 'rejected';

export const DisbursementAttemptStatusEnum = describedEnum<AttemptStatus>(
  'DisbursementAttemptStatus',
  'How far a disbursement attempt has come.',
  {
    prepared: 'Recorded; the provider has not answered yet.',
    unknown: 'The call had no clear outcome. The provider is asked until it is known.',
    submitted: 'The provider took the payment.',
    rejected: 'The provider did not take it; nothing was paid.',
  },
);

const DisbursementAttempt = builder.prismaObject('DisbursementAttempt', {
  description:
    'One submission of a payout to a provider. It is recorded before the provider is called, so that no payout is handed over twice.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the attempt, which the provider gets as its key.'),
      number: int('Number of the attempt, from 1.'),
      status: stored(DisbursementAttemptStatusEnum, 'How far it has come.'),
      provider: text('The provider that was called.'),
      providerPayoutId: text.orNull("The provider's id of the payment; null until it is known."),
      amountMinor: minorUnits('Amount in minor units of currency.'),
      currency: text('ISO 4217 code.'),
      bankAccountId: id('The account that is paid.'),
      calls: int('How often the provider was called, each time with the same key.'),
      needsOperator: bool('Whether an operator of the platform has to find out what happened.'),
      failureCode: stored.orNull(
        FailureCodeEnum,
        'Code of the reason why the provider did not take it.',
      ),
      failureMessage: text.orNull('The same in words.'),
      preparedAt: time('When the attempt was recorded.'),
      submittedAt: time.orNull('When the provider took the payment.'),
      completedAt: time.orNull('When the outcome was final.'),
    }),
});

const attemptsOf = childrenBy(readAttempts);

builder.prismaObjectField(Payout, 'attempts', (t) =>
  t.field({
    type: [DisbursementAttempt],
    description: 'The latest 100 submissions to a provider, oldest first.',
    args: { before: t.arg.int({ description: 'Only attempts before the one with this number.' }) },
    complexity: childrenCost,
    resolve: ({ id }, { before }, context) => attemptsOf(context, { id, before: before ?? null }),
  }),
);

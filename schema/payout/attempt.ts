import { readAttempts } from '../../src/domain/disbursement/attempt-list.ts';
import type { PayoutFailureCode } from '../../src/domain/payout/list/filter.ts';
import { builder } from '../builder.ts';
import { FailureCodeEnum } from './enums.ts';
import { describedValues } from '../common/enum-values.ts';
import { childrenBy, childrenCost } from '../lists/children.ts';
import { Payout } from './type.ts';

type AttemptStatus = 'prepared' | 'unknown' | 'submitted' | 'rejected';

export const DisbursementAttemptStatusEnum = builder.enumType('DisbursementAttemptStatus', {
  description: 'How far a disbursement attempt has come.',
  values: describedValues<AttemptStatus>({
    prepared: 'Recorded; the provider has not answered yet.',
    unknown: 'The call had no clear outcome. The provider is asked until it is known.',
    submitted: 'The provider took the payment.',
    rejected: 'The provider did not take it; nothing was paid.',
  }),
});

const DisbursementAttempt = builder.prismaObject('DisbursementAttempt', {
  description:
    'One hand-over of a payout to a provider. It is recorded before the provider is called, so that no payout is handed over twice.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the attempt, which the provider gets as its key.' }),
    number: t.exposeInt('number', { description: 'Number of the attempt, from 1.' }),
    status: t.field({
      type: DisbursementAttemptStatusEnum,
      description: 'How far it has come.',
      // The column's CHECK constraint holds the same values.
      resolve: (attempt) => attempt.status as AttemptStatus,
    }),
    provider: t.exposeString('provider', { description: 'The provider that was called.' }),
    providerPayoutId: t.exposeString('providerPayoutId', {
      nullable: true,
      description: "The provider's id of the payment; null until it is known.",
    }),
    amountMinor: t.expose('amountMinor', {
      type: 'MinorUnits',
      description: 'Amount in minor units of currency.',
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    bankAccountId: t.exposeID('bankAccountId', { description: 'The account that is paid.' }),
    calls: t.exposeInt('calls', {
      description: 'How often the provider was called, each time with the same key.',
    }),
    needsOperator: t.exposeBoolean('needsOperator', {
      description: 'Whether an operator of the platform has to find out what happened.',
    }),
    failureCode: t.field({
      type: FailureCodeEnum,
      nullable: true,
      description: 'Code of the reason why the provider did not take it.',
      resolve: ({ failureCode }) => failureCode as PayoutFailureCode | null,
    }),
    failureMessage: t.exposeString('failureMessage', {
      nullable: true,
      description: 'The same in words.',
    }),
    preparedAt: t.expose('preparedAt', {
      type: 'DateTime',
      description: 'When the attempt was recorded.',
    }),
    submittedAt: t.expose('submittedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the provider took the payment.',
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the outcome was final.',
    }),
  }),
});

const attemptsOf = childrenBy(readAttempts);

builder.prismaObjectField(Payout, 'attempts', (t) =>
  t.field({
    type: [DisbursementAttempt],
    description: 'The latest 100 hand-overs to a provider, oldest first.',
    args: { before: t.arg.int({ description: 'Only attempts before the one with this number.' }) },
    complexity: childrenCost,
    resolve: ({ id }, { before }, context) => attemptsOf(context, { id, before: before ?? null }),
  }),
);

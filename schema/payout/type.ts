import type { validatorStrategies } from '../../src/domain/payout/input.ts';
import { BeneficiaryTypeEnum } from '../beneficiary/enums.ts';
import { id, minorUnits, stored, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { EnvironmentEnum } from '../business/enums.ts';
import { FailureCodeEnum, PayoutStateEnum, PurposeOfPaymentEnum } from './enums.ts';
import { describedEnum } from '../common/described-enum.ts';

export const ValidatorStrategyEnum = describedEnum<(typeof validatorStrategies)[number]>(
  'ValidatorStrategy',
  'Who decides on a payout.',
  {
    manual: 'A member decides.',
    auto: 'Approved at creation, with a decision of the system.',
    agent: 'A validator outside the service decides through the API.',
  },
);

const metadataOptions = {
  type: 'JSON',
  nullable: true,
  description: "The business's own key-value pairs.",
  // Ten kilobytes and more, as often as an operation names it under another alias.
  complexity: 40,
} as const;

export const Payout = builder.prismaNode('Payout', {
  description:
    'A payment to a bank account of a beneficiary, from its creation to its settlement or return.',
  id: { resolve: (payout) => payout.id },
  findUnique: (id, context) => ({ tenantId_id: { tenantId: context.call.scope.tenantId, id } }),
  nullable: true,
  fields: (t) =>
    shown(t, {
      state: stored(PayoutStateEnum, 'Current state.'),
      amountMinor: minorUnits('Amount in minor units of currency.'),
      currency: text('ISO 4217 code.'),
      purposeOfPayment: stored(
        PurposeOfPaymentEnum,
        'Why the money is paid; a value of the reference list of purposes.',
      ),
      externalRef: text.orNull("The business's own reference."),
      idempotencyKey: text('Key under which the create can be replayed for 24 hours.'),
      validatorStrategy: stored(ValidatorStrategyEnum, 'Who decides on the payout.'),
      environment: t.field({
        type: EnvironmentEnum,
        description: 'sandbox or production.',
        resolve: (_payout, _args, context) => context.call.scope.environment,
      }),
      metadata: t.expose('metadata', metadataOptions),
      beneficiaryId: id('Id of the payee.'),
      beneficiaryName: text.orNull('Legal name of the payee when the payout was created.'),
      beneficiaryType: stored(BeneficiaryTypeEnum, 'person or business.'),
      bankAccountId: id('Id of the destination.'),
      replacesPayoutId: id.orNull('The failed or returned payout that this one replaces.'),
      provider: text.orNull('Provider of the latest disbursement attempt.'),
      providerPayoutId: text.orNull("The provider's id of the latest disbursement attempt."),
      railRef: text.orNull(
        "The provider's reference of the disbursement; null until the provider has given it.",
      ),
      via: t.string({
        nullable: true,
        description: 'Reserved; always null in this version.',
        resolve: () => null,
      }),
      failureCode: stored.orNull(
        FailureCodeEnum,
        'Code of the reason why the payout failed or was returned.',
      ),
      failureMessage: text.orNull('The same in words.'),
      estimatedArrivalAt: time.orNull("The provider's latest estimate of the arrival."),
      createdAt: time('Time of creation.'),
      updatedAt: time('Time of the last change.'),
      approvedAt: time.orNull('Time of the approval.'),
      disbursedAt: time.orNull('When the provider confirmed that the money left.'),
      settledAt: time.orNull('When the money arrived.'),
    }),
});

import type { PayoutState } from '../../src/domain/payout/machine.ts';
import type { validatorStrategies } from '../../src/domain/payout/input.ts';
import type { BeneficiaryType } from '../../src/domain/beneficiary/identity.ts';
import type { PayoutFailureCode } from '../../src/domain/payout/list/filter.ts';
import type { PurposeOfPayment } from '../../src/reference/purposes.ts';
import { BeneficiaryTypeEnum } from '../beneficiary/enums.ts';
import { builder } from '../builder.ts';
import { EnvironmentEnum } from '../business/enums.ts';
import { FailureCodeEnum, PayoutStateEnum, PurposeOfPaymentEnum } from './enums.ts';
import { describedValues } from '../common/enum-values.ts';

export const ValidatorStrategyEnum = builder.enumType('ValidatorStrategy', {
  description: 'Who decides on a payout.',
  values: describedValues<(typeof validatorStrategies)[number]>({
    manual: 'A member decides.',
    auto: 'Approved at creation, with a decision of the system.',
    agent: 'A validator outside the service decides through the API.',
  }),
});

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
  fields: (t) => ({
    state: t.field({
      type: PayoutStateEnum,
      description: 'Current state.',
      // The column's CHECK constraint holds the machine's states.
      resolve: (payout) => payout.state as PayoutState,
    }),
    amountMinor: t.expose('amountMinor', {
      type: 'MinorUnits',
      description: 'Amount in minor units of currency.',
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    purposeOfPayment: t.field({
      type: PurposeOfPaymentEnum,
      description: 'Why the money is paid; a value of the reference list of purposes.',
      // The create command stores no other.
      resolve: (payout) => payout.purposeOfPayment as PurposeOfPayment,
    }),
    externalRef: t.exposeString('externalRef', {
      nullable: true,
      description: "The business's own reference.",
    }),
    idempotencyKey: t.exposeString('idempotencyKey', {
      description: 'Key under which the create can be replayed for 24 hours.',
    }),
    validatorStrategy: t.field({
      type: ValidatorStrategyEnum,
      description: 'Who decides on the payout.',
      resolve: (payout) => payout.validatorStrategy as (typeof validatorStrategies)[number],
    }),
    environment: t.field({
      type: EnvironmentEnum,
      description: 'sandbox or production.',
      resolve: (_payout, _args, context) => context.call.scope.environment,
    }),
    metadata: t.expose('metadata', metadataOptions),
    beneficiaryId: t.exposeID('beneficiaryId', { description: 'Id of the payee.' }),
    beneficiaryName: t.exposeString('beneficiaryName', {
      nullable: true,
      description: 'Legal name of the payee when the payout was created.',
    }),
    beneficiaryType: t.field({
      type: BeneficiaryTypeEnum,
      description: 'person or business.',
      resolve: (payout) => payout.beneficiaryType as BeneficiaryType,
    }),
    bankAccountId: t.exposeID('bankAccountId', { description: 'Id of the destination.' }),
    replacesPayoutId: t.exposeID('replacesPayoutId', {
      nullable: true,
      description: 'The failed or returned payout that this one replaces.',
    }),
    provider: t.exposeString('provider', {
      nullable: true,
      description: 'Provider of the latest disbursement attempt.',
    }),
    providerPayoutId: t.exposeString('providerPayoutId', {
      nullable: true,
      description: "The provider's id of the latest disbursement attempt.",
    }),
    railRef: t.exposeString('railRef', {
      nullable: true,
      description:
        "The provider's reference of the disbursement; null until the provider has given it.",
    }),
    via: t.string({
      nullable: true,
      description: 'Reserved; always null in this version.',
      resolve: () => null,
    }),
    failureCode: t.field({
      type: FailureCodeEnum,
      nullable: true,
      description: 'Code of the reason why the payout failed or was returned.',
      resolve: (payout) => payout.failureCode as PayoutFailureCode | null,
    }),
    failureMessage: t.exposeString('failureMessage', {
      nullable: true,
      description: 'The same in words.',
    }),
    estimatedArrivalAt: t.expose('estimatedArrivalAt', {
      type: 'DateTime',
      nullable: true,
      description: "The provider's latest estimate of the arrival.",
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
    approvedAt: t.expose('approvedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the approval.',
    }),
    disbursedAt: t.expose('disbursedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the provider confirmed that the money left.',
    }),
    settledAt: t.expose('settledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the money arrived.',
    }),
  }),
});

import type {
  ContradictionKind,
  ContradictionSource,
} from '../../src/domain/contradiction/contradiction.ts';
import {
  listOpenContradictions,
  listStuckPayouts,
  listSuspendedBeneficiaries,
  listWaitingResolutions,
  stuckPosition,
  type OpenContradiction,
  type StuckPayout,
  type SuspendedBeneficiary,
  type WaitingResolution,
} from '../../src/domain/operator/lists.ts';
import { builder } from '../builder.ts';
import { describedValues } from '../common/enum-values.ts';
import { PayoutStateEnum } from '../payout/enums.ts';
import { listArgs } from './args.ts';
import { listPage, OperatorListed } from './listed.ts';
import { operatorPageCost } from './page.ts';
import { PayoutResolution } from './payout-mutations.ts';

export const OperatorStuckPayout = builder.objectRef<StuckPayout>('OperatorStuckPayout').implement({
  description: 'Why a payout makes no progress, and what to do.',
  interfaces: [OperatorListed],
  fields: (t) => ({
    payoutId: t.exposeID('payoutId', { description: 'The payout.' }),
    state: t.expose('state', { type: PayoutStateEnum, description: 'Its state.' }),
    since: t.expose('since', { type: 'DateTime', description: 'Since when nothing has happened.' }),
    reason: t.exposeString('reason', {
      description: 'Why, as a stable word, for example outcome_unknown or job_dead.',
    }),
    explanation: t.exposeString('explanation', { description: 'Why, in a sentence.' }),
    nextStep: t.exposeString('nextStep', {
      description:
        'What to do, with the functions of the schema ops. ops.look_up_payout and ops.resolve_payout are operatorPayoutLookUp and operatorPayoutResolve here.',
    }),
    attemptId: t.exposeID('attemptId', {
      nullable: true,
      description: 'The hand-over in question; null where there is none.',
    }),
    provider: t.exposeString('provider', {
      nullable: true,
      description: 'The provider that it went to; null before a hand-over.',
    }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'The last error of its job, on one line; null where none failed.',
    }),
    amountMinor: t.expose('amountMinor', {
      type: 'MinorUnits',
      description: 'Amount in minor units of currency.',
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    takenBy: t.exposeString('takenBy', {
      nullable: true,
      description: 'Which operator works on it, since when and with what note; null for nobody.',
    }),
  }),
});

const ContradictionKindEnum = builder.enumType('ContradictionKind', {
  description: 'What a provider said that does not fit.',
  values: describedValues<ContradictionKind>({
    amount: 'Another amount than was asked for.',
    currency: 'Another currency than was asked for.',
    reference: 'Another reference than was sent.',
    payment: 'Another id than that under which it took the payment.',
    second_payment: 'More than one payment for one reference.',
    payment_of_another: 'The payment belongs to another attempt.',
    missing: 'It does not know a payment that it took.',
    refused: 'It has a payment that it refused, or that an operator resolved as not paid.',
    outcome: 'What it says of the money excludes what was said before.',
    recipient: 'Another recipient than was enrolled.',
  }),
});

const ContradictionSourceEnum = builder.enumType('ContradictionSource', {
  description: 'In which answer of a provider a contradiction was.',
  values: describedValues<ContradictionSource>({
    submission: 'The answer to the hand-over of a payout.',
    look_up: 'The answer to a question about a payout.',
    event: 'An event, or a line of a file of a bank.',
    enrollment: 'The answer to the enrollment of a payee.',
  }),
});

export const OperatorOpenContradiction = builder
  .objectRef<OpenContradiction>('OperatorOpenContradiction')
  .implement({
    description:
      'Something that a provider said that disagrees with the request or with an earlier answer, and that nobody has examined. Answer it with operatorContradictionExamine.',
    interfaces: [OperatorListed],
    fields: (t) => ({
      contradictionId: t.exposeID('contradictionId', { description: 'Id of the contradiction.' }),
      noticedAt: t.expose('noticedAt', { type: 'DateTime', description: 'When it was noticed.' }),
      payoutId: t.exposeID('payoutId', {
        nullable: true,
        description: 'The payout; null for the contradiction of an enrollment.',
      }),
      amountMinor: t.expose('amountMinor', {
        type: 'MinorUnits',
        nullable: true,
        description: 'What the payout pays, in minor units of currency; null for an enrollment.',
      }),
      currency: t.exposeString('currency', {
        nullable: true,
        description: 'Currency of the payout, an ISO 4217 code; null for an enrollment.',
      }),
      subjectId: t.exposeID('subjectId', { description: 'The attempt or the enrollment.' }),
      provider: t.exposeString('provider', { description: 'Who said it.' }),
      kind: t.expose('kind', { type: ContradictionKindEnum, description: 'What does not fit.' }),
      said: t.exposeString('said', {
        description:
          'What was said: an amount in minor units of currency, a code, an id or a time.',
      }),
      expected: t.exposeString('expected', { description: 'What was expected, in the same form.' }),
      source: t.expose('source', {
        type: ContradictionSourceEnum,
        description: 'In which answer it was said.',
      }),
      takenBy: t.exposeString('takenBy', {
        nullable: true,
        description: 'Which operator works on it, since when and with what note; null for nobody.',
      }),
    }),
  });

export const OperatorWaitingResolution = builder
  .objectRef<WaitingResolution>('OperatorWaitingResolution')
  .implement({
    description:
      'A resolution that waits for a second person. Answer it with operatorPayoutResolutionAnswer.',
    interfaces: [OperatorListed],
    fields: (t) => ({
      orderId: t.exposeID('orderId', { description: 'Id of the order.' }),
      orderedAt: t.expose('orderedAt', { type: 'DateTime', description: 'When it was ordered.' }),
      orderedBy: t.exposeString('orderedBy', {
        description: 'Who ordered it: a login of the database, or the id of an operator key.',
      }),
      orderedByYou: t.exposeBoolean('orderedByYou', {
        description:
          'Whether you ordered it, by this key or session or another of yours. Somebody else has to confirm it then.',
      }),
      payoutId: t.exposeID('payoutId', { description: 'The payout.' }),
      outcome: t.expose('outcome', {
        type: PayoutResolution,
        description: 'What the order says became of the money.',
      }),
      providerPayoutId: t.exposeString('providerPayoutId', {
        nullable: true,
        description: "The provider's id of the payment; null for not_paid.",
      }),
      evidence: t.exposeString('evidence', {
        nullable: true,
        description: 'How it is known; null where the order does not say.',
      }),
      reason: t.exposeString('reason', { description: 'Why it was ordered.' }),
      takenBy: t.exposeString('takenBy', {
        nullable: true,
        description: 'Which operator works on it, since when and with what note; null for nobody.',
      }),
    }),
  });

const OperatorSuspendedBeneficiary = builder
  .objectRef<SuspendedBeneficiary>('OperatorSuspendedBeneficiary')
  .implement({
    description:
      'A suspended beneficiary, who is not paid until operatorBeneficiaryReinstate, or the provider, lifts the suspension.',
    interfaces: [OperatorListed],
    fields: (t) => ({
      beneficiaryId: t.exposeID('beneficiaryId', { description: 'The beneficiary.' }),
      since: t.expose('since', { type: 'DateTime', description: 'Since when.' }),
      reason: t.exposeString('reason', {
        nullable: true,
        description: 'Why; null where who suspended it gave no reason.',
      }),
      actor: t.expose('actor', {
        type: 'JSON',
        description: 'Who suspended it: an operator or a provider, as {type, key_id or name}.',
      }),
    }),
  });

const StuckPayouts = builder.connectionObject({
  type: OperatorStuckPayout,
  name: 'OperatorStuckPayoutConnection',
  description: 'A page of stuck payouts, those first that have waited longest.',
});

const OpenContradictions = builder.connectionObject({
  type: OperatorOpenContradiction,
  name: 'OperatorOpenContradictionConnection',
  description: 'A page of contradictions, newest first.',
});

const WaitingResolutions = builder.connectionObject({
  type: OperatorWaitingResolution,
  name: 'OperatorWaitingResolutionConnection',
  description: 'A page of resolutions, oldest first.',
});

const SuspendedBeneficiaries = builder.connectionObject({
  type: OperatorSuspendedBeneficiary,
  name: 'OperatorSuspendedBeneficiaryConnection',
  description: 'A page of suspended beneficiaries, those registered last first.',
});

builder.queryFields((t) => ({
  operatorStuckPayouts: t.field({
    type: StuckPayouts,
    description:
      'Operators only. Payouts that should have made progress and have not, with the reason and what to do, as ops.stuck_payouts says it: of each kind the 1,000 oldest.',
    args: listArgs,
    complexity: operatorPageCost,
    resolve: listPage('operatorStuckPayouts', listStuckPayouts, stuckPosition),
  }),
  operatorContradictions: t.field({
    type: OpenContradictions,
    description:
      'Operators only. What providers said that disagrees with a request or an earlier answer and nobody has examined: nothing that it is about is paid again until operatorContradictionExamine.',
    args: listArgs,
    complexity: operatorPageCost,
    resolve: listPage(
      'operatorContradictions',
      listOpenContradictions,
      ({ contradictionId }) => contradictionId,
    ),
  }),
  operatorResolutions: t.field({
    type: WaitingResolutions,
    description:
      'Operators only. Resolutions that wait for a second person, where RESOLUTION_CONFIRMATION asks for one.',
    args: listArgs,
    complexity: operatorPageCost,
    resolve: listPage('operatorResolutions', listWaitingResolutions, ({ orderId }) => orderId),
  }),
  operatorSuspendedBeneficiaries: t.field({
    type: SuspendedBeneficiaries,
    description: 'Operators only. The beneficiaries that are suspended, by whomever.',
    args: listArgs,
    complexity: operatorPageCost,
    resolve: listPage(
      'operatorSuspendedBeneficiaries',
      listSuspendedBeneficiaries,
      ({ beneficiaryId }) => beneficiaryId,
    ),
  }),
}));

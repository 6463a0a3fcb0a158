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
import { bool, id, json, minorUnits, of, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { connectionOf } from '../lists/connections.ts';
import { describedEnum } from '../common/described-enum.ts';
import { PayoutStateEnum } from '../payout/enums.ts';
import { listArgs } from './args.ts';
import { listPage, OperatorListed, taken } from './listed.ts';
import { operatorPageCost } from './page.ts';
import { PayoutResolution } from './payout-mutations.ts';

export const OperatorStuckPayout = builder.objectRef<StuckPayout>('OperatorStuckPayout').implement({
  description: 'Why a payout makes no progress, and what to do.',
  interfaces: [OperatorListed],
  fields: (t) =>
    shown(t, {
      payoutId: id('The payout.'),
      state: of(PayoutStateEnum, 'Its state.'),
      since: time('Since when nothing has happened.'),
      reason: text('Why, as a stable word, for example outcome_unknown or job_dead.'),
      explanation: text('Why, in a sentence.'),
      nextStep: text(
        'What to do, with the functions of the schema ops. ops.look_up_payout and ops.resolve_payout are operatorPayoutLookUp and operatorPayoutResolve here.',
      ),
      attemptId: id.orNull('The submission in question; null where there is none.'),
      provider: text.orNull('The provider that it went to; null before a submission.'),
      lastError: text.orNull('The last error of its job, on one line; null where none failed.'),
      amountMinor: minorUnits('Amount in minor units of currency.'),
      currency: text('ISO 4217 code.'),
      ...taken,
    }),
});

const ContradictionKindEnum = describedEnum<ContradictionKind>(
  'ContradictionKind',
  'What a provider said that does not fit.',
  {
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
  },
);

const ContradictionSourceEnum = describedEnum<ContradictionSource>(
  'ContradictionSource',
  'In which answer of a provider a contradiction was.',
  {
    submission: 'The answer to the submission of a payout.',
    look_up: 'The answer to a question about a payout.',
    event: 'An event, or a line of a file of a bank.',
    enrollment: 'The answer to the enrollment of a payee.',
  },
);

export const OperatorOpenContradiction = builder
  .objectRef<OpenContradiction>('OperatorOpenContradiction')
  .implement({
    description:
      'Something that a provider said that disagrees with the request or with an earlier answer, and that nobody has examined. Answer it with operatorContradictionExamine.',
    interfaces: [OperatorListed],
    fields: (t) =>
      shown(t, {
        contradictionId: id('Id of the contradiction.'),
        noticedAt: time('When it was noticed.'),
        payoutId: id.orNull('The payout; null for the contradiction of an enrollment.'),
        amountMinor: minorUnits.orNull(
          'What the payout pays, in minor units of currency; null for an enrollment.',
        ),
        currency: text.orNull('Currency of the payout, an ISO 4217 code; null for an enrollment.'),
        subjectId: id('The attempt or the enrollment.'),
        provider: text('Who said it.'),
        kind: of(ContradictionKindEnum, 'What does not fit.'),
        said: text('What was said: an amount in minor units of currency, a code, an id or a time.'),
        expected: text('What was expected, in the same form.'),
        source: of(ContradictionSourceEnum, 'In which answer it was said.'),
        ...taken,
      }),
  });

export const OperatorWaitingResolution = builder
  .objectRef<WaitingResolution>('OperatorWaitingResolution')
  .implement({
    description:
      'A resolution that waits for a second person. Answer it with operatorPayoutResolutionAnswer.',
    interfaces: [OperatorListed],
    fields: (t) =>
      shown(t, {
        orderId: id('Id of the order.'),
        orderedAt: time('When it was ordered.'),
        orderedBy: text('Who ordered it: a login of the database, or the id of an operator key.'),
        orderedByYou: bool(
          'Whether you ordered it, by this key or session or another of yours. Somebody else has to confirm it then.',
        ),
        payoutId: id('The payout.'),
        outcome: of(PayoutResolution, 'What the order says became of the money.'),
        providerPayoutId: text.orNull("The provider's id of the payment; null for not_paid."),
        evidence: text.orNull('How it is known; null where the order does not say.'),
        reason: text('Why it was ordered.'),
        ...taken,
      }),
  });

const OperatorSuspendedBeneficiary = builder
  .objectRef<SuspendedBeneficiary>('OperatorSuspendedBeneficiary')
  .implement({
    description:
      'A suspended beneficiary, who is not paid until operatorBeneficiaryReinstate, or the provider, lifts the suspension.',
    interfaces: [OperatorListed],
    fields: (t) =>
      shown(t, {
        beneficiaryId: id('The beneficiary.'),
        since: time('Since when.'),
        reason: text.orNull('Why; null where who suspended it gave no reason.'),
        actor: json('Who suspended it: an operator or a provider, as {type, key_id or name}.'),
      }),
  });

const StuckPayouts = connectionOf(
  OperatorStuckPayout,
  'OperatorStuckPayoutConnection',
  'A page of stuck payouts, those first that have waited longest.',
);

const OpenContradictions = connectionOf(
  OperatorOpenContradiction,
  'OperatorOpenContradictionConnection',
  'A page of contradictions, newest first.',
);

const WaitingResolutions = connectionOf(
  OperatorWaitingResolution,
  'OperatorWaitingResolutionConnection',
  'A page of resolutions, oldest first.',
);

const SuspendedBeneficiaries = connectionOf(
  OperatorSuspendedBeneficiary,
  'OperatorSuspendedBeneficiaryConnection',
  'A page of suspended beneficiaries, those registered last first.',
);

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

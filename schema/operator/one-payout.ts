import {
  findOnePayout,
  findResolutionOfPayout,
  findStandstill,
  listContradictionsOfPayout,
  listPayoutAttempts,
  listTimeline,
  mostAttempts,
  mostContradictions,
  mostTimelineLines,
  type OnePayout,
  type PayoutAct,
  type PayoutAttempt,
  type TimelineLine,
} from '../../src/domain/operator/one-payout.ts';
import { BankBatchStatusEnum } from '../bank-batch/enums.ts';
import { ComplianceStatusEnum } from '../beneficiary/enums.ts';
import { BankSchemeEnum } from '../bank/enums.ts';
import { bool, id, int, minorUnits, of, stored, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { FailureCodeEnum, PayoutStateEnum } from '../payout/enums.ts';
import { describedEnum } from '../common/described-enum.ts';
import { DisbursementAttemptStatusEnum } from '../payout/attempt.ts';
import { OperatorListed, taken } from './listed.ts';
import {
  OperatorOpenContradiction,
  OperatorStuckPayout,
  OperatorWaitingResolution,
} from './queries.ts';

const PayoutActEnum = describedEnum<PayoutAct>(
  'OperatorPayoutAct',
  'What an operator can do about a payout.',
  {
    look_up: 'Ask the provider about it: operatorPayoutLookUp.',
    resolve: 'Record what became of the money: operatorPayoutResolve.',
    confirm_resolution:
      'Confirm what somebody else ordered: operatorPayoutResolutionAnswer. Nobody confirms an order of their own.',
    decline_resolution: 'Decline what was ordered: operatorPayoutResolutionAnswer.',
    examine_contradiction:
      'Note what was found about a contradiction: operatorContradictionExamine.',
    schedule:
      'Add the job that hands it over, which is missing: operatorJobSchedule with the task disburse_payout.',
  },
);

const OperatorBankPlace = builder.objectRef<PayoutAttempt>('OperatorBankPlace').implement({
  description: 'Where a submission stands in a file for a bank.',
  fields: (t) =>
    shown(t, {
      batchId: t.id({
        description: 'The batch, which is the content of one file.',
        resolve: ({ batchId }) => batchId ?? '',
      }),
      position: int('Its place among the payments, from 1.'),
      endToEndId: text("The reference by which the bank's statements name it."),
      fileName: text('Name of the file at the bank.'),
      status: t.expose('batchStatus', {
        type: BankBatchStatusEnum,
        description: 'Whether the bank has the file.',
      }),
      executionDate: text('The day on which the bank is asked to pay, YYYY-MM-DD.'),
      problem: t.exposeString('batchProblem', {
        nullable: true,
        description: 'Why the latest try did not bring the file there; null where there is none.',
      }),
      nextStep: t.exposeString('batchNextStep', {
        nullable: true,
        description: 'What a person can do about the file; null for nothing.',
      }),
    }),
});

const OperatorPayoutAttempt = builder.objectRef<PayoutAttempt>('OperatorPayoutAttempt').implement({
  description: 'A submission of a payout to a provider.',
  fields: (t) =>
    shown(t, {
      attemptId: id('The attempt: the reference and the idempotency key at the provider.'),
      number: int('Which of its attempts, from 1.'),
      provider: text('The provider.'),
      status: of(DisbursementAttemptStatusEnum, 'What is known of it.'),
      needsOperator: bool('Whether a person has to find out what became of the money.'),
      calls: int('How often the provider was called with it.'),
      providerPayoutId: text.orNull("The provider's id of the payment; null until it is known."),
      failureCode: stored.orNull(
        FailureCodeEnum,
        'Why the provider refused it; null where it did not.',
      ),
      keyExpiresAt: time(
        'Until when the provider recognises a repeated call; afterwards none is made.',
      ),
      preparedAt: time('When it was recorded.'),
      calledAt: time('When the provider was called last.'),
      submittedAt: time.orNull('When the provider took it; null where it has not.'),
      lookedUpAt: time.orNull('When the provider was asked about it last; null for never.'),
      bankPlace: t.field({
        type: OperatorBankPlace,
        nullable: true,
        description: 'Its place in a file for a bank; null for another kind of provider.',
        resolve: (attempt) => (attempt.batchId === null ? null : attempt),
      }),
    }),
});

const OperatorTimelineLine = builder.objectRef<TimelineLine>('OperatorTimelineLine').implement({
  description: 'Something that happened to a payout, or is under way.',
  fields: (t) =>
    shown(t, {
      at: time('When; for what is planned, when it is due.'),
      what: text('What it is, as ops.timeline names it, for example transition or job dead.'),
      id: id('Id of the row that says so; the number of a transition or of a job.'),
      detail: text.orNull('Further facts on one line; null for none.'),
      byWhom: text.orNull('Who did it; null where the service did.'),
    }),
});

const OperatorPayout = builder.objectRef<OnePayout>('OperatorPayout').implement({
  description:
    'A payout as operators see it: ids, states, times and amounts. Of its payee there is the id alone. Its jobs are operatorJobs(subjectId), and what operators did about it is operatorActions(subjectId).',
  interfaces: [OperatorListed],
  fields: (t) =>
    shown(t, {
      payoutId: id('The payout.'),
      state: of(PayoutStateEnum, 'Its state.'),
      amountMinor: minorUnits('Amount in minor units of currency.'),
      currency: text('ISO 4217 code.'),
      createdAt: time('When it was created.'),
      updatedAt: time('When its state changed last.'),
      beneficiaryId: id('Who is paid.'),
      complianceStatus: of(ComplianceStatusEnum, 'Whether the beneficiary may be paid.'),
      bankAccountId: id('The account that is paid to.'),
      accountCountry: text('Country of the account, as an ISO 3166-1 alpha-2 code.'),
      provider: text.orNull('Who pays it, as its route says; null before a submission.'),
      providerPayoutId: text.orNull("The provider's id of the payment; null until it is known."),
      connectionId: id.orNull(
        'The bank connection that it is paid by; null for another kind of provider.',
      ),
      scheme: stored.orNull(
        BankSchemeEnum,
        'How the bank pays it; null for another kind of provider.',
      ),
      waitsForFileSince: time.orNull(
        'Since when it waits for the next file to its bank; null where it does not.',
      ),
      failureCode: stored.orNull(
        FailureCodeEnum,
        'Why it failed or came back; null where it did not.',
      ),
      replacesPayoutId: id.orNull('The payout that it replaces; null for none.'),
      replacedBy: id.orNull('The payout that replaces it; null for none.'),
      ...taken,
      permittedActs: t.field({
        type: [PayoutActEnum],
        description: 'What the operator who asks can do about it at this moment.',
        resolve: ({ may }) => [...may],
      }),
      standstill: t.field({
        type: OperatorStuckPayout,
        nullable: true,
        description:
          'Why it makes no progress, however short it has waited; null where it moves as usual, waits for its business, or has ended.',
        resolve: (payout, _args, context) => findStandstill(context.operatorCall, payout),
      }),
      attempts: t.field({
        type: [OperatorPayoutAttempt],
        description: `Its latest ${mostAttempts} submissions, newest first.`,
        complexity: { field: 5, multiplier: 10 },
        resolve: (payout, _args, context) => listPayoutAttempts(context.operatorCall, payout),
      }),
      contradictions: t.field({
        type: [OperatorOpenContradiction],
        description: `What providers said about it that nobody has examined: the latest ${mostContradictions}.`,
        complexity: { field: 5, multiplier: 10 },
        resolve: (payout, _args, context) =>
          listContradictionsOfPayout(context.operatorCall, payout),
      }),
      resolution: t.field({
        type: OperatorWaitingResolution,
        nullable: true,
        description: 'The resolution of it that waits for a second person; null for none.',
        resolve: (payout, _args, context) => findResolutionOfPayout(context.operatorCall, payout),
      }),
      timeline: t.field({
        type: [OperatorTimelineLine],
        description: `What happened to it, newest first: the latest ${mostTimelineLines} transitions, decisions, attempts, events, deliveries, jobs and actions of operators.`,
        complexity: { field: 20, multiplier: 25 },
        resolve: (payout, _args, context) => listTimeline(context.operatorCall, payout),
      }),
    }),
});

builder.queryFields((t) => ({
  operatorPayout: t.field({
    type: OperatorPayout,
    nullable: true,
    description:
      'Operators only. One payout of whichever business: what it is, why it makes no progress, what comes next and what may be done. Null for an unknown id.',
    args: { id: t.arg.id({ required: true, description: 'The payout.' }) },
    complexity: { field: 20 },
    resolve: (_root, { id }, context) => findOnePayout(context.operatorCall, id),
  }),
}));

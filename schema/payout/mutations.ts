import { cancelPayout } from '../../src/domain/payout/cancel.ts';
import { createPayout, type PayoutCreated } from '../../src/domain/payout/create.ts';
import { decideOnPayout, type Decided } from '../../src/domain/payout/decide.ts';
import { approveSigned } from '../../src/domain/payout/decide-signed.ts';
import { reevaluateApproval } from '../../src/domain/payout/reevaluate.ts';
import { newUlid } from '../../src/values/ulid.ts';
import { BeneficiaryTypeEnum } from '../beneficiary/enums.ts';
import { bool, of } from '../../src/values/columns.ts';
import { givenFields } from '../../src/domain/payout/fields.ts';
import { builder } from '../builder.ts';
import { asked, shown } from '../common/fields.ts';
import { FundingOutlook } from './outlook.ts';
import { Decision, DecisionStatusEnum } from './relations.ts';
import { Payout } from './type.ts';

const BeneficiaryEcho = builder.inputType('BeneficiaryEchoInput', {
  description:
    'Identity fields as you know them. A payout is refused when one differs from the stored value.',
  fields: (t) => ({
    beneficiaryType: t.field({ type: BeneficiaryTypeEnum, description: 'person or business.' }),
    email: t.string({ description: 'E-mail address.' }),
    firstName: t.string({ description: 'Given name.' }),
    lastName: t.string({ description: 'Family name.' }),
    businessName: t.string({ description: 'Legal business name.' }),
    countryOfResidence: t.string({ description: 'ISO 3166-1 alpha-2.' }),
    countryOfIncorporation: t.string({ description: 'ISO 3166-1 alpha-2.' }),
    registrationNumber: t.string({ description: 'Company registration number.' }),
    dateOfBirth: t.string({ description: 'YYYY-MM-DD.' }),
    taxId: t.string({ description: 'Tax identifier.' }),
  }),
});

export const PayoutCreateInput = builder.inputType('PayoutCreateInput', {
  description:
    'A payout to be created. Checks run in a fixed order, and the first that fails is the error.',
  fields: (t) => ({
    ...asked(t, givenFields),
    beneficiary: t.field({ type: BeneficiaryEcho, description: 'Identity fields to be compared.' }),
    dryRun: t.boolean({ description: 'Run every check and write nothing.' }),
  }),
});

export const PayoutCreatePayload = builder
  .objectRef<PayoutCreated>('PayoutCreatePayload')
  .implement({
    description: 'Answer to payoutCreate.',
    fields: (t) =>
      shown(t, {
        payout: of.orNull(Payout, 'The payout; null for a dry run.'),
        replayed: bool(
          'Whether the payout existed: the idempotency key was used before with the same content.',
        ),
        funding: of.orNull(
          FundingOutlook,
          'Of a dry run: whether the funds would cover the payout; null otherwise.',
        ),
      }),
  });

export const DecisionReason = builder.inputType('DecisionReasonInput', {
  description: 'Why a decision was made.',
  fields: (t) => ({
    code: t.string({ description: 'MANUAL_APPROVAL or MANUAL_REJECTION where none is given.' }),
    message: t.string({ required: true, description: 'In words, up to 1,000 characters.' }),
    details: t.field({ type: 'JSON', description: 'Anything that supports it.' }),
  }),
});

export const passkeyTold =
  'AuthenticationResponseJSON of Web Authentication, the answer to payoutStepUpBegin, where a step asks for it (approval { demands { stepUp } }).';

const DecisionInput = builder.inputType('DecisionInput', {
  description: 'A decision about a payout.',
  fields: (t) => ({
    decisionId: t.string({
      required: true,
      description: "The caller's ULID; the idempotency key within the payout.",
    }),
    status: t.field({ type: DecisionStatusEnum, required: true, description: 'The outcome.' }),
    evaluatedAt: t.string({ description: 'ISO 8601; now by default.' }),
    reasons: t.field({ type: [DecisionReason], description: 'Needed for a rejection.' }),
    evaluatedBy: t.field({ type: 'JSON', description: 'The acting party; the caller by default.' }),
    policyVersion: t.string({ description: 'Version of the policy applied.' }),
    agentVersion: t.string({ description: 'Version of the agent.' }),
    confidence: t.float({ description: 'From 0 to 1.' }),
  }),
});

const DecisionPayload = builder.objectRef<Decided>('DecisionPayload').implement({
  description: 'Answer to a decision.',
  fields: (t) =>
    shown(t, {
      payout: of(Payout, 'The payout after the decision.'),
      decision: of(Decision, 'The decision as recorded.'),
      replayed: bool('The decision id was used before with the same content.'),
    }),
});

builder.mutationFields((t) => ({
  payoutCreate: t.field({
    nullable: true,
    type: PayoutCreatePayload,
    description:
      'Creates a payout, or returns the one that was created with the same idempotency key.',
    args: { input: t.arg({ type: PayoutCreateInput, required: true, description: 'The payout.' }) },
    resolve: (_root, { input }, context) => createPayout(context.call, input),
  }),
  payoutDecide: t.field({
    nullable: true,
    type: DecisionPayload,
    description: 'Records a decision on a payout and moves it accordingly.',
    args: {
      payoutId: t.arg.id({ required: true, description: 'The payout.' }),
      input: t.arg({ type: DecisionInput, required: true, description: 'The decision.' }),
    },
    resolve: (_root, { payoutId, input }, context) =>
      decideOnPayout(context.call, payoutId, {
        ...input,
        reasons: input.reasons ?? [],
      }),
  }),
  payoutApprove: t.field({
    nullable: true,
    type: DecisionPayload,
    description: 'Approves a payout; its disbursement starts. An alias of payoutDecide.',
    args: {
      payoutId: t.arg.id({ required: true, description: 'The payout.' }),
      decisionId: t.arg.string({
        description: 'ULID that makes a repetition safe; generated when absent.',
      }),
      reasons: t.arg({ type: [DecisionReason], description: 'Why.' }),
      passkey: t.arg({ type: 'JSON', description: passkeyTold }),
    },
    resolve: (_root, { payoutId, decisionId, reasons, passkey }, context) =>
      approveSigned(
        context.call,
        payoutId,
        { decisionId: decisionId ?? newUlid(), reasons: reasons ?? [] },
        passkey,
      ),
  }),
  payoutReject: t.field({
    nullable: true,
    type: DecisionPayload,
    description: 'Rejects a payout, with at least one reason. An alias of payoutDecide.',
    args: {
      payoutId: t.arg.id({ required: true, description: 'The payout.' }),
      decisionId: t.arg.string({
        description: 'ULID that makes a repetition safe; generated when absent.',
      }),
      reasons: t.arg({ type: [DecisionReason], description: 'Why; not empty.' }),
    },
    resolve: (_root, { payoutId, decisionId, reasons }, context) =>
      decideOnPayout(context.call, payoutId, {
        decisionId: decisionId ?? newUlid(),
        status: 'rejected',
        reasons: reasons ?? [],
      }),
  }),
  payoutApprovalReevaluate: t.field({
    nullable: true,
    type: Payout,
    description:
      'Has the approval policy that holds now judge a payout which waits for its approval. Approvals that were given before count no more. For owners.',
    args: { payoutId: t.arg.id({ required: true, description: 'The payout.' }) },
    resolve: (_root, { payoutId }, context) => reevaluateApproval(context.call, payoutId),
  }),
  payoutCancel: t.field({
    nullable: true,
    type: Payout,
    description:
      'Cancels a payout that is not yet handed over to the provider. Throws INVALID_STATE_TRANSITION.',
    args: { payoutId: t.arg.id({ required: true, description: 'The payout.' }) },
    resolve: (_root, { payoutId }, context) => cancelPayout(context.call, payoutId),
  }),
}));

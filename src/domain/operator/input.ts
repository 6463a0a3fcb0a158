import { z } from 'zod';
import { roles } from '../../access/roles.ts';
import { environments } from '../../access/scope.ts';
import { dateTime, optionalText, text } from '../../values/fields.ts';
import { balanceInput } from '../funding/balance.ts';
import { ledgerModes } from '../ledger/names.ts';
import { deliveredTypes } from '../event/types.ts';
import { erasureInput } from '../personal/erase.ts';
import { confirmationAnswers } from './confirmation-store.ts';
import { findings } from './findings.ts';
import { resolutions } from './resolve-payout.ts';

/** The operator's reason, which is recorded. */
const reason = text(1_000);

export const profileAcceptance = z.strictObject({
  businessId: text(),
  submittedAt: dateTime.nullish(),
  reason,
});
export type ProfileAcceptance = z.input<typeof profileAcceptance>;

export const profileDecline = z.strictObject({
  ...profileAcceptance.shape,
  /** What the business reads. */
  explanation: text(1_000),
});
export type ProfileDecline = z.input<typeof profileDecline>;

export const productionKeyOrder = z.strictObject({
  businessId: text(),
  membershipId: text(),
  role: z.enum(roles),
  reason,
});
export type ProductionKeyOrder = z.input<typeof productionKeyOrder>;

export const memberInvitationOrder = z.strictObject({
  businessId: text(),
  membershipId: text(),
  /** The role that a second operator agrees to; no caller gives it. */
  role: z.enum(roles).optional(),
  reason,
});
export type MemberInvitationOrder = Omit<z.input<typeof memberInvitationOrder>, 'role'>;

export const balanceReport = z.strictObject({
  ...balanceInput.shape,
  businessId: text(),
  source: optionalText(200),
  reason: optionalText(1_000),
});
export type BalanceReport = z.input<typeof balanceReport>;

export const fundingModeOrder = z
  .strictObject({
    businessId: text(),
    mode: z.enum(ledgerModes),
    openingBalances: z
      .array(balanceInput)
      .max(200)
      .nullish()
      .transform((given) => given ?? []),
    reason,
  })
  .refine(({ mode, openingBalances }) => (mode === 'enforced') === openingBalances.length > 0, {
    path: ['openingBalances'],
    message: 'Required with enforced, and not taken with reported.',
    params: { code: 'required' },
  });
export type FundingModeOrder = z.input<typeof fundingModeOrder>;

export const fundingRecordOrder = z.strictObject({
  businessId: text(),
  kind: z.enum(['funding', 'withdrawal', 'fee']),
  amountMinor: z.union([z.number(), z.bigint(), z.string()]),
  currency: z.string(),
  source: text(200),
  reason,
});
export type FundingRecordOrder = z.input<typeof fundingRecordOrder>;

export const complianceHold = z.strictObject({
  businessId: text(),
  environment: z.enum(environments),
  beneficiaryId: text(),
  reason,
});
export type ComplianceHold = z.input<typeof complianceHold>;

export const erasureOrder = z.strictObject({ ...complianceHold.shape, ...erasureInput.shape });
export type ErasureOrder = z.input<typeof erasureOrder>;

const payoutOrder = {
  businessId: text(),
  environment: z.enum(environments),
  payoutId: text(),
  reason,
};

export const lookUpOrder = z.strictObject(payoutOrder);
export type LookUpOrder = z.input<typeof lookUpOrder>;

export const resolutionAnswer = z.strictObject({
  businessId: text(),
  environment: z.enum(environments),
  orderId: z.guid(),
  answer: z.enum(confirmationAnswers),
  reason,
});
export type ResolutionAnswer = z.input<typeof resolutionAnswer>;

export const changeAnswer = z.strictObject({
  businessId: text(),
  changeId: text(),
  /** SHA-256 as `operatorProposedChanges` shows it. */
  digest: text(64),
  answer: z.enum(confirmationAnswers),
  reason,
});
export type ChangeAnswer = z.input<typeof changeAnswer>;

export const taskOrder = z.strictObject({ task: text(63), reason });
export type TaskOrder = z.input<typeof taskOrder>;

/** The number of a job, as the database counts them. */
const jobId = z.string().regex(/^[1-9]\d{0,17}$/, 'The number of a job, for example 17.');

export const jobRetry = z.strictObject({ id: jobId, reason });
export type JobRetry = z.input<typeof jobRetry>;

export const jobSchedule = z.strictObject({ task: text(63), subjectId: optionalText(), reason });
export type JobSchedule = z.input<typeof jobSchedule>;

export const mailResend = z.strictObject({ requestId: z.guid(), reason });
export type MailResend = z.input<typeof mailResend>;

/** Deliveries that one replay sends at most, and by default. */
const replayLimit = 10_000;

export const replayOrder = z
  .strictObject({
    businessId: text(),
    environment: z.enum(environments),
    createdSince: dateTime,
    createdBefore: dateTime,
    eventType: z.enum(deliveredTypes).nullish(),
    limit: z
      .int()
      .min(1)
      .max(replayLimit)
      .nullish()
      .transform((given) => given ?? replayLimit),
    dryRun: z
      .boolean()
      .nullish()
      .transform((given) => given ?? false),
    reason,
  })
  .refine(
    ({ createdSince, createdBefore }) => Date.parse(createdSince) < Date.parse(createdBefore),
    {
      path: ['createdBefore'],
      message: 'The window must begin before it ends.',
      params: { code: 'invalid_value' },
    },
  );
/** As a caller gives it: a type of event that there is not is refused, and named. */
export type ReplayOrder = Omit<z.input<typeof replayOrder>, 'eventType'> & {
  readonly eventType?: string | null | undefined;
};

export const examination = z.strictObject({
  businessId: text(),
  environment: z.enum(environments),
  contradictionId: z.guid(),
  finding: z.enum(findings),
  evidence: text(1_000),
  reason,
});
export type Examination = z.input<typeof examination>;

const bankDeskOrder = { businessId: text(), environment: z.enum(environments), reason };
const bankLineOrder = { ...bankDeskOrder, lineId: text() };

export const bankLineMatch = z.strictObject({ ...bankLineOrder, subjectId: text() });
export type BankLineMatch = z.input<typeof bankLineMatch>;

export const bankLineExplanation = z.strictObject({ ...bankLineOrder, explanation: text(1_000) });
export type BankLineExplanation = z.input<typeof bankLineExplanation>;

export const bankAnswerExplanation = z.strictObject({
  ...bankDeskOrder,
  answerId: text(),
  explanation: text(1_000),
});
export type BankAnswerExplanation = z.input<typeof bankAnswerExplanation>;

/** 15 MiB, in base64. A larger file is taken from the command line. */
const mostBase64 = 20_971_520;

export const bankFileDelivery = z.strictObject({
  ...bankDeskOrder,
  connectionId: text(),
  name: text(255),
  contentBase64: z.base64().min(1).max(mostBase64),
});
export type BankFileDelivery = z.input<typeof bankFileDelivery>;

/** What a file is that nobody can read and nobody needs. */
export const bankFileExplanation = z.strictObject({
  ...bankDeskOrder,
  fileId: text(),
  explanation: text(1_000),
});
export type BankFileExplanation = z.input<typeof bankFileExplanation>;

export const bankFileOrder = z.strictObject({ ...bankDeskOrder, fileId: text() });
export type BankFileOrder = z.input<typeof bankFileOrder>;

export const resolveOrder = z
  .strictObject({
    ...payoutOrder,
    outcome: z.enum(resolutions),
    providerPayoutId: optionalText(),
    evidence: text(1_000),
  })
  .refine(({ outcome, providerPayoutId }) => outcome !== 'paid' || providerPayoutId != null, {
    path: ['providerPayoutId'],
    message: 'Required with paid: the id of the payment at the provider.',
    params: { code: 'required' },
  });
export type ResolveOrder = z.input<typeof resolveOrder>;

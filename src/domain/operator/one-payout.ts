import { operatorId } from '../../access/scope.ts';
import { namedOfPlatform } from '../../db/named.ts';
import type { OperatorCall } from '../../process/services.ts';
import type { BatchStatus } from '../bank-batch/names.ts';
import type { ComplianceStatus } from '../beneficiary/status.ts';
import type { PayoutState } from '../payout/machine.ts';
import { readList, tenantColumns, type OfTenant } from './list.ts';
import {
  contradictionColumns,
  resolutionColumns,
  stuckColumns,
  type OpenContradiction,
  type StuckPayout,
  type WaitingResolution,
} from './lists.ts';

/** What an operator can do about a payout. */
export type PayoutAct =
  | 'look_up'
  | 'resolve'
  | 'confirm_resolution'
  | 'decline_resolution'
  | 'examine_contradiction'
  | 'schedule';

/** A payout as operators see it: ids, states, times and amounts, and nothing that names its payee. */
export interface OnePayout extends OfTenant {
  readonly payoutId: string;
  readonly tenantId: string;
  readonly state: PayoutState;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly beneficiaryId: string;
  readonly complianceStatus: ComplianceStatus;
  readonly bankAccountId: string;
  readonly accountCountry: string;
  readonly provider: string | null;
  readonly providerPayoutId: string | null;
  readonly connectionId: string | null;
  readonly scheme: string | null;
  readonly waitsForFileSince: Date | null;
  readonly failureCode: string | null;
  readonly replacesPayoutId: string | null;
  readonly replacedBy: string | null;
  readonly takenBy: string | null;
  readonly may: readonly PayoutAct[];
}

const payoutById = namedOfPlatform(
  'operator_payout',
  ['payout', 'who'],
  `
    SELECT payout_id AS "payoutId", tenant_id AS "tenantId", ${tenantColumns}, state, amount_minor AS "amountMinor", currency,
      created_at AS "createdAt", updated_at AS "updatedAt", beneficiary_id AS "beneficiaryId",
      compliance_status AS "complianceStatus", bank_account_id AS "bankAccountId", account_country AS "accountCountry",
      provider, provider_payout_id AS "providerPayoutId", connection_id AS "connectionId", scheme,
      waits_for_file_since AS "waitsForFileSince", failure_code AS "failureCode", replaces_payout_id AS "replacesPayoutId",
      replaced_by AS "replacedBy", taken_by AS "takenBy", may
    FROM ops.payout_by_id(@payout, @who)`,
);

/** The payout of whichever business, with what the operator who asks may do; null for an unknown id. */
export async function findOnePayout(call: OperatorCall, payout: string): Promise<OnePayout | null> {
  const who = operatorId(call.operator.operator);
  const [found] = await readList<OnePayout, 'payout' | 'who'>(call, payoutById, { payout, who });
  return found ?? null;
}

/** Which payout, of which tenant. */
type PayoutPlace = Pick<OnePayout, 'tenantId' | 'payoutId'>;

const standstill = namedOfPlatform(
  'operator_payout_standstill',
  ['tenant', 'payout'],
  `SELECT ${stuckColumns} FROM ops.payout_standstill(@tenant, @payout)`,
);

/** Why it makes no progress, and what to do; null where it moves as usual or has ended. */
export async function findStandstill(
  call: OperatorCall,
  { tenantId: tenant, payoutId: payout }: PayoutPlace,
): Promise<StuckPayout | null> {
  const [found] = await readList<StuckPayout, string>(call, standstill, { tenant, payout });
  return found ?? null;
}

/** One submission to a provider, or one place in a file for a bank. */
export interface PayoutAttempt {
  readonly attemptId: string;
  readonly number: number;
  readonly provider: string;
  readonly status: 'prepared' | 'unknown' | 'submitted' | 'rejected';
  readonly needsOperator: boolean;
  readonly calls: number;
  readonly providerPayoutId: string | null;
  readonly failureCode: string | null;
  readonly keyExpiresAt: Date;
  readonly preparedAt: Date;
  readonly calledAt: Date;
  readonly submittedAt: Date | null;
  readonly lookedUpAt: Date | null;
  /** The columns of its place in a file are null together. */
  readonly batchId: string | null;
  readonly position: number;
  readonly endToEndId: string;
  readonly fileName: string;
  readonly batchStatus: BatchStatus;
  readonly executionDate: string;
  readonly batchProblem: string | null;
  readonly batchNextStep: string | null;
}

/** Submissions, contradictions and lines of a timeline that a page of a payout has at most. */
export const mostAttempts = 25;
export const mostContradictions = 25;
export const mostTimelineLines = 200;

const attempts = namedOfPlatform(
  'operator_payout_attempts',
  ['tenant', 'payout', 'take'],
  `
    SELECT attempt_id AS "attemptId", number, provider, status, needs_operator AS "needsOperator", calls,
      provider_payout_id AS "providerPayoutId", failure_code AS "failureCode", key_expires_at AS "keyExpiresAt",
      prepared_at AS "preparedAt", called_at AS "calledAt", submitted_at AS "submittedAt", looked_up_at AS "lookedUpAt",
      batch_id AS "batchId", position, end_to_end_id AS "endToEndId", file_name AS "fileName",
      batch_status AS "batchStatus", execution_date AS "executionDate", batch_problem AS "batchProblem",
      batch_next_step AS "batchNextStep"
    FROM ops.payout_attempts(@tenant, @payout, @take)`,
);

/** The latest submissions, newest first. */
export function listPayoutAttempts(
  call: OperatorCall,
  { tenantId: tenant, payoutId: payout }: PayoutPlace,
): Promise<PayoutAttempt[]> {
  return readList(call, attempts, { tenant, payout, take: mostAttempts });
}

/** A line of what happened to a payout, as ops.timeline has it. */
export interface TimelineLine {
  readonly at: Date;
  readonly what: string;
  readonly id: string;
  readonly detail: string | null;
  readonly byWhom: string | null;
}

const timeline = namedOfPlatform(
  'operator_payout_timeline',
  ['tenant', 'payout', 'take'],
  `SELECT at, what, id, detail, by_whom AS "byWhom" FROM ops.payout_timeline(@tenant, @payout, @take)`,
);

/** The latest lines of the timeline, newest first. */
export function listTimeline(
  call: OperatorCall,
  { tenantId: tenant, payoutId: payout }: PayoutPlace,
): Promise<TimelineLine[]> {
  return readList(call, timeline, { tenant, payout, take: mostTimelineLines });
}

const contradictions = namedOfPlatform(
  'operator_payout_contradictions',
  ['tenant', 'payout', 'take'],
  `SELECT ${contradictionColumns} FROM ops.contradictions_of_payout(@tenant, @payout, @take)`,
);

/** The contradictions that wait for a person, newest first. */
export function listContradictionsOfPayout(
  call: OperatorCall,
  { tenantId: tenant, payoutId: payout }: PayoutPlace,
): Promise<OpenContradiction[]> {
  return readList(call, contradictions, { tenant, payout, take: mostContradictions });
}

const resolution = namedOfPlatform(
  'operator_payout_resolution',
  ['who', 'tenant', 'payout'],
  `SELECT ${resolutionColumns} FROM ops.payout_resolution(@tenant, @payout)`,
);

/** The resolution that waits for a second person, or null. */
export async function findResolutionOfPayout(
  call: OperatorCall,
  { tenantId: tenant, payoutId: payout }: PayoutPlace,
): Promise<WaitingResolution | null> {
  const who = operatorId(call.operator.operator);
  const values = { who, tenant, payout };
  const [found] = await readList<WaitingResolution, string>(call, resolution, values);
  return found ?? null;
}

import { operatorId } from '../../access/scope.ts';
import { namedOfPlatform } from '../../db/named.ts';
import type { OperatorCall } from '../../process/services.ts';
import type { BankCalendar } from '../../values/bank-days/calendars.ts';
import { isId } from '../../values/ids.ts';
import type { PayoutState } from '../payout/machine.ts';
import type { BatchClosing, BatchStatus } from '../bank-batch/names.ts';
import type { ConnectionStatus, TransportKind } from '../bank-connection/names.ts';
import { readList, tenantColumns, type OfTenant, type OperatorPage } from './list.ts';

/** A bank connection that is not closed, and how its files fare. */
export interface OpenBankConnection extends OfTenant {
  readonly connectionId: string;
  readonly name: string;
  readonly status: ConnectionStatus;
  readonly transport: TransportKind;
  readonly accountCurrency: string;
  readonly accountLast4: string;
  readonly hasCredentials: boolean;
  readonly cutOffTime: string;
  readonly timeZone: string;
  readonly calendar: BankCalendar;
  readonly leadBankDays: number;
  readonly fetchedAt: Date | null;
  readonly fetchProblem: string | null;
  readonly fetchProblemSince: Date | null;
  /** Payouts that wait for the next file. */
  readonly waiting: number;
  readonly oldestWaiting: Date | null;
  /** Why no file could be made at the latest cut-off. */
  readonly fileProblem: string | null;
}

const connections = namedOfPlatform(
  'operator_bank_connections',
  ['business', 'before', 'take'],
  `
    SELECT connection_id AS "connectionId", ${tenantColumns}, name, status, transport,
      account_currency AS "accountCurrency", account_last4 AS "accountLast4", has_credentials AS "hasCredentials",
      cut_off_time AS "cutOffTime", time_zone AS "timeZone", calendar, lead_bank_days AS "leadBankDays",
      fetched_at AS "fetchedAt", fetch_problem AS "fetchProblem", fetch_problem_since AS "fetchProblemSince",
      waiting::integer AS waiting, oldest_waiting AS "oldestWaiting", file_problem AS "fileProblem"
    FROM ops.bank_connections_page(@business, @before, @take)`,
);

/** The bank connections that are not closed, newest first. */
export function listOpenBankConnections(
  call: OperatorCall,
  { businessId: business, after: before, take }: OperatorPage,
): Promise<OpenBankConnection[]> {
  return readList(call, connections, { business, before, take });
}

/** A file for a bank as operators see it. */
export interface OperatedBatch extends OfTenant {
  readonly batchId: string;
  readonly connectionId: string;
  /** The connection's name. */
  readonly connection: string;
  readonly scheme: string;
  readonly currency: string;
  readonly status: BatchStatus;
  readonly fileName: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly messageId: string;
  readonly paymentCount: number;
  /** Minor units of `currency`. */
  readonly controlSumMinor: bigint;
  /** `YYYY-MM-DD`. */
  readonly executionDate: string;
  readonly closedBy: BatchClosing;
  readonly closedAt: Date;
  readonly sendingAt: Date | null;
  readonly sentAt: Date | null;
  /** When all of its payments counted as handed over. */
  readonly takenAt: Date | null;
  readonly problem: string | null;
  readonly needsOperator: boolean;
  readonly nextStep: string | null;
  /** Whether people bring it to the bank. */
  readonly byHand: boolean;
  readonly downloadedBy: readonly string[];
  readonly downloadedByYou: boolean;
  readonly uploadedBy: string | null;
  readonly resendAskedBy: string | null;
  readonly resendAskedByYou: boolean;
  readonly takenBy: string | null;
}

const batches = namedOfPlatform(
  'operator_bank_batches_read',
  ['batch', 'who', 'business', 'needs', 'id', 'take'],
  `
    SELECT batch_id AS "batchId", ${tenantColumns}, connection_id AS "connectionId", connection, scheme, currency,
      status, file_name AS "fileName", sha256, size_bytes AS "sizeBytes", message_id AS "messageId",
      payment_count AS "paymentCount", control_sum_minor AS "controlSumMinor", execution_date AS "executionDate",
      closed_by AS "closedBy", closed_at AS "closedAt", sending_at AS "sendingAt", sent_at AS "sentAt",
      taken_at AS "takenAt", problem, needs_operator AS "needsOperator", next_step AS "nextStep", by_hand AS "byHand",
      downloaded_by AS "downloadedBy", downloaded_by_you AS "downloadedByYou", uploaded_by AS "uploadedBy",
      resend_asked_by AS "resendAskedBy", resend_asked_by_you AS "resendAskedByYou", taken_by AS "takenBy"
    FROM ops.bank_batches_read(@batch, @who, @business, @needs::boolean, @id, @take)`,
);

/** The files that are not certainly at their banks: first those that a person has to see to, then newest first. */
export function listOpenBankBatches(
  call: OperatorCall,
  { businessId: business, after, take }: OperatorPage,
): Promise<OperatedBatch[]> {
  const [needs = null, id = null] = after?.split(' ') ?? [];
  const who = operatorId(call.operator.operator);
  return readList(call, batches, { batch: null, who, business, needs, id, take });
}

export const openBatchPosition = ({ needsOperator, batchId }: OperatedBatch): string =>
  `${needsOperator} ${batchId}`;

/** One file for a bank, of whichever business and status; null for an unknown id. */
export async function readOperatedBatch(
  call: OperatorCall,
  batch: string,
): Promise<OperatedBatch | null> {
  if (!isId('bankBatch', batch)) return null;
  const who = operatorId(call.operator.operator);
  const values = { batch, who, business: null, needs: null, id: null, take: 1 };
  const [found = null] = await readList<OperatedBatch, keyof typeof values>(call, batches, values);
  return found;
}

/** A payment in a file for a bank, and what became of it. */
export interface OperatedPayment {
  /** Its place in the file, from 1. */
  readonly position: number;
  readonly payoutId: string;
  readonly attemptId: string;
  readonly endToEndId: string;
  readonly traceNumber: string | null;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  readonly currency: string;
  /** Of the payout. */
  readonly state: PayoutState;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  /** When the bank said that it has it. */
  readonly acknowledgedAt: Date | null;
  /** `YYYY-MM-DD`, by the bank's statement. */
  readonly debitedOn: string | null;
  readonly returnedOn: string | null;
}

const payments = namedOfPlatform(
  'operator_bank_payments',
  ['batch', 'after', 'take'],
  `
    SELECT position, payout_id AS "payoutId", attempt_id AS "attemptId", end_to_end_id AS "endToEndId",
      trace_number AS "traceNumber", amount_minor AS "amountMinor", currency, state, failure_code AS "failureCode",
      failure_message AS "failureMessage", acknowledged_at AS "acknowledgedAt", debited_on AS "debitedOn",
      returned_on AS "returnedOn"
    FROM ops.bank_payments_page(@batch, @after::integer, @take)`,
);

/** The payments of a file for a bank in its order; none for an unknown id. */
export function listBatchPayments(
  call: OperatorCall,
  batch: string,
  { after, take }: Pick<OperatorPage, 'after' | 'take'>,
): Promise<OperatedPayment[]> {
  if (!isId('bankBatch', batch)) return Promise.resolve([]);
  return readList(call, payments, { batch, after, take });
}

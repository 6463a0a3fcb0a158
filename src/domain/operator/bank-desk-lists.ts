import { namedOfPlatform } from '../../db/named.ts';
import type { OperatorCall } from '../../process/services.ts';
import type { FileProblem, LineDoubt, StrayKind } from '../bank-file/names.ts';
import { readList, tenantColumns, type OfTenant, type OperatorPage } from './list.ts';

/** Something at a bank that waits for a person. */
interface OfConnection extends OfTenant {
  readonly connectionId: string;
  /** The connection's name. */
  readonly connection: string;
  readonly takenBy: string | null;
}

const ofConnection = `connection_id AS "connectionId", connection, taken_by AS "takenBy", ${tenantColumns}`;

/** A movement at a bank that matches nothing. */
export interface UnmatchedLine extends OfConnection {
  readonly lineId: string;
  /** The file that told of it first. */
  readonly fileId: string;
  readonly direction: 'credit' | 'debit';
  /** Minor units of `currency`; null where the bank gives none for it alone. */
  readonly amountMinor: bigint | null;
  readonly currency: string;
  /** `YYYY-MM-DD`. */
  readonly bookedOn: string | null;
  readonly doubt: LineDoubt;
  /** Whether a person can match it; else only explain it. */
  readonly matchable: boolean;
  readonly bankReference: string | null;
  readonly bankCode: string | null;
  readonly endToEndId: string | null;
  readonly traceNumber: string | null;
  readonly returnCode: string | null;
  readonly namedPayoutId: string | null;
  /** What was sent for the payout that it names, in minor units of `sentCurrency`. */
  readonly sentMinor: bigint | null;
  readonly sentCurrency: string | null;
  readonly createdAt: Date;
}

const lines = namedOfPlatform(
  'operator_bank_lines',
  ['business', 'before', 'take'],
  `
    SELECT line_id AS "lineId", ${ofConnection}, file_id AS "fileId", direction, amount_minor AS "amountMinor", currency,
      booked_on AS "bookedOn", doubt, matchable, bank_reference AS "bankReference", bank_code AS "bankCode",
      end_to_end_id AS "endToEndId", trace_number AS "traceNumber", return_code AS "returnCode",
      named_payout AS "namedPayoutId", sent_minor AS "sentMinor", sent_currency AS "sentCurrency",
      created_at AS "createdAt"
    FROM ops.bank_lines_page(@business, @before, @take)`,
);

/** The movements of ops.bank_unmatched_lines, newest first. */
export function listUnmatchedLines(
  call: OperatorCall,
  { businessId: business, after: before, take }: OperatorPage,
): Promise<UnmatchedLine[]> {
  return readList(call, lines, { business, before, take });
}

/** An answer of a bank that names nothing of its connection. */
export interface StrayAnswerOfTenant extends OfConnection {
  readonly answerId: string;
  /** The file that told of it first, by its id and name. */
  readonly fileId: string;
  readonly fileName: string;
  /** Its line in that file. */
  readonly line: number;
  readonly kind: StrayKind;
  /** What the bank says, in its codes. */
  readonly said: string;
  readonly originalMessageId: string | null;
  readonly originalBatchId: string | null;
  readonly endToEndId: string | null;
  readonly instructionId: string | null;
  readonly traceNumber: string | null;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint | null;
  readonly currency: string | null;
  readonly createdAt: Date;
}

const strayAnswers = namedOfPlatform(
  'operator_bank_stray_answers',
  ['business', 'before', 'take'],
  `
    SELECT answer_id AS "answerId", ${ofConnection}, file_id AS "fileId", file_name AS "fileName", line, kind, said,
      original_message_id AS "originalMessageId", original_batch_id AS "originalBatchId",
      end_to_end_id AS "endToEndId", instruction_id AS "instructionId", trace_number AS "traceNumber",
      amount_minor AS "amountMinor", currency, created_at AS "createdAt"
    FROM ops.bank_stray_answers_page(@business, @before, @take)`,
);

/** The answers of ops.bank_stray_answers, newest first. */
export function listStrayAnswers(
  call: OperatorCall,
  { businessId: business, after: before, take }: OperatorPage,
): Promise<StrayAnswerOfTenant[]> {
  return readList(call, strayAnswers, { business, before, take });
}

/** A payout whose debit no statement has shown in time. */
export interface MissingDebitOfTenant extends OfConnection {
  readonly payoutId: string;
  readonly batchId: string;
  readonly attemptId: string;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  readonly currency: string;
  /** `YYYY-MM-DD`. */
  readonly executionDate: string;
  readonly endToEndId: string;
  readonly traceNumber: string | null;
  /** Whether an outcome is open, which a person can give. */
  readonly resolvable: boolean;
}

const missingDebits = namedOfPlatform(
  'operator_bank_missing_debits',
  ['business', 'before', 'take'],
  `
    SELECT payout_id AS "payoutId", ${ofConnection}, batch_id AS "batchId", attempt_id AS "attemptId",
      amount_minor AS "amountMinor", currency, execution_date AS "executionDate", end_to_end_id AS "endToEndId",
      trace_number AS "traceNumber", resolvable
    FROM ops.bank_missing_debits_page(@business, @before, @take)`,
);

/** The payouts of ops.bank_missing_debits, newest first. */
export function listMissingDebits(
  call: OperatorCall,
  { businessId: business, after: before, take }: OperatorPage,
): Promise<MissingDebitOfTenant[]> {
  return readList(call, missingDebits, { business, before, take });
}

/** A file of a bank that cannot be read. */
export interface UnreadableFile extends OfConnection {
  readonly fileId: string;
  readonly name: string;
  readonly format: string | null;
  readonly sizeBytes: bigint | null;
  readonly sha256: string | null;
  readonly problem: FileProblem | null;
  readonly problemPlace: string | null;
  readonly receivedAt: Date;
}

const unreadableFiles = namedOfPlatform(
  'operator_bank_unreadable_files',
  ['business', 'before', 'take'],
  `
    SELECT file_id AS "fileId", ${ofConnection}, name, format, size_bytes AS "sizeBytes", sha256, problem,
      problem_place AS "problemPlace", received_at AS "receivedAt"
    FROM ops.bank_unreadable_files_page(@business, @before, @take)`,
);

/** The files of ops.bank_files that are unreadable, newest first. */
export function listUnreadableFiles(
  call: OperatorCall,
  { businessId: business, after: before, take }: OperatorPage,
): Promise<UnreadableFile[]> {
  return readList(call, unreadableFiles, { business, before, take });
}

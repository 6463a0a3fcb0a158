import type { Correction, StatusReport } from '../../providers/bank/report.ts';
import type { LineDoubt } from './names.ts';

/*
 * What a file means for payments, before any payment is looked for: plain data that is stored as JSON. Amounts are
 * the digits of integers in minor units, since JSON has no large integers.
 */

/** One run that reads a file. */
export interface FileReading {
  readonly file: string;
  readonly reading: number;
}

export interface StagedStatement {
  readonly kind: 'statement';
  /** Its place among the statements of the file, from 1. */
  readonly number: number;
  readonly statementKind: 'statement' | 'notification';
  readonly bankId: string;
  /** Whether it is of the connection's own account. */
  readonly own: boolean;
  readonly currency: string | null;
  readonly page: number | null;
  readonly lastPage: boolean | null;
  readonly copy: string | null;
  readonly openingMinor: string | null;
  readonly closingMinor: string | null;
  readonly closingDay: string | null;
  readonly entries: number;
  readonly unexplainedMinor: string | null;
}

/**
 * The references by which the bank itself knows a movement, by what they are of: the entry that is this one movement, the
 * entry of which it is a part, the payment, its transaction, and its clearing.
 */
export type BankNames = Readonly<
  Partial<Record<'entry' | 'batch' | 'payment' | 'transaction' | 'clearing', string>>
>;

export interface StagedLine {
  readonly kind: 'line';
  /** The number of its statement, of the first page where the file has several. */
  readonly statement: number;
  /** Equal for lines that may be the same movement. */
  readonly fingerprint: string;
  /** What the fingerprint is without the bank's references: a file may lack those that another one has. */
  readonly likeness: string;
  readonly names: BankNames;
  readonly id: string;
  readonly direction: 'credit' | 'debit';
  readonly amountMinor: string | null;
  readonly currency: string;
  /** That of the account which it is a movement of. */
  readonly accountCurrency: string;
  readonly orderedMinor: string | null;
  readonly orderedCurrency: string | null;
  readonly reversal: boolean;
  readonly isFee: boolean;
  readonly bookedOn: string | null;
  readonly bankReference: string | null;
  readonly bankCode: string | null;
  readonly endToEndId: string | null;
  readonly instructionId: string | null;
  readonly traceNumber: string | null;
  readonly batchIds: readonly string[];
  readonly batchCount: number | null;
  readonly returnCode: string | null;
  /** Why nobody looks for a payment. */
  readonly doubt: LineDoubt | null;
}

export interface StagedStatus {
  readonly kind: 'status';
  readonly report: Omit<StatusReport, 'amount'>;
}

/** An entry of the ACH that came back, or a word about such a return. */
export interface StagedReturn {
  readonly kind: 'return';
  /** Its line in the file. */
  readonly line: number;
  readonly form: 'return' | 'dishonored' | 'contested';
  readonly code: string;
  /** Of the payment, and of the return itself. */
  readonly traceNumber: string;
  readonly ownTraceNumber: string;
  /** The company whose entry it was; null where the file does not say. */
  readonly companyId: string | null;
  readonly amountMinor: string;
  /** When the file was made, as it says; null where it does not. */
  readonly madeOn: string | null;
}

export interface StagedChange {
  readonly kind: 'change';
  readonly line: number;
  readonly code: string;
  /** Of the payment, and of the notification itself: a bank may correct a payment twice. */
  readonly traceNumber: string;
  readonly ownTraceNumber: string;
  readonly correction: Correction;
}

/** What the interpreter says. */
export type Meaning = StagedStatement | StagedLine | StagedStatus | StagedReturn | StagedChange;

/** A change as it is stored: the corrected details of a payee's account are encrypted, in base64. */
export interface SealedChange extends Omit<StagedChange, 'correction'> {
  readonly sealed: string;
}

export type Staged = Exclude<Meaning, StagedChange> | SealedChange;

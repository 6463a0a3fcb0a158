import type { FailureCode } from '../port.ts';
import type { Money } from './decimal.ts';
import type { BankFileProblem, FilePosition } from './problem.ts';

/**
 * What a bank's file says, in one shape for every format. A reader yields these in the order of the file. Nothing
 * here knows a payout: references are as the bank repeats them, and codes as it writes them.
 */
export type BankReport =
  | FileReport
  | StatusReport
  | StatementReport
  | EntryReport
  | StatementEndReport
  | AchEntryReport
  | AchReturnReport
  | AchChangeReport;

interface Placed {
  readonly place: FilePosition;
}

/** The head of the file; the first report of each. */
export interface FileReport extends Placed {
  readonly kind: 'file';
  /** Such as `camt.053.001.08`, or `nacha`. */
  readonly format: string;
  /** The bank's own id of the message; in NACHA the reference code of the file header. */
  readonly messageId: string | null;
  /** As the bank writes it, often without a time zone. */
  readonly createdAt: string | null;
}

/** The references by which a payment is known, as the bank repeats them. */
export interface PaymentReferences {
  readonly paymentInformationId: string | null;
  readonly endToEndId: string | null;
  readonly instructionId: string | null;
  /** The unique end-to-end transaction reference, a UUID in lower case. */
  readonly uetr: string | null;
}

/** Why a payment is refused or comes back. */
export interface Reason {
  /** A code of ISO 20022's external lists. */
  readonly code: string | null;
  /** The bank's own word where it uses no code. */
  readonly proprietary: string | null;
  readonly texts: readonly string[];
}

/**
 * What a code means for a payout: how it failed, or `duplicate` where the bank says that it has the payment
 * already, which is never a failure.
 */
export type ReasonMeaning = FailureCode | 'duplicate';

/** One status of a payment status report (pain.002). */
export interface StatusReport extends Placed {
  readonly kind: 'status';
  readonly level: 'group' | 'payment_information' | 'transaction';
  /** As the bank writes it, such as `ACSP`; null where this level has none. */
  readonly status: string | null;
  readonly reasons: readonly Reason[];
  /** The message that is answered. */
  readonly originalMessageId: string | null;
  readonly originalMessageName: string | null;
  readonly references: PaymentReferences;
  readonly amount: Money | null;
  /** How many payments the message or batch had, as the bank counted them. */
  readonly transactions: number | null;
  /** The bank's reference of the payment. */
  readonly servicerReference: string | null;
  readonly clearingReference: string | null;
  readonly acceptedAt: string | null;
}

export interface Balance {
  /** OPBD, CLBD, PRCD, ITBD, OPAV, CLAV, FWAV, …; or the bank's own word. */
  readonly type: string;
  readonly subType: string | null;
  /** Minor units of `currency`; below zero for a debit balance. */
  readonly minor: bigint;
  readonly currency: string;
  readonly day: string | null;
}

/** A statement (camt.053) or notification (camt.054) of one account. */
export interface StatementReport extends Placed {
  readonly kind: 'statement';
  readonly id: string;
  readonly account: {
    readonly iban: string | null;
    /** Any other number by which the bank knows the account. */
    readonly other: string | null;
    readonly currency: string | null;
  };
  readonly electronicSequence: number | null;
  readonly legalSequence: number | null;
  readonly page: { readonly number: number; readonly last: boolean } | null;
  /** DUPL, COPY or CODU for a statement that is sent again. */
  readonly copy: string | null;
  readonly createdAt: string | null;
  readonly from: string | null;
  readonly to: string | null;
  /** Empty in a notification. One whose amount is not understood is left out. */
  readonly balances: readonly Balance[];
  /** How many entries the bank says that there are, on all pages together. */
  readonly statedEntries: number | null;
  /** Why an opening or closing balance, which is left out, cannot be exact; null where all of them are. */
  readonly problem: BankFileProblem | null;
}

export interface BankTransactionCode {
  readonly domain: string | null;
  readonly family: string | null;
  readonly subFamily: string | null;
  readonly proprietary: string | null;
}

export interface Charge {
  readonly amount: Money;
  readonly direction: 'credit' | 'debit' | null;
  /** Whether the charge is part of the entry's amount; null where the bank does not say. */
  readonly included: boolean | null;
}

/** A payment within an entry. */
export interface EntryDetail extends Placed {
  readonly references: PaymentReferences & {
    readonly messageId: string | null;
    readonly transactionId: string | null;
    readonly servicerReference: string | null;
    readonly clearingReference: string | null;
  };
  /** The amount that was booked for this payment; null where the bank gives only the entry's. */
  readonly amount: Money | null;
  /** The amount that was ordered, in the currency of the order. */
  readonly instructed: Money | null;
  /** Null: the entry's. */
  readonly direction: 'credit' | 'debit' | null;
  readonly bankCode: BankTransactionCode | null;
  readonly charges: readonly Charge[];
  /** Present where the payment is a return of another one. */
  readonly returned: Reason | null;
  /** What was written for the payee, a line each. */
  readonly remittance: readonly string[];
  readonly text: string | null;
}

/** A batch of payments within an entry. */
export interface EntryBatch {
  readonly messageId: string | null;
  readonly paymentInformationId: string | null;
  /** How many payments it has, as the bank counts them. */
  readonly transactions: number | null;
  readonly total: Money | null;
  readonly direction: 'credit' | 'debit' | null;
  /** How many of them stand here as details: none where the bank shows the batch alone. */
  readonly details: number;
}

/**
 * A line of a statement; only `booked` moves money. One with very many details comes in several parts, each with the next details. Its
 * amount is that of the whole line: it is booked once, at the `last` part.
 */
export type EntryReport = BookedEntryReport | UncountableEntryReport | OtherEntryReport;

/** An entry that moves money. */
export interface BookedEntryReport extends EntryPart {
  readonly status: 'booked';
  readonly amount: Money;
}

/** An entry that moves money, of which the amount cannot be exact. A statement that counts cannot be read with it. */
interface UncountableEntryReport extends EntryPart {
  readonly status: 'uncountable';
  readonly amount: null;
  readonly problem: BankFileProblem;
}

/** An entry that only informs. */
interface OtherEntryReport extends EntryPart {
  readonly status: 'pending' | 'information' | 'other';
  /** Null where its currency, or so many decimal places of it, are not known. */
  readonly amount: Money | null;
}

interface EntryPart extends Placed {
  readonly kind: 'entry';
  /** The line's number within its statement, from 1. */
  readonly number: number;
  readonly part: number;
  readonly last: boolean;
  readonly reference: string | null;
  readonly servicerReference: string | null;
  readonly direction: 'credit' | 'debit';
  /** Whether it takes back an earlier entry. `direction` is already that of this one. */
  readonly reversal: boolean;
  /** As the bank writes it. */
  readonly statusCode: string;
  readonly bookingDay: string | null;
  readonly valueDay: string | null;
  readonly bankCode: BankTransactionCode | null;
  readonly charges: readonly Charge[];
  readonly batches: readonly EntryBatch[];
  readonly details: readonly EntryDetail[];
  readonly text: string | null;
}

/** The end of a statement, with what was counted on the way. */
export interface StatementEndReport extends Placed {
  readonly kind: 'statement_end';
  readonly id: string;
  readonly entries: number;
  /**
   * What the booked entries in the currency of the balances add to them, in minor units; null where the statement
   * has no balance, or entries in another currency.
   */
  readonly bookedMinor: bigint | null;
  /**
   * The closing balance less the opening balance and `bookedMinor`: zero where the statement adds up. Null where
   * one of the three is missing, as on a page of several.
   */
  readonly unexplainedMinor: bigint | null;
}

/** What every NACHA entry says. */
export interface AchEntryPart extends Placed {
  /** The standard entry class, such as PPD, CCD or COR. */
  readonly entryClass: string;
  readonly companyName: string;
  readonly companyId: string;
  readonly entryDescription: string;
  /** Number of the batch in the file. */
  readonly batch: number;
  /** Two digits: 22 credit to checking, 21 return of such a credit, … */
  readonly transactionCode: string;
  readonly direction: 'credit' | 'debit';
  /** Nine digits, with the check digit. */
  readonly routingNumber: string;
  readonly accountNumber: string;
  readonly amount: Money;
  /** The individual's or company's identification: the reference that the originator gave the entry. */
  readonly identification: string;
  readonly name: string;
  readonly traceNumber: string;
}

/** A NACHA entry that is neither returned nor corrected, such as a credit that was sent or received. */
export interface AchEntryReport extends AchEntryPart {
  readonly kind: 'ach_entry';
}

export interface AchReturnReport extends AchEntryPart {
  readonly kind: 'ach_return';
  /**
   * `return`: the receiving bank sends the entry back. `dishonored`: the originating bank refuses that return.
   * `contested`: the receiving bank insists on it.
   */
  readonly form: 'return' | 'dishonored' | 'contested';
  /** R01 to R85. */
  readonly code: string;
  /** The trace number of the entry as it was sent. */
  readonly originalTraceNumber: string;
  /** Eight digits of the bank that the entry was sent to. */
  readonly originalReceivingBank: string;
  /** `2026-11-22`, for R14 and R15. */
  readonly dateOfDeath: string | null;
  /** The code of the return that is dishonored or contested. */
  readonly returnCode: string | null;
  /** The code of the dishonor that is contested. */
  readonly dishonorCode: string | null;
  readonly text: string | null;
}

/** What a notification of change corrects; null where it says nothing of it. */
export interface Correction {
  readonly accountNumber: string | null;
  readonly routingNumber: string | null;
  readonly transactionCode: string | null;
  readonly name: string | null;
  readonly identification: string | null;
}

export interface AchChangeReport extends AchEntryPart {
  readonly kind: 'ach_change';
  /** C01 to C14; C61 to C69 refuse a notification that the originator's bank got before. */
  readonly code: string;
  readonly refused: boolean;
  readonly originalTraceNumber: string;
  readonly originalReceivingBank: string;
  /** The corrected data as it stands in the record. */
  readonly corrected: string;
  /** The same, parsed by the code; null for codes without data. */
  readonly correction: Correction | null;
}

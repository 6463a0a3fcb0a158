/** What a Nacha file is written from. Plain data, as it is for the other formats. */
export interface AchAccount {
  /** Nine digits. */
  readonly routingNumber: string;
  /** At most 17 letters, digits and hyphens. */
  readonly number: string;
  readonly type: 'checking' | 'savings';
}

export interface AchCredit {
  /** Names the payment in problems; the file has no room for it, so returns are told by their trace. */
  readonly payoutId: string;
  /**
   * The last seven digits of the trace number, from the caller's sequence: 1 to 9,999,999, ascending in
   * the file, and not used again while a return may still come.
   */
  readonly sequence: number;
  /** Cents. */
  readonly amountMinor: bigint;
  readonly payee: 'person' | 'business';
  readonly name: string;
  readonly account: AchAccount;
  /** By which the payee knows us or is known to us: at most 15 characters. */
  readonly identification?: string | undefined;
  /** Written as an addenda of 80 characters. */
  readonly reference?: string | undefined;
}

/** PPD pays persons, CCD companies. */
export type EntryClass = 'PPD' | 'CCD';

/** The debit of our own account that makes a batch balanced, for banks that ask for it. */
export interface AchOffset {
  readonly account: AchAccount;
  readonly name: string;
  /** The trace number of the debit: it stands behind the credits, so it is the highest. */
  readonly sequence: number;
}

export interface AchBatch {
  /** 1 to 9,999,999, ascending in the file. */
  readonly number: number;
  readonly entryClass: EntryClass;
  /** What the payee reads of us; `id` is the number under which our bank knows us, often 1 and the EIN. */
  readonly company: { readonly name: string; readonly id: string };
  /** The routing number of our bank, nine digits. */
  readonly originatingBank: string;
  /** What the payee reads of the payment: `PAYROLL`, `PAYMENT`. At most ten characters. */
  readonly description: string;
  /** `YYYY-MM-DD`, a bank day of the Federal Reserve. */
  readonly effectiveDate: string;
  readonly offset?: AchOffset | undefined;
  /** The credits, from the first one each time it is called, and the same each time. */
  readonly payments: () => Iterable<AchCredit> | AsyncIterable<AchCredit>;
}

export interface AchFile {
  /** To whom the file is sent: usually the routing number and the name of our bank. */
  readonly destination: { readonly routingNumber: string; readonly name: string };
  /** Who sends it: nine or ten characters that the bank has given out. */
  readonly origin: { readonly id: string; readonly name: string };
  /** By the wall clock of the sender: `YYYY-MM-DD` and `HH:MM`. */
  readonly created: { readonly date: string; readonly time: string };
  /** A to Z or 0 to 9: tells files of one day apart. */
  readonly modifier: string;
  /** For the sender's own use: at most eight characters. */
  readonly referenceCode?: string | undefined;
  readonly batches: readonly AchBatch[];
}

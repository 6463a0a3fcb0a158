import path from 'node:path';
import { openJournal } from '../journal.ts';
import { createBankBook, type BankBook } from './book.ts';
import { newDraft, type Draft } from './draft.ts';
import { createBankFaults, type BankFaultState } from './faults.ts';
import { recordSchema, type BankRecord } from './model.ts';
import { openPostbox, type Postbox } from './postbox.ts';
import { daysAfter } from './work.ts';

/** What the parts of the bank share: its memory, its folders, and the one way to change its book. */
export interface BankState {
  readonly book: BankBook;
  readonly faults: BankFaultState;
  readonly postbox: Postbox;
  /** The folder of the customers' folders. */
  readonly customers: string;
  /** Pause between the steps of a payment's life, in milliseconds. */
  readonly stepDelayMs: number;
  /** The bank's day, `YYYY-MM-DD`. */
  today(): string;
  draft(): Draft;
  /** Resolves when the changes are in memory and on disk, all of them or none. */
  commit(changes: BankRecord['changes']): Promise<void>;
  /** Resolves with the error of a write to the book that fails. The program has to end then. */
  readonly broken: Promise<Error>;
  close(): Promise<void>;
}

export interface BankConfig {
  /** Holds the customers' folders in `customers/`, and the book. */
  readonly folder: string;
  /** Pause between the steps of a payment's life, and how often the folders are looked at. */
  readonly stepDelayMs: number;
  /** How many days the bank's day is behind the clock's, before days are ended by hand. */
  readonly daysBehind: number;
}

/** Rebuilds the memory from the book. Throws when it is damaged. */
export async function openState({
  folder,
  stepDelayMs,
  daysBehind,
}: BankConfig): Promise<BankState> {
  const customers = path.join(folder, 'customers');
  const book = createBankBook();
  const journal = await openJournal<BankRecord>('book', path.join(folder, 'book.jsonl'), (line) =>
    book.apply(recordSchema.parse(line)),
  );
  const faults = createBankFaults();
  const today = (): string =>
    daysAfter(new Date().toISOString().slice(0, 10), book.daysAhead() - daysBehind);
  return {
    book,
    faults,
    postbox: await openPostbox(customers),
    customers,
    stepDelayMs,
    today,
    draft: () => newDraft({ book, faults, now: Date.now(), today: today() }),
    async commit(changes) {
      if (changes.length === 0) return;
      const record = { at: Date.now(), changes };
      book.apply(record);
      await journal.append(record);
    },
    broken: journal.broken,
    close: () => journal.close(),
  };
}

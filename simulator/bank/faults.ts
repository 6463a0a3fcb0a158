import { z } from 'zod';

const count = z.int().min(0).max(1_000_000).default(0);

/**
 * Mistakes that the bank makes with every order that it books or refuses while one is set. Its book has what it did.
 *
 * - `refuses_after_booking`: debits the account, and then reports that the order is refused
 * - `books_after_refusing`: reports that the order is refused, and then debits the account
 * - `other_amount`: debits one hundredth more than was ordered
 * - `books_twice`: debits the account twice for one order
 */
const mistakes = [
  'refuses_after_booking',
  'books_after_refusing',
  'other_amount',
  'books_twice',
] as const;

/** What the bank can be told to do otherwise. A count goes down with each use; the others stay. */
export const bankFaultsSchema = z.strictObject({
  /** Pause before an answer is put into the folder. */
  delay_answers_ms: z.int().min(0).max(600_000).default(0),
  /** How many times more each answer is put there, with the same bytes and another name. */
  repeat_answers: z.int().min(0).max(10).default(0),
  /** Each statement is sent once more as a copy: another message, marked DUPL. */
  copy_statements: z.boolean().default(false),
  /** Keep answers back until nothing more happens, then put the newest there first. */
  reorder_answers: z.boolean().default(false),
  /** Of so many answers the first half is put there as a file of its own, before the whole. */
  break_answers: count,
  /** Kinds of answer that are not given at all. */
  without: z.array(z.enum(['status', 'notification', 'statement', 'ach'])).default([]),
  /** Which payments a status report lists: every one, or those that are refused or held. */
  list: z.enum(['all', 'exceptions']).default('all'),
  /** Refuse so many files as a whole. */
  refuse_files: count,
  /** Refuse every n-th order of a file with MS03. 0: none. */
  refuse_every: z.int().min(0).max(10_000).default(0),
  mistake: z.enum(mistakes).nullable().default(null),
  /** Whether an order waits until the bank's day is the one of its execution. */
  wait_for_date: z.boolean().default(false),
  /** An entry for each order; one for all of a batch with its orders within; one that says only how many. */
  booking: z.enum(['each', 'batch', 'total']).default('each'),
  /** Charged once with each statement, such as `1.50`. */
  fee: z
    .string()
    .regex(/^[0-9]{1,9}(\.[0-9]{1,2})?$/)
    .nullable()
    .default(null),
  /** Versions of the messages. */
  pain_002: z.enum(['03', '10']).default('10'),
  camt: z.enum(['02', '08']).default('08'),
  /** Connections of SFTP that are cut: half-way through a file, before a rename, or after it, unanswered. */
  cut_sftp: z.enum(['write', 'before_rename', 'after_rename']).nullable().default(null),
  /** How many of them. */
  cuts: count,
});
export type BankFaults = z.infer<typeof bankFaultsSchema>;

type CountName = 'break_answers' | 'refuse_files' | 'cuts';

export interface BankFaultState {
  current(): BankFaults;
  replace(next: BankFaults): void;
  /** Uses up one of a count, if one is left. */
  take(name: CountName): boolean;
}

/** Faults are in memory only: a restarted bank has none. */
export function createBankFaults(): BankFaultState {
  let faults = bankFaultsSchema.parse({});
  return {
    current: () => faults,
    replace(next) {
      faults = next;
    },
    take(name) {
      if (faults[name] === 0) return false;
      faults = { ...faults, [name]: faults[name] - 1 };
      return true;
    },
  };
}

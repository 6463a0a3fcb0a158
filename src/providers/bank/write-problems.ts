/**
 * Why a file, or a payment in it, may not leave. The codes are the same for every format, so that one
 * desk can show them and ask for what is missing.
 */
export const fileProblems = {
  missing: 'A part that the format needs is not there.',
  malformed: 'A part does not have the form that the format gives it.',
  too_long: 'A part that must not be cut is longer than the format permits.',
  unwritable:
    'Write it in Latin letters: it has no letter or digit that banks take, or a sign or picture without a Latin spelling.',
  address_missing: 'The scheme needs an address, and there is none.',
  town_missing: 'An address has no town. Banks refuse addresses without one.',
  country_missing: 'An address has no country. Banks refuse addresses without one.',
  account_unfit: 'The account number does not exist in this form, or the scheme does not reach it.',
  bank_missing: "The scheme needs the bank's code, and there is none.",
  amount_out_of_range: 'The amount is not between the smallest and the largest of the scheme.',
  total_out_of_range: 'A total has more digits than the format has room for.',
  currency_unfit: 'The scheme does not pay in this currency.',
  not_a_bank_day: 'The banks of this calendar do not work on the day of execution.',
  duplicate: 'A reference stands twice in the file.',
  group_repeated: 'Two groups could be one: same account, date, currency and scheme.',
  out_of_order: 'Numbers that must ascend do not.',
  wrong_class: 'The payee does not belong in a batch of this class.',
  empty: 'There is no payment.',
} as const;

export type FileProblemCode = keyof typeof fileProblems;

export interface FileProblem {
  /** The payout's id, the id of the group or batch, or `file`. */
  readonly of: string;
  /** The part of the description, such as `creditor.address.town`. */
  readonly field: string;
  readonly code: FileProblemCode;
  /** A sentence for people. Never holds a name, an address or an account number. */
  readonly message: string;
}

/** A text that stands in the file otherwise than it was given. Says where, and not what. */
export interface FileChange {
  readonly of: string;
  readonly field: string;
  readonly kind: 'transliterated' | 'shortened';
}

/** What a check of a file, or of one payment, found. */
export interface Findings {
  readonly problems: FileProblem[];
  readonly changes: FileChange[];
}

/** The file has problems, so not one byte of it may leave. */
export class FileRefused extends Error {
  readonly problems: readonly FileProblem[];
  constructor(problems: readonly FileProblem[]) {
    const [first] = problems;
    const example = first === undefined ? '' : `: ${first.of} ${first.field} ${first.code}`;
    super(`the file has ${problems.length} problems${example}`);
    this.name = 'FileRefused';
    this.problems = problems;
  }
}

/** Takes down what one check finds about one payment, group or file. */
export interface Check {
  refuse(field: string, code: FileProblemCode, detail?: string): void;
  change(field: string, kind: FileChange['kind']): void;
  /** Whether anything was refused. What is written after that is of no use. */
  isRefused(): boolean;
}

/** A check of `of` that adds what it finds to `findings`. */
export function checkOf(of: string, findings: Findings): Check {
  let refused = false;
  return {
    refuse(field, code, detail) {
      refused = true;
      const message = detail === undefined ? fileProblems[code] : `${fileProblems[code]} ${detail}`;
      findings.problems.push({ of, field, code, message });
    },
    change: (field, kind) => void findings.changes.push({ of, field, kind }),
    isRefused: () => refused,
  };
}

/** For what was checked before: a problem that was not there then means that the input changed. */
export const passed: Check = {
  refuse(field, code) {
    throw new Error(`the payments changed between the check and the writing: ${field} ${code}`);
  },
  change: () => undefined,
  isRefused: () => false,
};

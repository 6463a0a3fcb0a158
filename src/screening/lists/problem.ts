import { bankFileProblems, type BankFileProblemCode } from '../../providers/bank/problem.ts';

/** What is wrong with a list beyond its syntax, by name. */
const ownProblems = {
  unknown_columns: 'The CSV has other columns than the list must have.',
  no_entries: 'The file has no entry.',
  missing_id: 'An entry has no id.',
  repeated_id: 'Two entries have the same id.',
  missing_name: 'An entry has no name with a letter or digit in it.',
  same_names: 'Many entries have the same name: the names stand in another place than before.',
  unknown_type: 'An entry is about something else than a person, an organisation or a ship.',
  missing_date: 'The list does not state its date.',
  bad_date: 'The date of the list lies in the future, or is none.',
  entries_missing: 'The file states more entries than it has.',
  parts_disagree: 'The files of the list do not belong together.',
  missing_part: 'A file of the list is missing.',
  older: 'The list is older than the one that is loaded.',
  shrunk: 'The list has far fewer entries than the one that is loaded.',
} as const;

/** Why a list is not loaded. docs/screening.md shows this table. */
export const listProblems = { ...bankFileProblems, ...ownProblems };
export type ListProblemCode = BankFileProblemCode | keyof typeof ownProblems;

/** A list that must not be used. The message names the place and quotes little of the file. */
export class ListProblem extends Error {
  override readonly name = 'ListProblem';
  readonly code: ListProblemCode;
  constructor(code: ListProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

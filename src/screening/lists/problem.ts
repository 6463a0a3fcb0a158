import type { BankFileProblemCode } from '../../providers/bank/problem.ts';

/** What is wrong with a list beyond its syntax. */
type OwnProblem =
  /** The CSV has other columns than the list must have. */
  | 'unknown_columns'
  /** The file has no entry. */
  | 'no_entries'
  /** An entry has no id. */
  | 'missing_id'
  /** Two entries have the same id. */
  | 'repeated_id'
  /** An entry has no name with a letter or digit in it. */
  | 'missing_name'
  /** Many entries have the same name: the names stand in another place than before. */
  | 'same_names'
  /** An entry is about something else than a person, an organisation or a ship. */
  | 'unknown_type'
  /** The list does not state its date. */
  | 'missing_date'
  /** The date of the list lies in the future, or is none. */
  | 'bad_date'
  /** The file states more entries than it has. */
  | 'entries_missing'
  /** The files of the list do not belong together. */
  | 'parts_disagree'
  /** A file of the list is missing. */
  | 'missing_part'
  /** The list is older than the one that is loaded. */
  | 'older'
  /** The list has far fewer entries than the one that is loaded. */
  | 'shrunk'
  /** Its address gave no list. */
  | 'not_fetched'
  /** Its address gave more than a list has. */
  | 'too_large';

/** Why a list is not loaded, by name; the syntax of a file is judged as that of a bank's. */
export type ListProblemCode = BankFileProblemCode | OwnProblem;

/** A list that must not be used. The message names the place and quotes little of the file. */
export class ListProblem extends Error {
  override readonly name = 'ListProblem';
  readonly code: ListProblemCode;
  constructor(code: ListProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

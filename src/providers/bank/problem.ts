import { oneLine } from '../../values/one-line.ts';

/** Where something stands in a bank's file, for people. */
export interface FilePosition {
  /** Counted from 1. */
  readonly line: number;
  /** The element's path in XML, such as `/Document/BkToCstmrStmt/Stmt[1]/Ntry[3]/Amt`; null in other formats. */
  readonly path: string | null;
}

/** Why a bank's file is not read, by name. docs/bank-reconciliation.md shows this table. */
export const bankFileProblems = {
  empty_file: 'The file has no content.',
  unknown_format:
    'The file is neither XML nor a NACHA file. Its format says what it is, where that is known.',
  file_too_large: 'The file is larger than the limit.',
  encoding:
    'The bytes are not in the encoding that the file declares, or that encoding is not read.',
  not_well_formed: 'The XML is cut off or not well formed.',
  doctype: 'The XML has a DOCTYPE.',
  entity: 'The XML uses an entity other than the five that XML itself defines.',
  processing_instruction: 'The XML has a processing instruction.',
  too_deep: 'Elements are nested deeper than the limit.',
  too_long: 'A text, name, attribute or comment is longer than the limit.',
  too_many_parts:
    'One payment, entry or header has more elements, attributes or text than the limit.',
  unknown_message:
    'The namespace or root element is that of no message that is read. Its format says which message it is.',
  mixed_namespaces: 'An element is in another namespace than its document.',
  missing_element: 'An element or attribute is missing without which the file means nothing.',
  repeated_element: 'An element stands twice where only one can be meant.',
  misplaced_element: 'An element or text stands where the message has none.',
  bad_value: 'A value does not have the form that its element or field must have.',
  amount_precision: 'A booked amount has more decimal places than its currency.',
  unknown_currency: 'The currency of a booked amount is not an active one of ISO 4217.',
  future_day: 'A movement, a balance or a return is dated more than 60 days after the file came.',
  bad_record: 'A NACHA record has the wrong length, kind, order or characters.',
  control_mismatch:
    'A count, hash or total of a NACHA control record differs from what the file holds.',
  cut_off: 'A NACHA file ends before its control record, or goes on after it.',
  not_stored: 'The file says something that cannot be stored. The log has the cause.',
} as const;
export type BankFileProblemCode = keyof typeof bankFileProblems;

/** Bytes of the largest file that is read. */
export const largestBankFile = 1_073_741_824;

/** A piece of a file as a message may quote it: short, and on one line. */
export function quoted(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return `"${oneLine(short.toWellFormed())}"`;
}

function placeText({ line, path }: FilePosition): string {
  return path === null ? `line ${line}` : `line ${line}, ${path}`;
}

/**
 * A bank's file that cannot be read. Readers throw nothing else, apart from what their source of bytes throws.
 * The message names the place and quotes little of the file.
 */
export class BankFileProblem extends Error {
  override readonly name = 'BankFileProblem';
  readonly code: BankFileProblemCode;
  readonly place: FilePosition;
  /** What the file is, such as `camt.052.001.08` or `mt940`, where it is none that is read; null for others. */
  readonly format: string | null;
  constructor(
    code: BankFileProblemCode,
    place: FilePosition,
    message: string,
    format: string | null = null,
  ) {
    super(`${placeText(place)}: ${message}`);
    this.code = code;
    this.place = place;
    this.format = format;
  }
}

import { CsvError, parse } from 'csv-parse/sync';
import { invalid } from '../../errors/domain-error.ts';

/** The columns of a bulk invite, and the field of an invite that each is. */
const fieldOfColumn = {
  email: 'email',
  beneficiary_type: 'beneficiaryType',
  first_name: 'firstName',
  last_name: 'lastName',
  business_name: 'businessName',
  nickname: 'nickname',
  scope: 'scope',
  language: 'language',
} as const;

/** A row has eight short fields; the lines of a file also hold its empty rows. */
const longestLine = 64 * 1024;
const mostLines = 20_000;

const neededColumns = ['email', 'beneficiary_type'] as const;

/** A row as it was read: its fields as texts, or null where its number of fields is not the header's. */
export type CsvRow = Readonly<Record<string, string>> | null;

function malformed(code: string, message: string) {
  return invalid([{ field: 'csv', code, message }]);
}

function decode(bytes: Uint8Array): string {
  try {
    // A byte order mark at the beginning is taken off.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw malformed('csv_encoding_invalid', 'The file is not UTF-8.');
  }
}

/**
 * Each row costs the parser some microseconds, and each comma a field, while nobody else is answered:
 * a file with far too many of either is refused before it is taken apart.
 */
function requireBounded(bytes: Uint8Array): void {
  let [lines, start] = [0, 0];
  for (let at = 0; at <= bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte !== 0x0a && byte !== 0x0d && at < bytes.length) continue;
    if (at - start > longestLine) throw tooWide();
    start = at + 1;
    // CRLF is one end of a line.
    if (byte !== 0x0d || bytes[at + 1] !== 0x0a) lines += 1;
    if (lines > mostLines) {
      throw malformed('too_long', `The file must not have more than ${mostLines} lines.`);
    }
  }
}

const tooWide = () => malformed('csv_row_too_long', 'A row of the file is longer than 64 KiB.');

function recordsOf(text: string, most: number): string[][] {
  try {
    return parse(text, {
      relax_column_count: true,
      skip_empty_lines: true,
      // Spreadsheets write rows of commas below the last one.
      skip_records_with_empty_values: true,
      // The header, and one row more than there may be tells that there are too many.
      to: most + 2,
      max_record_size: longestLine,
      record_delimiter: ['\r\n', '\n', '\r'],
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_MAX_RECORD_SIZE') throw tooWide();
    // The parser's own message quotes the file.
    const line = 'lines' in error && typeof error.lines === 'number' ? error.lines : null;
    const where = line === null ? '' : ` near line ${line}`;
    throw malformed('csv_quoting_invalid', `The quotes of the file do not match${where}.`);
  }
}

function headerOf(record: readonly string[] | undefined): string[] {
  const names = (record ?? []).map((name) => name.trim());
  const known: readonly string[] = Object.keys(fieldOfColumn);
  const unknown = names.find((name) => !known.includes(name));
  // A file without a header has values where the names should be, which are not repeated here.
  if (unknown !== undefined) {
    const position = names.indexOf(unknown) + 1;
    const message = `Column ${position} of the header row is none of ${known.join(', ')}.`;
    throw malformed('csv_column_unknown', message);
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw malformed('csv_column_repeated', `The column ${twice} is there twice.`);
  }
  const missing = neededColumns.find((name) => !names.includes(name));
  if (missing !== undefined) {
    throw malformed('csv_column_missing', `The header row lacks the column ${missing}.`);
  }
  return names;
}

/**
 * Reads the CSV of a bulk invite (RFC 4180): UTF-8, a header row with columns in any order, LF or CRLF,
 * quoted fields with line breaks, empty lines and rows without a value left out. An empty field is
 * absent. Gives one row more than `most` where there are more. Throws validation_failed of the field `csv` when the
 * file as a whole is not one: csv_encoding_invalid, csv_quoting_invalid, csv_column_unknown,
 * csv_column_repeated, csv_column_missing; csv_row_too_long for a row over 64 KiB, too_long for more
 * than 20,000 lines.
 */
export function readInviteCsv(bytes: Uint8Array, most: number): CsvRow[] {
  requireBounded(bytes);
  const [first, ...records] = recordsOf(decode(bytes), most);
  const names = headerOf(first);
  return records.map((record) => {
    if (record.length !== names.length) return null;
    const fields = names.flatMap((name, index) => {
      const value = record[index]?.trim() ?? '';
      const field = fieldOfColumn[name as keyof typeof fieldOfColumn]; // headerOf knows them all
      return value === '' ? [] : [[field, value] as const];
    });
    return Object.fromEntries(fields);
  });
}

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import type { Bytes } from './entry.ts';
import { ListProblem } from './problem.ts';
import { largestList } from './xml.ts';

/** Characters of the longest row: the reasons of a designation are pages. */
const longestRow = 262_144;

export interface CsvRow {
  /** Counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** OFAC's files end with the byte that ended a file under CP/M; some copies have lost it. */
const endOfFile = '\u001a';

async function* decoded(bytes: Bytes): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let length = 0;
  let ended = false;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw new ListProblem('encoding', 'The file is not UTF-8.');
    }
  };
  const checked = (text: string): string => {
    if (ended && text !== '') {
      throw new ListProblem('cut_off', 'Something follows the end of the file.');
    }
    const [before = '', after] = text.split(endOfFile, 2);
    if (after === undefined) return text;
    ended = true;
    if (!text.endsWith(endOfFile) || text.indexOf(endOfFile) !== text.length - 1) {
      throw new ListProblem('cut_off', 'Something follows the end of the file.');
    }
    return before;
  };
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > largestList) {
      throw new ListProblem('file_too_large', `The file has more than ${largestList} bytes.`);
    }
    yield checked(decode(chunk));
  }
  yield checked(decode());
}

/** The parser's own message quotes the file. */
function problemOf(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  const line = 'lines' in error && typeof error.lines === 'number' ? error.lines : null;
  const where = line === null ? '' : ` near line ${line}`;
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return new ListProblem('too_long', `A row has more than ${longestRow} characters${where}.`);
  }
  return new ListProblem('bad_record', `The quotes of the file do not match${where}.`);
}

/**
 * Reads the rows of a CSV (RFC 4180) as a stream, empty lines left out. Rows of any number of cells are given.
 *
 * @throws ListProblem for a file that is not UTF-8, not CSV, or too large
 */
export async function* readCsv(bytes: Bytes): AsyncGenerator<CsvRow> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: longestRow,
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  let failure: unknown;
  const fed = pipeline(Readable.from(decoded(bytes)), parser).catch((error: unknown) => {
    failure = error;
  });
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      readonly record: string[];
      readonly info: { readonly lines: number };
    }>) {
      yield { line: info.lines, cells: record };
    }
  } catch (error) {
    throw problemOf(error);
  }
  await fed;
  if (failure !== undefined) throw problemOf(failure);
}

/** The rows below a row of headings, each as its cells by the name of their column, trimmed. */
export async function* readTable(
  rows: AsyncIterable<CsvRow>,
  {
    needed,
    known,
  }: { readonly needed: readonly string[]; readonly known: readonly string[] | null },
): AsyncGenerator<{ readonly line: number; readonly cell: (column: string) => string }> {
  let places: ReadonlyMap<string, number> | undefined;
  for await (const { line, cells } of rows) {
    if (places === undefined) {
      places = headings(cells, needed, known);
      continue;
    }
    // Some rows lack the last cell where it is empty.
    if (cells.length !== places.size && cells.length !== places.size - 1) {
      throw new ListProblem(
        'bad_record',
        `Line ${line} has ${cells.length} cells; the headings are ${places.size}.`,
      );
    }
    const found = places;
    yield { line, cell: (column) => (cells[found.get(column) ?? -1] ?? '').trim() };
  }
  if (places === undefined) throw new ListProblem('empty_file', 'The file has no headings.');
}

function headings(
  cells: readonly string[],
  needed: readonly string[],
  known: readonly string[] | null,
): ReadonlyMap<string, number> {
  const names = cells.map((cell) => cell.trim());
  const places = new Map(names.map((name, place) => [name, place]));
  const missing = needed.find((name) => !places.has(name));
  if (missing !== undefined) {
    throw new ListProblem('unknown_columns', `The column "${missing}" is missing.`);
  }
  const unknown = known === null ? undefined : names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new ListProblem('unknown_columns', `Column ${names.indexOf(unknown) + 1} is not known.`);
  }
  if (places.size !== names.length) {
    throw new ListProblem('unknown_columns', 'A column is there twice.');
  }
  return places;
}

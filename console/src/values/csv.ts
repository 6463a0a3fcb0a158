/** A record of a CSV, with the line on which it begins. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The line whose quotes are wrong. */
export class CsvError extends Error {
  readonly line: number;
  constructor(line: number) {
    super(`line ${line}`);
    this.line = line;
  }
}

/** A cell in quotes, or one up to the next separator; and what stands behind it. */
const cellPattern = (separator: string) =>
  new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\r\n]*))(${separator}|\r\n|\n|\r|$)`, 'y');

/** The separator of a file by its first line: spreadsheets of many languages write semicolons. */
function separatorOf(text: string): ',' | ';' {
  const first = text.slice(0, text.search(/[\r\n]|$/));
  return first.includes(';') && !first.includes(',') ? ';' : ',';
}

/**
 * Reads a CSV (RFC 4180) with commas or semicolons; empty lines, and blanks around cells, are left out.
 * @throws CsvError where a quote is open or stands inside a cell
 */
export function readCsv(given: string): CsvRecord[] {
  const text = given.replace(/^\u{feff}/u, '');
  const pattern = cellPattern(separatorOf(text));
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let line = 1;
  let begins = 1;
  while (pattern.lastIndex < text.length || cells.length > 0) {
    const match = pattern.exec(text);
    if (match === null) throw new CsvError(line);
    const [whole, quoted, plain = '', end = ''] = match;
    cells.push(unguarded((quoted?.replaceAll('""', '"') ?? plain).trim()));
    line += whole.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (end === ',' || end === ';') continue;
    if (cells.some((cell) => cell !== '')) records.push({ line: begins, cells });
    cells = [];
    begins = line;
  }
  return records;
}

/**
 * What a spreadsheet would take for a formula begins with one of these, also behind a semicolon, a tab or the end of a
 * line, where one of another language begins another cell. An apostrophe keeps it a text.
 */
const guarded = (cell: string): string =>
  cell.replace(/^(?=[=+\-@＝＋－＠\t\r])|(?<=[;\t\r\n]["\s]*)(?=[=+\-@＝＋－＠])/g, "'");

/** A cell as it was before `writeCsv` guarded it, so that a file that we wrote reads as what it was made of. */
const unguarded = (cell: string): string =>
  cell.replace(/(?<=^|[;\t\r\n]["\s]*)'(?=[=+\-@＝＋－＠])/g, '');

const written = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** Writes rows as a CSV. Cells that a spreadsheet would run are kept texts. */
export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map((cell) => written(guarded(cell))).join(',')}\r\n`).join('');

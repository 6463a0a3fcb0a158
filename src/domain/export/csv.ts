import type { Readable } from 'node:stream';

/** Makes an SQL literal of a text: COPY takes no parameters. */
export type Quote = (text: string) => string;

/** What a CSV is made of: SQL, with the values of the caller only through `quote`. */
export interface CsvSource {
  /** Whose rows it has. */
  readonly tenantId: string;
  /** Name of each column and its expression, in the order of the file. */
  readonly columns: Readonly<Record<string, string>>;
  /** Everything after the select list. It names the tenant. */
  readonly from: (quote: Quote) => string;
}

export const exportKinds = [
  'transactions',
  'beneficiaries',
  'ledger_entries',
  'screenings',
  'watchlist_days',
] as const;
export type ExportKind = (typeof exportKinds)[number];

/** An export that its caller may have; the bytes are made when it is opened. */
export interface ExportFile {
  readonly kind: ExportKind;
  readonly filename: string;
  readonly contentType: string;
  readonly columns: readonly string[];
  /** Begins to read it; an abort of `signal` ends that until the first bytes are there. */
  readonly open: (signal: AbortSignal) => Promise<Readable>;
}

export const csvType = 'text/csv; charset=utf-8';

/** `transactions-sandbox-20261101T093000Z.csv`; `ledger-entries-…` */
export function csvFilename(kind: ExportKind, environment: string, at: Date): string {
  const stamp = at.toISOString().replace(/[-:]|\.\d+/g, '');
  return `${kind.replaceAll('_', '-')}-${environment}-${stamp}.csv`;
}

/** What a spreadsheet takes for the beginning of a formula; some accept the full-width forms too. */
const formulaBeginnings = [
  "'='",
  "'+'",
  "'-'",
  "'@'",
  "'＝'",
  "'＋'",
  "'－'",
  "'＠'",
  "E'\\t'",
  "E'\\r'",
];

/** Where a spreadsheet whose language separates by semicolons or tabs begins another cell, and the sign of a formula behind it. */
const formulaWithin = String.raw`'([;\t\r\n]["\s]*)([=+@＝＋－＠-])'`;

/** What a text must hold to have such a place; looking for one character costs less than an expression. */
const cuts = ["';'", "E'\\t'", "E'\\r'", "E'\\n'"];

/**
 * A text cell of which no spreadsheet runs a part as a formula. One that begins with `=`, `+`, `-`, `@`, the full-width
 * form of one of them, tab or CR gets a leading apostrophe. So does a sign behind a semicolon, a tab or the end of
 * a line: where semicolons separate, quotes inside a line protect nothing, and the cell is cut there.
 */
export function cell(expression: string): string {
  const isCut = cuts.map((cut) => `strpos(${expression}, ${cut}) > 0`).join(' OR ');
  return `CASE WHEN left(${expression}, 1) IN (${formulaBeginnings.join(', ')}) THEN '''' ELSE '' END
    || CASE WHEN ${isCut} THEN regexp_replace(${expression}, ${formulaWithin}, '\\1''\\2', 'g') ELSE ${expression} END`;
}

/** ISO 8601 in UTC with milliseconds, as every other interface writes a time. */
export function utc(expression: string): string {
  return `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The COPY statement of a source. */
export function copyStatement({ columns, from }: CsvSource, quote: Quote): string {
  const list = Object.entries(columns).map(([name, expression]) => `${expression} AS ${name}`);
  return `COPY (SELECT ${list.join(', ')} ${from(quote)})
    TO STDOUT WITH (FORMAT csv, HEADER true, ENCODING 'UTF8')`;
}

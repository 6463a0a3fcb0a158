import { oneLine } from '../values/one-line.ts';

/** The result of a statement, for a table of text. */
export interface QueryTable {
  readonly columns: readonly { readonly name: string; readonly numeric: boolean }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

const toLine = (value: string | null): string => oneLine(value ?? '');

const count = (rows: number): string => `(${rows} ${rows === 1 ? 'row' : 'rows'})`;

/** Aligned columns under their names, numbers to the right. */
function toTable({ columns, rows }: QueryTable): string {
  const lines = rows.map((row) => row.map(toLine));
  const widths = columns.map(({ name }, index) =>
    Math.max(name.length, ...lines.map((line) => line[index]?.length ?? 0)),
  );
  const align = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => {
        const width = widths[index] ?? 0;
        return columns[index]?.numeric === true ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  const names = align(columns.map(({ name }) => name));
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [names, rule, ...lines.map(align), count(rows.length)].join('\n');
}

/** One line for each value, for rows that are wider than the terminal. */
function toRecords({ columns, rows }: QueryTable): string {
  const width = Math.max(0, ...columns.map(({ name }) => name.length));
  const records = rows.map((row, index) => {
    const values = columns.map(({ name }, at) =>
      `${name.padEnd(width)}  ${toLine(row[at] ?? null)}`.trimEnd(),
    );
    return [`── ${index + 1} ──`, ...values].join('\n');
  });
  return [...records, count(rows.length)].join('\n');
}

/** @param width of the terminal in characters, or null where there is none */
export function toText(result: QueryTable, expanded: boolean, width: number | null): string {
  if (expanded) return toRecords(result);
  const table = toTable(result);
  const widest = Math.max(...table.split('\n').map((line) => line.length));
  return width !== null && widest > width && result.rows.length > 0 ? toRecords(result) : table;
}

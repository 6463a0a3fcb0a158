type Row = Readonly<Record<string, unknown>>;

/** A cell on one line: what a server sent must not move the cursor of a terminal. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll(/\p{Cc}/gu, ' ');
}

/** Rows as a table with aligned columns. */
export function tableOf(rows: readonly Row[], columns: readonly string[]): string {
  const lines = [
    columns.map((column) => column.toUpperCase()),
    ...rows.map((row) => columns.map((column) => cellOf(row[column]))),
  ];
  const widths = columns.map((_column, at) =>
    Math.max(...lines.map((line) => line[at]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One row, a field on each line. */
export function factsOf(row: Row): string {
  const names = Object.keys(row);
  const width = Math.max(0, ...names.map((name) => name.length));
  return names.map((name) => `${name.padEnd(width)}  ${cellOf(row[name])}`).join('\n');
}

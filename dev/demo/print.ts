import type { Delivery } from './receiver.ts';

export interface StepResult {
  readonly title: string;
  readonly ms: number;
}

/** Columns as wide as their widest cell, two spaces apart; numbers to the right. */
function table(rows: ReadonlyArray<ReadonlyArray<string | number>>): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, String(cell).length);
    }
  }
  const line = (row: ReadonlyArray<string | number>): string =>
    row
      .map((cell, column) =>
        typeof cell === 'number'
          ? String(cell).padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return rows.map((row) => `  ${line(row)}`).join('\n');
}

const deliveryRow = ({ event, verification, duplicate }: Delivery): string[] => [
  event.type,
  event.id,
  verification === 'valid' ? 'verified' : `refused: ${verification}`,
  duplicate ? 'duplicate' : '',
];

/** The summary: the steps, the webhooks in the order of arrival, the payout. */
export function summary(
  steps: readonly StepResult[],
  deliveries: readonly Delivery[],
  payout: ReadonlyArray<readonly [string, string]>,
): string {
  const total = steps.reduce((sum, { ms }) => sum + ms, 0);
  return [
    'Steps (ms)',
    table([...steps.map(({ title, ms }) => [title, ms]), ['total', total]]),
    '',
    'Webhooks, in order of arrival',
    table(deliveries.map(deliveryRow)),
    '',
    'Payout',
    table(payout),
  ].join('\n');
}

import { offerFile } from '../../parts/offer-file.ts';
import { texts } from '../../texts/texts.ts';
import { writeCsv } from '../../values/csv.ts';
import type { RowOutcome } from './outcome.ts';
import { columnNames, noteColumns } from './read-rows.ts';

const offer = (name: string, content: string): void => offerFile(name, content, 'text/csv');

/** An empty file with the columns of an import. */
export const offerTemplate = (): void => offer('payouts.csv', writeCsv([columnNames]));

/** The rows that were refused, as they stood in the file, with their line and why. */
export function offerRefused(outcomes: readonly RowOutcome[]): void {
  const rows = outcomes.map(({ row, why }) => [
    ...columnNames.map((name) => row.cells[name]),
    String(row.line),
    why ?? '',
  ]);
  offer(texts.import.downloadName, writeCsv([[...columnNames, ...noteColumns], ...rows]));
}

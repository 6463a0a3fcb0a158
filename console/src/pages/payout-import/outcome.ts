import type { ImportRowsMutation } from '../../../../generated/console-types/graphql.ts';
import { faultOfCode, type FaultDetail } from '../../values/fault.ts';
import type { FileRow } from './read-rows.ts';

type ImportResult = NonNullable<ImportRowsMutation['payoutBulkCreate']>[number];

/** What became of a row, or would become of it. */
export interface RowOutcome {
  readonly row: FileRow;
  /** `earlier`: a payout was made with its key before, however long ago; it is never made again. */
  readonly kind: 'fits' | 'created' | 'earlier' | 'failed';
  readonly why: string | null;
  /** The payout that was made, now or earlier. */
  readonly payoutId: string | null;
}

function outcomeOf(row: FileRow, result: ImportResult | undefined): RowOutcome {
  if (row.input === null || result === undefined) {
    return { row, kind: 'failed', why: row.fault, payoutId: null };
  }
  const { error, earlier, payout, status } = result;
  if (error !== null) {
    const given = error.details as readonly FaultDetail[] | null;
    const { title, text, details } = faultOfCode(error.code, error.message, {
      details: given ?? [],
    });
    const said = [title, text, ...details.map(({ message }) => message)];
    const why = said.filter((part) => part !== '').join(' ');
    return { row, kind: 'failed', why, payoutId: null };
  }
  if (status === 'replayed' || earlier !== null) {
    return { row, kind: 'earlier', why: null, payoutId: earlier?.id ?? payout?.id ?? null };
  }
  if (payout !== null) return { row, kind: 'created', why: null, payoutId: payout.id };
  return { row, kind: 'fits', why: null, payoutId: null };
}

/** The rows that are sent, in their order: those that can be read at all. */
export const sentRows = (rows: readonly FileRow[]): readonly FileRow[] =>
  rows.filter(({ input }) => input !== null);

/** What the service says of the rows that were sent, with those that were not. */
export function outcomesOf(
  rows: readonly FileRow[],
  results: readonly ImportResult[],
): readonly RowOutcome[] {
  const byRow = new Map(sentRows(rows).map((row, index) => [row, results[index]]));
  return rows.map((row) => outcomeOf(row, byRow.get(row)));
}

export const ofKind = (outcomes: readonly RowOutcome[], kind: RowOutcome['kind']) =>
  outcomes.filter((outcome) => outcome.kind === kind);

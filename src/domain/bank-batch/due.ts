import { batchWindow, type CutOff } from '../../values/bank-days/cut-off.ts';
import type { BatchClosing } from './names.ts';

/** What is to be closed now, and for which day. */
export interface Due {
  readonly by: BatchClosing;
  /** Payouts that wait since before this instant; null for all, whatever the clock of the database says. */
  readonly before: Date | null;
  /** `YYYY-MM-DD`, a bank day. */
  readonly executionDate: string;
}

/**
 * A file may be made so long after its cut-off and still be for that cut-off's day. Later, the bank's own time
 * may be over, so the file is for the day of the next one.
 */
const graceMs = 30 * 60_000;

/**
 * What of a queue is due: everything, where an operator asks for it; what came before the last cut-off; or,
 * between cut-offs, as much as fills a file. Null where nothing is.
 */
export function dueOf(
  cutOff: CutOff,
  queue: { readonly count: number; readonly oldest: Date },
  { now, onRequest, maxPayments }: { now: Date; onRequest: boolean; maxPayments: number },
): Due | null {
  const next = batchWindow(cutOff, now);
  if (onRequest) return { by: 'request', before: null, executionDate: next.executionDate };
  const last = lastCutOff(cutOff, queue.oldest, now);
  if (last !== null) {
    const inTime = now.getTime() - last.closesAt.getTime() <= graceMs;
    const { executionDate } = inTime ? last : next;
    return { by: 'cut_off', before: last.closesAt, executionDate };
  }
  if (queue.count < maxPayments) return null;
  return { by: 'full', before: null, executionDate: next.executionDate };
}

/** The latest cut-off that has passed since something waits; null where none has. */
function lastCutOff(cutOff: CutOff, since: Date, now: Date) {
  let last = null;
  let window = batchWindow(cutOff, since);
  while (window.closesAt.getTime() <= now.getTime()) {
    last = window;
    window = batchWindow(cutOff, window.closesAt);
  }
  return last;
}

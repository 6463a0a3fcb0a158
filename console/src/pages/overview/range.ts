import type { ListFilter } from '../../parts/list-link.tsx';
import { dayBefore, readerZone, startOfDay } from '../../values/time.ts';

/** How many days the figures may cover, today included; the first is what the page begins with. */
export const ranges = [30, 7, 90] as const;
export type Days = (typeof ranges)[number];

/** The days that the figures cover, as the query and the lists behind the figures name them. */
export interface DayRange {
  readonly query: { readonly from: string; readonly to: string; readonly timeZone: string };
  /** Every day of it, oldest first. */
  readonly days: readonly string[];
  /** The condition of a list of what was created in it, payouts or deliveries. */
  readonly created: ListFilter;
}

/** The last days of the reader's calendar, today included. */
export function rangeOf(count: Days): DayRange {
  const days = Array.from({ length: count }, (_, index) => dayBefore(count - 1 - index));
  const [from = dayBefore(0)] = days;
  return {
    query: { from, to: dayBefore(0), timeZone: readerZone() },
    days,
    created: { createdSince: startOfDay(from) },
  };
}

/** The filter of what failed or came back of what was created in a range, and has no successor. */
export const unreplacedSince = ({ days: [from = dayBefore(0)] }: DayRange) => ({
  state: ['failed', 'returned'] as ('failed' | 'returned')[],
  replaced: false,
  createdSince: startOfDay(from),
});

/** The condition of a list of the payouts that were created on one day of the reader's calendar. */
export function createdOn(day: string): ListFilter {
  const next = new Date(`${day}T00:00:00`);
  next.setDate(next.getDate() + 1);
  return { createdSince: startOfDay(day), createdBefore: next.toISOString() };
}

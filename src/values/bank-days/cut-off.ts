import { addBankDays, bankDayFrom, nextBankDay } from './bank-day.ts';
import type { BankCalendar } from './calendars.ts';
import { firstInstantOf, localDate } from './zone.ts';

/** When a bank takes the last file of a day, and how long it needs. */
export interface CutOff {
  /** `HH:MM` on the wall clock of `timeZone`. */
  readonly time: string;
  /** A zone of the IANA database, such as `Europe/Berlin`. */
  readonly timeZone: string;
  readonly calendar: BankCalendar;
  /** Bank days from the day of the cut-off to the day on which the bank executes: 0 is the same day. */
  readonly leadBankDays: number;
}

export interface BatchWindow {
  /** The batch that is open at the time in question closes here; the instant itself is too late. */
  readonly closesAt: Date;
  /** The day on which the bank is asked to execute that batch, `YYYY-MM-DD`: a bank day. */
  readonly executionDate: string;
}

/**
 * The batch to which a payment belongs that is ready at `now`. There is one cut-off on each bank day
 * of the calendar, and none on other days. docs/bank-batches.md has the rules
 * for the nights in which clocks are changed.
 *
 * Throws RangeError for a time, a zone or a number of days that does not exist.
 */
export function batchWindow(cutOff: CutOff, now: Date): BatchWindow {
  const { time, timeZone, calendar, leadBankDays } = cutOff;
  let day = bankDayFrom(calendar, localDate(now, timeZone));
  let closesAt = firstInstantOf(day, time, timeZone);
  if (closesAt.getTime() <= now.getTime()) {
    day = nextBankDay(calendar, day);
    closesAt = firstInstantOf(day, time, timeZone);
  }
  return { closesAt, executionDate: addBankDays(calendar, day, leadBankDays) };
}

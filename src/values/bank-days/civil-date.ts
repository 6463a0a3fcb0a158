/**
 * Dates of the calendar without a time or a zone, as `YYYY-MM-DD`, and as the number of days since
 * 1970-01-01, with which one can reckon. The Gregorian calendar; years have four digits.
 */
const dayMs = 86_400_000;

const shape = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;

/**
 * The number of days from 1970-01-01 to `date`.
 * @param date `YYYY-MM-DD`; anything else, or a day that no month has, throws RangeError
 */
export function dayNumber(date: string): number {
  const [, year, month, day] = shape.exec(date) ?? [];
  const number = Date.UTC(Number(year), Number(month) - 1, Number(day)) / dayMs;
  // Date.UTC turns 30 February into 2 March, so the way back has to lead to the same text.
  if (Number.isNaN(number) || civilDate(number) !== date) {
    throw new RangeError(`${date} is not a date of the form YYYY-MM-DD`);
  }
  return number;
}

/** Whether `text` is a day of the calendar, written `YYYY-MM-DD`. */
export function isCivilDate(text: string): boolean {
  try {
    dayNumber(text);
    return true;
  } catch {
    return false;
  }
}

/** The date of a day number, `YYYY-MM-DD`. */
export function civilDate(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** The number of a day given in parts; `month` counts from 1. */
export function dayOf(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day) / dayMs;
}

/** The day of the week: 0 is Sunday, 6 Saturday. */
export function weekday(day: number): number {
  // 1970-01-01 was a Thursday.
  return (((day + 4) % 7) + 7) % 7;
}

/** The `nth` (from 1) weekday of a month: `nthWeekday(2026, 11, 4, 4)` is the fourth Thursday of November. */
export function nthWeekday(year: number, month: number, wanted: number, nth: number): number {
  const first = dayOf(year, month, 1);
  return first + ((wanted - weekday(first) + 7) % 7) + (nth - 1) * 7;
}

/** The last such weekday of a month. */
export function lastWeekday(year: number, month: number, wanted: number): number {
  const last = dayOf(year, month + 1, 1) - 1;
  return last - ((weekday(last) - wanted + 7) % 7);
}

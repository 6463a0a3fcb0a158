import { holidaysOf, type BankCalendar } from './calendars.ts';
import { civilDate, dayNumber, weekday } from './civil-date.ts';

function isOpen(calendar: BankCalendar, day: number): boolean {
  const year = Number(civilDate(day).slice(0, 4));
  return weekday(day) % 6 !== 0 && !holidaysOf(calendar, year).has(day);
}

function walk(calendar: BankCalendar, from: number, step: 1 | -1): number {
  let day = from;
  while (!isOpen(calendar, day)) day += step;
  return day;
}

/**
 * Whether banks work on a day: no Saturday, no Sunday, no holiday of the calendar.
 * @param date `YYYY-MM-DD`. Throws RangeError for what is no date and for years outside 1999–2100,
 * as every function here
 */
export function isBankDay(calendar: BankCalendar, date: string): boolean {
  return isOpen(calendar, dayNumber(date));
}

/** The first bank day after `date`. */
export function nextBankDay(calendar: BankCalendar, date: string): string {
  return civilDate(walk(calendar, dayNumber(date) + 1, 1));
}

/** The last bank day before `date`. */
export function previousBankDay(calendar: BankCalendar, date: string): string {
  return civilDate(walk(calendar, dayNumber(date) - 1, -1));
}

/** `date` itself where banks work on it, else the first bank day after it. */
export function bankDayFrom(calendar: BankCalendar, date: string): string {
  return civilDate(walk(calendar, dayNumber(date), 1));
}

/**
 * Goes `count` bank days on. From a day on which banks rest the first step leads to the next bank day,
 * so Saturday plus one is Monday; zero leads to that day too, and leaves a bank day as it is.
 * @param count an integer of at least zero; otherwise RangeError
 */
export function addBankDays(calendar: BankCalendar, date: string, count: number): string {
  if (!Number.isInteger(count) || count < 0) {
    throw new RangeError('the number of bank days is an integer of at least zero');
  }
  let day = dayNumber(date);
  if (count === 0) return bankDayFrom(calendar, date);
  for (let step = 0; step < count; step += 1) day = walk(calendar, day + 1, 1);
  return civilDate(day);
}

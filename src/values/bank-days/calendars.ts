import { dayNumber, dayOf, lastWeekday, nthWeekday, weekday } from './civil-date.ts';
import { easterSunday } from './easter.ts';

/** The calendars that make the bank days of a connection. */
export const bankCalendars = ['target', 'england_and_wales', 'federal_reserve'] as const;
export type BankCalendar = (typeof bankCalendars)[number];

export const firstYear = 1999;
export const lastYear = 2100;

const sunday = 0;
const monday = 1;
const thursday = 4;
const saturday = 6;

const isWeekend = (day: number) => weekday(day) === sunday || weekday(day) === saturday;

/** Moved from the day that the rule gives to another one, or closed once, by a decision of that year. */
interface Decree {
  readonly closed: readonly string[];
  readonly open: readonly string[];
}

/**
 * TARGET, the system of the Eurosystem (ECB, "TARGET holidays"; the calendar of 14 December 2000 for
 * 2002 onwards). Before it, each year was decided by itself: 1999 knew New Year and Christmas alone,
 * and the last days of 1999 and 2001 were closed for the turn of the millennium and the new notes.
 */
function targetHolidays(year: number): number[] {
  const always = [dayOf(year, 1, 1), dayOf(year, 12, 25)];
  if (year === 1999) return always;
  const easter = easterSunday(year);
  return [...always, easter - 2, easter + 1, dayOf(year, 5, 1), dayOf(year, 12, 26)];
}

/**
 * The Federal Reserve Banks (frbservices.org, "Holiday schedules"). A holiday on a Sunday is kept on
 * Monday; one on a Saturday closes no other day. Juneteenth is a holiday since 2021.
 */
function federalReserveHolidays(year: number): number[] {
  const fixed = [
    dayOf(year, 1, 1),
    ...(year >= 2021 ? [dayOf(year, 6, 19)] : []),
    dayOf(year, 7, 4),
    dayOf(year, 11, 11),
    dayOf(year, 12, 25),
  ];
  return [
    ...fixed.map((day) => (weekday(day) === sunday ? day + 1 : day)),
    nthWeekday(year, 1, monday, 3),
    nthWeekday(year, 2, monday, 3),
    lastWeekday(year, 5, monday),
    nthWeekday(year, 9, monday, 1),
    nthWeekday(year, 10, monday, 2),
    nthWeekday(year, 11, thursday, 4),
  ];
}

/**
 * England and Wales (gov.uk, "UK bank holidays"; Banking and Financial Dealings Act 1971). New Year,
 * Christmas and Boxing Day that fall on a weekend are kept on the next weekday that is free.
 */
function englandAndWalesHolidays(year: number): number[] {
  const easter = easterSunday(year);
  const days = [
    easter - 2,
    easter + 1,
    nthWeekday(year, 5, monday, 1),
    lastWeekday(year, 5, monday),
    lastWeekday(year, 8, monday),
  ];
  const fixed = [dayOf(year, 1, 1), dayOf(year, 12, 25), dayOf(year, 12, 26)];
  days.push(...fixed.filter((day) => !isWeekend(day)));
  for (const day of fixed.filter(isWeekend)) {
    let substitute = day;
    while (isWeekend(substitute) || days.includes(substitute)) substitute += 1;
    days.push(substitute);
  }
  return days;
}

const rules: Readonly<Record<BankCalendar, (year: number) => number[]>> = {
  target: targetHolidays,
  england_and_wales: englandAndWalesHolidays,
  federal_reserve: federalReserveHolidays,
};

/** What no rule gives. A day that is decreed later is added here. */
const decrees: Readonly<Record<BankCalendar, Decree>> = {
  target: { closed: ['1999-12-31', '2001-12-31'], open: [] },
  federal_reserve: { closed: [], open: [] },
  england_and_wales: {
    closed: [
      '1999-12-31', // the turn of the millennium
      '2002-06-03', // Golden Jubilee
      '2002-06-04', // the spring holiday, moved to it
      '2011-04-29', // a royal wedding
      '2012-06-04', // the spring holiday, moved to the jubilee
      '2012-06-05', // Diamond Jubilee
      '2020-05-08', // 75 years of peace in Europe, in place of the first Monday of May
      '2022-06-02', // the spring holiday, moved to the jubilee
      '2022-06-03', // Platinum Jubilee
      '2022-09-19', // the funeral of Queen Elizabeth II
      '2023-05-08', // the coronation of King Charles III
    ],
    open: ['2002-05-27', '2012-05-28', '2020-05-04', '2022-05-30'],
  },
};

function closedDays(calendar: BankCalendar, year: number): ReadonlySet<number> {
  const { closed, open } = decrees[calendar];
  const ofYear = (date: string) => date.startsWith(`${year}-`);
  const days = new Set(rules[calendar](year));
  for (const date of open.filter(ofYear)) days.delete(dayNumber(date));
  for (const date of closed.filter(ofYear)) days.add(dayNumber(date));
  return days;
}

const known = new Map<string, ReadonlySet<number>>();

/**
 * The day numbers on which a calendar is closed beside Saturdays and Sundays. Some of them may fall
 * on a weekend. A holiday is always kept in its own year, so a year can be asked for alone.
 * @param year from 1999, in which TARGET began, to 2100; another one throws RangeError
 */
export function holidaysOf(calendar: BankCalendar, year: number): ReadonlySet<number> {
  if (year < firstYear || year > lastYear) {
    throw new RangeError(
      `bank holidays are known from ${firstYear} to ${lastYear}, not of ${year}`,
    );
  }
  const key = `${calendar} ${year}`;
  const days = known.get(key) ?? closedDays(calendar, year);
  known.set(key, days);
  return days;
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addBankDays,
  bankDayFrom,
  isBankDay,
  nextBankDay,
  previousBankDay,
} from '../../../src/values/bank-days/bank-day.ts';
import {
  bankCalendars,
  firstYear,
  holidaysOf,
  lastYear,
  type BankCalendar,
} from '../../../src/values/bank-days/calendars.ts';
import {
  civilDate,
  dayNumber,
  isCivilDate,
  weekday,
} from '../../../src/values/bank-days/civil-date.ts';
import { easterSunday } from '../../../src/values/bank-days/easter.ts';

/** The weekdays on which a calendar is closed: what a list of bank holidays shows. */
function closedWeekdays(calendar: BankCalendar, year: number): string {
  return [...holidaysOf(calendar, year)]
    .toSorted((one, other) => one - other)
    .map(civilDate)
    .filter((date) => ![0, 6].includes(new Date(date).getUTCDay()))
    .map((date) => date.slice(5))
    .join(' ');
}

describe('the published lists', () => {
  it.each([
    [2024, '01-01 03-29 04-01 05-01 12-25 12-26'],
    [2025, '01-01 04-18 04-21 05-01 12-25 12-26'],
    [2026, '01-01 04-03 04-06 05-01 12-25'],
    [2027, '01-01 03-26 03-29'],
    [2028, '04-14 04-17 05-01 12-25 12-26'],
    [1999, '01-01 12-31'],
    [2001, '01-01 04-13 04-16 05-01 12-25 12-26 12-31'],
  ])('TARGET %i', (year, days) => {
    expect(closedWeekdays('target', year)).toBe(days);
  });

  it.each([
    [2024, '01-01 03-29 04-01 05-06 05-27 08-26 12-25 12-26'],
    [2025, '01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26'],
    [2026, '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28'],
    [2027, '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28'],
    [2028, '01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26'],
    [1999, '01-01 04-02 04-05 05-03 05-31 08-30 12-27 12-28 12-31'],
    [2002, '01-01 03-29 04-01 05-06 06-03 06-04 08-26 12-25 12-26'],
    [2011, '01-03 04-22 04-25 04-29 05-02 05-30 08-29 12-26 12-27'],
    [2012, '01-02 04-06 04-09 05-07 06-04 06-05 08-27 12-25 12-26'],
    [2020, '01-01 04-10 04-13 05-08 05-25 08-31 12-25 12-28'],
    [2022, '01-03 04-15 04-18 05-02 06-02 06-03 08-29 09-19 12-26 12-27'],
    [2023, '01-02 04-07 04-10 05-01 05-08 05-29 08-28 12-25 12-26'],
  ])('England and Wales %i', (year, days) => {
    expect(closedWeekdays('england_and_wales', year)).toBe(days);
  });

  it.each([
    [2024, '01-01 01-15 02-19 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25'],
    [2025, '01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25'],
    [2026, '01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25'],
    [2027, '01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25'],
    [2028, '01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-23 12-25'],
    [2020, '01-01 01-20 02-17 05-25 09-07 10-12 11-11 11-26 12-25'],
    [2022, '01-17 02-21 05-30 06-20 07-04 09-05 10-10 11-11 11-24 12-26'],
  ])('the Federal Reserve %i', (year, days) => {
    expect(closedWeekdays('federal_reserve', year)).toBe(days);
  });

  it.each([
    [1999, '1999-04-04'],
    [2000, '2000-04-23'],
    [2008, '2008-03-23'],
    [2011, '2011-04-24'],
    [2019, '2019-04-21'],
    [2024, '2024-03-31'],
    [2025, '2025-04-20'],
    [2026, '2026-04-05'],
    [2038, '2038-04-25'],
    [2049, '2049-04-18'],
    [2076, '2076-04-19'],
    [2100, '2100-03-28'],
  ])('Easter %i', (year, date) => {
    expect(civilDate(easterSunday(year))).toBe(date);
  });
});

const anyCalendar = fc.constantFrom(...bankCalendars);
const anyDate = fc
  .integer({ min: dayNumber('1999-03-01'), max: dayNumber('2099-12-31') })
  .map(civilDate);

describe('every year that is known', () => {
  const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index);

  it.each(bankCalendars)(
    '%s keeps each holiday in its own year, and never five days in a row',
    (calendar) => {
      for (const year of years) {
        for (const day of holidaysOf(calendar, year)) expect(civilDate(day)).toMatch(`${year}-`);
        const holidays = holidaysOf(calendar, year);
        let closed = 0;
        for (let day = dayNumber(`${year}-01-01`); day < dayNumber(`${year}-12-31`); day += 1) {
          const isClosed = holidays.has(day) || weekday(day) === 0 || weekday(day) === 6;
          closed = isClosed ? closed + 1 : 0;
          if (closed >= 5)
            throw new Error(`${calendar} is closed for five days at ${civilDate(day)}`);
        }
      }
    },
  );

  it('has eight weekdays off in England and Wales, whatever falls on a weekend, unless decreed', () => {
    const decreed = new Set([1999, 2002, 2011, 2012, 2022, 2023]);
    for (const year of years) {
      const days = closedWeekdays('england_and_wales', year).split(' ');
      if (!decreed.has(year)) expect([year, days.length]).toEqual([year, 8]);
    }
  });
});

describe('reckoning with bank days', () => {
  it('goes on and back over weekends and holidays', () => {
    expect(nextBankDay('target', '2026-04-02')).toBe('2026-04-07');
    expect(previousBankDay('target', '2026-04-07')).toBe('2026-04-02');
    expect(nextBankDay('federal_reserve', '2026-04-02')).toBe('2026-04-03');
    expect(nextBankDay('england_and_wales', '2027-12-24')).toBe('2027-12-29');
    expect(bankDayFrom('target', '2026-05-01')).toBe('2026-05-04');
    expect(addBankDays('target', '2026-04-04', 0)).toBe('2026-04-07');
    expect(addBankDays('target', '2026-04-04', 1)).toBe('2026-04-07');
    expect(addBankDays('target', '2026-04-02', 2)).toBe('2026-04-08');
  });

  it('is consistent for any day', () => {
    fc.assert(
      fc.property(anyCalendar, anyDate, fc.nat(40), fc.nat(40), (calendar, date, one, more) => {
        const next = nextBankDay(calendar, date);
        expect(next > date && isBankDay(calendar, next)).toBe(true);
        expect(previousBankDay(calendar, next) <= date).toBe(true);
        expect(nextBankDay(calendar, previousBankDay(calendar, next))).toBe(next);
        const there = addBankDays(calendar, next, one);
        expect(addBankDays(calendar, there, more)).toBe(addBankDays(calendar, next, one + more));
        expect(addBankDays(calendar, date, 1)).toBe(next);
        expect(addBankDays(calendar, date, 0)).toBe(bankDayFrom(calendar, date));
      }),
    );
  });

  it.each([
    () => addBankDays('target', '2026-01-01', -1),
    () => addBankDays('target', '2026-01-01', 1.5),
    () => isBankDay('target', '2026-02-30'),
    () => isBankDay('target', '26-02-03'),
    () => isBankDay('target', '2026-2-3'),
    () => isBankDay('target', '1998-12-31'),
    () => isBankDay('target', '2101-01-03'),
    () => nextBankDay('federal_reserve', '2100-12-31'),
  ])('throws RangeError for what it cannot know: %s', (call) => {
    expect(call).toThrow(RangeError);
  });

  it('knows the days of the calendar', () => {
    expect(isCivilDate('2028-02-29')).toBe(true);
    for (const text of ['2027-02-29', '2100-02-29', '2026-13-01', '2026-00-01', '', 'x']) {
      expect(isCivilDate(text)).toBe(false);
    }
  });
});

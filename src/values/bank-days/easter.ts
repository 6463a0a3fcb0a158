import { dayOf } from './civil-date.ts';

/**
 * Easter Sunday of the Gregorian calendar, as a day number. The anonymous algorithm, as printed by
 * Meeus, Astronomical Algorithms, chapter 8: it finds the first Sunday after the full moon of the
 * church on or after 21 March.
 */
export function easterSunday(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const leapCenturies = Math.floor(century / 4);
  const moonCorrection = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - leapCenturies - moonCorrection + 15) % 30;
  const yearOfCentury = year % 100;
  const toSunday =
    (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  const count = epact + toSunday - 7 * late + 114;
  return dayOf(year, Math.floor(count / 31), (count % 31) + 1);
}

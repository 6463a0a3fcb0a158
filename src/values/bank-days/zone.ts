import { civilDate, dayNumber } from './civil-date.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Throws RangeError for a zone that is not in the time zone database of this Node. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset', year: 'numeric' });
  formats.set(timeZone, format);
  return format;
}

/** How far the wall clock of a zone is before UTC at an instant, in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(instant);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] =
    /^GMT(?:([+-])([0-9]{2}):([0-9]{2}))?/.exec(name) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * minuteMs;
  return sign === '-' ? -offset : offset;
}

/** The date that a calendar on the wall shows in the zone at an instant. */
export function localDate(instant: Date, timeZone: string): string {
  const local = instant.getTime() + offsetAt(instant.getTime(), timeZone);
  return civilDate(Math.floor(local / dayMs));
}

const timeOfDay = /^([01][0-9]|2[0-3]):([0-5][0-9])$/;

/** Whether `text` is a time of day, `HH:MM` from 00:00 to 23:59. */
export function isTimeOfDay(text: string): boolean {
  return timeOfDay.test(text);
}

/**
 * The first instant at which the wall clock of a zone shows the date and time, or has jumped over it.
 *
 * Where clocks are put forward, 02:30 may never be shown: the answer is the moment of the jump. Where
 * they are put back, it is shown twice: the answer is the first. So it is never later than anybody
 * may read the appointment.
 * @param date `YYYY-MM-DD`
 * @param time `HH:MM`. Throws RangeError for another shape or an unknown zone
 */
export function firstInstantOf(date: string, time: string, timeZone: string): Date {
  const [, hours, minutes] = timeOfDay.exec(time) ?? [];
  if (hours === undefined) throw new RangeError(`${time} is not a time of the form HH:MM`);
  const wall = dayNumber(date) * dayMs + (Number(hours) * 60 + Number(minutes)) * minuteMs;

  const before = offsetAt(wall - dayMs, timeZone);
  const after = offsetAt(wall + dayMs, timeZone);
  // The larger offset gives the earlier instant.
  const offsets = [Math.max(before, after), Math.min(before, after)];
  for (const offset of offsets) {
    if (offsetAt(wall - offset, timeZone) === offset) return new Date(wall - offset);
  }
  return new Date(jumpBetween(wall - after, wall - before, timeZone));
}

/** The first minute after `from` with another offset than `from`; `to` has it. */
function jumpBetween(from: number, to: number, timeZone: string): number {
  const old = offsetAt(from, timeZone);
  let low = from;
  let high = to;
  while (high - low > minuteMs) {
    const middle = low + Math.floor((high - low) / 2 / minuteMs) * minuteMs;
    if (offsetAt(middle, timeZone) === old) low = middle;
    else high = middle;
  }
  return high;
}

/** What the calendar and the clock on the wall of a zone show at an instant: `YYYY-MM-DD` and `HH:MM`. */
export function wallClock(instant: Date, timeZone: string): { date: string; time: string } {
  const shown = new Date(instant.getTime() + offsetAt(instant.getTime(), timeZone)).toISOString();
  return { date: shown.slice(0, 10), time: shown.slice(11, 16) };
}

import { locale } from '../texts/language.ts';

/* Times are shown in the reader's zone and by the reader's clock; the words around them are of the catalogue. */

/** The reader's time zone, by its IANA name. */
export const readerZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const sameYear = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const otherYear = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(locale, {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  timeZoneName: 'short',
});

/** A time as people say it: the year only where it is another one. */
export function shortTime(at: string, now = new Date()): string {
  const time = new Date(at);
  return (time.getFullYear() === now.getFullYear() ? sameYear : otherYear).format(time);
}

/** A time to the millisecond, with its zone. */
export const exactTime = (at: string): string => exact.format(new Date(at));

/** A day YYYY-MM-DD of the reader's calendar, so many days before today. */
export function dayBefore(days: number, now = new Date()): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** The day YYYY-MM-DD behind another one. */
export function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}

const dayFormat = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

/** A day YYYY-MM-DD as people say it. */
export const shortDay = (day: string): string => dayFormat.format(new Date(`${day}T00:00:00Z`));

/** When a day YYYY-MM-DD of the reader's calendar begins, as an ISO time. */
export const startOfDay = (day: string): string => new Date(`${day}T00:00:00`).toISOString();

/** A duration in its largest unit, for `Intl`: minutes, hours or days. */
export function duration(minutes: number): {
  readonly count: number;
  readonly unit: 'minute' | 'hour' | 'day';
} {
  if (minutes < 60) return { count: Math.max(0, Math.floor(minutes)), unit: 'minute' };
  if (minutes < 48 * 60) return { count: Math.floor(minutes / 60), unit: 'hour' };
  return { count: Math.floor(minutes / 1_440), unit: 'day' };
}

/** Days between which something was, both included, as `YYYY-MM-DD`. A year alone is its 365 days. */
export interface Interval {
  readonly from: string;
  readonly to: string;
  /** The list says `circa` or `approximately`. */
  readonly about: boolean;
}

const two = (value: number): string => String(value).padStart(2, '0');
const four = (value: number): string => String(value).padStart(4, '0');

/** How many days a month has: the day before the first of the next one. */
const lastDay = (year: number, month: number): number =>
  new Date(Date.UTC(year, month, 0)).getUTCDate();

const isYear = (year: number): boolean => year >= 1_000 && year <= 2_200;

/**
 * The days that a date with missing parts stands for; null where there is no such day.
 *
 * @param month from 1, or null
 */
export function interval(
  year: number,
  month: number | null,
  day: number | null,
  about = false,
): Interval | null {
  if (!isYear(year)) return null;
  if (month === null) return { from: `${four(year)}-01-01`, to: `${four(year)}-12-31`, about };
  if (month < 1 || month > 12) return null;
  const start = `${four(year)}-${two(month)}`;
  const last = lastDay(year, month);
  if (day === null) return { from: `${start}-01`, to: `${start}-${two(last)}`, about };
  if (day < 1 || day > last) return null;
  return { from: `${start}-${two(day)}`, to: `${start}-${two(day)}`, about };
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

const numberOrNull = (text: string | undefined): number | null =>
  text === undefined || !/^\d+$/.test(text) ? null : Number(text);

/** `1960-12-24`, with or without a time behind it. */
export function fromIso(text: string, about = false): Interval | null {
  const found = /^(\d{4})-(\d{2})-(\d{2})(?:$|[T ])/.exec(text.trim());
  return found === null
    ? null
    : interval(Number(found[1]), Number(found[2]), Number(found[3]), about);
}

/** `24/12/1960`, `dd/mm/1960`, `dd/12/1960` or `1960`, as the United Kingdom writes them. */
export function fromBritish(text: string): Interval | null {
  const trimmed = text.trim();
  if (/^\d{4}$/.test(trimmed)) return interval(Number(trimmed), null, null);
  const found = /^(\d{1,2}|dd)\/(\d{1,2}|mm)\/(\d{4})$/i.exec(trimmed);
  if (found === null) return null;
  const month = numberOrNull(found[2]);
  return interval(Number(found[3]), month, month === null ? null : numberOrNull(found[1]));
}

/** `24 Dec 1960`, `Dec 1960` or `1960`. */
function fromEnglish(text: string, about: boolean): Interval | null {
  const found = /^(?:(?:(\d{1,2}) )?([a-z]{3})[a-z]* )?(\d{4})$/i.exec(text.trim());
  if (found === null) return null;
  const [, day, monthName, year] = found;
  if (monthName === undefined) return interval(Number(year), null, null, about);
  const month = months.indexOf(monthName.toLowerCase()) + 1;
  return month === 0 ? null : interval(Number(year), month, numberOrNull(day), about);
}

/** `12 Jan 1960`, `circa 1960`, `1960 to 1962` and what else OFAC writes. */
export function fromOfac(text: string): Interval | null {
  const about = /^circa /i.test(text.trim());
  const rest = text.trim().replace(/^circa /i, '');
  const [first = '', second, ...others] = rest.split(/ to |(?<=\d{4})-(?=\d{4})/);
  if (others.length > 0) return null;
  const from = fromEnglish(first, about);
  const to = second === undefined ? from : fromEnglish(second, about);
  if (from === null || to === null || from.from > to.to) return null;
  return { from: from.from, to: to.to, about };
}

/** All days of some years. */
export function fromYears(first: string, last: string, about = false): Interval | null {
  const from = interval(Number(first), null, null);
  const to = interval(Number(last), null, null);
  if (from === null || to === null || from.from > to.to) return null;
  return { from: from.from, to: to.to, about };
}

/** The day of a list: `08/07/2026` of OFAC, month first. */
export function fromAmerican(text: string): string | null {
  const found = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim());
  if (found === null) return null;
  return interval(Number(found[3]), Number(found[1]), Number(found[2]))?.from ?? null;
}

/** Each interval once. */
export function distinctIntervals(found: readonly (Interval | null)[]): Interval[] {
  const kept = new Map<string, Interval>();
  for (const one of found) if (one !== null) kept.set(`${one.from} ${one.to} ${one.about}`, one);
  return [...kept.values()];
}

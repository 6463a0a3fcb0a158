const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** RFC 9110, section 5.6.7: the preferred form, and the two obsolete ones that must be understood. */
const imfFixdate = /^\w{3}, (\d{2}) (\w{3}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
const rfc850 = /^\w{6,9}, (\d{2})-(\w{3})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
const asctime = /^\w{3} (\w{3}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/;

const longestSeconds = 366 * 24 * 3_600;

/**
 * The wait that a Retry-After header asks for, in milliseconds from `now`: a number of seconds or
 * an HTTP-date (RFC 9110, section 10.2.3). 0 for a date in the past, at most 366 days, null where
 * the header is missing or neither.
 * @param now milliseconds since 1970
 */
export function parseRetryAfter(value: string | undefined, now: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), longestSeconds) * 1_000;
  const at = parseHttpDate(text, now);
  return at === null ? null : Math.min(Math.max(at - now, 0), longestSeconds * 1_000);
}

function parseHttpDate(text: string, now: number): number | null {
  const fixdate = imfFixdate.exec(text);
  if (fixdate !== null) {
    const [, day, month, year, ...time] = fixdate;
    return utc(year, month, day, time);
  }
  const obsolete = rfc850.exec(text);
  if (obsolete !== null) {
    const [, day, month, year, ...time] = obsolete;
    return utc(fullYear(Number(year), now), month, day, time);
  }
  const unix = asctime.exec(text);
  if (unix === null) return null;
  const [, month, day, hour, minute, second, year] = unix;
  return utc(year, month, day, [hour, minute, second]);
}

type Part = string | undefined;

function utc(year: Part | number, month: Part, day: Part, time: readonly Part[]): number | null {
  const index = months.indexOf(month ?? '');
  const [hours, minutes, seconds] = time.map(Number);
  if (index === -1 || Number(hours) > 23 || Number(minutes) > 59) return null;
  const at = Date.UTC(Number(year), index, Number(day), hours, minutes, seconds);
  // 30 February is no date, though Date.UTC finds one for it.
  return new Date(at).getUTCMonth() === index ? at : null;
}

/** Two digits that lie more than 50 years ahead mean the last century (RFC 9110, section 5.6.7). */
function fullYear(twoDigits: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + twoDigits;
  return year > thisYear + 50 ? year - 100 : year;
}

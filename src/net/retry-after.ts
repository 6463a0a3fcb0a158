const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The one form of HTTP-date that a sender may generate (RFC 9110, section 5.6.7). */
const httpDate = /^\w{3}, (\d{2}) (\w{3}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;

const longestSeconds = 366 * 24 * 3_600;

/**
 * The wait that a Retry-After header asks for, in milliseconds from `now`: a number of seconds or an
 * HTTP-date (RFC 9110, section 10.2.3). 0 for a date in the past; 366 days at most; null when the
 * header is missing or is neither.
 * @param now milliseconds since 1970
 */
export function parseRetryAfter(value: string | undefined, now: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), longestSeconds) * 1_000;
  const at = parseHttpDate(text);
  return at === null ? null : Math.min(Math.max(at - now, 0), longestSeconds * 1_000);
}

function parseHttpDate(text: string): number | null {
  const [, day, month, year, ...time] = httpDate.exec(text) ?? [];
  const index = months.indexOf(month ?? '');
  const [hours, minutes, seconds] = time.map(Number);
  if (index === -1 || Number(hours) > 23 || Number(minutes) > 59) return null;
  const at = Date.UTC(Number(year), index, Number(day), hours, minutes, seconds);
  // 30 February is no date, though Date.UTC finds one for it.
  return new Date(at).getUTCMonth() === index ? at : null;
}

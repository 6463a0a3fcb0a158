import { z } from 'zod';
import { requirePermission } from '../../access/scope.ts';
import { codeOf } from '../../db/errors.ts';
import { namedOfPlatform } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import { invalid } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { text } from '../../values/fields.ts';
import { parseInput } from '../../values/validate.ts';

/** Figures cover so many days at most: a leap year. */
const mostDays = 366;

const dayMs = 86_400_000;

/** Days of a calendar in a time zone of the IANA database. */
export interface FigureRange {
  /** The first and the last day, YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  /** When each day begins, and the one behind the last. */
  readonly starts: readonly Date[];
}

const day = text().refine(
  (value) => z.core.regexes.date.test(value) && value >= '1970-01-01' && value <= '9998-12-31',
  { message: 'Must be a date YYYY-MM-DD from 1970 on.', params: { code: 'invalid_format' } },
);

/** An offset such as +05:00 is none: PostgreSQL reads its sign the other way round. */
const zoneName = /^(?:UTC|[A-Za-z_]+(?:\/[\w+-]+)+)$/;

function isZone(name: string): boolean {
  if (!zoneName.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format();
    return true;
  } catch {
    return false;
  }
}

const zone = text(64).refine(isZone, 'Must be a time zone, for example Europe/Berlin.');

const rangeInput = z.strictObject({
  from: day,
  to: day,
  timeZone: zone.nullish().transform((name) => name ?? 'UTC'),
});

/**
 * Where clocks are set back from 01:00 to 00:00, as on the Azores, midnight comes twice. PostgreSQL takes the second
 * one, and the day begins with the first: midnight by the offset of some hours before, if the clocks show the
 * day then.
 */
const dayStarts = namedOfPlatform(
  'day_starts',
  ['days', 'timeZone'],
  `
    SELECT CASE WHEN f.at AT TIME ZONE @timeZone >= d.midnight THEN least(f.at, s.at) ELSE s.at END AS at
    FROM unnest(@days::timestamp[]) WITH ORDINALITY AS d(midnight, number)
    CROSS JOIN LATERAL (SELECT d.midnight AT TIME ZONE @timeZone AS at) s
    CROSS JOIN LATERAL (SELECT s.at - interval '6 hours' AS at) b
    CROSS JOIN LATERAL (SELECT b.at + (d.midnight - b.at AT TIME ZONE @timeZone) AS at) f
    ORDER BY d.number`,
);

/** SQLSTATE of a time zone that PostgreSQL does not know. */
const unknownZone = '22023';

/** When days begin in a time zone: PostgreSQL knows where midnight is moved or left out. */
async function startsIn({ services }: Call, timeZone: string, days: readonly string[]) {
  if (timeZone === 'UTC') return days.map((date) => new Date(date));
  try {
    const values = dayStarts.of({ days, timeZone });
    return (await rows<{ at: Date }>(services.pool, dayStarts, values)).map(({ at }) => at);
  } catch (error) {
    if (!(error instanceof Error) || codeOf(error) !== unknownZone) throw error;
    const message = 'This time zone is not known.';
    throw invalid([{ field: 'timeZone', code: 'invalid_value', message }]);
  }
}

/** Reads a range. Throws `validation_failed` for days or a zone that are none, and for more than 366 days. */
export async function figureRange(call: Call, given: object): Promise<FigureRange> {
  requirePermission(call.scope, 'read');
  const { from, to, timeZone } = parseInput(rangeInput, given);
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days < 1 || days > mostDays) {
    const message = `Must be from 0 to ${mostDays - 1} days after from.`;
    throw invalid([{ field: 'to', code: 'out_of_range', message }]);
  }
  const dates = Array.from({ length: days + 1 }, (_, number) => dayOf(from, number + 1));
  return { from, to, timeZone, starts: await startsIn(call, timeZone, dates) };
}

/** The day with a number, of which the first has 1. */
export function dayOf(from: string, number: number): string {
  return new Date(Date.parse(from) + (number - 1) * dayMs).toISOString().slice(0, 10);
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { namedOfPlatform } from './named.ts';
import { firstRow } from './pool.ts';

/*
 * Turns at something that may be done so many times in a second by all processes together. Whoever wants one is given the
 * next free moment; they lie evenly apart, so that no second has more, wherever it begins. The table is that of the
 * callers' limits: a row says until when the turns are given away.
 */

const takeTurn = namedOfPlatform(
  'take_turn',
  ['scope', 'apart', 'furthest'],
  `
    INSERT INTO rate_limit AS r (scope, used, expires_at)
    VALUES (@scope, 1, clock_timestamp() + make_interval(secs => @apart::double precision))
    ON CONFLICT (scope) DO UPDATE
      SET expires_at = greatest(r.expires_at, clock_timestamp()) + make_interval(secs => @apart::double precision)
      WHERE r.expires_at <= clock_timestamp() + make_interval(secs => @furthest::double precision)
    RETURNING (extract(epoch FROM r.expires_at - clock_timestamp()) - @apart::double precision)::float8 * 1000 AS wait`,
);

/** What is kept free, since calls do not take the same time on their way. */
const margin = 1.1;

/** A turn that is used so late could meet the turns of the next moments. */
const lateMs = 40;

/** Gives a turn at `scope`. Resolves with false where the next one is further away than `furthestMs`. */
export type Pace = (
  scope: string,
  perSecond: number,
  furthestMs: number,
  signal: AbortSignal | undefined,
) => Promise<boolean>;

/** Turns that are shared by all processes of the database. */
export function createPace(pool: Pool): Pace {
  return async (scope, perSecond, furthestMs, signal) => {
    const apart = Math.ceil((1_000 * margin) / perSecond) / 1_000;
    const values = takeTurn.of({ scope: `turns of ${scope}`, apart, furthest: furthestMs / 1_000 });
    for (;;) {
      const row = await firstRow<{ wait: number }>(pool, takeTurn, values);
      if (row === null) return false;
      const due = performance.now() + row.wait;
      if (row.wait > 0) await pause(row.wait, undefined, signal === undefined ? {} : { signal });
      if (performance.now() - due <= lateMs) return true;
    }
  };
}

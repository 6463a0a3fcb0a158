import type { Pool } from 'pg';
import { firstRow, platformStatement, rows, type Queryable } from '../../db/pool.ts';

/** The row before a reservation, begun anew where its window is over. */
const windowBefore = `(
        SELECT
          CASE WHEN r.expires_at <= now() THEN 0 ELSE r.used END AS used,
          CASE WHEN r.expires_at <= now() THEN excluded.expires_at ELSE r.expires_at END AS expires_at
      ) b`;

/** What a reservation answers. */
const reserved = `
      CASE WHEN old.expires_at = new.expires_at THEN new.used - old.used ELSE new.used END AS granted,
      greatest(0, $2::int - new.used) AS remaining,
      (extract(epoch FROM new.expires_at - clock_timestamp()) * 1000)::float8 AS milliseconds`;

/**
 * Takes units from the quota of a scope, in one statement that holds the row's lock no longer than it
 * runs. The table is UNLOGGED, so the commit waits for no disk; a crash of PostgreSQL empties it, and
 * then the count of the current window begins again.
 *
 * A window begins, by the database's clock, with the first request after the window before it ended.
 * A scope has one row, which is used again. `$3` is the number of requests that wait at the moment.
 * In addition to these a process gets at most a hundredth of what is left, so near the limit it asks
 * for each request.
 */
const reserve = platformStatement({
  name: 'rate_limit_reserve',
  text: `
    INSERT INTO rate_limit AS r (scope, used, expires_at)
    VALUES (
      $1,
      least($2::int, greatest($3::int, least($4::int, $2::int / 100))),
      now() + make_interval(secs => $5)
    )
    ON CONFLICT (scope) DO UPDATE SET (used, expires_at) = (
      SELECT
        b.used + greatest(0, least(
          $2::int - b.used,
          greatest($3::int, least($4::int, ($2::int - b.used) / 100))
        )),
        b.expires_at
      FROM ${windowBefore}
    )
    RETURNING ${reserved}`,
});

/** As above, but all that is asked for or nothing: a call that is half counted would be no use. */
const reserveWhole = platformStatement({
  name: 'rate_limit_reserve_whole',
  text: `
    INSERT INTO rate_limit AS r (scope, used, expires_at)
    VALUES ($1, CASE WHEN $3::int <= $2::int THEN $3::int ELSE 0 END, now() + make_interval(secs => $4))
    ON CONFLICT (scope) DO UPDATE SET (used, expires_at) = (
      SELECT
        b.used + CASE WHEN b.used + $3::int <= $2::int THEN $3::int ELSE 0 END,
        b.expires_at
      FROM ${windowBefore}
    )
    RETURNING ${reserved}`,
});

/** Rows whose window is over say nothing that their absence does not say. */
const removeExpired = platformStatement({
  name: 'rate_limit_remove_expired',
  text: `
    DELETE FROM rate_limit WHERE scope IN (
      SELECT scope FROM rate_limit WHERE expires_at < now()
      ORDER BY expires_at LIMIT 1000 FOR UPDATE SKIP LOCKED
    )
    RETURNING 1 AS removed`,
});

export interface Reservation {
  /** The whole quota of one window. */
  readonly quota: number;
  readonly windowSeconds: number;
  /** Requests that wait for an answer now, at least 1. */
  readonly needed: number;
  /** Slice that would be taken if the quota were far from used up. */
  readonly wanted: number;
}

export interface WholeReservation {
  /** The whole quota of one window. */
  readonly quota: number;
  readonly windowSeconds: number;
  readonly units: number;
}

export interface Grant {
  /** What was taken: `needed` or more, or what was left, down to 0. */
  readonly granted: number;
  /** What nobody has taken yet. */
  readonly remaining: number;
  /** Time until the window ends. */
  readonly milliseconds: number;
}

async function grantOf(
  client: Queryable,
  reservation: typeof reserve,
  values: readonly (string | number)[],
): Promise<Grant> {
  const grant = await firstRow<Grant & Record<string, unknown>>(client, reservation, values);
  if (grant === null) throw new Error('the reservation always returns one row');
  return grant;
}

/**
 * Takes a part of the quota of `scope` for this process. In a transaction it is given back by a
 * rollback, and others wait for the rest until the transaction ends.
 */
export function reserveQuota(
  client: Queryable,
  scope: string,
  { quota, windowSeconds, needed, wanted }: Reservation,
): Promise<Grant> {
  return grantOf(client, reserve, [scope, quota, needed, wanted, windowSeconds]);
}

/** Takes `units` of the quota of `scope`, or nothing where fewer are left. */
export function reserveWholeQuota(
  client: Queryable,
  scope: string,
  { quota, windowSeconds, units }: WholeReservation,
): Promise<Grant> {
  return grantOf(client, reserveWhole, [scope, quota, units, windowSeconds]);
}

/** Removes the rows of windows that are over: an index scan that finds nothing most of the time. */
export async function removeExpiredLimits(pool: Pool): Promise<void> {
  for (let pass = 0; pass < 100; pass += 1) {
    const removed = await rows(pool, removeExpired, []);
    if (removed.length < 1_000) return;
  }
}

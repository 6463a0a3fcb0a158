import type { Queryable } from '../../db/pool.ts';
import { rows } from '../../db/pool.ts';
import { namedOfPlatform } from '../../db/named.ts';
import type { ListKind } from '../../screening/lists/entry.ts';

/** Whether a list can be relied on. */
export type ListState =
  /** Its newest version is loaded and young enough. */
  | 'current'
  /** What is loaded is older than WATCHLIST_STALE_DAYS, by the date of the list itself. */
  | 'stale'
  /** The load after the loaded version was refused, or died. */
  | 'failed'
  /** No version was ever loaded. */
  | 'never';

/** A list with its version in use. */
export interface ListStanding extends Record<string, unknown> {
  readonly kind: ListKind;
  readonly state: ListState;
  readonly sequence: number | null;
  readonly sha256: string | null;
  /** The day that the list states of itself, `YYYY-MM-DD`. */
  readonly listedOn: string | null;
  readonly entries: number | null;
  readonly loadedAt: Date | null;
  /** Why the latest load failed; null where it did not. */
  readonly problem: string | null;
}

/**
 * A load that still works is no failure. One that has not ended within an hour has died, since a list is read in
 * minutes.
 */
const standings = namedOfPlatform(
  'watchlist_standings',
  ['kinds', 'staleDays'],
  `
    SELECT k.kind, c.sequence, c.sha256, to_char(c.listed_on, 'YYYY-MM-DD') AS "listedOn", c.entries,
      c.ended_at AS "loadedAt", CASE
        WHEN l.status = 'refused' THEN coalesce(l.problem_code || ': ' || l.problem, l.problem_code)
        WHEN l.status = 'loading' THEN 'the load did not end'
      END AS problem, CASE
        WHEN c.id IS NULL AND l.id IS NULL THEN 'never'
        WHEN l.status IN ('refused', 'loading') OR c.id IS NULL THEN 'failed'
        WHEN c.listed_on < current_date - @staleDays::integer THEN 'stale'
        ELSE 'current'
      END AS state
    FROM unnest(@kinds::text[]) WITH ORDINALITY AS k (kind, place)
    LEFT JOIN watchlist_version c ON c.kind = k.kind AND c.status = 'current'
    LEFT JOIN LATERAL (
      SELECT v.id, v.status, v.problem_code, v.problem FROM watchlist_version v
      WHERE v.kind = k.kind AND (v.status <> 'loading' OR v.started_at < now() - interval '1 hour')
      ORDER BY v.id DESC LIMIT 1
    ) l ON true
    ORDER BY k.place`,
);

/** The state of each list that is asked for, in that order. */
export function readStandings(
  client: Queryable,
  kinds: readonly ListKind[],
  staleDays: number,
): Promise<ListStanding[]> {
  return rows<ListStanding>(client, standings, standings.of({ kinds, staleDays }));
}

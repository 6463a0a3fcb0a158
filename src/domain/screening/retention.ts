import { namedOfPlatform } from '../../db/named.ts';
import { firstRow, rows } from '../../db/pool.ts';
import type { Services } from '../../process/services.ts';
import type { ListKind } from '../../screening/lists/entry.ts';

/** Versions that are looked at together, and entries that are deleted together. */
const versionsAtATime = 100;
const batchSize = 1_000;
/** Batches of one run. The next one deletes the rest. */
const mostBatches = 100;

interface OldVersion extends Record<string, unknown> {
  readonly id: string;
  readonly kind: ListKind;
  readonly sequence: number;
}

/** A version was in use until the next one was. */
const old = namedOfPlatform(
  'old_watchlist_versions',
  ['days', 'after', 'take'],
  `
    SELECT v.id::text AS id, v.kind, v.sequence FROM watchlist_version v
    JOIN watchlist_version n ON n.kind = v.kind AND n.sequence = v.sequence + 1
    WHERE v.status = 'replaced' AND v.emptied_at IS NULL AND v.id > @after::bigint
      AND n.ended_at < now() - make_interval(days => @days::integer)
    ORDER BY v.id LIMIT @take`,
);

const named = namedOfPlatform(
  'watchlist_version_in_results',
  ['lists'],
  `SELECT 1 AS named FROM across.screening_result r WHERE r.lists @> @lists::jsonb LIMIT 1`,
);

const empty = namedOfPlatform(
  'empty_watchlist_version',
  ['id'],
  `
    UPDATE watchlist_version SET emptied_at = now()
    WHERE id = @id::bigint AND status = 'replaced' AND emptied_at IS NULL`,
);

/** An entry goes with the last of the versions that have it. */
const deleteEntries = namedOfPlatform(
  'delete_watchlist_entries',
  ['take'],
  `
    DELETE FROM watchlist_entry WHERE id IN (
      SELECT e.id FROM watchlist_entry e
      WHERE e.last_version IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM watchlist_version v
        WHERE v.kind = e.kind AND v.sequence BETWEEN e.first_version AND e.last_version AND v.emptied_at IS NULL
      )
      ORDER BY e.id LIMIT @take
    )
    RETURNING 1`,
);

/** Whether a result of any tenant names it. It throws while a node of the database is away, whose results nobody sees. */
async function isNamed({ pool }: Services, { kind, sequence }: OldVersion): Promise<boolean> {
  const lists = JSON.stringify([{ kind, sequence }]);
  return (await firstRow(pool, named, named.of({ lists }))) !== null;
}

/**
 * Deletes what old versions of lists alone have: those that were replaced more than WATCHLIST_KEEP_DAYS ago and that no
 * result names. Entries that a later version still has stay, and so do the rows of all versions. As a job: what dies
 * in between is gone on with the next time.
 *
 * @returns how many entries went
 */
export async function deleteOldVersions(services: Services): Promise<number> {
  const { pool, config } = services;
  for (let after = '0'; ;) {
    const given = { days: config.WATCHLIST_KEEP_DAYS, after, take: versionsAtATime };
    const found = await rows<OldVersion>(pool, old, old.of(given));
    for (const version of found) {
      if (!(await isNamed(services, version))) await rows(pool, empty, empty.of(version));
    }
    const last = found.at(-1);
    if (last === undefined || found.length < versionsAtATime) break;
    after = last.id;
  }
  let count = 0;
  for (let batch = 0; batch < mostBatches; batch += 1) {
    const gone = await rows(pool, deleteEntries, deleteEntries.of({ take: batchSize }));
    count += gone.length;
    if (gone.length < batchSize) break;
  }
  return count;
}

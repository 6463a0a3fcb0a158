import type { PoolClient } from 'pg';
import { namedOfPlatform } from '../../db/named.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';
import type { ListKind } from '../../screening/lists/entry.ts';
import type { ListSummary } from '../../screening/lists/read-list.ts';

const begin = namedOfPlatform(
  'begin_watchlist_load',
  ['kind', 'loadedBy'],
  `INSERT INTO watchlist_version (kind, loaded_by) VALUES (@kind, @loadedBy) RETURNING id::text AS id`,
);

/** Records that a load has begun, before the file is read. */
export async function beginLoad(
  client: Queryable,
  kind: ListKind,
  loadedBy: string,
): Promise<string> {
  const row = await firstRow<{ id: string }>(client, begin, begin.of({ kind, loadedBy }));
  if (row === null) throw new Error('a load was not recorded');
  return row.id;
}

const refuse = namedOfPlatform(
  'refuse_watchlist_load',
  ['id', 'code', 'problem', 'sha256'],
  `
    UPDATE watchlist_version SET status = 'refused', problem_code = @code, problem = @problem, sha256 = @sha256,
      ended_at = now()
    WHERE id = @id::bigint AND status = 'loading'`,
);

/** Records why a version is not used. What was in use stays in use. */
export async function refuseLoad(
  client: Queryable,
  given: {
    readonly id: string;
    readonly code: string;
    readonly problem: string;
    readonly sha256: string | null;
  },
): Promise<void> {
  await rows(client, refuse, refuse.of(given));
}

/** Loads wait for each other: they change the postings of the same words. */
const lock = namedOfPlatform(
  'lock_watchlists',
  ['key'],
  `SELECT pg_advisory_xact_lock(@key::bigint)`,
);
const lockKey = '7270736369';

export async function lockLists(client: PoolClient): Promise<void> {
  await rows(client, lock, lock.of({ key: lockKey }));
}

export interface CurrentVersion extends Record<string, unknown> {
  readonly id: string;
  readonly sequence: number;
  readonly sha256: string;
  readonly listedOn: string;
  readonly entries: number;
  readonly names: number;
}

const current = namedOfPlatform(
  'current_watchlist_version',
  ['kind'],
  `
    SELECT id::text AS id, sequence, sha256, to_char(listed_on, 'YYYY-MM-DD') AS "listedOn", entries, names
    FROM watchlist_version WHERE kind = @kind AND status = 'current'`,
);

export const currentVersion = (client: Queryable, kind: ListKind): Promise<CurrentVersion | null> =>
  firstRow<CurrentVersion>(client, current, current.of({ kind }));

export interface StoredEntry extends Record<string, unknown> {
  readonly id: string;
  readonly ref: string;
  readonly digest: string;
}

const entries = namedOfPlatform(
  'current_watchlist_entries',
  ['kind'],
  `SELECT id::text AS id, ref, digest FROM watchlist_entry WHERE kind = @kind AND last_version IS NULL`,
);

/** What the current version has, by id and digest alone. */
export const currentEntries = (client: Queryable, kind: ListKind): Promise<StoredEntry[]> =>
  rows<StoredEntry>(client, entries, entries.of({ kind }));

const same = namedOfPlatform(
  'end_same_watchlist_load',
  ['id', 'sha256'],
  `
    UPDATE watchlist_version SET status = 'same', sha256 = @sha256, ended_at = now()
    WHERE id = @id::bigint AND status = 'loading'`,
);

/** Records that the version in use was met again. */
export async function endSameLoad(client: PoolClient, id: string, sha256: string): Promise<void> {
  await rows(client, same, same.of({ id, sha256 }));
}

const replace = namedOfPlatform(
  'replace_watchlist_version',
  ['kind'],
  `UPDATE watchlist_version SET status = 'replaced' WHERE kind = @kind AND status = 'current'`,
);

const finish = namedOfPlatform(
  'finish_watchlist_load',
  [
    'id',
    'sequence',
    'sha256',
    'listedOn',
    'entries',
    'names',
    'passed',
    'added',
    'ended',
    'because',
  ],
  `
    UPDATE watchlist_version SET status = 'current', sequence = @sequence, sha256 = @sha256,
      listed_on = @listedOn::date, entries = @entries, names = @names, passed = @passed, added = @added,
      ended = @ended, accepted_because = @because, ended_at = now()
    WHERE id = @id::bigint AND status = 'loading'
    RETURNING id`,
);

/** Puts the new version in the place of the old one. */
export async function finishLoad(
  client: PoolClient,
  kind: ListKind,
  version: ListSummary & {
    readonly id: string;
    readonly sequence: number;
    readonly sha256: string;
    readonly added: number;
    readonly ended: number;
    readonly because: string | null;
  },
): Promise<void> {
  await rows(client, replace, replace.of({ kind }));
  const values = finish.of({ ...version, listedOn: version.date });
  if ((await firstRow(client, finish, values)) === null) {
    throw new Error(`the load ${version.id} has ended already`);
  }
}

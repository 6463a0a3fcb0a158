import { namedOfPlatform } from '../../db/named.ts';
import { rows, type Queryable } from '../../db/pool.ts';
import type { EntryType, ListEntry, ListKind } from '../../screening/lists/entry.ts';

/** A name of a list that shares keys with a subject. */
export interface Candidate extends Record<string, unknown> {
  readonly entryId: string;
  readonly type: EntryType;
  readonly name: string;
  readonly weak: boolean;
  /** Found by a number, whatever its name is. */
  readonly byNumber: boolean;
}

/** Rare keys say most and are read first, until so many names have been read. */
const mostRead = 4_000;
/** The names that are looked at closely. */
const mostCandidates = 40;

const find = namedOfPlatform(
  'watchlist_candidates',
  ['keys', 'weights', 'kinds', 'mostRead', 'mostCandidates'],
  `
    WITH found AS MATERIALIZED (
      SELECT p.uses, p.names, k.weight * ln(1 + 100000.0::float8 / p.uses) AS says, p.key LIKE 'n%' AS is_number,
        sum(p.uses) OVER (ORDER BY p.uses, p.key) AS read
      FROM unnest(@keys::text[], @weights::integer[]) AS k (key, weight) JOIN watchlist_posting p ON p.key = k.key
      WHERE p.uses > 0
    ), best AS MATERIALIZED (
      SELECT n.id, sum(f.says) AS weight, bool_or(f.is_number) AS by_number
      FROM found f CROSS JOIN unnest(f.names) AS n (id)
      WHERE f.read <= @mostRead OR f.uses = f.read
      GROUP BY n.id ORDER BY 2 DESC LIMIT @mostCandidates
    )
    SELECT n.entry_id::text AS "entryId", n.type, n.name, n.weak, b.by_number AS "byNumber"
    FROM best b JOIN watchlist_name n ON n.id = b.id JOIN watchlist_entry e ON e.id = n.entry_id
    WHERE e.kind = ANY (@kinds::text[])`,
);

/** The names of lists that share most with a subject, by its keys and what each says. */
export function findCandidates(
  client: Queryable,
  keys: ReadonlyMap<string, number>,
  kinds: readonly ListKind[],
): Promise<Candidate[]> {
  const given = {
    keys: [...keys.keys()],
    weights: [...keys.values()],
    kinds,
    mostRead,
    mostCandidates,
  };
  return rows<Candidate>(client, find, find.of(given));
}

interface EntryRow extends Record<string, unknown> {
  readonly kind: ListKind;
  readonly digest: string;
  readonly content: ListEntry;
}

const byId = namedOfPlatform(
  'watchlist_entries_to_explain',
  ['ids'],
  `SELECT kind, digest, content FROM watchlist_entry WHERE id = ANY (@ids::bigint[])`,
);

/** Whole entries. */
export const findEntries = (client: Queryable, ids: readonly string[]): Promise<EntryRow[]> =>
  rows<EntryRow>(client, byId, byId.of({ ids }));

import { namedOfPlatform } from '../../db/named.ts';
import { rows, type Queryable } from '../../db/pool.ts';
import type { ListEntry, ListKind } from '../../screening/lists/entry.ts';
import type { Versions } from './port.ts';

const inUse = namedOfPlatform(
  'watchlist_versions_in_use',
  [],
  `SELECT v.kind, v.sequence FROM watchlist_version v WHERE v.status = 'current' ORDER BY v.kind`,
);

/** The version of each list that is in use; none where no list was ever loaded. */
export async function versionsInUse(client: Queryable): Promise<Versions> {
  const found = await rows<{ kind: ListKind; sequence: number }>(client, inUse, inUse.of({}));
  return Object.fromEntries(found.map(({ kind, sequence }) => [kind, sequence]));
}

/** Whether two have the same versions of the same lists. */
export function sameVersions(one: Versions, other: Versions): boolean {
  const kinds = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<ListKind>;
  return [...kinds].every((kind) => one[kind] === other[kind]);
}

const changed = namedOfPlatform(
  'watchlist_entries_since',
  ['kinds', 'since', 'take'],
  `
    SELECT e.content FROM unnest(@kinds::text[], @since::integer[]) AS k (kind, since)
    JOIN watchlist_entry e ON e.kind = k.kind AND e.first_version > k.since AND e.last_version IS NULL
    LIMIT @take`,
);

/** The entries in use that are newer than some versions, at most `take` of them. */
export async function entriesSince(
  client: Queryable,
  before: Versions,
  kinds: readonly ListKind[],
  take: number,
): Promise<ListEntry[]> {
  const since = kinds.map((kind) => Number(before[kind] ?? 0));
  const found = await rows<{ content: ListEntry }>(
    client,
    changed,
    changed.of({ kinds, since, take }),
  );
  return found.map(({ content }) => content);
}

/** An entry as it was when it was found. */
export interface EntryAsItWas {
  readonly kind: string;
  readonly ref: string;
  readonly digest: string;
}

const still = namedOfPlatform(
  'watchlist_entries_still_so',
  ['kinds', 'refs'],
  `
    SELECT e.kind, e.ref, e.digest FROM unnest(@kinds::text[], @refs::text[]) AS g (kind, ref)
    JOIN watchlist_entry e ON e.kind = g.kind AND e.ref = g.ref AND e.last_version IS NULL`,
);

/** Whether each of these entries is in the version in use, as it was. */
export async function areStillSo(
  client: Queryable,
  entries: readonly EntryAsItWas[],
): Promise<boolean[]> {
  const kinds = entries.map(({ kind }) => kind);
  const refs = entries.map(({ ref }) => ref);
  const found = await rows<EntryAsItWas & Record<string, unknown>>(
    client,
    still,
    still.of({ kinds, refs }),
  );
  const keyOf = ({ kind, ref, digest }: EntryAsItWas): string => `${kind} ${digest} ${ref}`;
  const known = new Set(found.map(keyOf));
  return entries.map((entry) => known.has(keyOf(entry)));
}

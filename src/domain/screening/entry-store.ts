import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { namedOfPlatform } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { ListEntry, ListKind } from '../../screening/lists/entry.ts';
import { keysOf, numberKey } from '../../screening/match/keys.ts';
import { parseName } from '../../screening/names/parse.ts';

/** An entry with the digest of its content. */
export interface NewEntry {
  readonly entry: ListEntry;
  readonly digest: string;
}

/** SHA-256 of an entry. Its members are always in the order in which readers write them. */
export const digestOf = (entry: ListEntry): string =>
  createHash('sha256').update(JSON.stringify(entry)).digest('hex');

const end = namedOfPlatform(
  'end_watchlist_entries',
  ['ids', 'lastVersion'],
  `
    UPDATE watchlist_entry SET last_version = @lastVersion
    WHERE id = ANY (@ids::bigint[]) AND last_version IS NULL`,
);

const unnamed = namedOfPlatform(
  'delete_watchlist_names',
  ['ids'],
  `DELETE FROM watchlist_name WHERE entry_id = ANY (@ids::bigint[]) RETURNING id, name, type`,
);

const entriesOf = namedOfPlatform(
  'watchlist_entries_by_id',
  ['ids'],
  `SELECT content FROM watchlist_entry WHERE id = ANY (@ids::bigint[])`,
);

/** Each key has its row once, so the ids that leave it are known by hashing them once. */
const unpost = namedOfPlatform(
  'shorten_watchlist_postings',
  ['keys', 'names'],
  `
    WITH gone AS MATERIALIZED (SELECT unnest(@names::integer[]) AS name),
    kept AS (
      SELECT p.key, array_agg(n.name) FILTER (WHERE g.name IS NULL) AS names
      FROM watchlist_posting p CROSS JOIN unnest(p.names) AS n (name) LEFT JOIN gone g ON g.name = n.name
      WHERE p.key = ANY (@keys::text[]) GROUP BY p.key
    )
    UPDATE watchlist_posting p SET names = coalesce(k.names, '{}'), uses = coalesce(cardinality(k.names), 0)
    FROM kept k WHERE p.key = k.key`,
);

/** Takes entries out of the current version. They stay for those that had them. */
export async function endEntries(
  client: PoolClient,
  ids: readonly string[],
  lastVersion: number,
): Promise<void> {
  if (ids.length === 0) return;
  await rows(client, end, end.of({ ids, lastVersion }));
  const contents = await rows<{ content: ListEntry }>(client, entriesOf, entriesOf.of({ ids }));
  const keys = new Set(contents.flatMap(({ content }) => [...keysOfEntry(content).keys()]));
  const gone = await rows<{ id: number }>(client, unnamed, unnamed.of({ ids }));
  await rows(client, unpost, unpost.of({ keys: [...keys], names: gone.map(({ id }) => id) }));
}

const insert = namedOfPlatform(
  'insert_watchlist_entries',
  ['kind', 'version', 'given'],
  `
    WITH new AS (
      INSERT INTO watchlist_entry (kind, ref, digest, content, first_version)
      SELECT @kind, g.content ->> 'id', g.digest, g.content, @version
      FROM jsonb_to_recordset(@given::jsonb) AS g (digest text, content jsonb)
      RETURNING id, content
    )
    INSERT INTO watchlist_name (entry_id, type, name, weak)
    SELECT new.id, new.content ->> 'type', n.name ->> 'text', (n.name ->> 'weak')::boolean
    FROM new CROSS JOIN jsonb_array_elements(new.content -> 'names') WITH ORDINALITY AS n (name, place)
    ORDER BY new.id, n.place
    RETURNING id, entry_id::text AS "entryId", name, type`,
);

const post = namedOfPlatform(
  'lengthen_watchlist_postings',
  ['keys', 'names'],
  `
    INSERT INTO watchlist_posting (key, uses, names)
    SELECT g.key, count(*), array_agg(g.name)
    FROM unnest(@keys::text[], @names::integer[]) AS g (key, name) GROUP BY g.key ORDER BY g.key
    ON CONFLICT (key) DO UPDATE SET names = watchlist_posting.names || excluded.names,
      uses = watchlist_posting.uses + excluded.uses`,
);

/** The keys of all names and numbers of an entry, each with the places of the names that have it. */
function keysOfEntry({ type, names, identifiers }: ListEntry): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  const add = (key: string, place: number): void => {
    const known = found.get(key);
    if (known === undefined) found.set(key, new Set([place]));
    else known.add(place);
  };
  names.forEach(({ text }, place) => {
    for (const key of keysOf(parseName(text, type)).keys()) add(key, place);
  });
  // A number leads to the first name, and so to the entry.
  for (const { number } of identifiers) {
    const key = numberKey(number);
    if (key !== null) add(key, 0);
  }
  return found;
}

/** Adds entries to a version, with their names and the keys under which they are found. */
export async function insertEntries(
  client: PoolClient,
  kind: ListKind,
  version: number,
  given: readonly NewEntry[],
): Promise<void> {
  if (given.length === 0) return;
  const content = JSON.stringify(given.map(({ entry, digest }) => ({ digest, content: entry })));
  const named = await rows<{ id: number; entryId: string; name: string }>(
    client,
    insert,
    insert.of({ kind, version, given: content }),
  );
  const groups = [...Map.groupBy(named, ({ entryId }) => entryId).values()];
  // Entries are inserted, and their names come back, in the order in which they were given.
  const pairs = given.flatMap(({ entry }, at) =>
    [...keysOfEntry(entry)].flatMap(([key, places]) =>
      [...places].flatMap((place) => {
        const id = groups[at]?.[place]?.id;
        return id === undefined ? [] : [{ key, id }];
      }),
    ),
  );
  const values = post.of({ keys: pairs.map(({ key }) => key), names: pairs.map(({ id }) => id) });
  await rows(client, post, values);
}

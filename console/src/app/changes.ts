import { useEffect, useRef, useState } from 'react';
import { announce } from '../parts/live.tsx';
import { texts } from '../texts/texts.ts';

const none: ReadonlySet<string> = new Set();

/** How long a row is marked after it changed. */
const markedMs = 20_000;

/**
 * Ids of the rows that are other than the reader saw them, for `Table`: a row that changed between two refreshes of the same
 * list is marked for some seconds, and screen readers hear how many did. A list with other filters or another page begins anew.
 *
 * @param listKey names the list: filters, order and page
 * @param rows null while nothing is there
 * @param versionOf what differs when a row changed, such as `updatedAt`
 */
export function useChanges<Row extends { readonly id: string }>(
  listKey: string,
  rows: readonly Row[] | null,
  versionOf: (row: Row) => string,
): ReadonlySet<string> {
  const seen = useRef<{ key: string; versions: Map<string, string> } | null>(null);
  const [changed, setChanged] = useState(none);
  const versions = rows?.map((row) => `${row.id} ${versionOf(row)}`).join('\n') ?? null;
  useEffect(() => {
    if (versions === null) return undefined;
    const current = new Map(
      versions.split('\n').map((line): [string, string] => {
        const at = line.indexOf(' ');
        return [line.slice(0, at), line.slice(at + 1)];
      }),
    );
    const before = seen.current?.key === listKey ? seen.current.versions : null;
    seen.current = { key: listKey, versions: current };
    const differing = [...current].filter(([id, version]) => {
      const earlier = before?.get(id);
      return earlier !== undefined && earlier !== version;
    });
    if (differing.length === 0) return undefined;
    setChanged(new Set(differing.map(([id]) => id)));
    announce(texts.table.announce({ count: differing.length }));
    return undefined;
  }, [listKey, versions]);
  useEffect(() => {
    if (changed.size === 0) return undefined;
    const timer = setTimeout(() => setChanged(none), markedMs);
    return () => clearTimeout(timer);
  }, [changed]);
  return changed;
}

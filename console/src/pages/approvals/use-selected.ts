import { useState } from 'react';
import { selectedPayoutsDocument } from '../../../../generated/console-types/pages/approvals/approvals.ts';
import { useChanges } from '../../app/changes.ts';
import { useFresh } from '../../app/fresh.ts';
import { versionOf, type WaitingPayout } from './rows.ts';

/** So many payouts are selected at most: those of other pages are read anew together. */
export const mostSelected = 100;

export type Selected = ReturnType<typeof useSelected>;

/**
 * The payouts that are selected, also on pages that were left. Those are read anew as a list is, so that what is decided
 * on is as it stands; one that waits no more is no longer selected.
 * @param shown the rows of the page; null while they are on their way
 */
export function useSelected(shown: readonly WaitingPayout[] | null) {
  const rows = shown ?? [];
  const [picked, setPicked] = useState<ReadonlyMap<string, WaitingPayout>>(new Map());
  const here = new Set(rows.map(({ id }) => id));
  const away = [...picked.keys()].filter((id) => !here.has(id));
  const { data } = useFresh(
    selectedPayoutsDocument,
    { ids: away },
    { pause: shown === null || away.length === 0 },
  );
  const read = new Map<string, WaitingPayout | null>();
  for (const node of data?.nodes ?? []) {
    if (node?.__typename !== 'Payout') continue;
    read.set(node.id, node.state === 'pending_approval' ? node : null);
  }
  const elsewhere = away.flatMap((id) => {
    const row = read.has(id) ? read.get(id) : picked.get(id);
    return row === null || row === undefined ? [] : [row];
  });
  const changed = useChanges(away.join(), elsewhere, versionOf);
  const toggle = (row: WaitingPayout) =>
    setPicked((before) => {
      const after = new Map(before);
      if (!after.delete(row.id) && after.size < mostSelected) after.set(row.id, row);
      return after;
    });
  /** All of the page, or none of it. */
  const toggleAll = () =>
    setPicked((before) => {
      const after = new Map(before);
      const all = rows.every(({ id }) => before.has(id));
      for (const row of rows) {
        if (all) after.delete(row.id);
        else if (after.size < mostSelected) after.set(row.id, row);
      }
      return after;
    });
  return {
    /** Those of this page, and behind them those of others. */
    chosen: [...rows.filter(({ id }) => picked.has(id)), ...elsewhere],
    elsewhere,
    changed,
    toggle,
    toggleAll,
    clear: () => setPicked(new Map()),
  };
}

import { useEffect, useRef, useState } from 'react';
import type { WaitingPayout } from './rows.ts';

/** The button of a row that shows it, to which the keys move the focus. */
const opener = (id: string): HTMLElement | null =>
  document.querySelector(`[data-row="${CSS.escape(id)}"] .row-open`);

const nearest = { block: 'nearest' } as const;

/**
 * The payout of the queue that is shown: the first one until the reader chooses another. When it leaves the list, the one
 * in its place is shown, and gets the focus where the focus was on it.
 */
export function useActive(rows: readonly WaitingPayout[]) {
  const [chosen, choose] = useState<{ readonly id: string; readonly place: number } | null>(null);
  const at = rows.findIndex(({ id }) => id === chosen?.id);
  const place = at >= 0 ? at : Math.min(chosen?.place ?? 0, rows.length - 1);
  const active = rows[place] ?? null;
  if (active !== null && (active.id !== chosen?.id || place !== chosen.place)) {
    choose({ id: active.id, place });
  }

  const id = active?.id ?? null;
  const before = useRef(id);
  useEffect(() => {
    const left = before.current !== null && before.current !== id;
    before.current = id;
    // The focus falls to the page when the row that had it is gone.
    if (left && id !== null && document.activeElement === document.body) opener(id)?.focus();
  }, [id]);

  const show = (next: WaitingPayout) => {
    choose({ id: next.id, place: rows.indexOf(next) });
    // On a narrow window the facts stand below the list.
    requestAnimationFrame(() => document.querySelector('.details')?.scrollIntoView(nearest));
  };
  const step = (by: 1 | -1) => {
    const to = Math.max(0, Math.min(place + by, rows.length - 1));
    const next = rows[to];
    if (next === undefined) return;
    choose({ id: next.id, place: to });
    opener(next.id)?.focus();
  };
  return { active, show, step };
}

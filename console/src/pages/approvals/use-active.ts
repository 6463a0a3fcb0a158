import { useEffect, useRef, useState } from 'react';
import type { Waiting } from './rows.ts';

/** The button of a row that shows it, to which the keys move the focus. */
const opener = (id: string): HTMLElement | null =>
  document.querySelector(`[data-row="${CSS.escape(id)}"] .row-open`);

const nearest = { block: 'nearest' } as const;

/**
 * The payout of the queue that is shown: the first one until the reader chooses another. When it leaves the list, the one
 * in its place is shown, and gets the focus where the focus was on it.
 */
export function useActive(rows: readonly Waiting[]) {
  const [id, setId] = useState<string | null>(null);
  const place = useRef(0);
  const at = rows.findIndex((row) => row.id === id);
  const active = rows[at >= 0 ? at : Math.min(place.current, rows.length - 1)] ?? null;

  useEffect(() => {
    if (at >= 0) {
      place.current = at;
      return;
    }
    if (id === null || active === null) return;
    setId(active.id);
    if (document.activeElement === document.body) opener(active.id)?.focus();
  }, [active, at, id]);

  const show = (next: Waiting) => {
    setId(next.id);
    // On a narrow window the facts stand below the list.
    requestAnimationFrame(() => document.querySelector('.details')?.scrollIntoView(nearest));
  };
  const step = (by: 1 | -1) => {
    const from = rows.findIndex((row) => row.id === active?.id);
    const next = rows[Math.max(0, Math.min(from + by, rows.length - 1))];
    if (next === undefined) return;
    setId(next.id);
    opener(next.id)?.focus();
  };
  return { active, show, step };
}

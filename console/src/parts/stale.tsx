import { useEffect, useId, useSyncExternalStore } from 'react';
import type { Fault } from '../values/fault.ts';
import { texts } from '../texts/texts.ts';
import { Time } from './time.tsx';

/** Something that is shown although it could not be read anew. */
interface Old {
  readonly readAt: string;
  readonly title: string;
}

const olds = new Map<string, Old>();
const listeners = new Set<() => void>();
let oldest: Old | null = null;

function change(): void {
  oldest = [...olds.values()].toSorted((a, b) => (a.readAt < b.readAt ? -1 : 1))[0] ?? null;
  for (const listener of listeners) listener();
}

/** Says to the page that something on it is as of `readAt`, while a fault keeps it from being read anew. */
export function useStale(readAt: string | null, fault: Fault | null): void {
  const id = useId();
  const title = fault?.title ?? null;
  useEffect(() => {
    if (readAt === null || title === null) return undefined;
    olds.set(id, { readAt, title });
    change();
    return () => {
      olds.delete(id);
      change();
    };
  }, [id, readAt, title]);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The line of a page that says since when what it shows is old, and why; nothing while all of it is fresh. */
export function StaleLine() {
  const old = useSyncExternalStore(subscribe, () => oldest);
  return (
    <div className="stale" role="status">
      {old !== null && (
        <p className="muted small">
          {old.title} {texts.failed.stale} <Time at={old.readAt} />
        </p>
      )}
    </div>
  );
}

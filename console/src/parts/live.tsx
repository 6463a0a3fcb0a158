import { useSyncExternalStore } from 'react';

let said = '';
const listeners = new Set<() => void>();

/** Says something to screen readers, without moving the focus: the outcome of an action, rows that changed. */
export function announce(text: string): void {
  // A region that gets the same text again says nothing, so every second one ends in a space.
  said = said === text ? `${text}\u00a0` : text;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The region in which `announce` speaks; the shell has it once. */
export function LiveRegion() {
  const text = useSyncExternalStore(subscribe, () => said);
  return (
    <div className="hidden" role="status" aria-live="polite">
      {text}
    </div>
  );
}

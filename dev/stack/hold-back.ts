/** Lines that are shown only if they turn out to be needed. */
export interface HeldLines {
  write(text: string): void;
  /** Shows what was held, and everything after it at once. */
  release(): void;
  /** Drops what was held, and shows everything after it at once. */
  forget(): void;
}

/** Holds the lines of a start, which nobody needs to read unless it fails. */
export function holdBack(write: (text: string) => void, hold: boolean): HeldLines {
  let held: string[] | null = hold ? [] : null;
  return {
    write: (text) => {
      if (held === null) write(text);
      else held.push(text);
    },
    release: () => {
      for (const text of held ?? []) write(text);
      held = null;
    },
    forget: () => {
      held = null;
    },
  };
}

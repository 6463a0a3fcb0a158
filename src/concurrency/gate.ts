interface Waiting {
  admit: (admitted: boolean) => void;
  readonly timer: NodeJS.Timeout;
}

export interface GateLimits {
  /** How many may be inside at a time. */
  readonly places: number;
  /** How many may wait for a place; the next is turned away at once. */
  readonly waiting: number;
  /** Milliseconds after which one that waits is turned away. */
  readonly waitMs: number;
}

/**
 * Lets so many in at a time; others wait in their order, not many and not long. Whoever was let in
 * calls `leave` once.
 */
export class Gate {
  readonly #limits: GateLimits;
  readonly #waiting: Waiting[] = [];
  #inside = 0;

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /** Whether nobody is inside. */
  get idle(): boolean {
    return this.#inside === 0;
  }

  /** Whether one more would be turned away at once. */
  get full(): boolean {
    const { places, waiting } = this.#limits;
    return this.#inside >= places && this.#waiting.length >= waiting;
  }

  /** True where a place is free; otherwise it is told later whether there was one in time. */
  enter(): boolean | Promise<boolean> {
    const { places, waiting, waitMs } = this.#limits;
    if (this.#inside < places) {
      this.#inside += 1;
      return true;
    }
    if (this.#waiting.length >= waiting) return false;
    return new Promise((admit) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        admit(false);
      }, waitMs);
      const entry: Waiting = { admit, timer };
      this.#waiting.push(entry);
    });
  }

  /** Gives a place back: to the one that has waited longest. */
  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#inside -= 1;
      return;
    }
    clearTimeout(next.timer);
    next.admit(true);
  }
}

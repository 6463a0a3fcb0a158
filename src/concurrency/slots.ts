interface SlotWaiter {
  readonly holder: string;
  readonly admit: (admitted: boolean) => void;
  readonly timer: NodeJS.Timeout;
}

export interface SlotLimits {
  /** How many slots there are. */
  readonly slots: number;
  /** How many of them one holder may have; all where it is absent. */
  readonly ofHolder?: number;
  /** How many may wait for a slot; the next is turned away at once. */
  readonly waiting: number;
  /** How many of those may be of one holder; all where it is absent. */
  readonly waitingOfHolder?: number;
  /** Milliseconds after which one that waits is turned away. */
  readonly waitMs: number;
}

/** The holder where all slots are one holder's. */
const onlyHolder = '';

/**
 * Limits how many work at a time. Others wait for a slot, and of several holders the one that has the fewest is
 * next; how many may wait, and how long, is limited too. Whoever took a slot calls `leave` once.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #waiting: SlotWaiter[] = [];
  readonly #ofHolder = new Map<string, number>();
  #taken = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Whether no slot is taken. */
  get idle(): boolean {
    return this.#taken === 0;
  }

  /** Whether every slot is taken. */
  get allTaken(): boolean {
    return this.#taken >= this.#limits.slots;
  }

  /** Whether one more would be turned away at once. */
  get full(): boolean {
    return this.allTaken && this.#waiting.length >= this.#limits.waiting;
  }

  /** How many slots a holder has. */
  heldBy(holder: string): number {
    return this.#ofHolder.get(holder) ?? 0;
  }

  isFree(holder = onlyHolder): boolean {
    const { ofHolder = Number.POSITIVE_INFINITY } = this.#limits;
    return !this.allTaken && this.heldBy(holder) < ofHolder;
  }

  /** Takes a slot, even where none is free. */
  take(holder = onlyHolder): void {
    this.#taken += 1;
    this.#ofHolder.set(holder, this.heldBy(holder) + 1);
  }

  /** True where a slot is free, which it takes; otherwise says later whether there was one in time. */
  enter(holder = onlyHolder): boolean | Promise<boolean> {
    if (this.isFree(holder)) {
      this.take(holder);
      return true;
    }
    const { waiting, waitingOfHolder = waiting, waitMs } = this.#limits;
    const ofHolder = this.#waiting.filter((one) => one.holder === holder).length;
    if (this.#waiting.length >= waiting || ofHolder >= waitingOfHolder) return false;
    return new Promise((admit) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        admit(false);
      }, waitMs);
      const entry: SlotWaiter = { holder, admit, timer };
      this.#waiting.push(entry);
    });
  }

  /** The one to be served next: of the holders that have the fewest slots, the one that has waited longest. */
  #next(): SlotWaiter | null {
    let next: SlotWaiter | null = null;
    for (const entry of this.#waiting) {
      if (!this.isFree(entry.holder)) continue;
      if (next === null || this.heldBy(entry.holder) < this.heldBy(next.holder)) next = entry;
    }
    return next;
  }

  /** Gives a slot back, to the next of those that may have it. */
  leave(holder = onlyHolder): void {
    const left = this.heldBy(holder) - 1;
    if (left > 0) this.#ofHolder.set(holder, left);
    else this.#ofHolder.delete(holder);
    this.#taken -= 1;
    const entry = this.#next();
    if (entry === null) return;
    this.#waiting.splice(this.#waiting.indexOf(entry), 1);
    clearTimeout(entry.timer);
    this.take(entry.holder);
    entry.admit(true);
  }
}

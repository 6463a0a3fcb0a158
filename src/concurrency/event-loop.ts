/** Milliseconds after which long work lets other work have the event loop. */
const workMs = 2;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * As `Array.map`, for work that would block the event loop for long: after some milliseconds it goes on
 * in the loop's next turn.
 */
export async function mapInTurns<T, R>(
  items: readonly T[],
  map: (item: T, index: number) => R,
): Promise<R[]> {
  const results: R[] = [];
  let began = performance.now();
  for (const [index, item] of items.entries()) {
    results.push(map(item, index));
    if (performance.now() - began < workMs) continue;
    await nextTurn();
    began = performance.now();
  }
  return results;
}

/** Items of a list that are completed in one turn of the event loop. */
const itemsATurn = 10;

/**
 * A list whose further items come in later turns of the event loop, for GraphQL to complete: a
 * thousand rows with all their fields take it a tenth of a second. Short lists stay as they are.
 */
export function spreadOverTurns<T>(items: readonly T[]): readonly (T | Promise<T>)[] {
  if (items.length <= itemsATurn) return items;
  let turn: Promise<void> = Promise.resolve();
  return items.map((item, index) => {
    if (index < itemsATurn) return item;
    if (index % itemsATurn === 0) turn = turn.then(nextTurn);
    return turn.then(() => item);
  });
}

/** Work of one holder that may be done in one turn of the event loop before the next has to wait. */
const holderMs = 2;

/** For how long after two holders alternated they count as company for each other. */
const companyMs = 1_000;
/** The longest pause of a holder that has company. */
const longestPauseMs = 50;

let latest: Turns | null = null;
let companySince = Number.NEGATIVE_INFINITY;

/** Notes which holder works, to know whether more than one has had work recently. */
function noteTurn(holder: Turns, at: number): void {
  if (latest !== null && latest !== holder) companySince = at;
  latest = holder;
}

/**
 * Divides one holder's work among turns of the event loop. Once the holder has used some milliseconds
 * of a turn, the rest of its work waits for the next turn, and others are served in between. While
 * there are others, it also pauses for as long as its turn took, so that half of the time is theirs.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #began = 0;
  #running = false;
  /** How many of those that wait go on in one turn; doubled while they take little time. */
  #batch = 1;

  /** Undefined where the work may go on at once; otherwise what to wait for. */
  next(): Promise<void> | undefined {
    const at = performance.now();
    noteTurn(this, at);
    if (!this.#running) {
      this.#running = true;
      this.#begin();
      return undefined;
    }
    if (this.#waiting.length === 0 && at - this.#began < holderMs) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #begin(): void {
    this.#began = performance.now();
    setImmediate(() => this.#end());
  }

  #end(): void {
    if (this.#waiting.length === 0) {
      this.#running = false;
      this.#batch = 1;
      return;
    }
    const at = performance.now();
    const took = at - this.#began;
    if (took < holderMs) {
      this.#batch = Math.min(this.#batch * 2, 64);
      this.#goOn();
      return;
    }
    this.#batch = Math.max(1, this.#batch >> 1);
    if (at - companySince > companyMs) this.#goOn();
    else setTimeout(() => this.#goOn(), Math.min(took, longestPauseMs));
  }

  #goOn(): void {
    const batch = this.#waiting.splice(0, this.#batch);
    this.#begin();
    for (const resolve of batch) resolve();
  }
}

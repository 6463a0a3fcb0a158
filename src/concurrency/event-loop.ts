/** Milliseconds of work after which a holder, or a long calculation, lets others have the event loop. */
const workMs = 2;

/** For how long after a holder's short work more of it is expected. */
const companyMs = 1_000;
/** How many times as long as it has worked long work pauses, while others have short work. */
const pauses = 3;
/** The longest such pause. */
const longestPauseMs = 50;

/** The use of the event loop by a holder that had nothing waiting for its turn. */
interface ShortWork {
  readonly holder: Turns | null;
  /** Its latest, by `performance.now()`. */
  at: number;
}

const noWork = (): ShortWork => ({ holder: null, at: Number.NEGATIVE_INFINITY });

/** The latest short work, and the latest of any other holder. */
let latest = noWork();
let latestOfAnother = noWork();

function noteShortWork(holder: Turns, at: number): void {
  if (latest.holder !== holder) {
    latestOfAnother = latest;
    latest = { holder, at };
  }
  latest.at = at;
}

/**
 * Calls `goOn` in a later turn of the event loop. While another holder has short work, it pauses first: a request is
 * a chain of short pieces of work, and each of them would wait for the long work anew.
 * @param holder whose long work goes on; null where that is not known
 */
function later(goOn: () => void, workedMs: number, holder: Turns | null): void {
  const other = latest.holder === holder ? latestOfAnother : latest;
  if (performance.now() - other.at > companyMs) setImmediate(goOn);
  else setTimeout(goOn, Math.min(workedMs * pauses, longestPauseMs));
}

const nextTurn = (workedMs: number): Promise<void> =>
  new Promise((resolve) => later(resolve, workedMs, null));

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
    const workedMs = performance.now() - began;
    if (workedMs < workMs) continue;
    await nextTurn(workedMs);
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
    if (index % itemsATurn === 0) turn = turn.then(() => nextTurn(workMs));
    return turn.then(() => item);
  });
}

/**
 * Divides one holder's work among turns of the event loop. Once the holder has used some milliseconds
 * of a turn, the rest of its work waits for the next turn, and others are served in between. While others
 * have short work, it also pauses for some times as long as its turn took.
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
    if (this.#waiting.length === 0) noteShortWork(this, at);
    if (!this.#running) {
      this.#running = true;
      this.#begin();
      return undefined;
    }
    if (this.#waiting.length === 0 && at - this.#began < workMs) return undefined;
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
    const took = performance.now() - this.#began;
    if (took < workMs) {
      this.#batch = Math.min(this.#batch * 2, 64);
      this.#goOn();
      return;
    }
    this.#batch = Math.max(1, this.#batch >> 1);
    later(() => this.#goOn(), took, this);
  }

  #goOn(): void {
    const batch = this.#waiting.splice(0, this.#batch);
    this.#begin();
    for (const resolve of batch) resolve();
  }
}

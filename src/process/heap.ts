import { setFlagsFromString } from 'node:v8';

/** By how many percent old objects grow before V8 collects them. */
const growth = 60;

/**
 * Keeps the heap of a process small that keeps the same things all its life. By itself V8 lets garbage grow further;
 * with less than this a payout costs a tenth more CPU time (docs/load.md). V8 reads the setting at each collection, and
 * NODE_OPTIONS does not take it.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${growth}`);
}

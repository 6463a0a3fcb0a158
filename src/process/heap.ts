import { setFlagsFromString } from 'node:v8';

/** By how many percent old objects grow before V8 collects them. */
const growth = 45;

/** What V8 reads at each collection; NODE_OPTIONS does not take it. */
export const heapFlag = `--heap-growing-percent=${growth}`;

/**
 * Keeps the heap of a process small that keeps the same things all its life. By itself V8 lets garbage grow further;
 * with 35 a payout costs a twentieth more CPU time (docs/load.md).
 */
export function keepHeapSmall(): void {
  setFlagsFromString(heapFlag);
}

import { setFlagsFromString } from 'node:v8';

/** What V8 reads at each collection; NODE_OPTIONS takes neither. */
export const heapFlags = [
  /**
   * By how many percent old objects grow before V8 collects them. By itself V8 lets garbage grow further; with 35 a payout
   * costs a twentieth more CPU time (docs/load.md).
   */
  '--heap-growing-percent=45',
  /** Objects are moved together only when the process idles: V8 keeps the pages that they leave while it is busy. */
  '--gc-experiment-less-compaction',
] as const;

/** Keeps the heap of a process small that keeps the same things all its life. */
export function keepHeapSmall(): void {
  for (const flag of heapFlags) setFlagsFromString(flag);
}

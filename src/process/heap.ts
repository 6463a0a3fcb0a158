import { setFlagsFromString } from 'node:v8';

/** By how many percent old objects grow before V8 collects them. */
const growth = 35;

/**
 * Keeps the heap of a process small that keeps the same things all its life (docs/load.md). By itself V8 collects when
 * old objects have grown by half or more, and compiles with Maglev what TurboFan compiles again when it stays hot. It
 * reads the first setting at each collection; NODE_OPTIONS takes neither.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${growth}`);
  setFlagsFromString('--no-maglev');
}

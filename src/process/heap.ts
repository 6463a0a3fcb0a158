import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 collect old objects when they have grown by a third. By itself it waits until they have grown by half or
 * more, which is garbage for the most part in a process that keeps the same things all its life; at a fifth a tenth
 * fewer payouts are created in a second (docs/load.md). V8 reads the setting at each collection; NODE_OPTIONS does not
 * take it.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=35');
  setFlagsFromString('--no-maglev');
}

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type CollectGarbage = (options: {
  readonly type: 'major' | 'minor';
  readonly execution: 'sync';
  readonly flavor: 'regular' | 'last-resort';
}) => void;

/** How much the old generation may grow between two collections; V8's own measure is up to 300 %. */
const growthPercent = 50;

/** V8's function, once a process asked for it: there is no other interface to it. */
let collect: CollectGarbage | null = null;

/**
 * Gives back the memory that only the start needed, and keeps the heap near its live size from then
 * on: loading and preparing leave 20 to 70 MB of garbage, which V8 would keep as room to grow. One
 * call takes some 50 ms. For the entry points; nothing else of the process depends on it.
 */
export function settleHeap(): void {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as CollectGarbage;
    setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
  }
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** Bytes of buffers after which the dead ones are collected: some milliseconds of a stream. */
const bytesBetween = 2 * 1_048_576;

/**
 * Makes the function that a stream tells of the bytes that it made. The dead buffers of a stream weigh
 * little in V8's heap and much beside it, so V8 lets a hundred megabytes of them wait; a collection
 * of the young generation takes a millisecond.
 */
export function bufferGarbage(): (bytes: number) => void {
  let made = 0;
  return (bytes) => {
    made += bytes;
    if (made < bytesBetween) return;
    made = 0;
    collect?.({ type: 'minor', execution: 'sync', flavor: 'regular' });
  };
}

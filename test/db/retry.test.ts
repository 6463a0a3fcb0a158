import { expect, it } from 'vitest';
import { retryOnConflict, retryOnError } from '../../src/db/retry.ts';

/** Work that ends as listed, one after another, and counts how often it was done. */
function work<T>(...ends: (T | Error)[]) {
  const state = { done: 0 };
  const run = (): Promise<T> => {
    const end = ends[state.done];
    state.done += 1;
    return end instanceof Error ? Promise.reject(end) : Promise.resolve(end as T);
  };
  return { state, run };
}

it('repeats what another writer overtook, until it is through', async () => {
  const { state, run } = work(null, null, 'through');
  expect(await retryOnConflict(run, 1)).toBe('through');
  expect(state.done).toBe(3);
});

it('gives up after five conflicts', async () => {
  const { state, run } = work(...Array<null>(9).fill(null));
  expect(await retryOnConflict(run)).toBeNull();
  expect(state.done).toBe(5);
});

it('repeats no error as a conflict', async () => {
  const { state, run } = work<null>(new Error('no'));
  await expect(retryOnConflict(run)).rejects.toThrow('no');
  expect(state.done).toBe(1);
});

const transient = (error: unknown) => error instanceof Error && error.message === 'again';

it('repeats an error that is transient, and throws the third', async () => {
  const again = () => new Error('again');
  const first = work<string>(again(), again(), 'done');
  expect(await retryOnError(transient, first.run)).toBe('done');
  const second = work<string>(again(), again(), again(), 'done');
  await expect(retryOnError(transient, second.run)).rejects.toThrow('again');
  expect(second.state.done).toBe(3);
});

it('throws every other error at once', async () => {
  const { state, run } = work<string>(new Error('no'), 'done');
  await expect(retryOnError(transient, run)).rejects.toThrow('no');
  expect(state.done).toBe(1);
});

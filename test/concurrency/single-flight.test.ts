import { expect, it } from 'vitest';
import { SingleFlight } from '../../src/concurrency/single-flight.ts';

/** Work that ends when the test says so. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let begun = 0;
  const begin = (): Promise<string> => {
    begun += 1;
    return promise;
  };
  return { begin, resolve, reject, begun: () => begun };
}

it('does work once for all who want it while it is under way', async () => {
  const flight = new SingleFlight<string>();
  const { begin, resolve, begun } = work();
  const wanted = [flight.do('a', begin), flight.do('a', begin)];
  resolve('done');
  expect(await Promise.all(wanted)).toEqual(['done', 'done']);
  expect(begun()).toBe(1);
  expect(await flight.do('a', () => Promise.resolve('again'))).toBe('again');
});

it('does the work of each key', async () => {
  const flight = new SingleFlight<string>();
  const results = ['a', 'b'].map((key) => flight.do(key, () => Promise.resolve(key)));
  expect(await Promise.all(results)).toEqual(['a', 'b']);
});

it('tells a failure to all who waited for it, and to nobody later', async () => {
  const flight = new SingleFlight<string>();
  const { begin, reject } = work();
  const wanted = [flight.do('a', begin), flight.do('a', begin)];
  reject(new Error('no answer'));
  expect((await Promise.allSettled(wanted)).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ]);
  expect(await flight.do('a', () => Promise.resolve('done'))).toBe('done');
});

import { expect, test } from 'vitest';
import { keptFrom } from '../../rest/look/built.ts';

test('what is made once is kept, and made again after a failure', async () => {
  let calls = 0;
  const make = keptFrom(() => {
    calls += 1;
    return calls === 1 ? Promise.reject(new Error('not there yet')) : Promise.resolve(calls);
  });
  await expect(make()).rejects.toThrow('not there yet');
  expect(await Promise.all([make(), make()])).toEqual([2, 2]);
  expect(await make()).toBe(2);
});

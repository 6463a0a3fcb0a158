import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { expect, it } from 'vitest';
import { createGather } from '../../src/db/gather.ts';

/** Work that is held back until the test lets it go on, and a record of its calls. */
function heldWork(limits: Parameters<typeof createGather<string, string>>[1] = { most: 3 }) {
  const calls: { group: string; items: readonly string[] }[] = [];
  const gates: (() => void)[] = [];
  const gather = createGather<string, string>(async (group, items) => {
    calls.push({ group, items });
    await new Promise<void>((resolve) => gates.push(resolve));
    const bad = items.find((item) => item.startsWith('bad'));
    if (bad !== undefined) throw new Error(`${bad} cannot be done`);
    return items.map((item) => `${item} of ${group}`);
  }, limits);
  /** Lets the call with this number end, once it has begun. */
  const letGo = async (call: number): Promise<void> => {
    while (gates[call] === undefined) await new Promise(setImmediate);
    gates[call]();
  };
  return { calls, gather, letGo };
}

// No call is made by it: the work of these tests needs no database.
const pool = new pg.Pool();

it('does at once what comes alone', async () => {
  const { calls, gather, letGo } = heldWork();
  const one = gather.do(pool, 'a', 'first');
  await letGo(0);
  expect(await one).toBe('first of a');
  expect(calls).toEqual([{ group: 'a', items: ['first'] }]);
});

it('gathers what comes while a call is under way, a bounded number at a time and in order', async () => {
  const { calls, gather, letGo } = heldWork();
  const first = gather.do(pool, 'a', '1');
  while (calls.length === 0) await new Promise(setImmediate);
  const rest = ['2', '3', '4', '5'].map((item) => gather.do(pool, 'a', item));
  for (const call of [0, 1, 2]) await letGo(call);
  expect(await Promise.all([first, ...rest])).toEqual(
    ['1', '2', '3', '4', '5'].map((item) => `${item} of a`),
  );
  expect(calls.map(({ items }) => items)).toEqual([['1'], ['2', '3', '4'], ['5']]);
});

it('keeps items apart that are not to travel together, in their order', async () => {
  const { calls, gather, letGo } = heldWork({ most: 3, apart: (item) => [...item] });
  const wanted = ['a1', 'a2', 'b3', 'c4', 'd5', 'e2'];
  const results = wanted.map((item) => gather.do(pool, 'g', item));
  for (const call of [0, 1, 2]) await letGo(call);
  expect(await Promise.all(results)).toEqual(wanted.map((item) => `${item} of g`));
  // 'e2' comes after 'a2', with which it has the 2 in common.
  expect(calls.map(({ items }) => items)).toEqual([['a1', 'b3', 'c4'], ['a2', 'd5'], ['e2']]);
});

it('lets no group wait for another', async () => {
  const { calls, gather, letGo } = heldWork();
  const slow = gather.do(pool, 'a', 'slow');
  while (calls.length === 0) await new Promise(setImmediate);
  const quick = gather.do(pool, 'b', 'quick');
  await letGo(1);
  expect(await quick).toBe('quick of b');
  await letGo(0);
  expect(await slow).toBe('slow of a');
});

it('does each alone when they fail together, so that only the bad one fails', async () => {
  const gather = createGather<string, string>((_group, items) =>
    items.includes('bad')
      ? Promise.reject(new Error('it cannot be done'))
      : Promise.resolve(items.map((item) => `done ${item}`)),
  );
  const results = await Promise.allSettled(
    ['good', 'bad', 'fine'].map((i) => gather.do(pool, 'a', i)),
  );
  expect(results).toMatchObject([
    { status: 'fulfilled', value: 'done good' },
    { status: 'rejected', reason: { message: 'it cannot be done' } },
    { status: 'fulfilled', value: 'done fine' },
  ]);
  expect(await gather.do(pool, 'a', 'later')).toBe('done later');
});

it('does each alone at the same time, so that none waits for another', async () => {
  const lock = Promise.withResolvers<void>();
  const gather = createGather<string, string>(async (_group, items) => {
    if (items.length > 1) throw new Error('one of them is locked');
    if (items[0] === 'locked') await lock.promise;
    return items;
  });
  const [locked, ...others] = ['locked', 'good', 'fine'].map((item) => gather.do(pool, 'a', item));
  expect(await Promise.all(others)).toEqual(['good', 'fine']);
  lock.resolve();
  expect(await locked).toBe('locked');
});

it('lets nobody wait for long behind a call that hangs', async () => {
  const { gather, letGo } = heldWork();
  const hangs = gather.do(pool, 'a', 'hangs');
  await new Promise(setImmediate);
  const later = gather.do(pool, 'a', 'later');
  await letGo(1);
  expect(await later).toBe('later of a');
  await letGo(0);
  expect(await hangs).toBe('hangs of a');
});

it('repeats nothing of which it is unknown whether it was done', async () => {
  let calls = 0;
  const gather = createGather<string, string>(() => {
    calls += 1;
    return Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNRESET' }));
  });
  const results = await Promise.allSettled(
    ['1', '2', '3'].map((item) => gather.do(pool, 'a', item)),
  );
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(calls).toBe(1);
});

it('works outside of the request or job that happened to come first', async () => {
  const current = new AsyncLocalStorage<string>();
  const gather = createGather<string, string | undefined>((_group, items) =>
    Promise.resolve(items.map(() => current.getStore())),
  );
  expect(await current.run('the first job', () => gather.do(pool, 'a', '1'))).toBeUndefined();
});

it('keeps the items of different pools apart', async () => {
  const calls: (readonly string[])[] = [];
  const gather = createGather<string, string>(async (_group, items) => {
    calls.push(items);
    return items;
  });
  await Promise.all([gather.do(pool, 'a', 'mine'), gather.do(new pg.Pool(), 'a', 'theirs')]);
  expect(calls).toEqual([['mine'], ['theirs']]);
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reserveQuota, reserveWholeQuota } from '../../src/access/rate-limit/store.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const windowSeconds = 60;
const end = (scope: string) =>
  database.pool.query('UPDATE rate_limit SET expires_at = now() WHERE scope = $1', [scope]);

describe('a whole call', () => {
  const ask = async (scope: string, units: number) => {
    const grant = await reserveWholeQuota(database.pool, scope, { quota: 5, windowSeconds, units });
    return [grant.granted, grant.remaining];
  };

  it('may use up a new window exactly, and takes nothing where it is one too many', async () => {
    expect(await ask('new', 6)).toEqual([0, 5]);
    expect(await ask('new', 5)).toEqual([5, 0]);
    expect(await ask('new', 1)).toEqual([0, 0]);
    expect(await ask('another', 5)).toEqual([5, 0]);
  });

  it('may use up the rest exactly', async () => {
    expect(await ask('rest', 2)).toEqual([2, 3]);
    expect(await ask('rest', 4)).toEqual([0, 3]);
    expect(await ask('rest', 3)).toEqual([3, 0]);
  });

  it('begins again when the window is over, to its last unit', async () => {
    expect(await ask('over', 5)).toEqual([5, 0]);
    await end('over');
    expect(await ask('over', 6)).toEqual([0, 5]);
    await end('over');
    expect(await ask('over', 5)).toEqual([5, 0]);
  });
});

describe('single uses', () => {
  const ask = async (scope: string, needed: number) => {
    const asked = { quota: 5, windowSeconds, needed, wanted: needed };
    const grant = await reserveQuota(database.pool, scope, asked);
    return [grant.granted, grant.remaining];
  };

  it('get what there is, down to the last, and nothing beyond', async () => {
    expect(await ask('one', 5)).toEqual([5, 0]);
    expect(await ask('one', 1)).toEqual([0, 0]);
    expect(await ask('part', 4)).toEqual([4, 1]);
    expect(await ask('part', 2)).toEqual([1, 0]);
    expect(await ask('more', 9)).toEqual([5, 0]);
    await end('more');
    expect(await ask('more', 9)).toEqual([5, 0]);
  });
});

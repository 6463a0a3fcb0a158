import { describe, expect, it } from 'vitest';
import { createFairShare, type ShareEntry } from '../../src/concurrency/fair-share.ts';

/** The share of half of the slots for each tenant, with a clock that the test moves. */
function shareAt(slots: number) {
  let now = 0;
  const limits = { slots, ofTenant: Math.max(1, Math.floor(slots / 2)) };
  const { enter } = createFairShare(limits, () => now);
  const pass = (ms: number) => void (now += ms);
  /** Makes the server known as one that takes so long, by one job or more. */
  const learn = (ms: number, jobs = 1) => {
    for (let job = 0; job < jobs; job += 1) {
      const leave = granted(enter('first'));
      pass(ms);
      leave();
    }
  };
  return { enter, pass, learn };
}

function granted(entry: ShareEntry): (tookMs?: number | null) => void {
  if (!entry.granted) throw new Error('put off');
  return entry.leave;
}

function waitOf(entry: ShareEntry): number {
  if (entry.granted) throw new Error('granted');
  return entry.waitMs;
}

describe('a fair share', () => {
  it('bounds nobody while the server answers quickly', () => {
    const share = shareAt(10);
    share.learn(100);
    for (let job = 0; job < 10; job += 1) granted(share.enter('a'));
  });

  it('gives no tenant more than half of the slots of a slow server', () => {
    const share = shareAt(10);
    share.learn(4_000);
    const taken = Array.from({ length: 5 }, () => granted(share.enter('a')));
    expect(share.enter('a').granted).toBe(false);
    expect(share.enter('b').granted).toBe(true);
    taken[0]?.();
    expect(share.enter('a').granted).toBe(true);
  });

  it('bounds nobody again once the server is quick', () => {
    const share = shareAt(2);
    share.learn(4_000);
    share.learn(10, 10);
    granted(share.enter('a'));
    granted(share.enter('a'));
  });

  it('bounds nobody for a single slow answer among quick ones', () => {
    const share = shareAt(2);
    share.learn(50, 20);
    share.learn(1_000);
    granted(share.enter('a'));
    granted(share.enter('a'));
  });

  it('learns how long the server took, and not how long the job waited for anything else', () => {
    const share = shareAt(2);
    for (let job = 0; job < 20; job += 1) {
      const leave = granted(share.enter('a'));
      share.pass(4_000);
      leave(job % 2 === 0 ? 10 : null);
    }
    granted(share.enter('a'));
    granted(share.enter('a'));
  });

  it('learns of a slow server, however short the rest of the job is', () => {
    const share = shareAt(2);
    granted(share.enter('a'))(4_000);
    granted(share.enter('a'));
    expect(share.enter('a').granted).toBe(false);
  });

  it('stops no worker that has a single slot', () => {
    const share = shareAt(1);
    share.learn(4_000);
    granted(share.enter('a'))();
    granted(share.enter('a'))();
  });

  it("hands out the times one after the other, at the server's pace", () => {
    const share = shareAt(10);
    share.learn(16_000); // an average of two seconds: five slots make one time each 400 ms
    for (let job = 0; job < 5; job += 1) granted(share.enter('a'));
    const waits = Array.from({ length: 4 }, () => waitOf(share.enter('a')));
    expect(waits).toEqual([200, 600, 1_000, 1_400]);
    share.pass(400);
    expect(waitOf(share.enter('a'))).toBe(1_400);
  });

  it('waits five minutes at most, and spreads those who would wait longer', () => {
    const share = shareAt(2);
    share.learn(80_000);
    granted(share.enter('a'));
    const waits = Array.from({ length: 1_000 }, () => waitOf(share.enter('a')));
    expect(Math.max(...waits)).toBeLessThanOrEqual(300_000);
    const late = waits.slice(31);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(150_000);
    expect(new Set(late).size).toBeGreaterThan(900);
  });
});

/** Half of sixteen slots, of which a tenant may have half, after a job that took four seconds. */
function halfOfASlowServer() {
  const share = createFairShare({ slots: 8, ofTenant: 4 }, () => 0);
  const first = share.enter('first');
  if (first.granted) first.leave(4_000);
  const granted = (tenantId: string, times: number): ShareEntry[] =>
    Array.from({ length: times }, () => share.enter(tenantId)).filter((entry) => entry.granted);
  return { share, granted };
}

it("one tenant's thousands leave another's job its slot, and all jobs half of the slots", () => {
  const { granted } = halfOfASlowServer();
  expect(granted('many', 4_000)).toHaveLength(4);
  expect(granted('one', 1)).toHaveLength(1);
  expect(granted('two', 4_000)).toHaveLength(3);
});

it('a slot that is left is free again', () => {
  const { granted, share } = halfOfASlowServer();
  const [taken] = granted('many', 10);
  const refused = share.enter('many');
  expect(refused).toMatchObject({ granted: false, waitMs: expect.any(Number) });
  if (taken?.granted === true) taken.leave();
  expect(granted('many', 10)).toHaveLength(1);
});

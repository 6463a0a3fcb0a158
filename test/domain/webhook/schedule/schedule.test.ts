import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  defaultDelays,
  longestWait,
  nextAttempt,
} from '../../../../src/domain/webhook/schedule/schedule.ts';

const now = new Date('2026-11-21T12:00:00Z');
const middle = (): number => 0.5;

function waitSeconds(at: Date | null): number | null {
  return at === null ? null : (at.getTime() - now.getTime()) / 1_000;
}

describe('nextAttempt', () => {
  it('waits 30 s, 2 m, 10 m, 30 m, 1 h, 2 h and 4 h, and gives up after the eighth failure', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) =>
      waitSeconds(nextAttempt({ attempt, now, retryAfterMs: null, random: middle })),
    );
    expect(waits).toEqual([30, 120, 600, 1_800, 3_600, 7_200, 14_400, null]);
  });

  it('spreads the delay by 20 % either way', () => {
    const attempt = { attempt: 2, now, retryAfterMs: null };
    expect(waitSeconds(nextAttempt({ ...attempt, random: () => 0 }))).toBe(96);
    expect(waitSeconds(nextAttempt({ ...attempt, random: () => 1 - 2 ** -53 }))).toBe(144);
  });

  it('stays within 20 % with the real random numbers', () => {
    for (let repeat = 0; repeat < 200; repeat += 1) {
      const wait = waitSeconds(nextAttempt({ attempt: 1, now, retryAfterMs: null }));
      expect(wait).toBeGreaterThanOrEqual(24);
      expect(wait).toBeLessThanOrEqual(36);
    }
  });

  it.each([
    ['more than the delay', 45_000, 45],
    ['exactly twice the delay', 60_000, 60],
    ['more than twice the delay', 60_001, 30],
    ['less than the delay', 1_000, 30],
    ['nothing', 0, 30],
  ])('treats a Retry-After of %s', (_text, retryAfterMs, expected) => {
    const at = nextAttempt({ attempt: 1, now, retryAfterMs, random: middle });
    expect(waitSeconds(at)).toBe(expected);
  });

  it('makes one attempt more than it has delays', () => {
    const delays = [0.5, 2];
    const waits = [1, 2, 3].map((attempt) =>
      waitSeconds(nextAttempt({ attempt, now, retryAfterMs: null, delays, random: middle })),
    );
    expect(waits).toEqual([0.5, 2, null]);
  });

  it('never lets a Retry-After revive what is given up, or shorten a wait', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.option(fc.nat(), { nil: null }),
        random,
        (attempt, retryAfterMs, drawn) => {
          const options = { attempt, now, random: () => drawn };
          const asked = waitSeconds(nextAttempt({ ...options, retryAfterMs }));
          const plain = waitSeconds(nextAttempt({ ...options, retryAfterMs: null }));
          expect(asked === null).toBe(attempt > defaultDelays.length);
          expect(plain === null).toBe(attempt > defaultDelays.length);
          expect(asked ?? 0).toBeGreaterThanOrEqual(plain ?? 0);
          expect(asked ?? 0).toBeLessThanOrEqual(2 * (defaultDelays[attempt - 1] ?? 0));
        },
      ),
    );
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses attempt %d', (attempt) => {
    expect(() => nextAttempt({ attempt, now, retryAfterMs: null })).toThrow(RangeError);
  });
});

describe('longestWait', () => {
  it('is what no wait exceeds, whatever the answers ask for', () => {
    expect(longestWait(defaultDelays)).toBe(28_800);
    expect(longestWait([])).toBe(0);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.option(fc.integer({ min: 0, max: 100_000_000 })),
        (attempt, retryAfterMs) => {
          const wait = waitSeconds(nextAttempt({ attempt, now, retryAfterMs }));
          expect(wait).toBeLessThanOrEqual(longestWait(defaultDelays));
        },
      ),
    );
  });
});

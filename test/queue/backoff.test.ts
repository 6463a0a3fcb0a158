import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { backoffMs } from '../../src/queue/backoff.ts';

const delays = [2, 5, 15, 60, 300];
const now = new Date('2026-11-21T12:00:00Z');

beforeEach(() => void vi.useFakeTimers({ now }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The pause without its spread. */
function pauseAt(ageSeconds: number, of: readonly number[] = delays): number {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  return backoffMs(new Date(now.getTime() - ageSeconds * 1_000), of) / 1_000;
}

it.each([
  [-60, 2],
  [0, 2],
  [1.9, 2],
  [2, 5],
  [6.9, 5],
  [7, 15],
  [22, 60],
  [82, 300],
  [86_400, 300],
])('after %d seconds waits %d', (age, pause) => {
  expect(pauseAt(age)).toBeCloseTo(pause);
});

it('never waits longer than five minutes, but for the spread', () => {
  expect(pauseAt(0, [3_600])).toBeCloseTo(300);
});

it('makes few tries in a day, whatever keeps the outcome from being known', () => {
  let tries = 0;
  for (let age = 0; age < 86_400; age += pauseAt(age)) tries += 1;
  expect(tries).toBeLessThan(300);
});

it('spreads by a tenth each way', () => {
  const pauses = Array.from({ length: 500 }, () => backoffMs(now, [100]));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(90_000);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(110_000);
  expect(new Set(pauses).size).toBeGreaterThan(400);
});

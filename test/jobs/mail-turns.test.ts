import { expect, it } from 'vitest';
import { createMailTurns } from '../../jobs/mail-turns.ts';
import type { Turn } from '../../src/concurrency/turns.ts';

/** Turns of sixteen slots with a clock that the test moves, after a mail that took a second. */
function slowServer() {
  let at = 0;
  const turns = createMailTurns(16, () => at);
  const first = turns.enter('first');
  at += 1_000;
  if (first.granted) first.leave();
  const granted = (tenantId: string, times: number): Turn[] =>
    Array.from({ length: times }, () => turns.enter(tenantId)).filter((turn) => turn.granted);
  return { turns, granted };
}

it("one tenant's thousands leave another's mail its place, and all mails half of the slots", () => {
  const { granted } = slowServer();
  expect(granted('many', 4_000)).toHaveLength(4);
  expect(granted('one', 1)).toHaveLength(1);
  expect(granted('two', 4_000)).toHaveLength(3);
});

it('a place that is left is free again', () => {
  const { granted, turns } = slowServer();
  const [taken] = granted('many', 10);
  const refused = turns.enter('many');
  expect(refused).toMatchObject({ granted: false, waitMs: expect.any(Number) });
  if (taken?.granted === true) taken.leave();
  expect(granted('many', 10)).toHaveLength(1);
});

it('a quick server bounds nobody', () => {
  const turns = createMailTurns(16, () => 0);
  const all = Array.from({ length: 100 }, () => turns.enter('many').granted);
  expect(all).not.toContain(false);
});

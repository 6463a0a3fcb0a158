import { expect, test } from 'vitest';
import type { Recall } from '../../../../src/domain/webhook/schedule/lane.ts';
import { createLanes, type LaneEntry } from '../../../../src/domain/webhook/schedule/lanes.ts';

const start = 1_800_000_000_000;

function lanesAt(slots: number) {
  let now = start;
  const lanes = createLanes(slots, () => now);
  return { enter: lanes.enter, pass: (ms: number) => void (now += ms) };
}
type TestLanes = ReturnType<typeof lanesAt>;

function granted(entry: LaneEntry) {
  if (!entry.granted) throw new Error('refused');
  const leave = (tookMs: number | null, delivered = true): Recall | null =>
    entry.leave(tookMs === null ? null : { tookMs, delivered });
  return Object.assign(leave, { giveSlotBack: entry.giveSlotBack });
}

function waitOf(entry: LaneEntry): number {
  if (entry.granted) throw new Error('granted');
  return entry.waitMs;
}

/** Makes a tenant known by one answer: 100 ms were assumed, and the answer counts for half. */
function answer(lanes: TestLanes, tenantId: string, tookMs: number): void {
  granted(lanes.enter(tenantId))(tookMs);
}

/** How many the tenant can have at a time, all of which it then has. */
function fill(lanes: TestLanes, tenantId: string): number {
  let count = 0;
  while (lanes.enter(tenantId).granted) count += 1;
  return count;
}

test('an endpoint that has not answered yet has one attempt', () => {
  expect(fill(lanesAt(12), 'a')).toBe(1);
});

test('however many come before its first answer, all come again soon, one after the other', () => {
  const lanes = lanesAt(12);
  granted(lanes.enter('a'))(null); // its subscription was disabled, so nobody asked the endpoint
  granted(lanes.enter('a'));
  const waits = Array.from({ length: 400 }, () => waitOf(lanes.enter('a')));
  expect(waits.slice(0, 3)).toEqual([200, 205, 210]);
  expect(waits.at(-1)).toBe(200 + 399 * 5);
});

test('the first answer of a quick endpoint forgets the times that were handed out before it', () => {
  const lanes = lanesAt(1);
  const leave = granted(lanes.enter('a'));
  for (let n = 0; n < 400; n += 1) lanes.enter('a');
  leave(10);
  granted(lanes.enter('a'));
  expect(waitOf(lanes.enter('a'))).toBe(200);
});

test('an attempt that takes long is known as such, though it has to keep its slot', () => {
  const lanes = lanesAt(1);
  for (let n = 0; n < 10; n += 1) granted(lanes.enter(`hanging ${n}`)).giveSlotBack();
  const last = granted(lanes.enter('a'));
  expect(last.giveSlotBack()).toBe(false);
  const waits = [waitOf(lanes.enter('a')), waitOf(lanes.enter('a'))];
  expect((waits[1] ?? 0) - (waits[0] ?? 0)).toBeGreaterThan(1_000);
});

test.each([
  ['at once', 20, 12],
  ['within a second', 300, 6],
  ['slowly', 15_000, 1],
])('an endpoint that answers %s has its share of the slots', (_how, tookMs, share) => {
  const lanes = lanesAt(12);
  answer(lanes, 'a', tookMs);
  expect(fill(lanes, 'a')).toBe(share);
});

test('endpoints that are slow or unknown have half of the slots together', () => {
  const lanes = lanesAt(12);
  answer(lanes, 'fast', 10);
  for (const tenant of ['a', 'b', 'c', 'd']) answer(lanes, tenant, 15_000);
  for (const tenant of ['a', 'b', 'c', 'd', 'new', 'newer']) {
    expect(lanes.enter(tenant).granted).toBe(true);
  }
  expect(lanes.enter('newest').granted).toBe(false);
  expect(fill(lanes, 'fast')).toBe(12);
});

test('a long attempt gives its slot back, and its endpoint is slow from then on', () => {
  const lanes = lanesAt(4);
  answer(lanes, 'a', 10);
  const long = granted(lanes.enter('a'));
  expect(long.giveSlotBack()).toBe(true);
  expect(lanes.enter('a').granted).toBe(false);
  for (const tenant of ['b', 'c', 'd', 'e', 'f']) {
    expect(granted(lanes.enter(tenant)).giveSlotBack()).toBe(true);
  }
  expect(lanes.enter('g').granted).toBe(true);
  long(15_000);
  expect(fill(lanes, 'a')).toBe(1);
});

test('attempts without a slot are ten for each slot', () => {
  const lanes = lanesAt(2);
  const given = Array.from({ length: 20 }, (_, n) => {
    const attempt = granted(lanes.enter(`t${n}`));
    expect(attempt.giveSlotBack()).toBe(true);
    return attempt;
  });
  const next = granted(lanes.enter('next'));
  expect(next.giveSlotBack()).toBe(false);
  given[0]?.(15_000);
  expect(next.giveSlotBack()).toBe(true);
});

test('an endpoint that answers quickly again leaves the slow lane', () => {
  const lanes = lanesAt(12);
  answer(lanes, 'a', 15_000);
  for (let attempt = 0; attempt < 4; attempt += 1) answer(lanes, 'a', 20);
  expect(fill(lanes, 'a')).toBe(6);
});

test('an endpoint that only fails has one attempt until it takes something', () => {
  const lanes = lanesAt(12);
  for (let attempt = 0; attempt < 5; attempt += 1) granted(lanes.enter('a'))(5, false);
  const leave = granted(lanes.enter('a'));
  expect(waitOf(lanes.enter('a'))).toBe(200);
  expect(waitOf(lanes.enter('a'))).toBe(300); // not at the pace of its refusals
  expect(fill(lanes, 'b')).toBe(1);
  leave(5, true);
  expect(fill(lanes, 'a')).toBe(12);
});

test('what was not sent says nothing about the endpoint', () => {
  const lanes = lanesAt(12);
  answer(lanes, 'a', 15_000);
  for (let attempt = 0; attempt < 10; attempt += 1) granted(lanes.enter('a'))(null);
  expect(fill(lanes, 'a')).toBe(1);
});

test('who is refused comes again one after the other, however many there are', () => {
  const lanes = lanesAt(10);
  answer(lanes, 'a', 15_000); // 7,550 ms on average
  granted(lanes.enter('a'));
  const waits = Array.from({ length: 100_000 }, () => waitOf(lanes.enter('a')));
  expect(waits.slice(0, 3)).toEqual([200, 7_750, 15_300]);
  expect(waits.at(-1)).toBe(200 + 99_999 * 7_550);
  lanes.pass(60_000);
  expect(waitOf(lanes.enter('a'))).toBe(200 + 100_000 * 7_550 - 60_000);
  expect(lanes.enter('b').granted).toBe(true);
});

test('a replay has half of its tenant’s share, the others all of it', () => {
  const lanes = lanesAt(16);
  answer(lanes, 'a', 10);
  let replays = 0;
  while (lanes.enter('a', true).granted) replays += 1;
  expect(replays).toBe(8);
  expect(fill(lanes, 'a')).toBe(8);
});

test('replays of all tenants have half of the slots', () => {
  const lanes = lanesAt(12);
  for (const tenant of ['a', 'b', 'c']) answer(lanes, tenant, 300); // six at a time, three replays
  let replays = 0;
  for (const tenant of ['a', 'b', 'c']) while (lanes.enter(tenant, true).granted) replays += 1;
  expect(replays).toBe(6);
  expect(lanes.enter('new').granted).toBe(true);
});

test('a replay waits behind the others that wait, and delays none of them', () => {
  const lanes = lanesAt(12);
  answer(lanes, 'a', 15_000); // 7,550 ms on average
  const leave = granted(lanes.enter('a', true));
  expect(waitOf(lanes.enter('a', true))).toBe(200);
  expect(waitOf(lanes.enter('a', true))).toBe(7_750);
  // Another one is not put behind the replays.
  expect(waitOf(lanes.enter('a'))).toBe(200);
  leave(15_000);
  // Its time is still to come, so the slot is kept for it.
  expect(waitOf(lanes.enter('a', true))).toBeGreaterThan(7_750);
  expect(lanes.enter('a').granted).toBe(true);
  lanes.pass(200);
  expect(lanes.enter('a', true).granted).toBe(false);
});

test('an endpoint that became fast has its old queue called back, at its new pace', () => {
  const lanes = lanesAt(10);
  answer(lanes, 'a', 15_000);
  const leave = granted(lanes.enter('a'));
  for (let n = 0; n < 1_000; n += 1) lanes.enter('a');
  expect(leave(2_450)).toBeNull(); // 5,000 ms on average
  expect(granted(lanes.enter('a'))(1_000)).toBeNull();
  expect(granted(lanes.enter('a'))(1_000)).toBeNull();
  expect(granted(lanes.enter('a'))(0)).toEqual({ most: 300, paceMs: 200 }); // 1,000 ms, five slots
  expect(granted(lanes.enter('a'))(0)).toBeNull();
  lanes.pass(60_000);
  expect(granted(lanes.enter('a'))(0, false)).toBeNull();
  expect(granted(lanes.enter('a'))(0)).toEqual({ most: 2_400, paceMs: 25 });
});

test('nothing is called back into a queue that is longer than a minute', () => {
  const lanes = lanesAt(1);
  answer(lanes, 'a', 100);
  const leave = granted(lanes.enter('a'));
  for (let n = 0; n < 700; n += 1) lanes.enter('a'); // 100 ms each
  expect(leave(100)).toBeNull();
});

test('one worker with one slot still sends, replays too', () => {
  const lanes = lanesAt(1);
  answer(lanes, 'a', 15_000);
  const leave = granted(lanes.enter('a'));
  leave(15_000);
  expect(lanes.enter('a', true).granted).toBe(true);
});

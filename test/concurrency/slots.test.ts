import { describe, expect, it } from 'vitest';
import { Slots } from '../../src/concurrency/slots.ts';

const patient = { slots: 2, waiting: 2, waitMs: 60_000 };

describe('slots', () => {
  it('are taken by as many as there are, and then by others in their order', async () => {
    const slots = new Slots(patient);
    expect([slots.enter(), slots.enter()]).toEqual([true, true]);
    const order: string[] = [];
    const third = Promise.resolve(slots.enter()).then(() => order.push('third'));
    const fourth = Promise.resolve(slots.enter()).then(() => order.push('fourth'));
    await Promise.resolve();
    expect(order).toEqual([]);
    slots.leave();
    await third;
    slots.leave();
    await fourth;
    expect(order).toEqual(['third', 'fourth']);
  });

  it('turn away at once who finds too many waiting', async () => {
    const slots = new Slots({ ...patient, slots: 1, waiting: 1 });
    expect(slots.enter()).toBe(true);
    expect(slots.full).toBe(false);
    const second = slots.enter();
    expect(slots.full).toBe(true);
    expect(slots.enter()).toBe(false);
    slots.leave();
    expect(await second).toBe(true);
  });

  it('turn away who waits too long, and then go to the next', async () => {
    const slots = new Slots({ slots: 1, waiting: 2, waitMs: 5 });
    expect(slots.enter()).toBe(true);
    expect(await slots.enter()).toBe(false);
    const next = slots.enter();
    slots.leave();
    expect(await next).toBe(true);
    slots.leave();
    expect(slots.idle).toBe(true);
    expect(slots.enter()).toBe(true);
  });

  it('go in turn to those who have the fewest, and few of one holder wait', async () => {
    const slots = new Slots({ slots: 2, waiting: 4, waitingOfHolder: 2, waitMs: 60_000 });
    expect([slots.enter('a'), slots.enter('a')]).toEqual([true, true]);
    const order: string[] = [];
    const wait = (holder: string) =>
      Promise.resolve(slots.enter(holder)).then(() => order.push(holder));
    const waiting = [wait('a'), wait('a')];
    expect(slots.enter('a')).toBe(false);
    waiting.push(wait('b'), wait('c'));
    expect(slots.enter('d')).toBe(false);
    for (const holder of ['a', 'a', 'b', 'c']) slots.leave(holder);
    await Promise.all(waiting);
    expect(order).toEqual(['b', 'a', 'c', 'a']);
  });

  it('leave some to others than the one holder, who waits and is passed over', async () => {
    const slots = new Slots({ ...patient, slots: 3, ofHolder: 2 });
    expect([slots.enter('a'), slots.enter('a'), slots.isFree('a')]).toEqual([true, true, false]);
    const order: string[] = [];
    const third = Promise.resolve(slots.enter('a')).then(() => order.push('a'));
    expect(slots.enter('b')).toBe(true);
    const other = Promise.resolve(slots.enter('b')).then(() => order.push('b'));
    slots.leave('b');
    await other;
    slots.leave('a');
    await third;
    expect(order).toEqual(['b', 'a']);
    expect([slots.heldBy('a'), slots.heldBy('b')]).toEqual([2, 1]);
  });
});

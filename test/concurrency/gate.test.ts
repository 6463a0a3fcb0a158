import { describe, expect, it } from 'vitest';
import { Gate } from '../../src/concurrency/gate.ts';

const patient = { places: 2, waiting: 2, waitMs: 60_000 };

describe('a gate', () => {
  it('lets as many in as there are places, and others in their order', async () => {
    const gate = new Gate(patient);
    expect([gate.enter(), gate.enter()]).toEqual([true, true]);
    const order: string[] = [];
    const third = Promise.resolve(gate.enter()).then(() => order.push('third'));
    const fourth = Promise.resolve(gate.enter()).then(() => order.push('fourth'));
    await Promise.resolve();
    expect(order).toEqual([]);
    gate.leave();
    await third;
    gate.leave();
    await fourth;
    expect(order).toEqual(['third', 'fourth']);
  });

  it('turns away at once who finds too many waiting', async () => {
    const gate = new Gate({ ...patient, places: 1, waiting: 1 });
    expect(gate.enter()).toBe(true);
    expect(gate.full).toBe(false);
    const second = gate.enter();
    expect(gate.full).toBe(true);
    expect(gate.enter()).toBe(false);
    gate.leave();
    expect(await second).toBe(true);
  });

  it('turns away who waits too long, and then gives the place to the next', async () => {
    const gate = new Gate({ places: 1, waiting: 2, waitMs: 5 });
    expect(gate.enter()).toBe(true);
    expect(await gate.enter()).toBe(false);
    const next = gate.enter();
    gate.leave();
    expect(await next).toBe(true);
    gate.leave();
    expect(gate.idle).toBe(true);
    expect(gate.enter()).toBe(true);
  });
});

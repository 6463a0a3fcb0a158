import { describe, expect, it } from 'vitest';
import { takeSlot, trySlot } from '../../../src/domain/export/slots.ts';

describe('takeSlot', () => {
  it('lets a business that holds all its places wait until one is given back', async () => {
    const held = [
      await takeSlot('ten_a', 100),
      await takeSlot('ten_a', 100),
      await takeSlot('ten_a', 100),
    ];
    let entered = false;
    const waiting = takeSlot('ten_a', 100).then((giveBack) => {
      entered = true;
      return giveBack;
    });
    const other = await takeSlot('ten_b', 100);
    expect(entered).toBe(false);
    held.pop()?.();
    (await waiting)();
    expect(entered).toBe(true);
    for (const giveBack of [...held, other]) giveBack();
  });

  it('leaves half of the places to other businesses', async () => {
    const held = [await takeSlot('ten_a', 16), await takeSlot('ten_a', 16)];
    let entered = false;
    const waiting = takeSlot('ten_a', 16).then((giveBack) => {
      entered = true;
      return giveBack;
    });
    const others = [await takeSlot('ten_b', 16), trySlot('ten_c', 16)];
    expect([entered, typeof others[1]]).toEqual([false, 'function']);
    for (const giveBack of [...held, ...others]) giveBack?.();
    (await waiting)();
  });

  it('leaves three quarters of the pool to everything else', async () => {
    const held = [
      await takeSlot('ten_a', 12),
      await takeSlot('ten_b', 12),
      await takeSlot('ten_c', 12),
    ];
    let entered = false;
    const waiting = takeSlot('ten_d', 12).then((giveBack) => {
      entered = true;
      return giveBack;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(entered).toBe(false);
    held.pop()?.();
    (await waiting)();
    for (const giveBack of held) giveBack();
    (await takeSlot('ten_d', 12))();
  });
});

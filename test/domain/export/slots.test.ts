import { describe, expect, it } from 'vitest';
import { takeDownloadSlot, tryFileSlot } from '../../../src/domain/export/slots.ts';
import { loadConfig } from '../../../src/process/config.ts';

/** A process with so many connections, and a way to have a tenant ask it for slots. */
function processWith(connections: number) {
  const config = loadConfig({ NODE_ENV: 'test', DATABASE_POOL_SIZE: String(connections) });
  const caller = (tenantId: string) => ({ scope: { tenantId }, services: { config } });
  return {
    takeSlot: (tenantId: string) => takeDownloadSlot(caller(tenantId)),
    trySlot: (tenantId: string) => tryFileSlot(caller(tenantId)),
  };
}

describe('a slot of an export', () => {
  it('lets a business that holds all its places wait until one is given back', async () => {
    const { takeSlot } = processWith(100);
    const held = [await takeSlot('ten_a'), await takeSlot('ten_a'), await takeSlot('ten_a')];
    let entered = false;
    const waiting = takeSlot('ten_a').then((giveBack) => {
      entered = true;
      return giveBack;
    });
    const other = await takeSlot('ten_b');
    expect(entered).toBe(false);
    held.pop()?.();
    (await waiting)();
    expect(entered).toBe(true);
    for (const giveBack of [...held, other]) giveBack();
  });

  it('leaves half of the places to other businesses', async () => {
    const { takeSlot } = processWith(16);
    const held = [await takeSlot('ten_a'), await takeSlot('ten_a')];
    let entered = false;
    const waiting = takeSlot('ten_a').then((giveBack) => {
      entered = true;
      return giveBack;
    });
    const others = [await takeSlot('ten_b'), await takeSlot('ten_c')];
    expect(entered).toBe(false);
    for (const giveBack of [...held, ...others]) giveBack();
    (await waiting)();
  });

  it('leaves three quarters of the pool to everything else', async () => {
    const { takeSlot } = processWith(12);
    const held = [await takeSlot('ten_a'), await takeSlot('ten_b'), await takeSlot('ten_c')];
    let entered = false;
    const waiting = takeSlot('ten_d').then((giveBack) => {
      entered = true;
      return giveBack;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(entered).toBe(false);
    held.pop()?.();
    (await waiting)();
    for (const giveBack of held) giveBack();
    (await takeSlot('ten_d'))();
  });

  it('is refused to a job where its tenant has its share, or all are taken', () => {
    const { trySlot } = processWith(32); // four files: a quarter of sixteen pairs of connections
    const held = [trySlot('ten_a'), trySlot('ten_a'), trySlot('ten_a')];
    expect(trySlot('ten_a')).toBeNull();
    held.push(trySlot('ten_b'));
    expect(trySlot('ten_c')).toBeNull();
    for (const giveBack of held) giveBack?.();
    expect(trySlot('ten_a')).not.toBeNull();
  });
});

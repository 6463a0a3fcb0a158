import { expect, test } from 'vitest';
import { runFailovers } from './support/failovers.ts';
import { startPair } from './support/pair.ts';
import { startWorld } from './support/world.ts';
import { longTestMs } from '../support/patience.ts';

/** `node test/chaos/run.ts --failovers 10` is the same for longer. */
test(
  'a primary that is killed under load takes no acknowledged payout with it, and none is paid twice',
  { timeout: longTestMs },
  async () => {
    await using closing = new AsyncDisposableStack();
    const pair = await startPair();
    closing.defer(() => pair.close());
    const world = await startWorld({
      databaseUrl: pair.databaseUrl,
      ownerUrl: pair.ownerUrl,
      ofEach: 2,
    });
    closing.defer(() => world.close());
    const acknowledged = await runFailovers(world, pair, {
      failovers: 1,
      random: () => 0.5,
      print: () => {},
    });
    expect(acknowledged).toBeGreaterThan(30);
  },
);

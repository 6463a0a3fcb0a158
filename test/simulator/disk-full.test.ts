import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { programs } from '../../dev/stack/services.ts';
import { apiKey, call, payoutBody, recipientBody, webhookSecret } from '../providers/support.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const root = join(import.meta.dirname, '../..');
const disk = mountSmallDisk(1);
let running: ChildProcess | null = null;

afterEach(async () => {
  if (running === null || running.exitCode !== null || running.signalCode !== null) return;
  running.kill('SIGKILL');
  await once(running, 'exit');
});
afterAll(() => disk?.unmount());

async function start() {
  const child = spawn(process.execPath, [programs.simulator], {
    cwd: root,
    env: {
      SIMULATOR_PORT: '0',
      SIMULATOR_LEDGER_FILE: join(disk?.folder ?? '', 'ledger.jsonl'),
      SIMULATOR_API_KEY: apiKey,
      SIMULATOR_WEBHOOK_URL: 'http://127.0.0.1:9/none',
      SIMULATOR_WEBHOOK_SECRET: webhookSecret,
      SIMULATOR_STEP_DELAY_MS: '600000',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running = child;
  const ended = once(child, 'exit').then(([status]) => status as number | null);
  const said = text(child.stderr);
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /listening on (\S+)/.exec(line)?.[1];
    if (url !== undefined) return { url, ended, said };
  }
  throw new Error('the simulator ended before it listened');
}

describe.skipIf(disk === null)('a simulator whose disk is full', () => {
  it('ends, confirms nothing that it lost, and goes on once there is room', async () => {
    const first = await start();
    const recipient = await call(first.url, 'POST', '/recipients', recipientBody('0001'), 'r');
    const id = String(recipient.body['id']);
    disk?.fill();
    const confirmed: string[] = [];
    for (;;) {
      const key = `pay-${confirmed.length}`;
      const made = await call(first.url, 'POST', '/payouts', payoutBody(id, key), key).catch(
        () => null,
      );
      if (made?.status !== 201) {
        expect(made === null || made.status >= 500).toBe(true);
        break;
      }
      confirmed.push(String(made.body['id']));
    }
    expect(await first.ended).toBe(1);
    expect(await first.said).toMatch(
      /The simulator ends, since it cannot write what happens: .*ENOSPC/,
    );

    disk?.empty();
    const second = await start();
    for (const payout of confirmed) {
      expect((await call(second.url, 'GET', `/payouts/${payout}`)).status).toBe(200);
    }
    // What was not confirmed may be there or not; its key makes the repetition safe.
    const lost = `pay-${confirmed.length}`;
    const again = await call(second.url, 'POST', '/payouts', payoutBody(id, lost), lost);
    expect([200, 201]).toContain(again.status);
    const found = await call(second.url, 'GET', `/payouts?reference=${lost}`);
    expect(found.body['data']).toHaveLength(1);
  });
});

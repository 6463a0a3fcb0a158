import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sources } from '../../dev/stack/services.ts';
import { readSimulatorConfig } from '../../simulator/config.ts';
import { fetchLedger, type LedgerEntry } from '../../tools/verify/sources.ts';
import { addPayee, pay, registerBusiness } from './support/business.ts';
import { randomFrom } from '../support/random.ts';
import { createStack, type Stack } from '../support/stack.ts';
import { eventually } from '../support/factory.ts';
import { longTestMs } from '../support/patience.ts';

const { apiKey } = readSimulatorConfig({});
let stack: Stack;

beforeAll(async () => {
  stack = await createStack();
  await stack.start();
}, longTestMs);

afterAll(() => stack?.close());

const ledger = (): Promise<LedgerEntry[]> => fetchLedger(stack.simulatorUrl, apiKey);

/** Runs the demo against the stack; `done` turns true when it ends. */
function startDemo() {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../dev/demo/run.ts')], {
    env: { ...stack.environment, DEMO_TIMEOUT_SECONDS: '600', DEMO_RETRY_SECONDS: '300' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const demo = { output: '', done: false };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      demo.output += chunk.toString();
    });
  }
  const ended = once(child, 'exit').then(([code]) => {
    demo.done = true;
    return code as number | null;
  });
  return { demo, ended };
}

test(
  'the demo ends well although its API and its worker are killed in the middle',
  async () => {
    const seed = Math.floor(Math.random() * 1e9);
    const random = randomFrom(seed);
    const { demo, ended } = startDemo();
    let kills = 0;
    while (!demo.done && kills < 6) {
      await sleep(200 + random() * 1_300);
      const pid = stack.pidOf(random() < 0.5 ? sources.api : sources.worker);
      if (pid === null || demo.done) continue;
      process.kill(pid, 'SIGKILL');
      kills += 1;
    }
    const told = `seed ${seed}, ${kills} kills\n${demo.output}\n${stack.output()}`;
    expect(await ended, told).toBe(0);
    const payoutId = /^\s*id\s+(pay_\w+)/m.exec(demo.output)?.[1];
    expect(payoutId, told).toBeDefined();
    expect(demo.output, told).toMatch(/^\s*state\s+settled/m);
    expect(demo.output, told).toContain('Verified: the database');
    expect(
      (await ledger()).map(({ status, amount_minor }) => [status, amount_minor]),
      told,
    ).toEqual([['settled', 125_019]]);
  },
  longTestMs,
);

test(
  'a payout survives the kill of every process, PostgreSQL included, and is paid once',
  async () => {
    const paidBefore = (await ledger()).length;
    const call = await registerBusiness(() => stack.baseUrl);
    const id = await pay(call, await addPayee(call), { auto: false, amountMinor: 777 });
    stack.killAll();
    await stack.start();
    await eventually(async () => {
      const { state } = (await call('GET', `/v1/payouts/${id}`)).body.payout;
      return state === 'settled';
    });
    const entries = (await ledger()).slice(paidBefore);
    expect(
      entries.map(({ amount_minor }) => amount_minor),
      stack.output(),
    ).toEqual([777]);
  },
  longTestMs,
);

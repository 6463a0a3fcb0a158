import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { programs } from '../../dev/stack/services.ts';
import { openLedger } from '../../simulator/ledger.ts';
import {
  apiKey,
  call,
  eventually,
  payoutBody,
  recipientBody,
  startReceiver,
  startWorld,
  temporaryFolder,
  webhookSecret,
} from '../providers/support.ts';
import type { World } from '../providers/support.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function newWorld(stepDelayMs: number): Promise<World> {
  const world = await startWorld({ stepDelayMs });
  closers.push(() => world.close());
  return world;
}

describe('a restarted simulator', () => {
  it('knows recipients, payouts, keys and their states', async () => {
    const world = await newWorld(60_000);
    const recipient = await world.recipient();
    const { body } = await world.payout(recipient, 'a');
    const target = `/control/payouts/${String(body.id)}/events`;
    await world.call('POST', target, { event: 'disburse' });
    const before = await world.call('GET', `/payouts/${String(body.id)}`);
    const ledger = await world.ledger();
    await world.restart();
    expect((await world.call('GET', `/payouts/${String(body.id)}`)).body).toEqual(before.body);
    expect(await world.ledger()).toEqual(ledger);
    const replay = await world.payout(recipient, 'a');
    expect([replay.status, replay.body]).toEqual([200, before.body]);
    expect((await world.call('POST', target, { event: 'disburse' })).status).toBe(409);
  });

  it('delivers the events that it owes, once, and in order', async () => {
    const world = await newWorld(1);
    world.receiver.answerWith(...Array<number>(50).fill(503));
    const { id } = (await world.payout(await world.recipient('0002'), 'a')).body;
    await eventually(async () => {
      expect((await world.call('GET', `/payouts/${String(id)}`)).body.status).toBe('returned');
    });
    await world.simulator.close();
    world.receiver.answerWith();
    world.receiver.received.length = 0;
    await world.restart();
    const life = ['acknowledged', 'estimated', 'disbursed', 'returned'].map((t) => `payout.${t}`);
    await eventually(() => expect(world.receiver.types()).toEqual(life));
    await world.restart();
    await world.payout(await world.recipient('0001'), 'b');
    // The restart may come between a delivery and its record: that event arrives twice, with one id.
    const distinct = (): string[] => [
      ...new Map(world.receiver.received.map(({ event }) => [event.id, event.type])).values(),
    ];
    await eventually(() => {
      expect(distinct()).toEqual([...life, 'payout.acknowledged', 'payout.failed']);
    });
  });

  it('cuts off a half-written last line', async () => {
    const world = await newWorld(60_000);
    const recipient = await world.recipient();
    await world.payout(recipient, 'a');
    await world.simulator.close();
    await appendFile(world.config.ledgerFile, '{"kind":"payout","key":"b","body_sh');
    await world.restart();
    expect(await world.ledger()).toHaveLength(1);
    expect((await world.payout(recipient, 'b')).status).toBe(201);
    await world.restart();
    expect(await world.ledger()).toHaveLength(2);
  });

  it('does not start on a ledger that is damaged elsewhere', async () => {
    const folder = await temporaryFolder();
    closers.push(() => folder.remove());
    const file = path.join(folder.path, 'ledger.jsonl');
    await writeFile(file, '{"kind":"delivered","event_id":"sev_1"}\n{"kind":"del\n');
    await expect(openLedger(file, () => undefined)).rejects.toThrow('damaged at line 2');
  });

  it('keeps neither payees nor destinations', async () => {
    const world = await newWorld(60_000);
    await world.payout(await world.recipient(), 'a');
    const text = await readFile(world.config.ledgerFile, 'utf8');
    for (const secret of ['123456789', 'Byron', 'ada@example.org']) {
      expect(text).not.toContain(secret);
    }
  });
});

const repository = path.resolve(import.meta.dirname, '../..');

interface Child {
  readonly process: ChildProcess;
  readonly url: string;
}

async function startChild(ledgerFile: string, webhookUrl: string): Promise<Child> {
  const child = spawn(process.execPath, [programs.simulator], {
    cwd: repository,
    env: {
      SIMULATOR_PORT: '0',
      SIMULATOR_LEDGER_FILE: ledgerFile,
      SIMULATOR_API_KEY: apiKey,
      SIMULATOR_WEBHOOK_URL: webhookUrl,
      SIMULATOR_WEBHOOK_SECRET: webhookSecret,
      SIMULATOR_STEP_DELAY_MS: '5',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  closers.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /listening on (\S+)/.exec(line)?.[1];
    if (url !== undefined) return { process: child, url };
  }
  throw new Error('the simulator ended before it listened');
}

describe('the simulator as a process', () => {
  it('loses nothing that it answered when it is killed, whenever that is', async () => {
    const folder = await temporaryFolder();
    const receiver = await startReceiver();
    closers.push(
      () => folder.remove(),
      () => receiver.close(),
    );
    const ledgerFile = path.join(folder.path, 'deep', 'ledger.jsonl');
    const answered = new Map<string, string>();

    for (let round = 0; round < 3; round += 1) {
      const { process: child, url } = await startChild(ledgerFile, receiver.url);
      const enrolled = await call(url, 'POST', '/recipients', recipientBody('6789'), 'one');
      expect(enrolled.status).toBe(round === 0 ? 201 : 200);
      const recipient = String(enrolled.body.id);
      const target = answered.size + 20;
      const exited = once(child, 'exit');
      const submitting = Array.from({ length: 4 }, async (_, lane) => {
        for (let next = 0; next < 10_000; next += 1) {
          const key = `${round}-${lane}-${next}`;
          const reply = await call(url, 'POST', '/payouts', payoutBody(recipient, key), key).catch(
            () => null,
          );
          if (reply === null) return;
          answered.set(key, String(reply.body.id));
          if (answered.size >= target) child.kill('SIGKILL');
        }
      });
      await Promise.all([...submitting, exited]);
    }

    const { process: last, url } = await startChild(ledgerFile, receiver.url);
    const lines = (await call(url, 'GET', '/control/ledger')).body.data as Record<string, string>[];
    const taken = new Map(lines.map((line) => [line.idempotency_key, line.payout_id]));
    expect(taken.size).toBe(lines.length);
    for (const [key, id] of answered) expect(taken.get(key)).toBe(id);

    await eventually(() => {
      const settled = receiver.received.filter(({ event }) => event.type === 'payout.settled');
      const ids = settled.map(({ event }) =>
        'payout_id' in event.data ? event.data.payout_id : '',
      );
      expect(new Set(ids)).toEqual(new Set(taken.values()));
    });

    last.kill('SIGTERM');
    expect(await once(last, 'exit')).toEqual([0, null]);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startWorker } from '../../../jobs/runner.ts';
import { handlers } from '../../../jobs/handlers.ts';
import { crontab, tasks } from '../../../src/queue/tasks.ts';
import { startRotation } from '../../../src/domain/encryption/job.ts';
import { keyUse, newPass } from '../../../src/domain/encryption/rotate.ts';
import { inTransaction } from '../../../src/db/pool.ts';
import { enqueue } from '../../../src/queue/queue.ts';
import { closeServices, type Services } from '../../../src/process/services.ts';
import { inherited } from '../../support/config.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/factory.ts';
import { rings, seedMany, seedTenant, servicesWith } from './support.ts';
import { longTestMs } from '../../support/patience.ts';

let database: TestDatabase;
let before: Services;
let during: Services;

beforeAll(async () => {
  database = await testDatabase();
  before = servicesWith(database, rings.before);
  during = servicesWith(database, rings.during);
});
beforeEach(() => database.reset());
afterAll(async () => {
  await closeServices(before);
  await closeServices(during);
  await database.drop();
});

interface Job {
  readonly key: string | null;
  readonly payload: unknown;
}

async function rotationJobs(): Promise<Job[]> {
  const { rows } = await database.pool.query(
    `SELECT j.key, j.payload FROM graphile_worker._private_jobs j
     JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = 'rotate_keys'`,
  );
  return rows as Job[];
}

const keysLeft = async () => [...new Set((await keyUse(during)).map((use) => use.keyId))];

it('has nothing to do with one key', async () => {
  await seedTenant(database, before);
  await startRotation(before);
  expect(await rotationJobs()).toEqual([]);
});

it('is one walk at a time: the next hour does not restart a walk that is under way', async () => {
  await startRotation(during);
  expect(await rotationJobs()).toEqual([{ key: 'rotate_keys', payload: { pass: newPass() } }]);
  const place = { ...newPass(), reencrypted: 7 };
  await inTransaction(during.pool, (client) =>
    enqueue(client, 'rotate_keys', { pass: place }, { jobKey: 'rotate_keys' }),
  );
  // What the crontab adds has no place, only the time at which it was due.
  await handlers.rotate_keys(tasks.rotate_keys.payload.parse({ _cron: {} }), during);
  expect(await rotationJobs()).toEqual([{ key: 'rotate_keys', payload: { pass: place } }]);
  // Under a key of its own: the clock's job must not take the place of the walk's next slice.
  expect(crontab.split('\n')).toContain('17 * * * * rotate_keys ?jobKey=clock_rotate_keys');
});

it(
  'walks slice by slice in the worker until all is under the first key',
  { timeout: longTestMs },
  async () => {
    await seedTenant(database, before);
    // More than one slice of 20 pages of 500.
    await seedMany(database, before, 10_600);
    const worker = await startWorker(during);
    try {
      await startRotation(during);
      await eventually(async () => (await rotationJobs()).length === 0 && (await keysLeft()));
    } finally {
      await worker.stop();
    }
    expect(await keysLeft()).toEqual(['k2']);
  },
);

/** `npm run rotate-keys` as an operator runs it. */
function runProgram(ring: string, ...args: string[]) {
  const program = new URL('../../../src/rotate-keys.ts', import.meta.url);
  const child = spawn(process.execPath, [program.pathname, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...inherited, NODE_ENV: 'test', DATABASE_URL: database.url, ENCRYPTION_KEYS: ring },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, output }));
  return { child, ended };
}

it(
  'survives kill -9 at any moment when it is run by hand, and tells what is left',
  { timeout: longTestMs },
  async () => {
    const total = 12_000;
    await seedMany(database, before, total);
    const status = await runProgram(rings.during, 'status').ended;
    expect(status.code).toBe(1);
    expect(status.output).toMatch(new RegExp(`tax_id_ciphertext +k1 +${total}\n`));
    expect(await keysLeft()).toEqual(['k1']);

    for (let kills = 0; kills < 2; kills += 1) {
      const { child, ended } = runProgram(rings.during);
      const begun = (await keyUse(during)).find((use) => use.keyId === 'k2')?.ciphertexts ?? 0;
      for (let looks = 0; looks < 500 && child.exitCode === null; looks += 1) {
        const uses = await keyUse(during);
        if ((uses.find((use) => use.keyId === 'k2')?.ciphertexts ?? 0) > begun) break;
        await pause(5);
      }
      child.kill('SIGKILL');
      await ended;
    }

    const finished = await runProgram(rings.during).ended;
    expect(finished.code).toBe(0);
    expect(finished.output).toMatch(new RegExp(`tax_id_ciphertext +k2 +${total}\n`));
    expect(finished.output).toContain('Every ciphertext is under k2.');
    expect(await keysLeft()).toEqual(['k2']);
  },
);

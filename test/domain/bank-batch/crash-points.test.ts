import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { CrashPoint } from '../../../src/process/crash-point.ts';
import { sweepBankBatches } from '../../../src/domain/bank-batch/sweep.ts';
import { useBankWorld } from '../../support/bank-world.ts';

const world = useBankWorld();
const program = join(import.meta.dirname, 'programs/dying-worker.ts');

/** Runs the worker in a process of its own; resolves with the signal that ended it, or null. */
async function work(point: CrashPoint | ''): Promise<string | null> {
  const { url } = world.harness.database;
  const folder = dirname(dirname(world.out()));
  const given = [point, url, folder, world.tenant.tenantId, world.bank.connection];
  const stdio = ['ignore', 'ignore', 'pipe'] as const;
  const child = spawn(process.execPath, [program, ...given], { stdio: [...stdio] });
  let told = '';
  child.stderr?.on('data', (part: Buffer) => void (told += part.toString()));
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (signal === null && code !== 0) throw new Error(told);
  return signal;
}

it.each([
  'batch_before_commit',
  'batch_after_commit',
  'batch_staged',
  'batch_marked',
  'batch_published',
  'batch_recorded',
] as const)('a worker that dies at %s loses and doubles nothing', async (point) => {
  const payouts = [await world.waiting(), await world.waiting()];
  expect(await work(point)).toBe('SIGKILL');
  // Nothing failed, and nothing is in a file that the bank sees twice.
  expect(await Promise.all(payouts.map(world.stateOf))).toEqual(['approved', 'approved']);
  await world.forgetJobs();
  await sweepBankBatches(world.call.services);
  const due = [...(await world.jobs('close_bank_batch')), ...(await world.jobs('send_bank_batch'))];
  expect(due).toHaveLength(1);

  expect(await work('')).toBeNull();
  const made = await world.batches();
  expect(made).toMatchObject([{ status: 'sent', payouts }]);
  expect(made[0]?.taken_at).not.toBeNull();
  expect(Object.keys(await world.sentFiles())).toEqual([made[0]?.file_name]);
  for (const id of payouts) {
    expect(await world.attempts(id)).toMatchObject([{ status: 'submitted' }]);
  }
  expect(await world.queue()).toEqual([]);
});

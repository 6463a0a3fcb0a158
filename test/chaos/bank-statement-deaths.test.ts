import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { closeBankBatches } from '../../src/domain/bank-batch/close.ts';
import { sendBankBatch } from '../../src/domain/bank-batch/send.ts';
import { sweepBankBatches } from '../../src/domain/bank-batch/sweep.ts';
import { applyBankFile } from '../../src/domain/bank-file/apply.ts';
import { fetchBankFiles, fetchConnectionFiles } from '../../src/domain/bank-file/fetch.ts';
import { readStoredFile } from '../../src/domain/bank-file/read.ts';
import type { Call } from '../../src/process/services.ts';
import { statement } from '../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../support/bank-inbox.ts';
import { Died, mortal } from './support/mortal.ts';
import { longTestMs } from '../support/patience.ts';

/*
 * A worker dies before each statement of the jobs that make, send, read and apply the files of a bank. Its jobs are
 * lost, and the sweeps find what is to be done.
 */

const world = useBankInbox();

/** No job has so many steps: a process that always dies would never end the test. */
const mostSteps = 90;

/** Runs the work with a process that dies before step `last`; whether it did. */
async function diesBefore(last: number, work: (call: Call) => Promise<unknown>): Promise<boolean> {
  const life = mortal(world.call.services, last);
  const outcome = await work({ ...world.call, services: life.services }).catch(
    (error: unknown) => error,
  );
  if (life.died()) expect(outcome).toBeInstanceOf(Died);
  await world.forgetJobs();
  return life.died();
}

const balanced = async (): Promise<void> =>
  expect(await world.sql('SELECT * FROM ops.ledger_imbalances')).toEqual([]);

it(
  'a file is made and sent once, whichever statement is the last',
  { timeout: longTestMs },
  async () => {
    const makeAndSend = async (call: Call): Promise<void> => {
      await closeBankBatches(call, world.bank.connection, { onRequest: true });
      for (const { id, taken_at: taken } of await world.batches()) {
        if (taken === null) await sendBankBatch(call, id);
      }
    };
    let last = 1;
    for (let died = true; died && last < mostSteps; last += 1) {
      const payouts = [await world.waiting(), await world.waiting()];
      died = await diesBefore(last, makeAndSend);
      await sweepBankBatches(world.call.services);
      const due = [
        ...(await world.jobs('close_bank_batch')),
        ...(await world.jobs('send_bank_batch')),
      ];
      const unsent = (await world.batches()).some(({ taken_at }) => taken_at === null);
      if (unsent || (await world.queue()).length > 0) expect(due).not.toEqual([]);
      await makeAndSend(world.call);
      const mine = (await world.batches()).filter((batch) =>
        batch.payouts.some((id) => payouts.includes(id)),
      );
      expect(mine, `died before step ${last}`).toMatchObject([{ status: 'sent', payouts }]);
      for (const id of payouts) {
        expect(await world.attempts(id), `died before step ${last}`).toMatchObject([
          { status: 'submitted' },
        ]);
      }
      const files = Object.keys(await world.sentFiles());
      expect(files.filter((name) => name === mine[0]?.file_name)).toHaveLength(1);
      expect(await world.queue()).toEqual([]);
      await balanced();
    }
    expect(last).toBeGreaterThan(10);
    expect(last).toBeLessThan(mostSteps);
  },
);

it(
  'a statement is read and applied once, whichever statement of ours is the last',
  { timeout: 2 * longTestMs },
  async () => {
    const inbox = join(dirname(world.out()), 'in');
    await mkdir(inbox, { recursive: true });
    const open = () =>
      world.sql<{ id: string }>(
        `SELECT id FROM bank_file WHERE status <> 'arriving' AND applied_at IS NULL ORDER BY id`,
      );
    const take = async (call: Call): Promise<void> => {
      await fetchConnectionFiles(call, world.bank.connection);
      for (const { id } of await open()) {
        await readStoredFile(call, id);
        await applyBankFile(call, id);
      }
    };
    const takeAll = async (call: Call): Promise<void> => {
      await take(call);
      await world.applyEvents();
      await take(call);
    };
    // In one file: a bank takes 36 of them in a day.
    const all = await world.sent(mostSteps);
    let closing = 1_000_000;
    let last = 1;
    for (let died = true; died && last < mostSteps; last += 1) {
      const sent = all[last] as Sent;
      closing -= 1_250 + 1.5;
      const movements = [
        {
          direction: 'debit' as const,
          amount: '1250.00',
          payout: sent.payout,
          attempt: sent.attempt,
        },
        { direction: 'debit' as const, amount: '1.50', reference: `F${last}`, code: 'MDOP CHRG' },
      ];
      // A day of its own: what is told of a day after its closing balance is in that balance already.
      const day = new Date(Date.UTC(2026, 8, last)).toISOString().slice(0, 10);
      const shown = { account: '000123456789', currency: 'USD', day };
      const text = statement({ ...shown, movements, closing: closing.toFixed(2) });
      await writeFile(join(inbox, `${last}.xml`), text);
      died = await diesBefore(last, takeAll);
      await world.sql(`UPDATE bank_file SET received_at = received_at - interval '2 hours'`);
      await fetchBankFiles(world.call.services);
      if ((await open()).length > 0) {
        const due = [
          ...(await world.jobs('fetch_connection_files')),
          ...(await world.jobs('read_bank_file')),
          ...(await world.jobs('apply_bank_file')),
        ];
        expect(due, `died before step ${last}`).not.toEqual([]);
      }
      await takeAll(world.call);
      await takeAll(world.call);
      expect(await open(), `died before step ${last}`).toEqual([]);
      expect(await world.stateOf(sent.payout)).toBe('disbursed');
      const [fees] = await world.sql<{ n: number }>(
        `SELECT count(*)::integer AS n FROM ledger_entry WHERE kind = 'fee'`,
      );
      expect(fees?.n, `died before step ${last}`).toBe(last);
      expect(await world.contradictions()).toEqual([]);
      await balanced();
    }
    expect(last).toBeGreaterThan(10);
    expect(last).toBeLessThan(mostSteps);
  },
);

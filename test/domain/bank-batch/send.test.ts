import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import {
  beginPublishing,
  beginStaging,
  recordSent,
  recordUnknown,
} from '../../../src/domain/bank-batch/send-store.ts';
import { sweepBankBatches } from '../../../src/domain/bank-batch/sweep.ts';
import { useBankWorld, type BatchRow } from '../../support/bank-world.ts';

const world = useBankWorld();

let payout: string;
let batch: BatchRow;
beforeEach(async () => {
  payout = await world.waiting();
  await world.close();
  const [made] = await world.batches();
  if (made === undefined) throw new Error('no batch was made');
  batch = made;
});

const send = () => world.send(batch.id);
const now = async (): Promise<BatchRow> => (await world.batches())[0] ?? batch;
const place = (name: string): string => join(world.out(), name);
const files = (): Promise<string[]> => readdir(world.out());

/** As a run left it that died when the file was staged and about to be published. */
async function diedBeforeTheRename(): Promise<void> {
  await send();
  await world.sql(
    `UPDATE bank_batch SET status = 'sending', sent_at = NULL, taken_at = NULL, sending_at = now()`,
  );
  await world.sql(
    `UPDATE disbursement_attempt SET status = 'prepared', submitted_at = NULL, completed_at = NULL, provider_payout_id = NULL`,
  );
  await rename(place(batch.file_name), place(`${batch.file_name}.1.part`));
}

it('stages a file again under another name while it certainly is not on its way', async () => {
  const out = world.out();
  await rename(out, `${out}.away`);
  await send();
  expect(await now()).toMatchObject({ status: 'closed', stagings: 1 });
  expect((await now()).problem).toContain(
    'writing the file failed (ENOENT: there is no such file or folder)',
  );
  await rename(`${out}.away`, out);
  await writeFile(place(`${batch.file_name}.1.part`), 'what a dead run left');
  await send();
  expect(await now()).toMatchObject({ status: 'sent', stagings: 2, problem: null });
  expect(await files()).toEqual([batch.file_name]);
});

it('goes on with a staged file after a death, and writes it no more', async () => {
  await diedBeforeTheRename();
  await send();
  expect(await now()).toMatchObject({ status: 'sent', stagings: 1 });
  expect(await files()).toEqual([batch.file_name]);
  expect(await world.attempts(payout)).toMatchObject([{ status: 'submitted' }]);
});

it('publishes nothing that somebody downloaded, and leaves it to people', async () => {
  await diedBeforeTheRename();
  await world.sql(`UPDATE bank_batch SET downloaded_by = '{Ada}', needs_operator = true`);
  await send();
  expect(await now()).toMatchObject({ status: 'sending', needs_operator: true });
  expect(await files()).toEqual([`${batch.file_name}.1.part`]);
  expect(await world.attempts(payout)).toMatchObject([{ status: 'prepared' }]);
});

it('finds that the file got its name, and sends nothing', async () => {
  await diedBeforeTheRename();
  await rename(place(`${batch.file_name}.1.part`), place(batch.file_name));
  const before = await readFile(place(batch.file_name));
  await send();
  expect(await now()).toMatchObject({ status: 'sent', stagings: 1 });
  expect((await readFile(place(batch.file_name))).equals(before)).toBe(true);
});

it('calls an operator where neither name is there, and sends nothing to find out', async () => {
  await diedBeforeTheRename();
  await rm(place(`${batch.file_name}.1.part`));
  await send();
  await send();
  expect(await now()).toMatchObject({ status: 'unknown', needs_operator: true });
  expect((await now()).problem).toContain('the bank may have taken it');
  expect(await files()).toEqual([]);
  // The payout waits: it neither failed nor counts as taken.
  expect(await world.attempts(payout)).toMatchObject([{ status: 'prepared' }]);
  expect(await world.stateOf(payout)).toBe('approved');
  await world.forgetJobs();
  await sweepBankBatches(world.call.services);
  expect(await world.jobs('send_bank_batch')).toEqual([]);
});

it('calls an operator where another content has the name', async () => {
  await diedBeforeTheRename();
  await rm(place(`${batch.file_name}.1.part`));
  await writeFile(place(batch.file_name), 'something else');
  await send();
  expect(await now()).toMatchObject({ status: 'unknown', needs_operator: true });
  expect(await readFile(place(batch.file_name), 'utf8')).toBe('something else');
});

it('decides nothing while the folder cannot be seen', async () => {
  await diedBeforeTheRename();
  const out = world.out();
  await rename(out, `${out}.away`);
  await send();
  expect(await now()).toMatchObject({ status: 'sending', needs_operator: false });
  expect((await now()).problem).toContain('looking for the file failed');
  await rename(`${out}.away`, out);
  await send();
  expect(await now()).toMatchObject({ status: 'sent' });
});

it('publishes nothing that was staged once more since, and knows by the name that it is there', async () => {
  const { services, scope } = world.call;
  const staged = [1, 2].map(() => beginStaging(services.pool, scope, batch.id));
  expect(new Set(await Promise.all(staged))).toEqual(new Set([1, 2]));
  expect(await beginPublishing(services.pool, scope, batch.id, 1)).toBe(false);
  expect(await now()).toMatchObject({ status: 'closed', stagings: 2 });
  expect(await beginPublishing(services.pool, scope, batch.id, 2)).toBe(true);
  // Another run may have looked for the file just before it got its name.
  expect(await recordUnknown(services.pool, scope, batch.id, 'nobody knows')).toBe(true);
  expect(await recordSent(services.pool, scope, batch.id)).toBe(true);
  expect(await now()).toMatchObject({ status: 'sent', needs_operator: false, problem: null });
});

it('sends once when two runs send at the same time', async () => {
  await Promise.all([send(), send(), send()]);
  await send();
  expect(await now()).toMatchObject({ status: 'sent' });
  const left = (await files()).filter((name) => !name.endsWith('.part'));
  expect(left).toEqual([batch.file_name]);
});

it('records the payments of a sent file also after a death in between', async () => {
  await send();
  await world.sql('UPDATE bank_batch SET taken_at = NULL');
  await world.sql(
    `UPDATE disbursement_attempt SET status = 'prepared', submitted_at = NULL, completed_at = NULL, provider_payout_id = NULL`,
  );
  await world.forgetJobs();
  await sweepBankBatches(world.call.services);
  expect(await world.jobs('send_bank_batch')).toHaveLength(1);
  await send();
  expect(await world.attempts(payout)).toMatchObject([{ status: 'submitted' }]);
  expect((await now()).taken_at).not.toBeNull();
});

it('does not send from a paused connection', async () => {
  await world.sql(`UPDATE bank_connection SET status = 'paused'`);
  await send();
  expect(await now()).toMatchObject({ status: 'closed', stagings: 0 });
  expect(await files()).toEqual([]);
});

it('has its lost jobs added again', async () => {
  await world.waiting();
  await world.forgetJobs();
  await sweepBankBatches(world.call.services);
  await sweepBankBatches(world.call.services);
  expect(await world.jobs('send_bank_batch')).toMatchObject([{ payload: { batchId: batch.id } }]);
  expect(await world.jobs('close_bank_batch')).toMatchObject([
    { payload: { connectionId: world.bank.connection } },
  ]);
});

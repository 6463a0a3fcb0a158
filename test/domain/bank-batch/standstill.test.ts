import { expect, it } from 'vitest';
import { inTransaction } from '../../../src/db/pool.ts';
import { changeConnection } from '../../../src/domain/bank-connection/change.ts';
import { closeBankBatches } from '../../../src/domain/bank-batch/close.ts';
import { sendBankBatch } from '../../../src/domain/bank-batch/send.ts';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { storedReading } from '../../../src/process/metrics/stored-reading.ts';
import { useBankWorld } from '../../support/bank-world.ts';

/* Files and payouts whose connection does not work: somebody is told, and none is left behind. */

const world = useBankWorld();
const { waiting, close, send, batches, queue, sql } = world;

const setStatus = (status: 'paused' | 'closed') =>
  inTransaction(world.call.services.pool, (client) =>
    changeConnection(client, world.call, world.bank.connection, 1, { status }),
  );
const setStatusInSql = (status: string) =>
  sql(`SELECT ops.set_bank_connection_status($1, $2, 1, 'the account moves')`, [
    world.bank.connection,
    status,
  ]);

async function fixed(): Promise<string> {
  await waiting();
  await close();
  return (await batches())[0]?.id ?? '';
}

async function notSent(): Promise<number | undefined> {
  const metrics = await sql<{ labels: string[]; value: number }>(storedReading.text);
  return metrics.find(({ labels }) => labels[0] === 'file_not_sent')?.value;
}

it.each(['closed', 'sending', 'unknown'])(
  'closes no connection of which a file is %s, since nothing would bring it to the bank',
  async (status) => {
    const id = await fixed();
    await sql('UPDATE bank_batch SET status = $1', [status]);
    await world.routeTo();
    await expect(setStatus('closed')).rejects.toThrow(`The file ${id} of the bank connection`);
    await expect(setStatusInSql('closed')).rejects.toThrow(`The file ${id} of the bank connection`);
    await setStatus('paused');
  },
);

it('closes a connection whose files are at the bank', async () => {
  await send(await fixed());
  await world.routeTo();
  await setStatusInSql('closed');
  expect(await sql('SELECT status FROM bank_connection')).toEqual([{ status: 'closed' }]);
});

it('tells operators of a file that waits for its paused connection, and sends it afterwards', async () => {
  const id = await fixed();
  await setStatus('paused');
  await send(id);
  expect(await batches()).toMatchObject([
    { status: 'closed', problem: 'The connection is paused: nothing leaves.' },
  ]);
  expect(await notSent()).toBe(1);
  await sql(`UPDATE bank_connection SET status = 'active'`);
  await send(id);
  expect(await batches()).toMatchObject([{ status: 'sent', problem: null }]);
  expect(await notSent()).toBe(0);
});

it('tells operators of a file for which the worker has no transport', async () => {
  const id = await fixed();
  const { services } = world.call;
  const config = { ...services.config, SANDBOX_BANK_FOLDER: null };
  await sendBankBatch({ ...world.call, services: { ...services, config } }, id);
  expect((await batches())[0]?.problem).toMatch(
    /^The worker has no transport for it: BANK_FOLDERS/,
  );
  expect(await notSent()).toBe(1);
});

it('sends a payout another way that began to wait for a connection that is closed', async () => {
  const id = await waiting();
  await sql(`UPDATE bank_connection SET status = 'closed'`);
  const other = await world.connect();
  await world.routeTo(other);
  await world.forgetJobs();
  await closeBankBatches(world.call, world.bank.connection);
  expect(await queue()).toEqual([]);
  expect(await world.jobs('disburse_payout')).toMatchObject([{ payload: { payoutId: id } }]);
  await disbursePayout(world.call, id);
  expect(await sql('SELECT connection_id FROM bank_waiting')).toEqual([{ connection_id: other }]);
});

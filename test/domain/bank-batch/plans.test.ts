import { expect, it } from 'vitest';
import { closeBankBatches } from '../../../src/domain/bank-batch/close.ts';
import { applyBankFile } from '../../../src/domain/bank-file/apply.ts';
import { readStoredFile } from '../../../src/domain/bank-file/read.ts';
import { newId } from '../../../src/values/ids.ts';
import { statement } from '../../support/bank-answers.ts';
import { useBankInbox } from '../../support/bank-inbox.ts';
import { copying } from '../../support/copied-rows.ts';
import { countingRows } from '../../support/rows-read.ts';

/*
 * What a large file reads where the statistics say that the tables are empty: each row a few times, and not once for
 * each other row.
 */

const world = useBankInbox();
const payments = 1_500;

/** Lets many payouts wait for a file, as copies of one. */
async function manyWaiting(): Promise<void> {
  const first = await world.waiting();
  const ids = Array.from({ length: payments - 1 }, () => newId('payout'));
  const copied = (table: string, key: string, also = '') =>
    copying(world.sql, { table, key, of: first, ids, also });
  // A payout and its first transition hold each other, so they come together.
  await world.sql(
    [
      await copied('payout', 'id', `, 'idempotency_key', x.id`),
      await copied('payout_transition', 'payout_id'),
      await copied('bank_waiting', 'payout_id'),
    ].join(';'),
  );
}

it('finds each payment of a large file by its keys, whatever the statistics say', async () => {
  world.bank.connection = await world.connect({ maxPayments: payments });
  await world.routeTo(world.bank.connection);
  await manyWaiting();
  for (const table of ['disbursement_attempt', 'bank_payment', 'bank_line', 'bank_match']) {
    await world.sql(`ANALYZE ${table}`);
  }
  const { services } = world.call;
  const { pool, most } = countingRows(services.pool);
  const call = { ...world.call, services: { ...services, pool } };
  await closeBankBatches(call, world.bank.connection, { onRequest: true });
  const sent = await world.sql<{ payout: string; attempt: string }>(
    'SELECT payout_id AS payout, attempt_id AS attempt FROM bank_payment',
  );
  const movements = sent.map((one) => ({ direction: 'debit', amount: '1250.00', ...one }) as const);
  const shown = { account: '000123456789', currency: 'USD', day: '2026-11-30', movements };
  const { fileId } = await world.store(statement(shown));
  await readStoredFile(call, fileId);
  await applyBankFile(call, fileId);
  expect(await world.sql('SELECT count(*)::integer FROM bank_match')).toEqual([
    { count: payments },
  ]);
  const large = [...most].filter(([, count]) => count > 8 * payments);
  expect(large).toEqual([]);
});

import { closeBankBatches } from '../../../src/domain/bank-batch/close.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inTransaction } from '../../../src/db/pool.ts';
import { suspendBeneficiary } from '../../../src/domain/beneficiary/suspend.ts';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { readPayout } from '../../../src/domain/payout/read.ts';
import { movePayoutTo } from '../../../src/domain/payout/transition.ts';
import { readWaits } from '../../../src/domain/payout/waits-for.ts';
import { createStored } from '../../../src/process/metrics/stored.ts';
import { useBankWorld } from '../../support/bank-world.ts';

const world = useBankWorld();
const { waiting, close, send, batches, queue, stateOf } = world;

const cancel = (id: string) =>
  world.harness.rest('POST', `/v1/payouts/${id}/cancel`, { key: world.tenant.key });

const waitsOf = async (id: string) => {
  const payout = await readPayout(world.call, id);
  return (await readWaits(world.call, [{ payout, accountChanged: false }]))[0];
};

it('keeps an approved payout in the queue until a file is due, and then commits it to one', async () => {
  const [first, second] = [await waiting(), await waiting()];
  expect(await queue()).toEqual([first, second]);
  expect(await world.attempts(first)).toEqual([]);
  const [row] = await world.sql('SELECT since FROM bank_waiting WHERE payout_id = $1', [first]);
  expect(await waitsOf(first)).toEqual({ reason: 'bank_file', since: row?.['since'] });
  // 16:00 in New York has not come yet.
  await close({ now: new Date() });
  expect(await batches()).toEqual([]);

  await close();
  const [batch] = await batches();
  expect(batch).toMatchObject({
    status: 'closed',
    scheme: 'ach',
    payment_count: 2,
    control_sum_minor: '250000',
    closed_by: 'request',
    payouts: [first, second],
    message_id: batch?.id.replace('_', '-'),
  });
  expect(await queue()).toEqual([]);
  expect(await world.attempts(first)).toMatchObject([{ status: 'prepared' }]);
  expect(await world.sql(`SELECT provider FROM payout WHERE id = $1`, [first])).toEqual([
    { provider: `bank:${world.bank.connection}` },
  ]);
  expect(await world.jobs('send_bank_batch')).toMatchObject([{ payload: { batchId: batch?.id } }]);
});

it('sends the bytes that were fixed, once, and records every payment as the bank’s', async () => {
  const id = await waiting();
  await close();
  const [batch] = await batches();
  await send(batch?.id ?? '');
  await send(batch?.id ?? '');
  const [row] = await world.sql('SELECT sent_at FROM bank_batch');
  expect(await waitsOf(id)).toEqual({ reason: 'bank_answer', since: row?.['sent_at'] });
  const files = await world.sentFiles();
  expect(Object.keys(files)).toEqual([batch?.file_name]);
  const bytes = await readFile(join(world.out(), batch?.file_name ?? ''));
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(batch?.sha256);
  const [attempt] = await world.attempts(id);
  expect(attempt).toMatchObject({ status: 'submitted', provider_payout_id: attempt?.id });
  expect(await world.eventsOf(id)).toContain('payout.disbursement_submitted');
  expect(await batches()).toMatchObject([{ status: 'sent', taken_at: expect.any(Date) as Date }]);
  expect(await stateOf(id)).toBe('approved');
});

it.each([
  ['savings', '632'],
  ['checking', '622'],
])('pays a %s account as what it is', async (kind, code) => {
  const { beneficiaryId } = world.payee;
  const account = {
    account_holder_name: 'Ada Lovelace',
    country: 'US',
    currency: 'USD',
    routing_code: '021000021',
    account_number: '000987654321',
    account_type: kind,
  };
  const path = `/v1/beneficiaries/${beneficiaryId}/bank-accounts`;
  const made = await world.harness.rest('POST', path, { key: world.tenant.key, body: account });
  await waiting({ beneficiaryId, bankAccountId: made.body.bank_account.id });
  await close();
  const [batch] = await batches();
  await send(batch?.id ?? '');
  const [text = ''] = Object.values(await world.sentFiles());
  expect(/^6\d\d/m.exec(text)?.[0]).toBe(code);
});

it('lets a payout be canceled while it waits, and not once it is in a file', async () => {
  const [canceled, paid] = [await waiting(), await waiting()];
  expect((await cancel(canceled)).status).toBe(200);
  await close();
  expect(await batches()).toMatchObject([{ payouts: [paid] }]);
  expect(await queue()).toEqual([]);
  expect((await cancel(paid)).status).toBe(409);
  expect(await stateOf(paid)).toBe('approved');
});

it.each([
  ['a cancel', 'cancel'],
  ['a hold', 'hold'],
] as const)(
  'leaves out what %s holds at this moment, and takes it later if it is not',
  async (_what, trigger) => {
    const [touched, other] = [await waiting(), await waiting()];
    const roll = inTransaction(world.call.services.pool, async (client) => {
      await movePayoutTo(client, world.call.scope, touched, {
        trigger,
        reason: 'x',
        when: { kind: 'not_handed_over' },
      });
      await close();
      throw new Error('rolled back');
    });
    await expect(roll).rejects.toThrow('rolled back');
    expect(await batches()).toMatchObject([{ payouts: [other] }]);
    expect(await queue()).toEqual([touched]);
    await close();
    expect(await batches()).toMatchObject([{ payouts: [other] }, { payouts: [touched] }]);
  },
);

it('puts no payout into two files when two close at the same time', async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, () => waiting()));
  await Promise.all([close(), close(), close()]);
  const all = (await batches()).flatMap(({ payouts }) => payouts);
  expect(all.toSorted()).toEqual(ids.toSorted());
});

it('leaves a suspended payee out, whose payout is then held', async () => {
  const other = await world.anotherPayee();
  const [suspended, paid] = [await waiting(), await waiting(other)];
  await world.comply(suspendBeneficiary);
  await world.forgetJobs();
  await close();
  expect(await batches()).toMatchObject([{ payouts: [paid] }]);
  expect(await world.attempts(suspended)).toEqual([]);
  expect(await world.jobs('disburse_payout')).toMatchObject([{ payload: { payoutId: suspended } }]);
  await disbursePayout(world.call, suspended);
  expect(await stateOf(suspended)).toBe('compliance_hold');
  expect(await queue()).toEqual([]);
});

it('waits for nobody: a suspension that is not committed leaves its payee for the next file', async () => {
  const other = await world.anotherPayee();
  const [touched, paid] = [await waiting(), await waiting(other)];
  await inTransaction(world.call.services.pool, async (client) => {
    await suspendBeneficiary(client, world.call.scope, world.payee.beneficiaryId, 'just now');
    await close();
  });
  expect(await batches()).toMatchObject([{ payouts: [paid] }]);
  expect(await queue()).toEqual([touched]);
});

it('looks at the routes again, and sends a payout back whose way leads elsewhere', async () => {
  const id = await waiting();
  const elsewhere = await world.connect();
  await world.routeTo(elsewhere);
  await world.forgetJobs();
  await close();
  expect(await batches()).toEqual([]);
  expect(await queue()).toEqual([]);
  expect(await world.jobs('disburse_payout')).toMatchObject([{ payload: { payoutId: id } }]);
  expect(await world.attempts(id)).toEqual([]);
});

it('puts no payout into the file of a scheme that its route names no more', async () => {
  const connection = await world.connect({ schemes: ['ach', 'us_wire'] });
  world.bank.connection = connection;
  await world.routeTo(connection);
  const id = await waiting();
  await world.sql(`UPDATE payout_route SET scheme = 'us_wire'`);
  await world.forgetJobs();
  await close();
  expect(await batches()).toEqual([]);
  expect(await world.jobs('disburse_payout')).toMatchObject([{ payload: { payoutId: id } }]);
  expect(await world.attempts(id)).toEqual([]);
});

it('closes what came before the cut-off and leaves what came after it', async () => {
  const [early, late] = [await waiting(), await waiting()];
  // Tuesday 3 March 2026, 16:00 in New York is 21:00 in UTC.
  const since = (id: string, at: string) =>
    world.sql('UPDATE bank_waiting SET since = $2 WHERE payout_id = $1', [id, at]);
  await since(early, '2026-03-03T20:59:59.999Z');
  await since(late, '2026-03-03T21:00:00.000Z');
  await close({ now: new Date('2026-03-03T20:59:59.999Z') });
  expect(await batches()).toEqual([]);
  await close({ now: new Date('2026-03-03T21:00:30Z') });
  expect(await batches()).toMatchObject([
    { payouts: [early], closed_by: 'cut_off', execution_date: '2026-03-04' },
  ]);
  expect(await queue()).toEqual([late]);
});

it('asks for the next day where a cut-off is closed hours late', async () => {
  const id = await waiting();
  await world.sql('UPDATE bank_waiting SET since = $1', ['2026-03-02T10:00:00Z']);
  await close({ now: new Date('2026-03-04T02:00:00Z') });
  expect(await batches()).toMatchObject([{ payouts: [id], execution_date: '2026-03-05' }]);
});

it('closes when a file is full, in files that are not larger', async () => {
  world.bank.connection = await world.connect({ maxPayments: 2 });
  await world.routeTo(world.bank.connection);
  const ids = [await waiting(), await waiting(), await waiting()];
  await close({ now: new Date() });
  const made = await batches();
  expect(made.map(({ closed_by, payouts }) => [closed_by, payouts.length])).toEqual([
    ['full', 2],
    ['full', 1],
  ]);
  expect(made.flatMap(({ payouts }) => payouts)).toEqual(ids);
});

it('makes nothing while the connection is paused', async () => {
  const id = await waiting();
  await world.sql(`UPDATE bank_connection SET status = 'paused'`);
  await close();
  expect(await batches()).toEqual([]);
  expect(await queue()).toEqual([id]);
});

it('numbers the entries and the files of a connection in the database, past the seven digits', async () => {
  await world.sql(
    `INSERT INTO bank_sequence (tenant_id, connection_id, traces) VALUES ($1, $2, 9999998)`,
    [world.tenant.tenantId, world.bank.connection],
  );
  for (let file = 0; file < 3; file += 1) {
    await waiting();
    await waiting();
    await close();
  }
  const traces = await world.sql<{ trace: string }>(
    'SELECT trace_number AS trace FROM bank_payment ORDER BY batch_id, position',
  );
  const numbers = traces.map(({ trace }) => trace);
  const bank = '02100002';
  expect(numbers).toEqual(
    ['0000001', '0000002', '0000003', '0000004', '0000005', '0000006'].map((n) => bank + n),
  );
  for (const { id } of await batches()) await send(id);
  const files = Object.values(await world.sentFiles());
  // The modifier is the 34th character of the file header.
  expect(files.map((text) => text.charAt(33)).toSorted()).toEqual(['A', 'B', 'C']);
});

it('notes why no file can be made, and leaves everything as it was', async () => {
  const id = await waiting();
  await world.sql(`UPDATE bank_connection SET ach = jsonb_set(ach, '{companyName}', '"  "')`);
  await close();
  expect(await batches()).toEqual([]);
  expect(await queue()).toEqual([id]);
  expect(await world.attempts(id)).toEqual([]);
  const [row] = await world.sql<{ problem: string }>('SELECT problem FROM bank_sequence');
  expect(row?.problem).toMatch(/^ach USD: the file has 1 problems/);
});

it('ends the payouts that only the whole file shows it cannot hold, and makes the file of the others', async () => {
  const [good, tooLarge] = [await waiting(), await waiting()];
  // More than the ten digits of an entry, which the judgement of a single payment here lets pass.
  await world.sql('UPDATE payout SET amount_minor = 10000000000 WHERE id = $1', [tooLarge]);
  const { services } = world.call;
  const writable = { kind: 'writable', scheme: 'ach' } as const;
  const bank: typeof services.providers.bank = (facts) => ({
    ...services.providers.bank(facts),
    judge: () => writable,
  });
  const call = {
    ...world.call,
    services: { ...services, providers: { ...services.providers, bank } },
  };
  await closeBankBatches(call, world.bank.connection, { onRequest: true });
  expect(await batches()).toMatchObject([{ payouts: [good], payment_count: 1 }]);
  expect(await queue()).toEqual([]);
  expect(await world.attempts(tooLarge)).toEqual([]);
  const { body } = await world.harness.rest('GET', `/v1/payouts/${tooLarge}`, {
    key: world.tenant.key,
  });
  expect(body.payout).toMatchObject({ state: 'failed', failure_code: 'invalid_account' });
  expect(body.payout.failure_message).toMatch(/^The bank's file cannot hold it\. amountMinor: /);
  expect(await world.sql('SELECT problem FROM bank_sequence')).toMatchObject([{ problem: null }]);
});

it('stores the file encrypted', async () => {
  await waiting();
  await close();
  const [row] = await world.sql<{ content: Buffer }>('SELECT content FROM bank_batch');
  expect(row?.content.includes('Lovelace')).toBe(false);
  expect(row?.content.toString('latin1')).not.toMatch(/LOVELACE|123456789/i);
});

it('counts as stuck only when no file was made for days', async () => {
  const id = await waiting();
  const stuck = () =>
    world.sql<{ reason: string }>('SELECT reason FROM ops.stuck_payouts WHERE payout_id = $1', [
      id,
    ]);
  const age = (table: string, column: string, where: string) =>
    world.sql(`UPDATE ${table} SET ${column} = now() - interval '7 days' WHERE ${where} = $1`, [
      id,
    ]);
  await age('payout', 'updated_at', 'id');
  expect(await stuck()).toEqual([]);
  await age('bank_waiting', 'since', 'payout_id');
  expect(await stuck()).toEqual([{ reason: 'file_not_made' }]);
  await close();
  const [batch] = await batches();
  await send(batch?.id ?? '');
  await age('payout', 'updated_at', 'id');
  expect(await stuck()).toEqual([]);
});

it('counts the connection for which no file can be made at the desk, while something waits', async () => {
  await waiting();
  await world.sql(`UPDATE bank_connection SET ach = jsonb_set(ach, '{companyName}', '"  "')`);
  await close();
  const desk = async () => {
    const stored = createStored(world.harness.database.url, 'test');
    const values = await stored.read();
    await stored.close();
    return values?.filter(({ metric }) => metric === 'payouts_bank_desk');
  };
  const stuck = { metric: 'payouts_bank_desk', labels: ['file_not_made'] };
  expect(await desk()).toContainEqual({ ...stuck, value: 1 });
  // The problem stays noted, and keeps nobody waiting.
  await world.sql('DELETE FROM bank_waiting');
  expect(await desk()).toContainEqual({ ...stuck, value: 0 });
});

import { expect, it } from 'vitest';
import { resolvePayout } from '../../../src/domain/operator/resolve-payout.ts';
import { storedReading } from '../../../src/process/metrics/stored-reading.ts';
import { statement, statusReport } from '../../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../../support/bank-inbox.ts';

/* Payouts in a file of which the bank says nothing. */

const world = useBankInbox();
const { sql, sent, stateOf } = world;

/** Lets a file have been executed so many days ago. */
async function executed(batch: string, days: number): Promise<void> {
  await sql(
    `UPDATE bank_batch SET execution_date = to_char(now() AT TIME ZONE 'UTC' - make_interval(days => $2), 'YYYY-MM-DD')
     WHERE id = $1`,
    [batch, days],
  );
  await sql(`UPDATE payout SET updated_at = now() - make_interval(days => $1)`, [days]);
}

const missing = () =>
  sql<{ payout_id: string; next_step: string }>(
    'SELECT payout_id, next_step FROM ops.bank_missing_debits',
  );

/** How many missing debits the alert counts. */
async function alerted(): Promise<number | undefined> {
  const metrics = await sql<{ labels: string[]; value: number }>(storedReading.text);
  return metrics.find(({ labels }) => labels[0] === 'debit_missing')?.value;
}

/** Has the worker carry out an operator's word; its outcome. */
async function resolve(payoutId: string, outcome: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }>(
    `SELECT ops.resolve_payout($1, $2, NULL, 'the bank says so', 'asked') AS id`,
    [payoutId, outcome],
  );
  const actionId = row?.id ?? '';
  const { services, scope } = world.call;
  await resolvePayout(services, { tenantId: scope.tenantId, payoutId, actionId });
  const [log] = await sql<{ outcome: string }>('SELECT outcome FROM ops.action_log WHERE id = $1', [
    actionId,
  ]);
  return log?.outcome;
}

async function lost(count: number): Promise<Sent[]> {
  const all = await sent(count);
  await world.send(all[0]?.batch ?? '');
  await executed(all[0]?.batch ?? '', 6);
  return all;
}

it('tells of a debit that no statement shows, once it is late', async () => {
  const [one] = (await sent(1)) as [Sent];
  await world.send(one.batch);
  await executed(one.batch, 5);
  expect([await missing(), await alerted()]).toEqual([[], 0]);
  await expect(resolve(one.payout, 'not_paid')).rejects.toThrow('is not open');
  await executed(one.batch, 6);
  expect(await missing()).toMatchObject([{ payout_id: one.payout }]);
  expect(await alerted()).toBe(1);
});

it('fails a payout that the bank has not paid, by the word of an operator', async () => {
  const [one, two] = (await lost(2)) as [Sent, Sent];
  expect((await missing())[0]?.next_step).toContain('ops.resolve_payout');
  expect(await resolve(one.payout, 'not_paid')).toBe('not_paid');
  expect(await stateOf(one.payout)).toBe('failed');
  expect(await world.attempts(one.payout)).toMatchObject([{ status: 'rejected' }]);
  expect(await missing()).toMatchObject([{ payout_id: two.payout }]);
  // A debit that comes after all calls an operator and moves nothing.
  const { payout, attempt } = one;
  const debit = { direction: 'debit', amount: '1250.00', payout, attempt } as const;
  await world.take(
    statement({ account: '000123456789', currency: 'USD', day: '2026-11-30', movements: [debit] }),
  );
  expect(await stateOf(one.payout)).toBe('failed');
  expect(await world.contradictions()).toMatchObject([{ payout_id: one.payout }]);
});

it('asks for a second look where the bank has called executed what an operator calls not paid', async () => {
  const [one] = (await lost(1)) as [Sent];
  await world.take(statusReport({ message: one.message, group: 'ACSC' }));
  const told = `SELECT what FROM ops.timeline($1) WHERE what = 'execution told'`;
  expect(await sql(told, [one.payout])).toHaveLength(1);
  expect(await resolve(one.payout, 'not_paid')).toBe('not_paid');
  const stand = () =>
    sql(
      `SELECT p.state, a.needs_operator, ops.is_contradicted(p.tenant_id, p.id) AS contradicted
       FROM payout p JOIN disbursement_attempt a ON a.payout_id = p.id`,
    );
  expect(await stand()).toEqual([{ state: 'failed', needs_operator: true, contradicted: true }]);
  await sql(
    `SELECT ops.examine_contradiction(id, 'as_recorded', 'ticket 4711', 'case 17') FROM provider_contradiction`,
  );
  expect(await stand()).toEqual([{ state: 'failed', needs_operator: false, contradicted: false }]);
});

it('disburses a payout that the bank has paid, and takes its debit later without a doubt', async () => {
  const [one] = (await lost(1)) as [Sent];
  expect(await resolve(one.payout, 'paid')).toBe('paid');
  expect(await stateOf(one.payout)).toBe('disbursed');
  const { payout, attempt } = one;
  const debit = { direction: 'debit', amount: '1250.00', payout, attempt } as const;
  await world.take(
    statement({ account: '000123456789', currency: 'USD', day: '2026-11-30', movements: [debit] }),
  );
  expect(await stateOf(one.payout)).toBe('disbursed');
  expect(await world.lines()).toMatchObject([{ match: 'payout' }]);
  expect(await world.contradictions()).toEqual([]);
});

it.each(['closed', 'unknown'])(
  'resolves no payout of a file that is %s: it may still be sent',
  async (status) => {
    const [one] = (await sent(1)) as [Sent];
    await sql('UPDATE bank_batch SET status = $1', [status]);
    await executed(one.batch, 6);
    expect((await missing())[0]?.next_step).toContain('ops.bank_batches');
    await expect(resolve(one.payout, 'not_paid')).rejects.toThrow('is not open');
  },
);

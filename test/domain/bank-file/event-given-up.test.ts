import { beforeEach, expect, it } from 'vitest';
import { issueOperatorKey } from '../../../src/access/operator-key.ts';
import { applyBankFile } from '../../../src/domain/bank-file/apply.ts';
import { readStoredFile } from '../../../src/domain/bank-file/read.ts';
import { statement, type Movement } from '../../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../../support/bank-inbox.ts';

/* An event of a bank that no run of its job can apply. */

const world = useBankInbox();
const { sent, stateOf, fileRow } = world;
beforeEach(() => world.forgetJobs());

const debitOf = ({ payout, attempt }: Sent): Movement => ({
  direction: 'debit',
  amount: '1250.00',
  payout,
  attempt,
});

/** A stored and read file, whose events have been told and not applied. */
async function told(day: string, movements: readonly Movement[]): Promise<string> {
  const { fileId } = await world.store(
    statement({ account: '000123456789', currency: 'USD', day, movements }),
  );
  await readStoredFile(world.call, fileId);
  await applyBankFile(world.call, fileId);
  return fileId;
}

/** Leaves the events of these attempts with a job that has used up its attempts, or has one left. */
async function jobs(used: 'all' | 'all but one', ...attempts: readonly string[]): Promise<void> {
  await world.sql(
    `UPDATE provider_event SET applied_with = NULL WHERE event ->> 'providerPayoutId' = ANY ($1)`,
    [attempts],
  );
  await world.sql(
    `SELECT graphile_worker.add_job('apply_provider_event', json_build_object('provider', provider, 'eventId', event_id),
       job_key => 'apply ' || provider || ' ' || event_id, max_attempts => 20)
     FROM provider_event WHERE event ->> 'providerPayoutId' = ANY ($1)`,
    [attempts],
  );
  await world.sql(
    `UPDATE graphile_worker._private_jobs j SET attempts = CASE $2 WHEN 'all' THEN 20 ELSE 19 END
     FROM provider_event e WHERE j.key = 'apply ' || e.provider || ' ' || e.event_id
       AND e.event ->> 'providerPayoutId' = ANY ($1)`,
    [attempts, used],
  );
}

const isConcluded = async (file: string) => (await fileRow(file))?.['applied_at'] !== null;
const desk = () => world.sql('SELECT kind, said, file_id, status FROM bank_stray_answer');

it('waits at the desk by name, once, and lets the files of its connection conclude', async () => {
  const [one] = (await sent(1)) as [Sent];
  const file = await told('2026-11-30', [debitOf(one)]);
  await jobs('all but one', one.attempt);
  await applyBankFile(world.call, file);
  expect(await isConcluded(file)).toBe(false);
  expect(await desk()).toEqual([]);

  await jobs('all', one.attempt);
  await applyBankFile(world.call, file);
  expect(await isConcluded(file)).toBe(true);
  const item = { kind: 'event', said: `disbursed ${one.attempt}`, file_id: file, status: 'open' };
  expect(await desk()).toEqual([item]);
  expect(await stateOf(one.payout)).toBe('approved');

  const later = await told('2026-12-01', []);
  expect(await isConcluded(later)).toBe(true);
  expect(await desk()).toEqual([item]);

  const { key } = await issueOperatorKey(world.harness.database.pool, 'Ada');
  const { body, text } = await world.harness.graphql(
    key,
    '{ operatorBankStrayAnswers { edges { node { kind said line } } } }',
  );
  expect(body.errors, text).toBeUndefined();
  expect(body.data.operatorBankStrayAnswers.edges).toMatchObject([
    { node: { kind: 'event', said: item.said, line: 0 } },
  ]);
  const [shown] = await world.sql<{ next_step: string }>(
    'SELECT next_step FROM ops.bank_stray_answers',
  );
  expect(shown?.next_step).toContain('ops.retry_job');

  // Once its cause is mended, a further attempt moves the payout.
  await world.applyEvents();
  expect(await stateOf(one.payout)).toBe('disbursed');
});

it('lets no file conclude while another event is still to be applied', async () => {
  const [one, other] = (await sent(2)) as [Sent, Sent];
  const file = await told('2026-11-30', [debitOf(one), debitOf(other)]);
  await jobs('all', one.attempt);
  await jobs('all but one', other.attempt);
  await applyBankFile(world.call, file);
  expect(await isConcluded(file)).toBe(false);
  expect(await desk()).toEqual([]);
});

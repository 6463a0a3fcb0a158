import { expect, it } from 'vitest';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { disburseLater } from '../../../src/domain/disbursement/job.ts';
import { enrollByJob } from '../../../src/domain/enrollment/run.ts';
import { readPayout } from '../../../src/domain/payout/read.ts';
import { ProviderError } from '../../../src/providers/port.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld({ fresh: true, env: { PROVIDER_RETRY_DELAYS: '600' } });
const { approved, sql } = world;

const unclear = () => new ProviderError('unknown', 'other', 'no answer');

/** Whether the payout's job is due now; null when it has none. */
async function isDue(payoutId: string): Promise<boolean | null> {
  const [job] = await sql<{ due: boolean }>(
    'SELECT run_at <= now() AS due FROM graphile_worker.jobs WHERE key = $1',
    [`disburse ${payoutId}`],
  );
  return job?.due ?? null;
}

/** Puts the job of a payout into another condition. */
async function change(payoutId: string, set: string): Promise<void> {
  await sql(`UPDATE graphile_worker._private_jobs SET ${set} WHERE key = $1`, [
    `disburse ${payoutId}`,
  ]);
}

/** The jobs of all disbursements; a job that is replaced has another revision. */
const disbursements = () =>
  sql(
    `SELECT id, key, run_at, locked_at, revision FROM graphile_worker.jobs WHERE key LIKE 'disburse %' ORDER BY id`,
  );

async function pendingEnrollment(): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `SELECT id FROM enrollment WHERE beneficiary_id = $1 AND status = 'pending'`,
    [world.payee.beneficiaryId],
  );
  return row?.id ?? '';
}

/** Payouts that were put off, since the provider does not say whether it has enrolled their account. */
async function twoThatWait(): Promise<[string, string]> {
  const { port } = world.provider;
  const { enroll } = port;
  port.enroll = () => Promise.reject(unclear());
  const ids: [string, string] = [await approved(), await approved()];
  for (const id of ids) {
    await disbursePayout(world.call, id);
    expect(await isDue(id)).toBe(false);
  }
  port.enroll = enroll;
  return ids;
}

it('an enrollment that succeeds makes the payouts that wait for it due at once', async () => {
  const [first, second] = await twoThatWait();
  await disbursePayout(world.call, first);
  expect((await world.attemptOf(first)).status).toBe('submitted');
  expect(await isDue(second)).toBe(true);
});

it('leaves the jobs alone that are due already or run', async () => {
  const [due, runs] = await twoThatWait();
  const approvedLast = await approved();
  await change(due, `run_at = now() - interval '1 second'`);
  await change(
    runs,
    `run_at = now() - interval '1 second', locked_at = now(), locked_by = 'wrk_1'`,
  );
  const before = await disbursements();
  expect(before).toHaveLength(3);
  await enrollByJob(world.call, await pendingEnrollment());
  expect(await disbursements()).toEqual(before);
  expect(await isDue(approvedLast)).toBe(true);
});

it('makes one due that was put off while its run goes on', async () => {
  const [first] = await twoThatWait();
  await change(first, `key = NULL, locked_at = now(), locked_by = 'wrk_1'`);
  await disburseLater(world.call, first, 60_000);
  expect(await isDue(first)).toBe(false);
  await enrollByJob(world.call, await pendingEnrollment());
  expect(await isDue(first)).toBe(true);
});

it('an enrollment that is refused makes them due too, and they fail', async () => {
  const [first, second] = await twoThatWait();
  world.provider.port.enroll = () =>
    Promise.reject(new ProviderError('rejected', 'provider_rejected', 'no such account'));
  await enrollByJob(world.call, await pendingEnrollment());
  for (const id of [first, second]) {
    expect(await isDue(id)).toBe(true);
    await disbursePayout(world.call, id);
    expect((await readPayout(world.call, id)).state).toBe('failed');
  }
});

it('a payout that is put off while the enrollment ends is due at once', async () => {
  const [first] = await twoThatWait();
  const enrollment = await pendingEnrollment();
  const { port } = world.provider;
  const { enroll } = port;
  port.enroll = async () => {
    port.enroll = enroll;
    await enrollByJob(world.call, enrollment);
    throw unclear();
  };
  // Its own call is unclear, and in the meantime another run has recorded the outcome.
  await disbursePayout(world.call, first);
  expect(await isDue(first)).toBe(true);
  await disbursePayout(world.call, first);
  expect((await world.attemptOf(first)).status).toBe('submitted');
});

it('leaves alone what was canceled meanwhile', async () => {
  const [first, second] = await twoThatWait();
  const path = `/v1/payouts/${second}/cancel`;
  const canceled = await world.harness.rest('POST', path, { key: world.tenant.key, body: {} });
  expect(canceled.status).toBe(200);
  await enrollByJob(world.call, await pendingEnrollment());
  expect(await isDue(first)).toBe(true);
  expect(await isDue(second)).toBe(false);
});

import { expect, it } from 'vitest';
import {
  suspendBeneficiary,
  reinstateBeneficiary,
} from '../../../src/domain/beneficiary/suspend.ts';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { reconcilePayouts } from '../../../src/domain/reconciliation/reconcile.ts';
import { goOn, laterWithoutJobs } from '../../support/go-on.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

/*
 * Every pair of a payout that is under way and its attempt, those among them that no command leaves behind: each is
 * led on by the reconciliation, or an operator is told what to do. A repair by hand or a fault of ours makes the others.
 */

const world = usePayoutWorld({
  fresh: true,
  env: { LOG_LEVEL: 'silent', RECONCILE_DISBURSED_AFTER: '600' },
});
const { approved, handedOver, attemptOf, sql, stateOf, tell, comply } = world;

const statuses = ['prepared', 'unknown', 'submitted', 'rejected'] as const;

/** A payout in this state, whose attempt is then given this status. */
async function odd(
  state: string,
  status: (typeof statuses)[number],
  marked: boolean,
): Promise<string> {
  const id = await handedOver('ok');
  if (state === 'disbursed') await tell(id, { type: 'disbursed' });
  await sql(
    `UPDATE disbursement_attempt SET status = $2, needs_operator = $3,
       failure_code = 'account_closed', failure_message = 'The account is closed.' WHERE payout_id = $1`,
    [id, status, marked],
  );
  return id;
}

/** What operators read of a payout, if it needs one. */
async function reasonOf(id: string): Promise<string | null> {
  const [found] = await sql<{ reason: string }>(
    `SELECT reason FROM ops.find_stuck_payouts('1 minute') WHERE payout_id = $1`,
    [id],
  );
  return found?.reason ?? null;
}

it.each(
  ['approved', 'disbursed'].flatMap((state) =>
    statuses.flatMap((status) => [false, true].map((marked) => ({ state, status, marked }))),
  ),
)(
  'a payout that is $state while its attempt is $status goes on, or waits for a person by name ($marked)',
  async ({ state, status, marked }) => {
    const id = await odd(state, status, marked);
    await laterWithoutJobs(world.harness);
    await goOn(world.call.services, world.harness);
    const attempt = await attemptOf(id);
    const reason = await reasonOf(id);
    if (marked) expect(['outcome_for_operator', 'attempt_for_operator']).toContain(reason);
    else if (status !== 'rejected') {
      expect(attempt.status).toBe('submitted');
      expect(world.provider.lookUps.length).toBeGreaterThan(0);
    } else if (state === 'approved') expect(await stateOf(id)).toBe('failed');
    else expect(reason).toBe('provider_contradicts');
    expect(world.provider.ledger.size).toBe(1);
  },
);

it('a refusal by compliance that its payout does not show puts it on hold', async () => {
  const id = await odd('approved', 'rejected', false);
  await sql(`UPDATE disbursement_attempt SET failure_code = 'compliance_rejected'`);
  await laterWithoutJobs(world.harness);
  await goOn(world.call.services, world.harness);
  expect(await stateOf(id)).toBe('compliance_hold');
});

it('a refusal of what was called executed ends the payout, and a person looks before it is replaced', async () => {
  const id = await odd('approved', 'rejected', false);
  await sql('UPDATE disbursement_attempt SET executed_told_at = now()');
  await laterWithoutJobs(world.harness);
  await goOn(world.call.services, world.harness);
  expect(await stateOf(id)).toBe('failed');
  expect(await reasonOf(id)).toBe('provider_contradicts');
});

it('a payout that a suspension holds goes on after its end, though the job of the release is lost', async () => {
  const id = await approved();
  await comply(suspendBeneficiary);
  await disbursePayout(world.call, id);
  await laterWithoutJobs(world.harness);
  await reconcilePayouts(world.call.services);
  expect(
    await sql(
      `SELECT task FROM job_outbox WHERE task = 'release_payouts'
       UNION ALL SELECT task_identifier FROM graphile_worker.jobs WHERE task_identifier = 'release_payouts'`,
    ),
  ).toEqual([]);
  await goOn(world.call.services, world.harness);
  expect(await stateOf(id)).toBe('compliance_hold');
  await comply(reinstateBeneficiary);
  await laterWithoutJobs(world.harness);
  await goOn(world.call.services, world.harness);
  expect(await stateOf(id)).toBe('pending_approval');
});

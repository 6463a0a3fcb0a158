import { expect, it } from 'vitest';
import { handlers } from '../../../jobs/handlers.ts';
import { jobScope } from '../../../src/access/system.ts';
import { inTransaction } from '../../../src/db/pool.ts';
import { archiveBeneficiary } from '../../../src/domain/beneficiary/archive.ts';
import {
  reinstateBeneficiary,
  suspendBeneficiary,
} from '../../../src/domain/beneficiary/suspend.ts';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { releaseHeldPayouts } from '../../../src/domain/disbursement/payee-holds.ts';
import { movePayoutTo } from '../../../src/domain/payout/transition.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();
const { approve, approved, comply, stateOf } = world;

const runRelease = () =>
  handlers.release_payouts(
    { tenantId: world.tenant.tenantId, beneficiaryId: world.payee.beneficiaryId },
    world.call.services,
  );

it('holds an approved payout whose beneficiary is suspended, and asks the provider nothing', async () => {
  const id = await approved();
  await comply(suspendBeneficiary);
  await disbursePayout(world.call, id);
  expect(await stateOf(id)).toBe('compliance_hold');
  expect(world.provider.submissions).toEqual([]);
  const { rows } = await world.harness.database.pool.query(
    `SELECT to_state, cause, reason, (SELECT count(*)::int FROM disbursement_attempt a WHERE a.payout_id = $1) AS attempts
     FROM payout_transition WHERE payout_id = $1 ORDER BY seq DESC LIMIT 1`,
    [id],
  );
  expect(rows).toEqual([
    {
      to_state: 'compliance_hold',
      cause: 'beneficiary_suspended',
      reason: 'The beneficiary is suspended.',
      attempts: 0,
    },
  ]);
});

it('releases it after the reinstatement, for a new decision', async () => {
  const id = await approved();
  await comply(suspendBeneficiary);
  await disbursePayout(world.call, id);
  await runRelease();
  expect(await stateOf(id)).toBe('compliance_hold'); // it is suspended still
  await comply(reinstateBeneficiary);
  const { rows } = await world.harness.database.pool.query(
    `SELECT payload FROM graphile_worker._private_jobs WHERE payload ->> 'beneficiaryId' = $1`,
    [world.payee.beneficiaryId],
  );
  expect(rows).toHaveLength(1);
  await runRelease();
  await runRelease();
  expect(await stateOf(id)).toBe('pending_approval');
  await approve(id);
  await disbursePayout(world.call, id);
  expect(world.provider.ledger.size).toBe(1);
});

it('leaves a hold of another cause alone', async () => {
  const id = await approved();
  await world.harness.rest('POST', `/v1/sandbox/payouts/${id}/simulate`, {
    key: world.tenant.key,
    body: { event: 'hold' },
  });
  await comply(suspendBeneficiary);
  await comply(reinstateBeneficiary);
  await runRelease();
  expect(await stateOf(id)).toBe('compliance_hold');
});

it('is not released by a simulated release: only the reinstatement lifts it', async () => {
  const id = await approved();
  await comply(suspendBeneficiary);
  await disbursePayout(world.call, id);
  const answer = await world.harness.rest('POST', `/v1/sandbox/payouts/${id}/simulate`, {
    key: world.tenant.key,
    body: { event: 'release' },
  });
  expect([answer.status, answer.body.error.code]).toEqual([409, 'INVALID_STATE_TRANSITION']);
  expect(await stateOf(id)).toBe('compliance_hold');
});

it('knows its holds by their cause, not by their words', async () => {
  const id = await approved();
  await comply(suspendBeneficiary);
  await disbursePayout(world.call, id);
  await world.harness.database.pool.query(
    `UPDATE payout_transition SET reason = 'Other words.' WHERE payout_id = $1`,
    [id],
  );
  await comply(reinstateBeneficiary);
  await runRelease();
  expect(await stateOf(id)).toBe('pending_approval');
});

it('does not lift another hold that came in between', async () => {
  const id = await approved();
  await comply(suspendBeneficiary);
  await disbursePayout(world.call, id);
  await comply(reinstateBeneficiary);
  const move = (given: Parameters<typeof movePayoutTo>[3]) =>
    inTransaction(world.harness.services.pool, (client) =>
      movePayoutTo(client, world.call.scope, id, given),
    );
  // After the release job has read which payouts are held, and before it releases this one.
  const pool = new Proxy(world.call.services.pool, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      if (key !== 'connect') return value.bind(target) as unknown;
      return async () => {
        await move({ trigger: 'release' });
        await move({ trigger: 'hold', reason: 'for another cause' });
        return target.connect();
      };
    },
  });
  await releaseHeldPayouts(
    { ...world.call, services: { ...world.call.services, pool } },
    world.payee.beneficiaryId,
  );
  expect(await stateOf(id)).toBe('compliance_hold');
  const { rows } = await world.harness.database.pool.query(
    'SELECT cause FROM payout_transition WHERE payout_id = $1 ORDER BY seq',
    [id],
  );
  expect(rows.map(({ cause }) => cause as string | null)).toEqual([
    null,
    'beneficiary_suspended',
    null,
    null,
  ]);
});

it('has no cause that the database does not know', async () => {
  const id = await approved();
  await expect(
    world.harness.database.pool.query(
      `UPDATE payout_transition SET cause = 'whatever' WHERE payout_id = $1`,
      [id],
    ),
  ).rejects.toThrow('payout_transition_cause_check');
});

it('waits for a suspension that is not committed yet', async () => {
  const id = await approved();
  // Enrolled already, so that the submission itself is what meets the suspension.
  const other = await approved();
  await disbursePayout(world.call, other);
  const scope = await jobScope(world.call.services.pool, world.tenant.tenantId, {
    type: 'system',
    name: 'x',
  });
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
  const { promise: suspended, resolve: isSuspended } = Promise.withResolvers<void>();
  const suspension = inTransaction(world.call.services.pool, async (client) => {
    await suspendBeneficiary(client, scope, world.payee.beneficiaryId, 'just now');
    isSuspended();
    await mayCommit;
  });
  await suspended;
  const run = disbursePayout(world.call, id);
  await new Promise((resolve) => setTimeout(resolve, 50));
  commit();
  await Promise.all([suspension, run]);
  expect(await stateOf(id)).toBe('compliance_hold');
  expect(world.provider.submissions).toHaveLength(1);
});

it('repeats no unclear call to a suspended beneficiary, and ends nothing', async () => {
  const id = await approved();
  world.provider.fates.push('unknown_lost');
  await disbursePayout(world.call, id);
  await comply(suspendBeneficiary);
  await disbursePayout(world.call, id);
  await disbursePayout(world.call, id);
  expect(world.provider.submissions).toHaveLength(1);
  expect(await stateOf(id)).toBe('approved');
  await comply(reinstateBeneficiary);
  await disbursePayout(world.call, id);
  expect(new Set(world.provider.submissions.map((s) => s.idempotencyKey)).size).toBe(1);
  expect(world.provider.ledger.size).toBe(1);
});

it('marks it for an operator when the window closes meanwhile', async () => {
  const id = await approved();
  world.provider.fates.push('unknown_lost');
  await disbursePayout(world.call, id);
  await comply(suspendBeneficiary);
  await world.harness.database.pool.query(
    'UPDATE disbursement_attempt SET key_expires_at = now() WHERE payout_id = $1',
    [id],
  );
  await disbursePayout(world.call, id);
  const { rows } = await world.harness.database.pool.query(
    'SELECT status, needs_operator FROM disbursement_attempt WHERE payout_id = $1',
    [id],
  );
  expect(rows).toEqual([{ status: 'unknown', needs_operator: true }]);
  expect(world.provider.submissions).toHaveLength(1);
});

it('does not stop for an archived beneficiary', async () => {
  const id = await approved();
  await archiveBeneficiary(world.call, world.payee.beneficiaryId);
  await disbursePayout(world.call, id);
  expect(world.provider.ledger.size).toBe(1);
});

import { expect, it } from 'vitest';
import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import { inTransaction } from '../../../src/db/pool.ts';
import { suspendBeneficiary } from '../../../src/domain/beneficiary/suspend.ts';
import { recordAccepted } from '../../../src/domain/disbursement/accepted-store.ts';
import {
  findOpenAttempt,
  insertAttempt,
  insertAttempts,
  insertCall,
  lockAttempt,
  recordNotAccepted,
} from '../../../src/domain/disbursement/store.ts';
import { readPayout } from '../../../src/domain/payout/read.ts';
import { makePayee, payoutBody, type TestPayee } from '../../support/factory.ts';
import { newApproved } from '../../support/fake-provider.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();
const { approved, handedOver, attemptOf, sql, eventsOf } = world;
const pool = () => world.call.services.pool;

const windowMs = 3_600_000;

function prepare(payoutId: string): Promise<DisbursementAttempt | null> {
  return insertAttempt(pool(), world.call.scope, {
    payoutId,
    beneficiaryId: world.payee.beneficiaryId,
    provider: 'simulator',
    recipientId: 'rcp_1',
    idempotencyWindowMs: windowMs,
  });
}

async function prepared() {
  const payoutId = await approved();
  const attempt = await prepare(payoutId);
  if (attempt === null) throw new Error('no attempt');
  return { payoutId, attempt };
}

const accept = (attemptId: string, payoutId = `po_${attemptId}`, railRef: string | null = null) =>
  inTransaction(pool(), (client) =>
    recordAccepted(client, world.call.scope, attemptId, { payoutId, railRef }),
  );

const endCall = (attempt: DisbursementAttempt, status: 'rejected' | 'unknown') =>
  recordNotAccepted(pool(), world.call.scope, attempt, {
    status,
    code: 'other',
    message: 'm',
    needsOperator: false,
  });

async function row(attemptId: string): Promise<DisbursementAttempt> {
  const found = await inTransaction(pool(), (client) =>
    lockAttempt(client, world.call.scope, attemptId),
  );
  if (found === null) throw new Error('no attempt');
  return found;
}

it('is one attempt of an approved payout, of its amount, with the window that the provider keeps', async () => {
  const { payoutId, attempt } = await prepared();
  expect(await prepare(payoutId)).toBeNull();
  expect(attempt).toMatchObject({ number: 1, calls: 1, amountMinor: 125_000n, currency: 'USD' });
  expect(attempt.keyExpiresAt.getTime() - attempt.preparedAt.getTime()).toBe(windowMs);
  expect((await readPayout(world.call, payoutId)).liveAttemptId).toBe(attempt.id);
});

it.each(['pending_approval', 'compliance_hold', 'canceled', 'failed', 'settled'])(
  'is none of a payout that is %s',
  async (state) => {
    const payoutId = await approved();
    const client = await world.harness.database.pool.connect();
    try {
      await client.query('BEGIN');
      // The database lets no state go without its record; only the statement is asked here.
      await client.query('SET LOCAL session_replication_role = replica');
      await client.query('UPDATE payout SET state = $2 WHERE id = $1', [payoutId, state]);
      const made = await insertAttempt(client, world.call.scope, {
        payoutId,
        beneficiaryId: world.payee.beneficiaryId,
        provider: 'simulator',
        recipientId: 'rcp_1',
        idempotencyWindowMs: windowMs,
      });
      expect(made).toBeNull();
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  },
);

it('is made for the payouts of a call that may be disbursed, and for no other of them', async () => {
  const wanted = async (payee: TestPayee, beneficiaryId = payee.beneficiaryId) => ({
    payoutId: await newApproved(
      world.harness,
      world.tenant.key,
      payoutBody(payee, { validator_strategy: 'auto' }),
    ),
    beneficiaryId,
    provider: 'simulator',
    recipientId: 'rcp_1',
    idempotencyWindowMs: windowMs,
  });
  const suspended = await makePayee(world.harness, world.tenant.key);
  const taken = await wanted(world.payee);
  await insertAttempt(pool(), world.call.scope, taken);
  const asked = [
    await wanted(world.payee),
    await wanted(suspended),
    taken,
    await wanted(world.payee, suspended.beneficiaryId),
    await wanted(world.payee),
  ];
  await inTransaction(pool(), (client) =>
    suspendBeneficiary(client, world.call.scope, suspended.beneficiaryId, 'by the test'),
  );
  const made = await insertAttempts(pool(), world.call.scope, asked);
  expect(made.map((attempt) => attempt?.payoutId ?? null)).toEqual([
    asked[0]?.payoutId,
    null,
    null,
    null,
    asked[4]?.payoutId,
  ]);
});

it('is taken once, and never after it was refused', async () => {
  const { payoutId, attempt } = await prepared();
  expect(await accept(attempt.id)).toBe(true);
  expect(await accept(attempt.id, 'po_another')).toBe(false);
  expect(await row(attempt.id)).toMatchObject({
    status: 'submitted',
    providerPayoutId: `po_${attempt.id}`,
  });
  expect(await eventsOf(payoutId)).toEqual(['payout.disbursement_submitted']);
  // What was taken is not refused by an answer that comes late.
  expect(await endCall(attempt, 'rejected')).toBeNull();
  expect(await endCall(attempt, 'unknown')).toBeNull();
  expect((await row(attempt.id)).status).toBe('submitted');

  const refused = await prepared();
  expect((await endCall(refused.attempt, 'rejected'))?.completedAt).not.toBeNull();
  expect(await accept(refused.attempt.id)).toBe(false);
  expect((await row(refused.attempt.id)).status).toBe('rejected');
});

it('needs nobody any more once it is known to be taken', async () => {
  const { attempt } = await prepared();
  expect((await endCall(attempt, 'unknown'))?.completedAt).toBeNull();
  await sql('UPDATE disbursement_attempt SET needs_operator = true WHERE id = $1', [attempt.id]);
  await accept(attempt.id);
  expect(await row(attempt.id)).toMatchObject({ status: 'submitted', needsOperator: false });
});

it('notes a payment on the payout whose live attempt it is, and on no other', async () => {
  const { payoutId, attempt } = await prepared();
  const live = (await prepared()).attempt;
  await sql('UPDATE payout SET live_attempt_id = $2 WHERE id = $1', [payoutId, live.id]);
  expect(await accept(attempt.id, 'po_late')).toBe(false);
  expect((await readPayout(world.call, payoutId)).providerPayoutId).toBeNull();
  expect(await eventsOf(payoutId)).toEqual([]);
});

it('is called again by the latest of its callers alone, and told of by the latest call alone', async () => {
  const { attempt } = await prepared();
  const again = (of: DisbursementAttempt) =>
    insertCall(pool(), world.call.scope, of, world.payee.beneficiaryId);
  const second = await again(attempt);
  if (second.kind !== 'counted') throw new Error(second.kind);
  expect(await again(attempt)).toEqual({ kind: 'over', windowOpen: true });
  expect(await endCall(attempt, 'rejected')).toBeNull();
  expect((await row(attempt.id)).calls).toBe(2);
  await accept(attempt.id);
  expect(await again(second.attempt)).toEqual({ kind: 'over', windowOpen: true });
});

it('is under way while its call may not have ended, and open until its outcome is known', async () => {
  const { attempt } = await prepared();
  const open = (callMs: number) => findOpenAttempt(pool(), world.call.scope, attempt.id, callMs);
  expect((await open(windowMs))?.underWay).toBe(true);
  expect((await open(0))?.underWay).toBe(false);
  await endCall(attempt, 'unknown');
  expect((await open(windowMs))?.underWay).toBe(false);
  await accept(attempt.id);
  expect(await open(windowMs)).toBeNull();
});

it('keeps the greater of two references of the rail, whichever came first', async () => {
  for (const [first, second] of [
    ['a', 'b'],
    ['b', 'a'],
  ] as const) {
    const { payoutId, attempt } = await prepared();
    await sql('UPDATE payout SET rail_ref = $2 WHERE id = $1', [payoutId, first]);
    await accept(attempt.id, undefined, second);
    expect((await readPayout(world.call, payoutId)).railRef).toBe('b');
  }
});

it('sends every call of an attempt under the one key, which is its own', async () => {
  const id = await handedOver('unknown_lost');
  const { id: attemptId } = await attemptOf(id);
  expect(world.provider.submissions.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
    attemptId,
  ]);
});

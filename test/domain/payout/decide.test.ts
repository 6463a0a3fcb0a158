import { beforeEach, describe, expect, it } from 'vitest';
import { replaceBankAccountDetails } from '../../../src/domain/bank-account/update.ts';
import { decideOnPayout } from '../../../src/domain/payout/decide.ts';
import { readPayout } from '../../../src/domain/payout/read.ts';
import type { Call } from '../../../src/process/services.ts';
import { newId } from '../../../src/values/ids.ts';
import { newUlid } from '../../../src/values/ulid.ts';
import {
  codeOf,
  decide,
  memberCall,
  move,
  newPayout,
  refusalOf,
  withSettings,
} from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();
const { sql, stateOf } = world;

let id: string;
beforeEach(async () => {
  id = await newPayout(world.call, world.payee);
});

/** What a decision leaves behind: the states, the decisions and the jobs of the payout. */
async function traces(): Promise<{ states: string[]; decisions: string[]; jobs: number }> {
  const states = await sql<{ to_state: string }>(
    'SELECT to_state FROM payout_transition WHERE payout_id = $1 ORDER BY seq',
    [id],
  );
  const decisions = await sql<{ status: string }>(
    'SELECT status FROM payout_decision WHERE payout_id = $1 ORDER BY id',
    [id],
  );
  const text = `SELECT FROM graphile_worker._private_jobs WHERE payload->>'payoutId' = $1`;
  return {
    states: states.map((row) => row.to_state),
    decisions: decisions.map((row) => row.status),
    jobs: (await sql(text, [id])).length,
  };
}
const untouched = { states: ['pending_approval'], decisions: [], jobs: 0 };

describe('a decision', () => {
  it('approves with its record and the job that disburses', async () => {
    const call = await memberCall(world.call.services, world.tenant, 'approver');
    const { payout, decision, replayed } = await decide(call, id, 'approved');
    expect(replayed).toBe(false);
    expect(payout).toMatchObject({ id, state: 'approved', approvedAt: expect.any(Date) });
    expect(decision).toMatchObject({
      payoutId: id,
      status: 'approved',
      reasons: [{ code: 'MANUAL_APPROVAL', message: 'Approved by the caller.', details: {} }],
      evaluatedBy: call.scope.actor,
      submittedBy: call.scope.actor,
    });
    expect(await traces()).toEqual({
      states: ['pending_approval', 'approved'],
      decisions: ['approved'],
      jobs: 1,
    });
  });

  it('keeps what it is given: who evaluated, when, by which policy, how surely', async () => {
    const given = {
      evaluatedAt: '2026-11-01T10:00:00Z',
      evaluatedBy: { agent: 'risk' },
      policyVersion: 'p1',
      agentVersion: 'a2',
      confidence: 0.93,
      reasons: [{ code: 'LOW_RISK', message: 'fine', details: { score: 1 } }],
    };
    const { decision } = await decide(world.call, id, 'approved', given);
    expect(decision).toMatchObject({
      ...given,
      evaluatedAt: new Date(given.evaluatedAt),
      submittedBy: { type: 'system' },
    });
  });

  it.each(['pending_approval', 'compliance_hold'])('rejects a payout in %s', async (state) => {
    if (state === 'compliance_hold') await move(world.call, id, { trigger: 'hold' });
    const { payout, decision } = await decide(world.call, id, 'rejected', {
      reasons: [{ message: 'wrong amount' }, { message: 'wrong payee' }],
    });
    expect(payout.state).toBe('rejected');
    expect(decision.reasons).toMatchObject([
      { code: 'MANUAL_REJECTION', message: 'wrong amount' },
      { code: 'MANUAL_REJECTION', message: 'wrong payee' },
    ]);
    const [record] = await sql(
      `SELECT reason FROM payout_transition WHERE payout_id = $1 AND to_state = 'rejected'`,
      [id],
    );
    expect(record).toEqual({ reason: 'wrong amount; wrong payee' });
    expect((await traces()).jobs).toBe(0);
  });

  it('rejects for a reason only', async () => {
    const refused = decide(world.call, id, 'rejected', { reasons: [] });
    expect(await codeOf(refused)).toBe('REJECTION_REASON_REQUIRED');
    expect(await traces()).toEqual(untouched);
  });

  it('moves nothing where it says that the review is pending', async () => {
    await decide(world.call, id, 'pending_review');
    await move(world.call, id, { trigger: 'hold' });
    await decide(world.call, id, 'pending_review');
    expect(await traces()).toEqual({
      states: ['pending_approval', 'compliance_hold'],
      decisions: ['pending_review', 'pending_review'],
      jobs: 0,
    });
  });

  it('is one of at most 100 that move nothing, and then still moves the payout', async () => {
    await sql(
      `INSERT INTO payout_decision (tenant_id, id, payout_id, decision_id, request_hash, status, reasons,
         evaluated_by, submitted_by, evaluated_at)
       SELECT $1, 'dec_' || n, $2, n::text, '', 'pending_review', '[]', '{}', '{}', now()
       FROM generate_series(1, 99) AS n`,
      [world.tenant.tenantId, id],
    );
    await decide(world.call, id, 'pending_review');
    expect(await codeOf(decide(world.call, id, 'pending_review'))).toBe('conflict');
    expect((await decide(world.call, id, 'approved')).payout.state).toBe('approved');
  });
});

describe('the same decision id', () => {
  it.each(['approved', 'rejected', 'pending_review'] as const)(
    'replays %s, also in other letters, and refuses other content',
    async (status) => {
      const decisionId = newUlid();
      const reasons = [{ message: 'said once' }];
      const first = await decide(world.call, id, status, { decisionId, reasons });
      const again = { decisionId: decisionId.toLowerCase(), reasons };
      const second = await decide(world.call, id, status, again);
      expect(second).toEqual({ ...first, replayed: true });
      const other = decide(world.call, id, status, { ...again, confidence: 0.5 });
      expect(await codeOf(other)).toBe('IDEMPOTENCY_KEY_REUSED');
      expect((await traces()).decisions).toEqual([status]);
    },
  );

  it('makes one decision of twenty equal ones', async () => {
    const decisionId = newUlid();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => decide(world.call, id, 'approved', { decisionId })),
    );
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await traces()).toMatchObject({ decisions: ['approved'], jobs: 1 });
  });

  it('is another decision on another payout', async () => {
    const decisionId = newUlid();
    await decide(world.call, id, 'approved', { decisionId });
    const other = await newPayout(world.call, world.payee);
    expect((await decide(world.call, other, 'approved', { decisionId })).replayed).toBe(false);
  });
});

describe('an approval is refused', () => {
  it('where the payout is elsewhere', async () => {
    for (const trigger of ['hold', 'cancel'] as const) {
      await move(world.call, id, { trigger });
      const { code, message } = await refusalOf(decide(world.call, id, 'approved'));
      expect(code).toBe('INVALID_STATE_TRANSITION');
      expect(message).toContain(await stateOf(id));
      const review = decide(world.call, id, 'pending_review');
      if (trigger === 'cancel') expect(await codeOf(review)).toBe('INVALID_STATE_TRANSITION');
      else await review;
    }
  });

  it.each([() => newId('payout'), () => 'pay_1', () => newId('decision')])(
    'for a payout that is not there',
    async (unknown) => {
      for (const status of ['approved', 'rejected', 'pending_review'] as const) {
        expect(await codeOf(decide(world.call, unknown(), status))).toBe('PAYOUT_NOT_FOUND');
      }
    },
  );

  it.each(['preparer', 'developer', 'viewer'] as const)('to a %s', async (role) => {
    const call = await memberCall(world.call.services, world.tenant, role);
    expect(await codeOf(decide(call, id, 'approved'))).toBe('forbidden');
    expect(await traces()).toEqual(untouched);
  });

  it.each([
    { decisionId: 'x' },
    { status: 'maybe' as 'approved' },
    { confidence: 2 },
    { evaluatedBy: { agent: 'a\u0000b' } },
    { reasons: Array.from({ length: 21 }, () => ({ message: 'x' })) },
  ])('where it is malformed: %o', async (wrong) => {
    const given = { decisionId: newUlid(), status: 'approved', reasons: [], ...wrong } as const;
    const input = given as Parameters<typeof decideOnPayout>[2];
    expect(await codeOf(decideOnPayout(world.call, id, input))).toBe('validation_failed');
    expect(await traces()).toEqual(untouched);
  });

  it('beyond DECISION_MAX_BYTES, naming the larger part', async () => {
    const call = withSettings(world.call, { DECISION_MAX_BYTES: 1_024 });
    const note = { note: 'x'.repeat(1_100) };
    const large = await Promise.all([
      refusalOf(decide(call, id, 'approved', { evaluatedBy: note })),
      refusalOf(decide(call, id, 'approved', { reasons: [{ message: 'x', details: note }] })),
    ]);
    expect(large.map(({ details }) => details[0]?.field)).toEqual(['evaluatedBy', 'reasons']);
  });
});

describe('where the bank account changes', () => {
  const changed = (call: Call) =>
    replaceBankAccountDetails(call, world.payee.beneficiaryId, world.payee.bankAccountId, {
      accountHolderName: 'Somebody Else',
      country: 'US',
      currency: 'USD',
      routingCode: '021000021',
      accountNumber: '000999999999',
    });

  it('before the approval, the payout is not approved: the approver has seen other details', async () => {
    await changed(world.call);
    const { code, message } = await refusalOf(decide(world.call, id, 'approved'));
    expect(code).toBe('BANK_ACCOUNT_CHANGED');
    expect(message).toContain('bank account changed');
    expect(await traces()).toEqual(untouched);
    // It is rejected or canceled; a payout that is created by now may be approved.
    expect((await decide(world.call, id, 'rejected')).payout.state).toBe('rejected');
    id = await newPayout(world.call, world.payee);
    expect((await decide(world.call, id, 'approved')).payout.bankAccountVersion).toBe(2);
  });

  it('after the approval, the approval stands and so does the destination', async () => {
    const decisionId = newUlid();
    await decide(world.call, id, 'approved', { decisionId });
    await changed(world.call);
    expect((await decide(world.call, id, 'approved', { decisionId })).replayed).toBe(true);
    expect(await readPayout(world.call, id)).toMatchObject({
      state: 'approved',
      bankAccountVersion: 1,
    });
  });
});

describe('where somebody else than the creator has to approve', () => {
  const demand = (demanded: boolean) =>
    sql('UPDATE business SET distinct_approver = $2 WHERE id = $1', [
      world.tenant.businessId,
      demanded,
    ]);

  it.each([
    ['when the payout was created', true, false],
    ['when it is approved', false, true],
  ])('%s, its creator may not', async (_when, atCreation, atApproval) => {
    const creator = await memberCall(world.call.services, world.tenant, 'admin');
    const approver = await memberCall(world.call.services, world.tenant, 'approver');
    try {
      await demand(atCreation);
      id = await newPayout(creator, world.payee);
      await demand(atApproval);
      expect(await codeOf(decide(creator, id, 'approved'))).toBe('forbidden');
      expect(await traces()).toEqual(untouched);
      expect((await decide(approver, id, 'approved')).payout.state).toBe('approved');
    } finally {
      await demand(false);
    }
  });

  it('their rejection and their cancel need nobody else', async () => {
    const creator = await memberCall(world.call.services, world.tenant, 'admin');
    try {
      await demand(true);
      id = await newPayout(creator, world.payee);
      expect((await decide(creator, id, 'rejected')).payout.state).toBe('rejected');
    } finally {
      await demand(false);
    }
  });
});

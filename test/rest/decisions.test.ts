import { describe, expect, it } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { newUlid } from '../../src/values/ulid.ts';
import { makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { useHarness, usePayee, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
const payee = usePayee(harness, tenant);

async function newPayout(more: Record<string, unknown> = {}, key = tenant.key): Promise<string> {
  const answer = await harness.rest('POST', '/v1/payouts', { key, body: payoutBody(payee, more) });
  expect(answer.status).toBe(201);
  return answer.body.payout.id as string;
}

const act = (id: string, action: string, body?: unknown, key = tenant.key) =>
  harness.rest('POST', `/v1/payouts/${id}/${action}`, { key, body });

async function records(id: string): Promise<string[]> {
  const { rows } = await harness.database.pool.query<{ to_state: string }>(
    'SELECT to_state FROM payout_transition WHERE payout_id = $1 ORDER BY seq',
    [id],
  );
  return rows.map((row) => row.to_state);
}

async function jobs(id: string): Promise<number> {
  const { rows } = await harness.database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM graphile_worker._private_jobs WHERE payload->>'payoutId' = $1`,
    [id],
  );
  return rows[0]?.n ?? 0;
}

describe('approve and reject', () => {
  it('approves once, with a decision, a record and a job in one transaction', async () => {
    const id = await newPayout();
    const { status, body } = await act(id, 'approve');
    expect(status).toBe(200);
    expect(body.payout).toMatchObject({ id, state: 'approved' });
    expect(body.decision).toMatchObject({
      payout_id: id,
      status: 'approved',
      reasons: [{ code: 'MANUAL_APPROVAL' }],
      evaluated_by: { type: 'member', role: 'owner' },
    });
    expect(await records(id)).toEqual(['pending_approval', 'approved']);
    expect(await jobs(id)).toBe(1);
    const again = await act(id, 'approve');
    expect([again.status, again.body.error.code]).toEqual([409, 'INVALID_STATE_TRANSITION']);
  });

  it('rejects with reasons only', async () => {
    const id = await newPayout();
    for (const body of [undefined, {}, { reasons: [] }]) {
      const refused = await act(id, 'reject', body);
      expect([refused.status, refused.body.error.code]).toEqual([400, 'REJECTION_REASON_REQUIRED']);
    }
    const { body } = await act(id, 'reject', { reasons: [{ message: 'wrong amount' }] });
    expect(body).toMatchObject({
      payout: { state: 'rejected' },
      decision: {
        status: 'rejected',
        reasons: [{ code: 'MANUAL_REJECTION', message: 'wrong amount' }],
      },
    });
    expect(await jobs(id)).toBe(0);
  });

  it('lets one of twenty racing approvals, rejections and cancels win', async () => {
    const id = await newPayout();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        i % 3 === 0
          ? act(id, 'approve')
          : i % 3 === 1
            ? act(id, 'reject', { reasons: [{ message: 'no' }] })
            : act(id, 'cancel'),
      ),
    );
    // An approved payout may still be canceled, so a cancel can follow the winner.
    const won = answers.filter((answer) => answer.status === 200).length;
    expect(won).toBe((await records(id)).length - 1);
    expect(answers.every((answer) => [200, 409].includes(answer.status))).toBe(true);
    expect((await records(id)).slice(1).join()).toMatch(
      /^(approved|rejected|canceled|approved,canceled)$/,
    );
  });

  it('demands another approver when the business wants one', async () => {
    await harness.database.pool.query(
      'UPDATE business SET distinct_approver = true WHERE id = $1',
      [tenant.businessId],
    );
    try {
      const preparer = await tenant.keyWithRole('admin');
      const id = await newPayout({}, preparer);
      const own = await act(id, 'approve', undefined, preparer);
      expect([own.status, own.body.error.code]).toEqual([403, 'forbidden']);
      expect(await records(id)).toEqual(['pending_approval']);
      expect((await act(id, 'approve')).status).toBe(200);
    } finally {
      await harness.database.pool.query(
        'UPDATE business SET distinct_approver = false WHERE id = $1',
        [tenant.businessId],
      );
    }
  });

  it('refuses when the bank account changed after the payout was created', async () => {
    const other = await makePayee(harness, tenant.key);
    const body = payoutBody(other);
    const created = await harness.rest('POST', '/v1/payouts', { key: tenant.key, body });
    const id: string = created.body.payout.id;
    const path = `/v1/beneficiaries/${other.beneficiaryId}/bank-accounts/${other.bankAccountId}`;
    const details = {
      account_holder_name: 'Somebody Else',
      country: 'US',
      currency: 'USD',
      routing_code: '021000021',
      account_number: '000999999999',
    };
    expect((await harness.rest('PUT', path, { key: tenant.key, body: details })).status).toBe(200);
    const refused = await act(id, 'approve');
    expect([refused.status, refused.body.error.code]).toEqual([409, 'BANK_ACCOUNT_CHANGED']);
    expect(await records(id)).toEqual(['pending_approval']);
    expect((await act(id, 'cancel')).status).toBe(200);
  });

  it('lets nobody approve by creating who may not approve', async () => {
    const auto = payoutBody(payee, { validator_strategy: 'auto' });
    const preparer = await tenant.keyWithRole('preparer');
    const refused = await harness.rest('POST', '/v1/payouts', { key: preparer, body: auto });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden']);
    const strict = await makeTenant(harness);
    await harness.database.pool.query(
      'UPDATE business SET distinct_approver = true WHERE id = $1',
      [strict.businessId],
    );
    const theirs = await makePayee(harness, strict.key);
    const own = await harness.rest('POST', '/v1/payouts', {
      key: strict.key,
      body: payoutBody(theirs, { validator_strategy: 'auto' }),
    });
    expect([own.status, own.body.error.code]).toEqual([403, 'forbidden']);
  });

  it('is for owner, admin and approver', async () => {
    const id = await newPayout();
    for (const role of ['preparer', 'developer', 'viewer'] as const) {
      expect((await act(id, 'approve', undefined, await tenant.keyWithRole(role))).status).toBe(
        403,
      );
    }
    expect((await act(id, 'approve', undefined, await tenant.keyWithRole('approver'))).status).toBe(
      200,
    );
  });

  it("answers another tenant's payout like an unknown one", async () => {
    const other = await makeTenant(harness);
    const id = await newPayout();
    for (const path of ['approve', 'reject', 'cancel', 'decisions'] as const) {
      const body =
        path === 'decisions'
          ? { decision_id: newUlid(), status: 'approved' }
          : path === 'reject'
            ? { reasons: [{ message: 'no' }] }
            : undefined;
      const codes = await Promise.all(
        [id, newId('payout'), 'pay_x', newId('beneficiary')].map(async (target) => {
          const { status, body: answer } = await act(target, path, body, other.key);
          return [status, answer.error.code, answer.error.message];
        }),
      );
      expect(new Set(codes.map((code) => JSON.stringify(code))).size).toBe(1);
      expect(codes[0]?.slice(0, 2)).toEqual([404, 'PAYOUT_NOT_FOUND']);
    }
    expect(await records(id)).toEqual(['pending_approval']);
  });
});

describe('POST /v1/payouts/{payoutId}/decisions', () => {
  it('records, replays and refuses other content', async () => {
    const id = await newPayout({ validator_strategy: 'agent' });
    const decision = {
      decision_id: newUlid(),
      status: 'approved',
      evaluated_at: '2026-11-01T10:00:00Z',
      evaluated_by: { agent: 'risk' },
      policy_version: 'p1',
      agent_version: 'a2',
      confidence: 0.93,
      reasons: [{ code: 'LOW_RISK', message: 'fine', details: { camelCase: 1 } }],
    };
    const first = await act(id, 'decisions', decision);
    expect(first.status).toBe(201);
    expect(first.body.decision).toMatchObject({
      ...decision,
      evaluated_at: '2026-11-01T10:00:00.000Z',
      payout_id: id,
    });
    const replay = await act(id, 'decisions', decision);
    expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(replay.body).toEqual(first.body);
    const other = await act(id, 'decisions', { ...decision, confidence: 0.5 });
    expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await records(id)).toEqual(['pending_approval', 'approved']);
    expect(await jobs(id)).toBe(1);
    const list = await harness.rest('GET', `/v1/payouts/${id}/decisions`, { key: tenant.key });
    expect(list.body.decisions).toEqual([first.body.decision]);
  });

  it('records a pending review and moves nothing', async () => {
    const id = await newPayout();
    const { status } = await act(id, 'decisions', {
      decision_id: newUlid(),
      status: 'pending_review',
    });
    expect(status).toBe(201);
    expect(await records(id)).toEqual(['pending_approval']);
  });

  it('lists what was decided in the order in which it was', async () => {
    const id = await newPayout();
    const messages = ['first', 'second', 'third'];
    for (const message of messages) {
      const body = { decision_id: newUlid(), status: 'pending_review', reasons: [{ message }] };
      await act(id, 'decisions', body);
    }
    await act(id, 'approve', { reasons: [{ message: 'last' }] });
    const path = `/v1/payouts/${id}/decisions`;
    const { body } = await harness.rest('GET', path, { key: tenant.key });
    expect(
      body.decisions.map((one: { reasons: { message: string }[] }) => one.reasons[0]?.message),
    ).toEqual([...messages, 'last']);
  });

  it('makes one decision of twenty equal ones', async () => {
    const id = await newPayout();
    const decision = { decision_id: newUlid(), status: 'approved' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => act(id, 'decisions', decision)),
    );
    expect(answers.map((a) => a.status).toSorted((a, b) => a - b)).toEqual([
      ...Array(19).fill(200),
      201,
    ]);
    expect(await jobs(id)).toBe(1);
  });

  it.each([
    ['no decision id', { status: 'approved' }],
    ['a decision id that is no ULID', { decision_id: 'x', status: 'approved' }],
    ['an unknown status', { decision_id: newUlid(), status: 'maybe' }],
    [
      'a NUL in evaluated_by',
      { decision_id: newUlid(), status: 'approved', evaluated_by: { agent: 'a\u0000b' } },
    ],
    [
      'a lone surrogate in details',
      {
        decision_id: newUlid(),
        status: 'approved',
        reasons: [{ message: 'x', details: { note: '\ud800' } }],
      },
    ],
    ['a confidence over 1', { decision_id: newUlid(), status: 'approved', confidence: 2 }],
  ])('refuses %s', async (_name, body) => {
    const id = await newPayout();
    const answer = await act(id, 'decisions', body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_failed']);
    expect(await records(id)).toEqual(['pending_approval']);
  });
});

describe('the database', () => {
  it('refuses a state without its record, and a record of a transition that does not exist', async () => {
    const id = await newPayout();
    const { pool } = harness.database;
    await expect(
      pool.query(`UPDATE payout SET state = 'settled' WHERE id = $1`, [id]),
    ).rejects.toThrow('payout_state_fkey');
    await expect(
      pool.query(
        `INSERT INTO payout_transition (tenant_id, payout_id, seq, previous_seq, from_state, to_state, actor)
         VALUES ($1, $2, 2, 1, 'pending_approval', 'settled', '{}')`,
        [tenant.tenantId, id],
      ),
    ).rejects.toThrow('payout_transition_permitted_check');
    await expect(
      pool.query(
        `INSERT INTO payout_transition (tenant_id, payout_id, seq, previous_seq, from_state, to_state, actor)
         VALUES ($1, $2, 2, 1, 'approved', 'disbursed', '{}')`,
        [tenant.tenantId, id],
      ),
    ).rejects.toThrow('payout_transition_chain_fkey');
  });
});

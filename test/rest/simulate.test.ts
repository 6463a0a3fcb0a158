import { describe, expect, it } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { eventually, makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { useHarness, usePayee, useTenant } from '../support/use-harness.ts';

// Nothing happens at the provider by itself within a test.
const harness = useHarness({ stepDelayMs: 600_000 });
const tenant = useTenant(harness);
const payee = usePayee(harness, tenant);

async function newPayout(more: Record<string, unknown> = {}): Promise<string> {
  const body = payoutBody(payee, more);
  const answer = await harness.rest('POST', '/v1/payouts', { key: tenant.key, body });
  expect(answer.status).toBe(201);
  return answer.body.payout.id as string;
}

const read = async (id: string) =>
  (await harness.rest('GET', `/v1/payouts/${id}`, { key: tenant.key })).body.payout;

const until = (id: string, state: string) =>
  eventually(async () => {
    const payout = await read(id);
    return payout.state === state && payout;
  });

async function handedOver(more: Record<string, unknown> = {}): Promise<string> {
  const id = await newPayout({ validator_strategy: 'auto', ...more });
  await eventually(async () => (await read(id)).provider_payout_id !== null);
  return id;
}

const simulate = (id: string, event: unknown, key = tenant.key) =>
  harness.rest('POST', `/v1/sandbox/payouts/${id}/simulate`, { key, body: { event } });

async function happens(id: string, event: string): Promise<void> {
  const { status, body } = await simulate(id, event);
  expect([status, body.payout.id]).toEqual([202, id]);
}

async function records(id: string): Promise<[string, string][]> {
  const { rows } = await harness.database.pool.query<{ to_state: string; type: string }>(
    `SELECT to_state, actor ->> 'type' AS type FROM payout_transition WHERE payout_id = $1 ORDER BY seq`,
    [id],
  );
  return rows.map((row) => [row.to_state, row.type]);
}

async function events(id: string): Promise<string[]> {
  const { rows } = await harness.database.pool.query<{ type: string }>(
    'SELECT type FROM event WHERE payout_id = $1 ORDER BY sequence',
    [id],
  );
  return rows.map((row) => row.type);
}

describe('POST /v1/sandbox/payouts/{id}/simulate', () => {
  it("leads a payout through a life by the provider's own events", async () => {
    const id = await handedOver();
    await happens(id, 'acknowledge');
    await eventually(async () => (await events(id)).includes('payout.acknowledged'));
    await happens(id, 'estimate');
    await eventually(async () => (await events(id)).includes('payout.estimated_arrival_at'));
    await happens(id, 'disburse');
    expect(await until(id, 'disbursed')).toMatchObject({
      rail_ref: expect.stringMatching(/^RAIL/),
    });
    await happens(id, 'settle');
    await until(id, 'settled');
    await happens(id, 'return');
    expect(await until(id, 'returned')).toMatchObject({ failure_code: 'account_closed' });
    expect(await records(id)).toEqual([
      ['approved', 'member'],
      ['disbursed', 'provider'],
      ['settled', 'provider'],
      ['returned', 'provider'],
    ]);
    expect(await events(id)).toEqual([
      'payout.disbursement_submitted',
      'payout.acknowledged',
      'payout.estimated_arrival_at',
      'payout.disbursed',
      'payout.settled',
      'payout.returned',
    ]);
  });

  it('fails a payout that was handed over', async () => {
    const id = await handedOver();
    await happens(id, 'fail');
    expect(await until(id, 'failed')).toMatchObject({ failure_code: 'provider_rejected' });
  });

  it('holds and releases, in the name of the provider, what the provider does not have', async () => {
    const id = await newPayout();
    const held = await simulate(id, 'hold');
    expect([held.status, held.body.payout.state]).toEqual([202, 'compliance_hold']);
    const released = await simulate(id, 'release');
    expect([released.status, released.body.payout.state]).toEqual([202, 'pending_approval']);
    expect(await records(id)).toEqual([
      ['pending_approval', 'member'],
      ['compliance_hold', 'provider'],
      ['pending_approval', 'provider'],
    ]);
  });

  it('releases what the provider refused to take through the provider', async () => {
    const stopped = await makePayee(harness, tenant.key, { accountNumber: '000123450005' });
    const body = payoutBody(stopped, { validator_strategy: 'auto' });
    const { body: created } = await harness.rest('POST', '/v1/payouts', { key: tenant.key, body });
    const id = created.payout.id as string;
    await until(id, 'compliance_hold');
    const answer = await simulate(id, 'release');
    expect([answer.status, answer.body.payout.state]).toEqual([202, 'compliance_hold']);
    await until(id, 'pending_approval');
    expect((await records(id)).at(-1)).toEqual(['pending_approval', 'provider']);
    const stored = await harness.database.pool.query(
      `SELECT FROM provider_event WHERE event ->> 'type' = 'released' AND status = 'applied'`,
    );
    expect(stored.rowCount).toBe(1);
    await harness.rest('POST', `/v1/payouts/${id}/approve`, { key: tenant.key });
    await eventually(async () => (await read(id)).provider_payout_id !== null);
  });

  it('refuses what makes no sense in the state, and changes nothing', async () => {
    const waiting = await newPayout();
    const handed = await handedOver();
    const refused: [string, string[]][] = [
      [waiting, ['acknowledge', 'estimate', 'disburse', 'settle', 'fail', 'return', 'release']],
      [handed, ['settle', 'return', 'hold', 'release']],
    ];
    for (const [id, list] of refused) {
      const before = [await read(id), await records(id), await events(id)];
      for (const event of list) {
        const { status, body } = await simulate(id, event);
        expect([event, status, body.error.code]).toEqual([event, 409, 'INVALID_STATE_TRANSITION']);
      }
      expect([await read(id), await records(id), await events(id)]).toEqual(before);
    }
  });

  it('is for the sandbox, for those who write payouts, and for their own payouts', async () => {
    const id = await newPayout();
    const production = await makeTenant(harness, { environment: 'production' });
    for (const target of [id, newId('payout'), 'pay_x']) {
      const { status, body } = await simulate(target, 'hold', production.key);
      expect([status, body.error.code]).toEqual([409, 'SANDBOX_ONLY']);
    }
    for (const role of ['approver', 'developer', 'viewer'] as const) {
      const { status } = await simulate(id, 'hold', await tenant.keyWithRole(role));
      expect(status).toBe(403);
    }
    const other = await makeTenant(harness);
    for (const [target, key] of [
      [id, other.key],
      [newId('payout'), tenant.key],
      ['pay_x', tenant.key],
      [newId('beneficiary'), tenant.key],
    ] as const) {
      for (const event of ['hold', 'release', 'disburse']) {
        const { status, body } = await simulate(target, event, key);
        expect([status, body.error.code]).toEqual([404, 'PAYOUT_NOT_FOUND']);
      }
    }
    const { status, body } = await simulate(id, 'explode');
    expect([status, body.error.code, body.error.details[0].field]).toEqual([
      400,
      'validation_failed',
      'event',
    ]);
    expect((await read(id)).state).toBe('pending_approval');
  });

  it('is payoutSimulate in GraphQL', async () => {
    const id = await newPayout();
    const document =
      'mutation ($id: ID!, $event: SimulatedEvent!) { payoutSimulate(payoutId: $id, event: $event) { state } }';
    const held = await harness.graphql(tenant.key, document, { id, event: 'hold' });
    expect(held.body.data.payoutSimulate.state).toBe('compliance_hold');
    const again = await harness.graphql(tenant.key, document, { id, event: 'hold' });
    expect(again.body.errors[0].extensions.code).toBe('INVALID_STATE_TRANSITION');
  });
});

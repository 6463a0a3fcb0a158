import { beforeAll, describe, expect, it } from 'vitest';
import { handlers } from '../../jobs/handlers.ts';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { newId } from '../../src/values/ids.ts';
import { makeTenant } from '../support/factory.ts';
import { usePayoutWorld } from '../support/payout-world.ts';
import { makeOperator, type Operator } from '../ops/support.ts';

const world = usePayoutWorld({
  env: { LOG_LEVEL: 'silent', ENROLL_WAIT_MS: '1', RESOLUTION_CONFIRMATION: 'second_person' },
});
const { handedOver, sql, stateOf } = world;
let ada: { id: string; key: string };
let grace: { id: string; key: string };
beforeAll(async () => {
  ada = await issueOperatorKey(world.harness.database.pool, 'ada');
  grace = await issueOperatorKey(world.harness.database.pool, 'grace');
});

const resolveDocument = `mutation ($businessId: ID!, $payoutId: ID!) {
  operatorPayoutResolve(businessId: $businessId, environment: sandbox, payoutId: $payoutId, reason: "case 17",
    outcome: not_paid, evidence: "their support") { actionId outcome }
}`;
const answerDocument = `mutation ($businessId: ID!, $orderId: ID!, $answer: PayoutResolutionAnswer!) {
  operatorPayoutResolutionAnswer(businessId: $businessId, environment: sandbox, orderId: $orderId, answer: $answer,
    reason: "I asked them too") { payoutId actionId outcome }
}`;

/** Runs the jobs of an order, as the worker does, and forgets them. */
async function work(payoutId: string): Promise<void> {
  const jobs = await sql<{ id: string; payload: Parameters<typeof handlers.resolve_payout>[0] }>(
    `SELECT id, payload FROM graphile_worker._private_jobs
     WHERE payload ->> 'payoutId' = $1 AND payload ->> 'actionId' IS NOT NULL`,
    [payoutId],
  );
  for (const { id, payload } of jobs) {
    await handlers.resolve_payout(payload, world.call.services);
    await sql('DELETE FROM graphile_worker._private_jobs WHERE id = $1', [id]);
  }
}

async function ordered(): Promise<{ payoutId: string; orderId: string }> {
  const payoutId = await handedOver('unknown_lost');
  const { businessId } = world.tenant;
  const { body } = await world.harness.graphql(ada.key, resolveDocument, { businessId, payoutId });
  const { actionId, outcome } = body.data.operatorPayoutResolve;
  expect(outcome).toBeNull();
  await work(payoutId);
  expect(await stateOf(payoutId)).toBe('approved');
  return { payoutId, orderId: actionId };
}

function answer(key: string, orderId: string, given = 'confirmed', of = world.tenant.businessId) {
  return world.harness.graphql(key, answerDocument, { businessId: of, orderId, answer: given });
}

describe('a resolution that needs a second person', () => {
  it('waits, is shown, and is carried out when another operator confirms it', async () => {
    const { payoutId, orderId } = await ordered();
    expect(
      await sql('SELECT order_id, ordered_by, outcome FROM ops.resolutions_to_confirm'),
    ).toEqual([{ order_id: orderId, ordered_by: ada.id, outcome: 'not_paid' }]);
    expect(
      await sql('SELECT reason FROM ops.stuck_payouts WHERE payout_id = $1', [payoutId]),
    ).toEqual([{ reason: 'resolution_to_confirm' }]);
    const own = await answer(ada.key, orderId);
    expect(own.body.errors[0].extensions.code).toBe('conflict');
    expect(own.body.errors[0].message).toContain('yourself');

    const confirmed = await answer(grace.key, orderId);
    expect(confirmed.body.data.operatorPayoutResolutionAnswer).toEqual({
      payoutId,
      actionId: orderId,
      outcome: null,
    });
    await work(payoutId);
    expect(await stateOf(payoutId)).toBe('failed');
    expect(await sql('SELECT * FROM ops.resolutions_to_confirm')).toEqual([]);
    expect(
      await sql(
        'SELECT who, action, outcome FROM ops.action_log WHERE subject_id = $1 ORDER BY id',
        [payoutId],
      ),
    ).toEqual([
      { who: ada.id, action: 'resolve_payout', outcome: 'not_paid' },
      { who: grace.id, action: 'operatorPayoutResolutionAnswer', outcome: null },
    ]);
    const late = await answer(grace.key, orderId);
    expect(late.body.errors[0].extensions.code).toBe('not_found');
  });

  it('ends without an effect when it is declined, by whoever ordered it too', async () => {
    const { payoutId, orderId } = await ordered();
    const declined = await answer(ada.key, orderId, 'declined');
    expect(declined.body.data.operatorPayoutResolutionAnswer.outcome).toBe('declined');
    await work(payoutId);
    expect(await stateOf(payoutId)).toBe('approved');
    expect((await answer(grace.key, orderId)).body.errors[0].extensions.code).toBe('not_found');
  });

  it('is found within its tenant only', async () => {
    const { orderId } = await ordered();
    const other = await makeTenant(world.harness);
    const foreign = await answer(grace.key, orderId, 'confirmed', other.businessId);
    const unknown = await answer(grace.key, crypto.randomUUID(), 'confirmed', other.businessId);
    expect(foreign.body.errors[0].message).toBe(unknown.body.errors[0].message);
    expect((await answer(world.tenant.key, orderId)).body.errors[0].extensions.code).toBe(
      'forbidden',
    );
  });
});

describe('in SQL', () => {
  let operator: Operator;
  let second: Operator;
  beforeAll(async () => {
    operator = await makeOperator(world.harness.database, 'ops_operate');
    second = await makeOperator(world.harness.database, 'ops_operate');
    return async () => {
      await operator.leave();
      await second.leave();
    };
  });

  it('two operators at once confirm once, and a person is one whatever they log in with', async () => {
    const { payoutId, orderId } = await ordered();
    await sql('UPDATE operator_key SET name = $2 WHERE id = $1', [
      ada.id,
      operator.name.toUpperCase(),
    ]);
    expect(
      await operator.refusal(`SELECT ops.confirm_resolution($1, 'x')`, [orderId]),
    ).toMatchObject({ code: '42501', message: expect.stringContaining('yourself') });

    const first = await second.session();
    await first.query('BEGIN');
    await first.query(`SELECT ops.confirm_resolution($1, 'I asked')`, [orderId]);
    const waiting = second.refusal(`SELECT ops.confirm_resolution($1, 'I asked too')`, [orderId]);
    await first.query('COMMIT');
    expect((await waiting).message).toContain('was confirmed before');
    expect(
      await second.refusal(`SELECT ops.decline_resolution($1, 'no')`, [orderId]),
    ).toMatchObject({ code: '55000' });
    await work(payoutId);
    expect(await stateOf(payoutId)).toBe('failed');
    expect(await second.refusal(`SELECT ops.confirm_resolution($1, 'x')`, [orderId])).toMatchObject(
      {
        code: 'P0002',
      },
    );
  });

  it('a second order is refused however long the first waits', async () => {
    const { payoutId, orderId } = await ordered();
    await sql(`UPDATE ops.action_log SET at = now() - interval '1 day' WHERE id = $1`, [orderId]);
    const order = `SELECT ops.resolve_payout($1, 'not_paid', NULL, 'ticket', 'x')`;
    expect((await operator.refusal(order, [payoutId])).message).toContain('second person');
    await operator.row(`SELECT ops.decline_resolution($1, 'not sure')`, [orderId]);
    await operator.row(order, [payoutId]);
  });

  it('an operator takes what they work on, and a second one sees it', async () => {
    const { payoutId } = await ordered();
    await operator.row(`SELECT * FROM ops.take($1, 'asking the provider')`, [payoutId]);
    expect(await second.refusal(`SELECT ops.take($1, 'me too')`, [payoutId])).toMatchObject({
      code: '55006',
      message: expect.stringMatching(
        new RegExp(`^It is taken by ${operator.name} for \\d+ seconds: asking the provider\\.$`),
      ),
    });
    const shown = await second.row<{ taken_by: string }>(
      'SELECT taken_by FROM ops.stuck_payouts WHERE payout_id = $1',
      [payoutId],
    );
    expect(shown.taken_by).toContain(operator.name);
    await second.row(`SELECT * FROM ops.take($1, 'they went home', from_other => true)`, [
      payoutId,
    ]);
    expect(await second.row(`SELECT ops.release($1, 'done') AS was`, [payoutId])).toEqual({
      was: true,
    });
    expect(await second.row(`SELECT ops.release($1, 'done') AS was`, [payoutId])).toEqual({
      was: false,
    });
    expect(await second.refusal(`SELECT ops.take($1, 'x')`, [newId('payout')])).toMatchObject({
      code: 'P0002',
    });
    expect(
      await sql(
        `SELECT who, action FROM ops.action_log WHERE subject_id = $1 AND action IN ('take', 'release') ORDER BY id`,
        [payoutId],
      ),
    ).toEqual([
      { who: operator.name, action: 'take' },
      { who: second.name, action: 'take' },
      { who: second.name, action: 'release' },
    ]);
  });
});

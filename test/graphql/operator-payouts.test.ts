import { beforeAll, describe, expect, it } from 'vitest';
import { handlers } from '../../jobs/handlers.ts';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { newId } from '../../src/values/ids.ts';
import { eventually, makeTenant } from '../support/factory.ts';
import type { RestAnswer } from '../support/harness.ts';
import { usePayoutWorld } from '../support/payout-world.ts';

const world = usePayoutWorld({ env: { LOG_LEVEL: 'silent', ENROLL_WAIT_MS: '400' } });
const { attemptOf, handedOver, sql, stateOf } = world;
let operator: { id: string; key: string };
beforeAll(async () => {
  operator = await issueOperatorKey(world.harness.database.pool, 'On call');
});

const documents = {
  operatorPayoutLookUp: `mutation ($businessId: ID!, $environment: Environment!, $payoutId: ID!, $reason: String!) {
    operatorPayoutLookUp(businessId: $businessId, environment: $environment, payoutId: $payoutId, reason: $reason) {
      payoutId actionId outcome
    }
  }`,
  operatorPayoutResolve: `mutation ($businessId: ID!, $environment: Environment!, $payoutId: ID!, $reason: String!,
      $outcome: PayoutResolution!, $providerPayoutId: ID, $evidence: String!) {
    operatorPayoutResolve(businessId: $businessId, environment: $environment, payoutId: $payoutId, reason: $reason,
      outcome: $outcome, providerPayoutId: $providerPayoutId, evidence: $evidence) {
      payoutId actionId outcome
    }
  }`,
};
type Command = keyof typeof documents;

function run(
  command: Command,
  payoutId: string,
  more: Record<string, unknown> = {},
  key: string | undefined = operator.key,
): Promise<RestAnswer> {
  const { businessId } = world.tenant;
  const resolution = { outcome: 'not_paid', evidence: 'their support' };
  return world.harness.graphql(key, documents[command], {
    businessId,
    environment: 'sandbox',
    payoutId,
    reason: 'case 17',
    ...(command === 'operatorPayoutResolve' ? resolution : {}),
    ...more,
  });
}
const codeOf = (answer: RestAnswer): string | undefined => answer.body.errors?.[0].extensions.code;

const actions = () =>
  sql(
    `SELECT operator_key_id, action, environment, subject_id, reason, detail - 'action_id' AS detail
     FROM operator_action WHERE business_id = $1 ORDER BY id`,
    [world.tenant.businessId],
  );

type Order = { tenantId: string; payoutId: string; actionId: string };

/** The payload of the job that an order added. */
async function jobOf(payoutId: string): Promise<Order> {
  return eventually(async () => {
    const [job] = await sql<{ payload: Order }>(
      `SELECT payload FROM graphile_worker._private_jobs
       WHERE payload ->> 'payoutId' = $1 AND payload ->> 'actionId' IS NOT NULL ORDER BY id DESC LIMIT 1`,
      [payoutId],
    );
    return job?.payload;
  });
}

async function unknown(): Promise<string> {
  const id = await handedOver('unknown_lost');
  expect(await attemptOf(id)).toMatchObject({ status: 'unknown' });
  return id;
}

describe('an order', () => {
  it('is answered with its outcome when the worker is in time, and recorded', async () => {
    const id = await unknown();
    const asked = run('operatorPayoutResolve', id, {
      outcome: 'paid',
      providerPayoutId: 'po_found',
    });
    await handlers.resolve_payout(await jobOf(id), world.call.services);
    expect((await asked).body.data.operatorPayoutResolve).toEqual({
      payoutId: id,
      actionId: (await jobOf(id)).actionId,
      outcome: 'paid',
    });
    expect(await actions()).toEqual([
      {
        operator_key_id: operator.id,
        action: 'operatorPayoutResolve',
        environment: 'sandbox',
        subject_id: id,
        reason: 'case 17',
        detail: { outcome: 'paid', provider_payout_id: 'po_found', evidence: 'their support' },
      },
    ]);
    expect(await sql('SELECT who FROM ops.action_log WHERE subject_id = $1', [id])).toEqual([
      { who: operator.id },
    ]);
  });

  it('shows the operator and the reason in the history that the business reads', async () => {
    const id = await unknown();
    await run('operatorPayoutResolve', id);
    await handlers.resolve_payout(await jobOf(id), world.call.services);
    const history = `query ($id: ID!) {
      node(id: $id) { ... on Payout { state failureCode permittedActions transitions { toState actor reason } } }
    }`;
    const { body } = await world.harness.graphql(world.tenant.key, history, { id });
    expect(body.data.node).toMatchObject({
      state: 'failed',
      failureCode: 'other',
      permittedActions: [],
    });
    expect(body.data.node.transitions.at(-1)).toEqual({
      toState: 'failed',
      actor: { type: 'operator', key_id: operator.id },
      reason: 'case 17',
    });
    expect(JSON.stringify(body)).not.toContain('their support');
  });

  it('is answered without an outcome when no worker carries it out in time', async () => {
    const id = await unknown();
    const { body } = await run('operatorPayoutLookUp', id);
    expect(body.data.operatorPayoutLookUp).toMatchObject({ payoutId: id, outcome: null });
    await handlers.look_up_payout(await jobOf(id), world.call.services);
    const { actionId } = body.data.operatorPayoutLookUp;
    expect(await sql('SELECT outcome FROM ops.action_log WHERE id = $1', [actionId])).toEqual([
      { outcome: 'not_at_provider' },
    ]);
    expect(await stateOf(id)).toBe('approved');
  });
});

describe('what is refused', () => {
  it('is a second resolution while one waits, from psql too', async () => {
    const id = await unknown();
    const both = await Promise.all([0, 1].map(() => run('operatorPayoutResolve', id)));
    expect(new Set(both.map(codeOf))).toEqual(new Set(['conflict', undefined]));
    expect(await sql('SELECT FROM ops.action_log WHERE subject_id = $1', [id])).toHaveLength(1);
    await expect(
      sql(`SELECT ops.resolve_payout($1, 'not_paid', NULL, 'seen', 'case 17')`, [id]),
    ).rejects.toThrow('waits for the worker');
    await handlers.resolve_payout(await jobOf(id), world.call.services);
    expect(codeOf(await run('operatorPayoutResolve', id))).toBeUndefined();
  });

  it('leaves no record and no order', async () => {
    const id = await unknown();
    const foreign = await makeTenant(world.harness);
    const before = await actions();
    for (const command of Object.keys(documents) as Command[]) {
      const codes = async (payoutId: string, more: Record<string, unknown>) =>
        codeOf(await run(command, payoutId, more));
      expect(await codes(newId('payout'), {})).toBe('PAYOUT_NOT_FOUND');
      expect(await codes('pay_1', {})).toBe('PAYOUT_NOT_FOUND');
      expect(await codes(id, { environment: 'production' })).toBe('PAYOUT_NOT_FOUND');
      expect(await codes(id, { businessId: foreign.businessId })).toBe('PAYOUT_NOT_FOUND');
      expect(await codes(id, { businessId: newId('business') })).toBe('not_found');
      expect(await codes(id, { reason: ' ' })).toBe('validation_failed');
    }
    const paid = await run('operatorPayoutResolve', id, { outcome: 'paid' });
    expect(paid.body.errors[0].extensions).toMatchObject({
      code: 'validation_failed',
      details: [{ field: 'providerPayoutId', code: 'required' }],
    });
    expect(codeOf(await run('operatorPayoutResolve', id, { evidence: '' }))).toBe(
      'validation_failed',
    );
    expect(await actions()).toEqual(before);
    expect(await sql('SELECT FROM ops.action_log WHERE subject_id = $1', [id])).toEqual([]);
  });

  it('is every key of a business, and none', async () => {
    const id = await unknown();
    for (const command of Object.keys(documents) as Command[]) {
      for (const role of ['owner', 'admin', 'approver', 'viewer'] as const) {
        const key = await world.tenant.keyWithRole(role);
        expect(codeOf(await run(command, id, {}, key))).toBe('forbidden');
      }
      const nobody = await world.harness.graphql(undefined, documents[command], {
        businessId: world.tenant.businessId,
        environment: 'sandbox',
        payoutId: id,
        reason: 'x',
        outcome: 'not_paid',
        evidence: 'x',
      });
      expect(codeOf(nobody)).toBe('unauthorized');
    }
    expect(await stateOf(id)).toBe('approved');
  });
});

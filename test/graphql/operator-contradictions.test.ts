import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { makeOperator, type Operator } from '../ops/support.ts';
import { usePayoutWorld } from '../support/payout-world.ts';

const world = usePayoutWorld({ env: { LOG_LEVEL: 'silent' } });
const { attemptOf, handedOver, sql, tell } = world;
let operator: { id: string; key: string };
beforeAll(async () => {
  operator = await issueOperatorKey(world.harness.database.pool, 'On call');
});

const document = `mutation ($businessId: ID!, $contradictionId: ID!, $finding: ContradictionFinding!, $evidence: String!) {
  operatorContradictionExamine(businessId: $businessId, environment: sandbox, contradictionId: $contradictionId,
    finding: $finding, evidence: $evidence, reason: "case 17") {
    contradictionId payoutId finding actionId leftOpen
  }
}`;

async function examine(contradictionId: string, more: object = {}, key = operator.key) {
  const { businessId } = world.tenant;
  const given = { businessId, contradictionId, finding: 'as_recorded', evidence: 'ticket 4711' };
  return world.harness.graphql(key, document, { ...given, ...more });
}

/** A payout of which two things are said that cannot be. */
async function contradicted(): Promise<{ payoutId: string; ids: string[] }> {
  const payoutId = await handedOver('ok');
  await tell(payoutId, { type: 'settled', amountMinor: 1n, currency: 'EUR' });
  const rows = await sql<{ id: string }>(
    'SELECT id FROM provider_contradiction WHERE payout_id = $1 ORDER BY kind',
    [payoutId],
  );
  return { payoutId, ids: rows.map(({ id }) => id) };
}

it('notes a finding once, line by line, in both records', async () => {
  const { payoutId, ids } = await contradicted();
  const [first = '', second = ''] = ids;
  const answer = await examine(first);
  expect(answer.body.data.operatorContradictionExamine).toMatchObject({
    contradictionId: first,
    payoutId,
    finding: 'as_recorded',
    leftOpen: 1,
  });
  expect(await attemptOf(payoutId)).toMatchObject({ needs_operator: true });
  const detail = {
    contradiction: first,
    kind: 'amount',
    finding: 'as_recorded',
    evidence: 'ticket 4711',
  };
  const { actionId } = answer.body.data.operatorContradictionExamine;
  expect(
    await sql('SELECT who, action, subject_id, reason, detail FROM ops.action_log WHERE id = $1', [
      actionId,
    ]),
  ).toEqual([
    {
      who: operator.id,
      action: 'examine_contradiction',
      subject_id: payoutId,
      reason: 'case 17',
      detail,
    },
  ]);
  expect(
    await sql('SELECT action, detail FROM operator_action WHERE subject_id = $1', [payoutId]),
  ).toEqual([
    { action: 'operatorContradictionExamine', detail: { ...detail, action_id: actionId } },
  ]);

  const again = await examine(first, { finding: 'paid_otherwise' });
  expect(again.body.errors[0].extensions.code).toBe('conflict');
  expect((await examine(second)).body.data.operatorContradictionExamine.leftOpen).toBe(0);
  expect(await attemptOf(payoutId)).toMatchObject({ needs_operator: false });
  expect(await sql('SELECT FROM ops.action_log WHERE subject_id = $1', [payoutId])).toHaveLength(2);
});

it('refuses what there is not, and who may not', async () => {
  const { ids } = await contradicted();
  const [id = ''] = ids;
  const code = async (asked: ReturnType<typeof examine>) =>
    (await asked).body.errors[0].extensions.code as string;
  expect(await code(examine(randomUUID()))).toBe('not_found');
  expect(await code(examine('none'))).toBe('validation_failed');
  expect(await code(examine(id, { evidence: ' ' }))).toBe('validation_failed');
  expect(await code(examine(id, {}, world.tenant.key))).not.toBe('not_found');
  expect(
    await sql('SELECT FROM provider_contradiction WHERE id = $1 AND finding IS NULL', [id]),
  ).toHaveLength(1);
});

it('is done in SQL by the same rule, and refused with what to do', async () => {
  const person: Operator = await makeOperator(world.harness.database, 'ops_operate');
  try {
    const { payoutId, ids } = await contradicted();
    const [id = ''] = ids;
    const call = 'SELECT * FROM ops.examine_contradiction($1, $2, $3, $4)';
    const refusal = async (...values: unknown[]) => (await person.refusal(call, values)).code;
    expect(await refusal(id, 'perhaps', 'x', 'y')).toBe('22023');
    expect(await refusal(id, 'as_recorded', ' ', 'y')).toBe('22023');
    expect(await refusal(id, 'as_recorded', 'x', ' ')).toBe('22023');
    expect(await refusal(randomUUID(), 'as_recorded', 'x', 'y')).toBe('P0002');
    expect(await person.row(call, [id, 'paid_otherwise', 'x', 'y'])).toMatchObject({
      payout_id: payoutId,
      left_open: 1,
    });
    expect(await refusal(id, 'as_recorded', 'x', 'y')).toBe('55000');
    expect(
      await person.row(
        'SELECT finding, examined_by, evidence FROM ops.contradictions WHERE contradiction_id = $1',
        [id],
      ),
    ).toEqual({ finding: 'paid_otherwise', examined_by: person.name, evidence: 'x' });
  } finally {
    await person.leave();
  }
});

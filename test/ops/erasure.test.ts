import { describe, expect, it } from 'vitest';
import { handlers } from '../../jobs/handlers.ts';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { newId } from '../../src/values/ids.ts';
import { payoutBody } from '../support/factory.ts';
import { useOperatedPayouts } from './payouts-support.ts';

const { world, parts } = useOperatedPayouts();

type Order = Parameters<typeof handlers.erase_beneficiary>[0];

/** Orders an erasure in SQL and runs its job, twice. The outcome of the order. */
async function ordered(beneficiaryId: string): Promise<string> {
  const { order } = await parts.operator.row<{ order: string }>(
    `SELECT ops.erase_beneficiary($1, 'legal_obligation', 'case 17') AS order`,
    [beneficiaryId],
  );
  const [job] = await world.sql<{ payload: Order }>(
    `SELECT payload FROM graphile_worker._private_jobs WHERE payload ->> 'actionId' = $1`,
    [order],
  );
  if (job === undefined) throw new Error('the order has no job');
  await handlers.erase_beneficiary(job.payload, world.call.services);
  await handlers.erase_beneficiary(job.payload, world.call.services);
  const [line] = await world.sql<{ outcome: string }>(
    'SELECT outcome FROM ops.action_log WHERE id = $1',
    [order],
  );
  return line?.outcome ?? '';
}

describe('ops.erase_beneficiary', () => {
  it('has the worker erase a payee, and records who ordered it', async () => {
    const { beneficiaryId } = world.payee;
    expect(await ordered(beneficiaryId)).toBe('deleted');
    const records = await parts.operator.sql(
      'SELECT by_whom, kind, ground FROM ops.personal_data_records WHERE beneficiary_id = $1',
      [beneficiaryId],
    );
    expect(records).toEqual([
      { by_whom: `operator ${parts.operator.name}`, kind: 'deleted', ground: 'legal_obligation' },
    ]);
  });

  it('says what is in the way', async () => {
    const { payee, tenant, harness } = world;
    await harness.rest('POST', '/v1/payouts', { key: tenant.key, body: payoutBody(payee) });
    expect(await ordered(payee.beneficiaryId)).toBe(
      'The beneficiary cannot be erased yet. It has payouts in the state pending_approval (1).',
    );
  });

  it('refuses an unknown payee and an unknown ground', async () => {
    const erase = `SELECT ops.erase_beneficiary($1, $2, 'case 17')`;
    const { beneficiaryId } = world.payee;
    const { refusal } = parts.operator;
    expect(await refusal(erase, [newId('beneficiary'), 'payee_request'])).toMatchObject({
      code: 'P0002',
    });
    expect(await refusal(erase, [beneficiaryId, 'whim'])).toMatchObject({ code: '22023' });
  });
});

it('is a mutation of operators too, with their reason', async () => {
  const { harness, tenant, payee } = world;
  const { key, id } = await issueOperatorKey(harness.database.pool, 'ada');
  const document = `mutation ($businessId: ID!, $beneficiaryId: ID!) {
    operatorBeneficiaryErase(businessId: $businessId, environment: sandbox, beneficiaryId: $beneficiaryId,
      ground: payee_request, reason: "case 18") { beneficiaryId kind ground actor }
  }`;
  const variables = { businessId: tenant.businessId, beneficiaryId: payee.beneficiaryId };
  const answer = await harness.graphql(key, document, variables);
  expect(answer.body.data?.operatorBeneficiaryErase, answer.text).toEqual({
    beneficiaryId: payee.beneficiaryId,
    kind: 'deleted',
    ground: 'payee_request',
    actor: { type: 'operator', key_id: id },
  });
  expect(
    await world.sql('SELECT action, reason FROM operator_action WHERE subject_id = $1', [
      payee.beneficiaryId,
    ]),
  ).toEqual([{ action: 'operatorBeneficiaryErase', reason: 'case 18' }]);
});

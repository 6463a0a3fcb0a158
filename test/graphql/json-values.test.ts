import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { newUlid } from '../../src/values/ulid.ts';
import { startHarness, type Harness } from '../support/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
});
afterAll(() => harness.close());

/** Keys that mean something to JavaScript, and nothing here. */
const metadata: unknown = JSON.parse('{ "then": "x", "constructor": "y", "toString": "z" }');
const evaluatedBy: unknown = JSON.parse('{ "then": { "then": 1 }, "length": 2 }');

test('JSON of a caller is a value, whatever its keys are', async () => {
  const { key } = await makeTenant(harness);
  const body = payoutBody(await makePayee(harness, key), { metadata, validator_strategy: 'agent' });
  const created = await harness.rest('POST', '/v1/payouts', { key, body });
  expect([created.status, created.body.payout.metadata]).toEqual([201, metadata]);
  const { id } = created.body.payout;

  const decision = {
    decision_id: newUlid(),
    status: 'approved',
    evaluated_at: '2026-11-01T10:00:00Z',
    evaluated_by: evaluatedBy,
    policy_version: 'p1',
    reasons: [{ code: 'LOW_RISK', message: 'fine' }],
  };
  const decided = await harness.rest('POST', `/v1/payouts/${id}/decisions`, {
    key,
    body: decision,
  });
  expect([decided.status, decided.body.decision?.evaluated_by]).toEqual([201, evaluatedBy]);

  const read = await harness.graphql(
    key,
    `query ($id: ID!) {
      payout(id: $id) { metadata decisions(first: 1) { edges { node { evaluatedBy } } } }
    }`,
    { id },
  );
  expect(read.body).toEqual({
    data: { payout: { metadata, decisions: { edges: [{ node: { evaluatedBy } }] } } },
    extensions: expect.anything(),
  });
});

import { expect, it } from 'vitest';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { holdings } from '../../../src/domain/personal/holdings.ts';
import { newId } from '../../../src/values/ids.ts';
import { inviteOne, formCalls } from '../../support/collection.ts';
import { payoutBody } from '../../support/factory.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();

const take = (id: string, body?: unknown, key = world.tenant.key) =>
  world.harness.rest('POST', `/v1/beneficiaries/${id}/personal-data`, { key, body });

it('holds everything about the payee in clear, nothing of another one, and is recorded', async () => {
  const { harness, tenant, payee } = world;
  const payout = await world.approved();
  await disbursePayout(world.call, payout);
  await world.tell(payout, { type: 'settled' });
  const { token } = await inviteOne(harness, tenant, {
    beneficiary_id: payee.beneficiaryId,
    scope: 'bank_details',
  });
  const saved = await formCalls(harness).save(token, {
    bankAccount: {
      accountHolderName: 'Ada King',
      country: 'US',
      currency: 'USD',
      routingCode: '021000021',
      accountNumber: '000123456789',
    },
  });
  expect(saved.body.errors, saved.text).toBeUndefined();
  const { status, body, text } = await take(payee.beneficiaryId);
  expect(status, text).toBe(200);
  const { data, next_payouts_after: next } = body.personal_data;
  expect(next).toBeNull();
  expect(Object.keys(data).toSorted()).toEqual(
    holdings.flatMap(({ exported }) => exported?.as ?? []).toSorted(),
  );
  expect(data.beneficiary).toMatchObject([
    { id: payee.beneficiaryId, first_name: 'Ada', date_of_birth: '1990-04-01', erased_at: null },
  ]);
  expect(data.bank_account_versions).toMatchObject([
    { identifiers: { accountNumber: '000123456789', routingCode: '021000021' } },
  ]);
  expect(data.collection_requests).toMatchObject([
    { draft: { bankAccount: { accountHolderName: 'Ada King' } } },
  ]);
  expect(data.payouts).toMatchObject([{ id: payout, amount_minor: 125_000, state: 'settled' }]);
  expect(data.payout_transitions.map((one: { to_state: string }) => one.to_state)).toEqual([
    'approved',
    'disbursed',
    'settled',
  ]);
  expect(data.events.length).toBeGreaterThan(0);
  expect(text).not.toContain('ciphertext');
  expect(text).not.toContain(tenant.tenantId);
  const records = await harness.graphql(
    tenant.key,
    'query ($id: ID!) { personalDataRecords(beneficiaryId: $id) { kind ground actor } }',
    { id: payee.beneficiaryId },
  );
  expect(records.body.data.personalDataRecords).toMatchObject([
    { kind: 'exported', ground: null, actor: { type: 'member', role: 'owner' } },
  ]);
});

it('shows a text as it was given, also one that looks like JSON', async () => {
  const { harness, tenant, payee } = world;
  const path = `/v1/beneficiaries/${payee.beneficiaryId}`;
  const changed = await harness.rest('PUT', path, {
    key: tenant.key,
    body: { tax_id: '{12-3', postal_address: { line1: '{', city: 'Oslo', country: 'NO' } },
  });
  expect(changed.status, changed.text).toBe(200);
  const { body } = await take(payee.beneficiaryId);
  expect(body.personal_data.data.beneficiary).toMatchObject([
    { tax_id: '{12-3', postal_address: { line1: '{' } },
  ]);
});

it('goes on with the payouts after a page', async () => {
  const { payee, tenant } = world;
  const first = await world.harness.rest('POST', '/v1/payouts', {
    key: tenant.key,
    body: payoutBody(payee),
  });
  const { id } = first.body.payout;
  // 501 payouts more, of which only the first rows of each list are needed.
  await world.sql(
    `WITH made AS (
       SELECT p.*, 'pay_7' || lpad(n::text, 25, '0') AS made_id FROM payout p, generate_series(1, 501) n WHERE p.id = $1
     ),
     records AS (
       INSERT INTO payout_transition (tenant_id, payout_id, seq, from_state, to_state, actor)
       SELECT tenant_id, made_id, 1, 'new', state, '{}' FROM made
     )
     INSERT INTO payout (tenant_id, id, beneficiary_id, beneficiary_name, beneficiary_type, bank_account_id,
       bank_account_version, amount_minor, amount, currency, purpose_of_payment, idempotency_key,
       validator_strategy, state, transition_count, created_by)
     SELECT tenant_id, made_id, beneficiary_id, beneficiary_name, beneficiary_type, bank_account_id,
       bank_account_version, amount_minor, amount, currency, purpose_of_payment, made_id,
       validator_strategy, state, 1, created_by FROM made`,
    [id],
  );
  const page = (await take(payee.beneficiaryId)).body.personal_data;
  expect(page.data.payouts).toHaveLength(500);
  expect(page.data.payouts[0].id).toBe(id);
  const rest = (await take(payee.beneficiaryId, { payouts_after: page.next_payouts_after })).body;
  expect(rest.personal_data.data.payouts).toHaveLength(2);
  expect(rest.personal_data.data.payout_transitions).toHaveLength(2);
  expect(rest.personal_data.data.beneficiary).toBeUndefined();
  expect(rest.personal_data.next_payouts_after).toBeNull();
});

it('refuses what is no payout to go on after, and a payee that nobody has', async () => {
  const wrong = await take(world.payee.beneficiaryId, { payouts_after: 'nonsense' });
  expect([wrong.status, wrong.body.error.details[0].field]).toEqual([400, 'payouts_after']);
  expect((await take(newId('beneficiary'))).status).toBe(404);
  expect(
    await world.sql('SELECT FROM personal_data_record WHERE beneficiary_id = $1', [
      world.payee.beneficiaryId,
    ]),
  ).toEqual([]);
});

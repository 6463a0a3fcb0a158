import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, makeTenant } from '../support/factory.ts';
import { makeOperator, type Operator } from './support.ts';
import { useHarness } from '../support/use-harness.ts';

let reader: Operator;
const harness = useHarness();

beforeAll(async () => {
  reader = await makeOperator(harness.database, 'ops_read');
});
afterAll(async () => {
  await reader.leave();
});

/** What people and their systems wrote: no operator needs it to bring a payout on. */
const planted = {
  first: 'Canaryfirst',
  last: 'Canarylast',
  email: 'canary-mail@example.com',
  phone: '+442071838750',
  nickname: 'Canarynick',
  holder: 'Canaryholder Canarylast',
  account: '000987651234',
  taxId: '987-65-4321',
  birth: '1987-06-05',
  reference: 'canary-reference',
  metadata: 'canary-metadata',
  reason: 'canary-reason',
  hook: 'canary-hook-path',
};

async function post(
  key: string,
  path: string,
  body: unknown,
): Promise<Record<string, { id: string }>> {
  const answer = await harness.rest('POST', path, { key, body });
  if (answer.status > 201) throw new Error(answer.text);
  return answer.body;
}

it('no view and no function shows what people wrote, identifiers or secrets', async () => {
  const { key } = await makeTenant(harness);
  const made = await post(key, '/v1/beneficiaries', {
    beneficiary_type: 'person',
    email: planted.email,
    phone: planted.phone,
    nickname: planted.nickname,
    first_name: planted.first,
    last_name: planted.last,
    country_of_residence: 'US',
    date_of_birth: planted.birth,
    tax_id: planted.taxId,
    acknowledged: true,
  });
  const beneficiaryId = made['beneficiary']?.id ?? '';
  const account = await post(key, `/v1/beneficiaries/${beneficiaryId}/bank-accounts`, {
    account_holder_name: planted.holder,
    country: 'US',
    currency: 'USD',
    routing_code: '021000021',
    account_number: planted.account,
  });
  const subscribed = await harness.rest('POST', '/v1/webhook-subscriptions', {
    key,
    body: {
      url: `https://localhost:9/${planted.hook}`,
      enabled_events: ['payout.disbursed', 'payout.disbursement_submitted'],
    },
  });
  expect(subscribed.status).toBe(201);
  const secret = /whsec_\w+/.exec(subscribed.text)?.[0] ?? subscribed.body.subscription.secret;
  const payout = await post(key, '/v1/payouts', {
    beneficiary_id: beneficiaryId,
    bank_account_id: account['bank_account']?.id,
    amount_minor: 1_000,
    currency: 'USD',
    purpose_of_payment: 'contractor_payment',
    idempotency_key: randomUUID(),
    external_ref: planted.reference,
    metadata: { note: planted.metadata },
  });
  const payoutId = payout['payout']?.id ?? '';
  await post(key, `/v1/payouts/${payoutId}/approve`, {
    reasons: [{ code: 'MANUAL_APPROVAL', message: planted.reason }],
  });
  await eventually(async () => {
    const deliveries = await reader.sql('SELECT FROM ops.deliveries_of($1) WHERE attempts > 0', [
      payoutId,
    ]);
    const { rows } = await harness.database.pool.query('SELECT state FROM payout WHERE id = $1', [
      payoutId,
    ]);
    return rows[0]?.state === 'settled' && deliveries.length === 2;
  });

  const relations = await reader.sql<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'ops'::regnamespace AND c.relkind IN ('v', 'r')`,
  );
  let seen = '';
  for (const { name } of relations) {
    seen += JSON.stringify(await reader.sql(`SELECT * FROM ops.${name}`));
  }
  for (const name of ['timeline', 'deliveries_of', 'find']) {
    seen += JSON.stringify(await reader.sql(`SELECT * FROM ops.${name}($1)`, [payoutId]));
  }
  expect(seen).toContain(payoutId);
  expect(seen).toContain('delivery attempt');
  const found = Object.entries({ ...planted, last4: '"1234"', secret, key }).filter(([, value]) =>
    seen.includes(String(value)),
  );
  expect(found).toEqual([]);
});

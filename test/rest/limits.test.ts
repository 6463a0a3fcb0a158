import { expect, test } from 'vitest';
import { newUlid } from '../../src/values/ulid.ts';
import { payoutBody } from '../support/factory.ts';
import { useHarness, usePayee, useTenant } from '../support/use-harness.ts';

const harness = useHarness({
  worker: false,
  env: {
    PAGE_SIZE: '2',
    PAGE_SIZE_MAX: '3',
    BODY_MAX_BYTES: '16384',
    BULK_BODY_MAX_BYTES: '32768',
    PAYOUT_MAX_AMOUNT_MINOR: '500000',
    PAYOUT_BULK_ROWS: '4',
    IDEMPOTENCY_HOURS: '2',
    DECISION_BULK_ROWS: '2',
    DECISION_MAX_BYTES: '2048',
    BANK_ACCOUNTS_PER_BENEFICIARY: '2',
    COLLECTION_INVITES: '2',
    COLLECTION_BULK_ROWS: '3',
    COLLECTION_LINK_DAYS: '3',
    COLLECTION_REPEAT_MINUTES: '5',
    COLLECTION_RESEND_SECONDS: '600',
  },
});
const tenant = useTenant(harness);
const payee = usePayee(harness, tenant);

const post = (path: string, body: unknown) => harness.rest('POST', path, { key: tenant.key, body });
const codeOf = (answer: { status: number; body: { error: { code: string } } }) => [
  answer.status,
  answer.body.error.code,
];

async function payouts(count: number): Promise<string[]> {
  const body = { payouts: Array.from({ length: count }, () => payoutBody(payee)) };
  const answer = await post('/v1/payouts/bulk', body);
  return answer.body.results.map((row: { payout: { id: string } }) => row.payout.id);
}

test('pages of a list', async () => {
  await payouts(4);
  const list = (query: string) => harness.rest('GET', `/v1/payouts${query}`, { key: tenant.key });
  expect((await list('')).body.payouts).toHaveLength(2);
  expect((await list('?limit=3')).body.payouts).toHaveLength(3);
  const over = await list('?limit=4');
  expect(codeOf(over)).toEqual([400, 'validation_failed']);
  expect(over.body.error.details).toMatchObject([{ field: 'limit', code: 'out_of_range' }]);
});

test('bytes of a body', async () => {
  const filled = (bytes: number) => `{"filler":"${'x'.repeat(bytes)}"}`;
  expect((await post('/v1/payouts', filled(16_000))).status).toBe(400);
  expect((await post('/v1/payouts', filled(17_000))).status).toBe(413);
  expect((await post('/v1/payouts/bulk', filled(32_000))).status).toBe(400);
  expect((await post('/v1/payouts/bulk', filled(33_000))).status).toBe(413);
  expect((await harness.graphql(tenant.key, `{ me { id } } # ${'x'.repeat(17_000)}`)).status).toBe(
    413,
  );
});

test('the amount of a payout, and the rows of a bulk', async () => {
  const most = payoutBody(payee, { amount_minor: 500_000 });
  expect((await post('/v1/payouts', most)).status).toBe(201);
  const more = payoutBody(payee, { amount_minor: 500_001 });
  expect(codeOf(await post('/v1/payouts', more))).toEqual([400, 'INVALID_MONEY']);
  const rows = Array.from({ length: 5 }, () => payoutBody(payee));
  const bulk = await post('/v1/payouts/bulk', { payouts: rows });
  expect(bulk.body.error.details).toMatchObject([{ field: 'payouts', code: 'too_long' }]);
});

test('the hours of an idempotency key', async () => {
  const body = payoutBody(payee);
  const first = await post('/v1/payouts', body);
  const age = (hours: number) =>
    harness.database.pool.query(
      'UPDATE payout_idempotency SET created_at = now() - make_interval(hours => $2) WHERE payout_id = $1',
      [first.body.payout.id, hours],
    );
  await age(1);
  expect((await post('/v1/payouts', body)).body.payout.id).toBe(first.body.payout.id);
  await age(3);
  const second = await post('/v1/payouts', body);
  expect(second.status).toBe(201);
  expect(second.body.payout.id).not.toBe(first.body.payout.id);
});

test('decisions at once, and the bytes of one', async () => {
  const ids = await payouts(3);
  const approve = 'mutation($ids: [ID!]!) { payoutBulkApprove(payoutIds: $ids) { payoutId } }';
  const { body } = await harness.graphql(tenant.key, approve, { ids });
  expect(body.errors[0].extensions.details).toMatchObject([{ code: 'out_of_range' }]);
  const large = { decision_id: newUlid(), status: 'pending_review' };
  const answer = await post(`/v1/payouts/${ids[0] ?? ''}/decisions`, {
    ...large,
    evaluated_by: { note: 'x'.repeat(2_048) },
  });
  expect(answer.body.error.details).toMatchObject([{ field: 'evaluated_by', code: 'too_long' }]);
});

test('bank accounts of a beneficiary', async () => {
  const path = `/v1/beneficiaries/${payee.beneficiaryId}/bank-accounts`;
  const account = {
    account_holder_name: 'Ada Lovelace',
    country: 'DE',
    currency: 'EUR',
    iban: 'DE89370400440532013000',
  };
  expect((await post(path, account)).status).toBe(201);
  const another = { ...account, country: 'FR', iban: 'FR1420041010050500013M02606' };
  expect(codeOf(await post(path, another))).toEqual([422, 'unprocessable_entity']);
});

test('invites, their links and their repetition', async () => {
  const someone = (n: number) => ({
    email: `limits-${n}@example.com`,
    beneficiary_type: 'person',
    first_name: 'Ada',
    last_name: 'Lovelace',
  });
  const invite = (...invites: unknown[]) =>
    post('/v1/beneficiaries/collection-invites', { invites });
  const over = await invite(someone(1), someone(2), someone(3));
  expect(over.body.error.details).toMatchObject([{ field: 'invites', code: 'too_long' }]);
  const rows = Array.from({ length: 4 }, (_, n) => someone(n));
  const bulk = await post('/v1/beneficiaries/bulk-invites', { rows });
  expect(bulk.body.error.details).toMatchObject([{ field: 'rows', code: 'too_long' }]);
  const csv = ['email,beneficiary_type', ...rows.map(({ email }) => `${email},person`)].join('\n');
  const file = await harness.rest('POST', '/v1/beneficiaries/bulk-invites', {
    key: tenant.key,
    headers: { 'content-type': 'text/csv' },
    body: csv,
  });
  expect(file.body.error.details).toMatchObject([{ field: 'rows', code: 'too_long' }]);

  const [first] = (await invite(someone(1))).body.results;
  const left = Date.parse(first.collection_request.expires_at) - Date.now();
  expect(Math.round(left / 86_400_000)).toBe(3);
  const age = (minutes: number) =>
    harness.database.pool.query(
      'UPDATE collection_request SET created_at = now() - make_interval(mins => $2) WHERE id = $1',
      [first.collection_request.id, minutes],
    );
  await age(4);
  const [repeated] = (await invite(someone(1))).body.results;
  expect(repeated.collection_request.id).toBe(first.collection_request.id);
  await age(6);
  const [soon] = (await invite(someone(1))).body.results;
  expect(soon.error.code).toBe('too_many_requests');
  await age(11);
  const [renewed] = (await invite(someone(1))).body.results;
  expect(renewed.collection_request.id).not.toBe(first.collection_request.id);
});

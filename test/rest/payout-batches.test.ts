import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { eventually, payoutBody } from '../support/factory.ts';
import { useHarness, usePayee, useTenant } from '../support/use-harness.ts';

const harness = useHarness();
const tenant = useTenant(harness);
const payee = usePayee(harness, tenant);

const base = '/v1/payout-batches';
const ask = (method: string, path: string, body?: unknown, key = tenant.key) =>
  harness.rest(method, `${base}${path}`, { key, body });

function rows(count: number, more: Record<string, unknown> = {}): object[] {
  const { idempotency_key: _key, ...row } = payoutBody(payee, more);
  return Array.from({ length: count }, () => row);
}

async function draft(given: readonly object[], key = tenant.key): Promise<string> {
  const body = { name: 'November', idempotency_key: randomUUID(), rows: given };
  const { status, body: made, text } = await ask('POST', '', body, key);
  expect(status, text).toBe(201);
  return made.payout_batch.id;
}

const made = (id: string) =>
  eventually(async () => (await ask('GET', `/${id}`)).body.payout_batch.made_at as string | null);

it('takes a batch of several requests from its draft to its payouts, on both surfaces', async () => {
  const id = await draft(rows(1_000));
  const second = { first_row: 1_001, rows: rows(1_000, { external_ref: 'second' }) };
  expect((await ask('POST', `/${id}/rows`, second)).body.payout_batch.row_count).toBe(2_000);
  const again = await ask('POST', `/${id}/rows`, second);
  expect([again.status, again.body.payout_batch.row_count]).toEqual([200, 2_000]);
  const checked = await ask('POST', `/${id}/check`);
  expect(checked.body).toMatchObject({
    payout_batch: { is_checked: true, state: 'draft', revision: 2 },
    summary: {
      statuses: [{ status: 'ready', rows: 2_000 }],
      totals: [{ currency: 'USD', rows: 2_000, amount_minor: 250_000_000 }],
      routes: [{ currency: 'USD', rows: 2_000, amount_minor: 250_000_000 }],
      states: [],
    },
    problems: [],
  });
  expect((await ask('POST', `/${id}/submit`, { revision: 1 })).status).toBe(409);
  const submitted = await ask('POST', `/${id}/submit`, { revision: 2 });
  expect([submitted.status, submitted.body.payout_batch.state]).toEqual([200, 'submitted']);
  await made(id);
  const { body } = await ask('GET', `/${id}`);
  expect(body.summary.states).toEqual([
    { state: 'pending_approval', currency: 'USD', payouts: 2_000, amount_minor: 250_000_000 },
  ]);
  const page = await ask('GET', `/${id}/rows?limit=2&status=made`);
  expect(page.body.rows.map((row: { row: number }) => row.row)).toEqual([1, 2]);
  const next = await ask('GET', `/${id}/rows?limit=2&status=made&cursor=${page.body.next_cursor}`);
  expect(next.body.rows.map((row: { row: number }) => row.row)).toEqual([3, 4]);
  const payout = await harness.rest('GET', `/v1/payouts/${page.body.rows[0].payout_id}`, {
    key: tenant.key,
  });
  expect(payout.body.payout.batch_id).toBe(id);
  const { text } = await harness.rest(
    'GET',
    `/v1/reporting/transactions/export?payout_batch_id=${id}`,
    { key: tenant.key },
  );
  const lines = text.trimEnd().split('\r\n');
  expect(lines).toHaveLength(2_001);
  expect(lines[2_000]).toMatch(new RegExp(`,${id},2000$`));

  const told = await harness.graphql(
    tenant.key,
    `query ($id: ID!) {
      payoutBatch(payoutBatchId: $id) { state rowCount summary { statuses { status rows } } }
      payoutBatchRows(payoutBatchId: $id, last: 1) {
        edges { node { row status amountMinor externalRef payout { state batchId } } }
      }
      payoutBatches(first: 1) { edges { node { id createdBy { you } } } }
    }`,
    { id },
  );
  expect(told.body.data).toEqual({
    payoutBatch: {
      state: 'submitted',
      rowCount: 2_000,
      summary: { statuses: [{ status: 'made', rows: 2_000 }] },
    },
    payoutBatchRows: {
      edges: [
        {
          node: {
            row: 2_000,
            status: 'made',
            amountMinor: '125000',
            externalRef: 'second',
            payout: { state: 'pending_approval', batchId: id },
          },
        },
      ],
    },
    payoutBatches: { edges: [{ node: { id, createdBy: { you: true } } }] },
  });
});

it('refuses a shape, a key with another content, and what nobody has', async () => {
  const wrong = {
    name: 'x',
    idempotency_key: randomUUID(),
    rows: [{ ...rows(1)[0], iban: 'DE00' }],
  };
  const refused = await ask('POST', '', wrong);
  expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'rows[0].iban']);
  const header = { key: tenant.key, headers: { 'idempotency-key': randomUUID() } };
  const one = await harness.rest('POST', base, { ...header, body: { name: 'Header' } });
  const replay = await harness.rest('POST', base, { ...header, body: { name: 'Header' } });
  expect([one.status, replay.status, replay.headers.get('idempotent-replayed')]).toEqual([
    201,
    200,
    'true',
  ]);
  const other = await harness.rest('POST', base, { ...header, body: { name: 'Another' } });
  expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  const unknown = newId('payoutBatch');
  for (const [method, path, body] of [
    ['GET', `/${unknown}`],
    ['GET', `/${unknown}/rows`],
    ['POST', `/${unknown}/rows`, { first_row: 1, rows: rows(1) }],
    ['POST', `/${unknown}/rows/leave-out`, { rows: [1] }],
    ['POST', `/${unknown}/check`],
    ['POST', `/${unknown}/submit`],
    ['POST', `/${unknown}/cancel`],
    ['GET', '/pba_0'],
  ] as const) {
    const { status, body: answer } = await ask(method, path, body);
    expect([method, path, status, answer.error.code]).toEqual([method, path, 404, 'not_found']);
  }
});

it('is approved by another person than the one who gave the row, where two are demanded', async () => {
  const preparer = await tenant.keyWithRole('admin');
  const id = await draft(rows(1), preparer);
  // Who submits it is not who gave the amounts.
  expect((await ask('POST', `/${id}/submit`)).status).toBe(200);
  await made(id);
  const { body } = await ask('GET', `/${id}/rows`);
  const path = `/v1/payouts/${body.rows[0].payout_id}/approve`;
  await harness.database.pool.query('UPDATE business SET distinct_approver = true WHERE id = $1', [
    tenant.businessId,
  ]);
  expect((await harness.rest('POST', path, { key: preparer })).status).toBe(403);
  expect((await harness.rest('POST', path, { key: tenant.key })).status).toBe(200);
});

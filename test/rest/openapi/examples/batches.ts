import { eventually, payoutBody } from '../../../support/factory.ts';
import type { Harness } from '../../../support/harness.ts';
import type { Cast } from './payees.ts';
import type { Recorder } from './recorder.ts';

/** A batch from its draft to its payouts, and one that is canceled. */
export async function recordBatches(
  record: Recorder,
  harness: Harness,
  { key, beneficiaryId, bankAccountId }: Cast,
): Promise<void> {
  const { idempotency_key: _key, ...row } = payoutBody({ beneficiaryId, bankAccountId });
  const draft = {
    name: 'November',
    idempotency_key: 'payroll-2026-11',
    rows: [row, { ...row, currency: 'EUR' }],
  };
  const base = '/v1/payout-batches';
  const create = (name: string, summary: string) =>
    record.success(name, summary, { method: 'POST', path: base, key, body: draft });
  const made = await create('draft', 'A draft with two rows');
  await create('replay', 'The same request again');
  const id: string = made.body.payout_batch.id;
  const ask = (method: string, path: string, name: string, summary: string, body?: object) =>
    record.success(name, summary, { method, path: `${base}/${id}${path}`, key, body });
  const more = { first_row: 3, rows: [{ ...row, external_ref: 'november-3' }] };
  await ask('POST', '/rows', 'added', 'A third row', more);
  await ask('POST', '/check', 'checked', 'One row is in another currency than its account');
  await record.refusal('A row is wrong that is not left out', {
    method: 'POST',
    path: `${base}/${id}/submit`,
    key,
  });
  await record.refusal('Other rows are there', {
    method: 'POST',
    path: `${base}/${id}/rows`,
    key,
    body: { first_row: 2, rows: [row] },
  });
  await record.refusal('Another content of the key', {
    method: 'POST',
    path: base,
    key,
    body: { ...draft, name: 'December' },
  });
  await ask('POST', '/rows/leave-out', 'left_out', 'The second row is left out', { rows: [2] });
  await ask('POST', '/submit', 'submitted', 'The batch is submitted', { revision: 3 });
  await eventually(async () => {
    const { body } = await harness.rest('GET', `${base}/${id}`, { key });
    return body.payout_batch.made_at !== null;
  });
  await ask('GET', '', 'found', 'A batch whose payouts wait for their decisions');
  await ask('GET', '/rows', 'page', 'Its rows');
  for (const action of ['check', 'rows/leave-out']) {
    await record.refusal('It is no draft any more', {
      method: 'POST',
      path: `${base}/${id}/${action}`,
      key,
      body: action === 'check' ? undefined : { rows: [1] },
    });
  }
  await ask('POST', '/cancel', 'canceled', 'A batch that is canceled with its payouts');
  for (const action of ['submit', 'cancel']) {
    await record.refusal('It was canceled', {
      method: 'POST',
      path: `${base}/${id}/${action}`,
      key,
    });
  }
  await record.success('page', 'All batches', { method: 'GET', path: base, key });
}

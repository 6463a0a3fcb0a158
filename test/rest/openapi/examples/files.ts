import { eventually } from '../../../support/factory.ts';
import type { Harness } from '../../../support/harness.ts';
import type { Cast } from './payees.ts';
import type { Recorder } from './recorder.ts';

/** The exports, streamed and written by a job, and the download of a written one. */
export async function recordExports(
  record: Recorder,
  harness: Harness,
  { key, beneficiaryId }: Cast,
): Promise<void> {
  const get = (name: string, summary: string, path: string, headers?: Record<string, string>) =>
    record.success(name, summary, { method: 'GET', path, key, ...(headers ? { headers } : {}) });
  const later = { Prefer: 'respond-async' };
  const transactions = `/v1/reporting/transactions/export?beneficiary_id=${beneficiaryId}&state=settled`;
  await get('csv', 'The settled payouts of a beneficiary', transactions);
  const ordered = await get('ordered', 'A file that a job writes', transactions, later);
  const path = `/v1/exports/${ordered.body.export.id}`;
  await eventually(async () => (await harness.rest('GET', path, { key })).status === 200);
  const whole = await get('csv', 'The whole file', path);
  await get('part', 'Its first bytes', path, { Range: 'bytes=0-63' });
  await get('unchanged', 'No file', path, { 'If-None-Match': whole.headers.get('etag') ?? '' });
  await get('page', 'What was requested', '/v1/exports?recurring=false');
  await get('csv', 'All active beneficiaries', '/v1/beneficiaries/export');
  await get('ordered', 'A file that a job writes', '/v1/beneficiaries/export', later);
  const entries = '/v1/funding/entries/export?kind=settle';
  await get('csv', 'What has arrived', entries);
  await get('ordered', 'A file that a job writes', entries, later);
  await record.refusal('A range behind the end of the file', {
    method: 'GET',
    path,
    key,
    headers: { Range: 'bytes=999999999-' },
  });
}

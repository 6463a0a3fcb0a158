import { makePayee, makeTenant } from '../../../support/factory.ts';
import type { Harness } from '../../../support/harness.ts';
import type { Recorder } from './recorder.ts';

/** What a service answers while no job runs: an enrollment and an export that wait. */
export async function recordWaiting(record: Recorder, harness: Harness): Promise<void> {
  const { key } = await makeTenant(harness);
  const { beneficiaryId } = await makePayee(harness, key);
  await record.success('pending', 'The provider has not answered yet', {
    method: 'POST',
    path: `/v1/beneficiaries/${beneficiaryId}/enroll`,
    key,
    body: {},
  });
  const ordered = await harness.rest('GET', '/v1/beneficiaries/export', {
    key,
    headers: { Prefer: 'respond-async' },
  });
  await record.success('waiting', 'A file that is not yet written', {
    method: 'GET',
    path: `/v1/exports/${ordered.body.export.id}`,
    key,
  });
}

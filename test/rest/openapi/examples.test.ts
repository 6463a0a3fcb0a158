import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { RecordedExamples } from '../../../rest/openapi/examples.ts';
import { recordExports } from '../../support/examples/files.ts';
import {
  recordBusiness,
  recordCollection,
  recordFunding,
  recordPayees,
} from '../../support/examples/payees.ts';
import { recordDeliveries, recordEndpoint, recordPayouts } from '../../support/examples/payouts.ts';
import { createRecording } from '../../support/examples/recorder.ts';
import { recordWaiting } from '../../support/examples/waiting.ts';
import { startHarness } from '../../support/harness.ts';
import { startReceiver } from '../../support/receiver.ts';

/*
 * The examples of the OpenAPI document, made by requests to a running service. After a change of what
 * it answers, write them anew: npx vitest run test/rest/openapi/examples.test.ts -u
 */

const file = join(import.meta.dirname, '../../../rest/openapi/examples.json');
const recording = createRecording();
let examples: RecordedExamples;

/** A business and everything that it does. */
async function recordStory(): Promise<void> {
  const receiver = await startReceiver();
  const harness = await startHarness({ env: { WEBHOOK_EXTRA_CA_FILE: receiver.caFile } });
  try {
    const record = recording.on(harness);
    const key = await recordBusiness(record);
    await recordFunding(harness, record, key);
    const cast = await recordPayees(record, harness, key);
    await recordEndpoint(record, receiver, key);
    const settled = await recordPayouts(record, harness, receiver, cast);
    await recordDeliveries(record, harness, receiver, { key, settled });
    await recordCollection(record, harness, cast);
    await recordExports(record, harness, cast);
    await record.success('archived', 'An archived beneficiary', {
      method: 'DELETE',
      path: `/v1/beneficiaries/${cast.beneficiaryId}`,
      key,
    });
    const path = '/v1/webhook-subscriptions';
    await record.success('deleted', 'No endpoint any more', { method: 'DELETE', path, key });
  } finally {
    await harness.close();
    await receiver.close();
  }
}

async function recordWithoutWorker(): Promise<void> {
  const harness = await startHarness({ worker: false, env: { ENROLL_WAIT_MS: '1' } });
  try {
    await recordWaiting(recording.on(harness), harness);
  } finally {
    await harness.close();
  }
}

beforeAll(async () => {
  await recordStory();
  await recordWithoutWorker();
  examples = recording.examples();
});

it('are what the service answers', async () => {
  await expect(`${JSON.stringify(examples, null, 2)}\n`).toMatchFileSnapshot(file);
});

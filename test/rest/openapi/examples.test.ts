import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { catalogue } from '../../../src/errors/catalogue.ts';
import type { RecordedExamples } from '../../../rest/openapi/examples.ts';
import { recordBooks } from './examples/books.ts';
import { recordExports } from './examples/files.ts';
import {
  recordBusiness,
  recordCollection,
  recordFunding,
  recordPayees,
} from './examples/payees.ts';
import {
  recordDeliveries,
  recordEndpoint,
  recordPayouts,
  recordRequested,
} from './examples/payouts.ts';
import { operations } from '../../support/matrix/rest-operations.ts';
import { createRecording, type Recorder } from './examples/recorder.ts';
import { businessRefusals, limitRefusals } from './examples/business-refusals.ts';
import { payeeRefusals, payoutRefusals } from './examples/further-refusals.ts';
import { nameRefusals } from './examples/name-refusals.ts';
import { referenceRefusals } from './examples/reference-refusals.ts';
import {
  recordCommon,
  recordLimits,
  recordRefusals,
  recordScenarios,
  recordTooManyExports,
  recordUnknown,
} from './examples/refusals.ts';
import { recordScreening } from './examples/screening.ts';
import { recordWaiting } from './examples/waiting.ts';
import { startHarness, type Harness } from '../../support/harness.ts';
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
    await recordRequested(record, harness, receiver);
    await recordDeliveries(record, harness, receiver, { key, settled });
    await recordCollection(record, harness, cast);
    await recordBooks(record, harness, cast, settled);
    await recordExports(record, harness, cast);
    await recordScreening(record, harness, cast);
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

async function withHarness(
  options: Parameters<typeof startHarness>[0],
  go: (record: Recorder, harness: Harness) => Promise<void>,
): Promise<void> {
  const harness = await startHarness(options);
  try {
    await go(recording.on(harness), harness);
  } finally {
    await harness.close();
  }
}

async function recordAllRefusals(record: Recorder, harness: Harness): Promise<void> {
  await recordCommon(record, harness);
  await recordScenarios(record, harness);
  await recordUnknown(record, harness);
  await recordRefusals(record, harness, [
    ...payeeRefusals,
    ...referenceRefusals,
    ...payoutRefusals,
    ...businessRefusals,
    ...nameRefusals,
  ]);
}

async function recordWithoutJobs(record: Recorder, harness: Harness): Promise<void> {
  await recordWaiting(record, harness);
  await recordTooManyExports(record, harness);
  await recordRefusals(record, harness, limitRefusals);
}

const withoutJobs = {
  worker: false,
  env: { ENROLL_WAIT_MS: '1', EXPORT_LIVE_LIMIT: '1', BANK_ACCOUNTS_PER_BENEFICIARY: '1' },
};

const lowLimits = {
  worker: false,
  env: { RATE_LIMIT_THIN: '1', REGISTRATION_RATE_LIMIT: '1', FAILED_AUTHENTICATION_LIMIT: '1' },
};

beforeAll(async () => {
  await recordStory();
  await withHarness({}, recordAllRefusals);
  await withHarness(withoutJobs, recordWithoutJobs);
  await withHarness(lowLimits, recordLimits);
  examples = recording.examples();
});

/** Refusals that one caller cannot provoke alone: each loses a race several times in a row. */
const races = [
  'createPayout PAYOUT_CONCURRENCY_CONFLICT',
  'approvePayout PAYOUT_CONCURRENCY_CONFLICT',
  'createDecision PAYOUT_CONCURRENCY_CONFLICT',
  'updateBeneficiary conflict',
  'updateBankAccount conflict',
  'verifyBankAccount conflict',
  'registerWebhookSubscription conflict',
];

it('have one of every refusal that an operation declares, but for races', () => {
  const missing = operations.flatMap(({ operationId, errors }) =>
    errors
      .filter(
        (code) =>
          examples.operations[operationId]?.answers[catalogue[code].status]?.[code] === undefined,
      )
      .map((code) => `${operationId} ${code}`),
  );
  expect(missing.toSorted()).toEqual(races.toSorted());
});

it('have every body that an operation takes and answers', () => {
  const missing = operations.flatMap((row) => {
    const found = examples.operations[row.operationId];
    const statuses = Object.entries(row.responses)
      .filter(([status, { body }]) => body !== null && found?.answers[status] === undefined)
      .map(([status]) => `${row.operationId} ${status}`);
    const takes = row.body !== undefined && !row.body.safeParse(undefined).success;
    const json = found?.requests['application/json'] !== undefined || !takes;
    const csv = found?.requests['text/csv'] !== undefined || row.csv === undefined;
    return json && csv ? statuses : [...statuses, `${row.operationId} request`];
  });
  expect(missing).toEqual([]);
});

it('are what the service answers', async () => {
  await expect(`${JSON.stringify(examples, null, 2)}\n`).toMatchFileSnapshot(file);
});

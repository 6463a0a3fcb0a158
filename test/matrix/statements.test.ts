import { beforeAll, describe, expect, it } from 'vitest';
import { wakeChannel } from '../../src/db/wake.ts';
import { newUlid } from '../../src/values/ulid.ts';
import type { Operation } from '../../rest/route/route.ts';
import { setRoutes } from '../support/banking.ts';
import { eventually, makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { restAttempt, type Change } from './support/attempt.ts';
import { operations } from '../support/matrix/rest-operations.ts';
import { commands } from '../support/commands.ts';
import { isNamed, readSource } from '../support/source.ts';
import type { SentStatement } from '../support/matrix/record-sql.ts';
import { freshParts, makeWorld, webhookBody, type World } from '../support/matrix/world.ts';
import { useHarness } from '../support/use-harness.ts';

/**
 * The most statements that each operation may send to the database when it succeeds, COMMIT
 * included, and BEGIN where it does not travel with the first statement. A number that grows with the rows of an answer cannot stand here: lists are asked for 25
 * rows.
 */
const most: Readonly<Record<string, number>> = {
  exportTransactions: 3,
  exportBeneficiaries: 3,
  exportLedgerEntries: 3,
  createBeneficiary: 5,
  listBeneficiaries: 2,
  getBeneficiary: 2,
  updateBeneficiary: 5,
  archiveBeneficiary: 8,
  acknowledgeBeneficiary: 7,
  enrollBeneficiary: 16,
  eraseBeneficiary: 3,
  exportPersonalData: 26, // one for each list
  registerBankAccount: 5,
  listBankAccounts: 3,
  listAllBankAccounts: 2,
  updateBankAccount: 3,
  verifyBankAccount: 2,
  register: 8,
  getBusinessProfile: 1,
  updateBusinessProfile: 5,
  getCollectionBranding: 1,
  updateCollectionBranding: 1,
  getFundingAccount: 2,
  getBooks: 1,
  // With the difference that it books, in one transaction.
  setSandboxBalance: 5,
  listLedgerEntries: 2,
  createPayout: 1,
  createPayoutsInBulk: 2, // one of them takes its rows from the rate limit at once
  createPayoutBatch: 1,
  addPayoutBatchRows: 3, // with what finds out that the rows were sent before
  leaveOutPayoutBatchRows: 1,
  // Each reads what the batch comes to, in four statements.
  checkPayoutBatch: 11,
  submitPayoutBatch: 13,
  cancelPayoutBatch: 5,
  getPayoutBatch: 5,
  listPayoutBatches: 1,
  listPayoutBatchRows: 2,
  listPayouts: 1,
  getPayout: 2, // the second asks what the approval policy demands of one that waits
  approvePayout: 5,
  rejectPayout: 4,
  cancelPayout: 3,
  createDecision: 4,
  listDecisions: 2,
  getScreening: 4,
  listScreeningHits: 2,
  getScreeningHit: 3,
  decideScreeningHit: 12,
  getBeneficiaryScreening: 5,
  listScreeningResults: 2,
  simulatePayout: 3,
  getCorridor: 0,
  listPurposes: 0,
  listProviders: 2,
  registerWebhookSubscription: 5,
  getWebhookSubscription: 1,
  updateWebhookSubscription: 5,
  deleteWebhookSubscription: 2,
  testWebhookSubscription: 9,
  inviteBeneficiaries: 16,
  inviteBeneficiariesInBulk: 16,
  cancelCollectionRequest: 5,
  listTaxDocuments: 2,
  downloadTaxDocument: 2,
  listExports: 1,
  downloadExport: 2,
  listWebhookDeliveries: 2,
  getWebhookDelivery: 3,
  redeliverWebhook: 7,
  redeliverWebhooks: 3,
  listEvents: 2,
  getEvent: 2,
};

/** The same, where the tenant has routes, and the operation is about where a payment goes. */
const mostWithRoutes: Readonly<Record<string, number>> = {
  enrollBeneficiary: 20,
  createPayout: 6,
  createPayoutsInBulk: 7,
};

/** Before every operation, and not for every call: a key is kept for a second, a quota in slices. */
const beforeOperations = new Set([
  'stored_api_key',
  'note_api_key_use',
  'rate_limit_reserve',
  'rate_limit_remove_expired',
]);

/** Beside every operation: no answer waits for it, and that of an operation may come during the next one. */
const announcement = `NOTIFY ${wakeChannel}`;
let world: World;

// Without a worker nothing else sends statements, and an enrollment stays pending.
const harness = useHarness({ worker: false, env: { ENROLL_WAIT_MS: '1' } });

beforeAll(async () => {
  world = await makeWorld(harness, await makeTenant(harness), { failed: false });
  await setRoutes(harness, world, 1, []);
  await fill();
});

const pageSize = 25;

async function post(path: string, body?: unknown): Promise<void> {
  const answer = await harness.rest('POST', path, { key: world.key, body });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
}

/** More rows than a page has of whatever is listed, nested lists included. */
async function fill(): Promise<void> {
  const { payee, payoutId } = world;
  for (let row = 0; row <= pageSize; row += 1) {
    await post('/v1/beneficiaries', {
      beneficiary_type: 'person',
      email: `row-${row}@example.com`,
      first_name: 'Ada',
      last_name: 'Lovelace',
    });
    await post(`/v1/beneficiaries/${payee.beneficiaryId}/bank-accounts`, {
      account_holder_name: 'Ada Lovelace',
      country: 'US',
      currency: 'USD',
      routing_code: '021000021',
      account_number: `00012345${1_000 + row}`,
    });
    await post('/v1/payouts', payoutBody(payee));
    await post(`/v1/payouts/${payoutId}/decisions`, {
      decision_id: newUlid(),
      status: 'pending_review',
    });
    await post('/v1/webhook-subscriptions/test');
  }
}

/** Input that differs from the sample's, where that would not succeed or would be too little. */
const changes: Readonly<Record<string, (caller: World) => Promise<Change[]>>> = {
  createPayoutsInBulk: async ({ payee }) => [
    {
      path: ['body', 'payouts'],
      value: Array.from({ length: pageSize }, () => payoutBody(payee)),
    },
  ],
  verifyBankAccount: async ({ key }) => {
    const payee = await makePayee(harness, key);
    await harness.database.pool.query(
      `UPDATE bank_account SET status = 'pending_verification' WHERE id = $1`,
      [payee.bankAccountId],
    );
    return [
      { path: ['path', 'id'], value: payee.beneficiaryId },
      { path: ['path', 'accountId'], value: payee.bankAccountId },
    ];
  },
  eraseBeneficiary: async ({ key }) => {
    const { beneficiaryId } = await makePayee(harness, key);
    return [{ path: ['path', 'id'], value: beneficiaryId }];
  },
  acknowledgeBeneficiary: async ({ key }) => {
    const { beneficiaryId } = await makePayee(harness, key, { acknowledged: false });
    return [{ path: ['path', 'id'], value: beneficiaryId }];
  },
};

describe('the statements of a success', () => {
  const { statements } = readSource();

  async function check(row: Operation, limit: number): Promise<void> {
    const attempted = restAttempt(harness, row);
    await post('/v1/webhook-subscriptions', webhookBody); // one case deletes it
    const caller = attempted.writes ? { ...world, ...(await freshParts(harness, world)) } : world;
    const given = (await changes[row.operationId]?.(caller)) ?? [];
    const { result, sent } = await harness.sql.during(async () => {
      const answer = await attempted.call(caller, given);
      // An export's transaction ends just after its last byte.
      const { pool } = harness.services;
      await eventually(async () => pool.idleCount === pool.totalCount);
      return answer;
    });
    expect(result.status, result.text).toBeLessThan(300);
    const counted = sent.filter(
      ({ name, text }) => !beforeOperations.has(name ?? '') && text !== announcement,
    );
    expect(counted.length, explain(row.operationId, counted)).toBeLessThanOrEqual(limit);
    const unknown = sent.filter(
      ({ name }) =>
        name !== null &&
        !name.startsWith('prisma_') &&
        !commands.some((one) => one.name === name) &&
        !statements.some((one) => isNamed(one, name)),
    );
    expect(unknown, 'what the checks of the source do not see').toEqual([]);
  }

  it.each(operations)('$operationId', (row) => check(row, most[row.operationId] ?? 0));

  it('read what routes are chosen by once, however many payouts look for theirs', async () => {
    await setRoutes(harness, world, 2, [{ connectionId: world.connectionId }]);
    for (const row of operations) {
      const limit = mostWithRoutes[row.operationId];
      if (limit !== undefined) await check(row, limit);
    }
  });

  it('are limited for no operation that is gone', () => {
    const known = new Set(operations.map(({ operationId }) => operationId));
    expect(Object.keys(most).filter((name) => !known.has(name))).toEqual([]);
  });

  it('are at most two for a list of 25', () => {
    const lists = operations.filter(({ operationId }) => operationId.startsWith('list'));
    for (const { operationId } of lists) {
      // Accounts come with where the tenant's routes could pay.
      const limit = operationId === 'listBankAccounts' ? 3 : 2;
      expect(most[operationId], operationId).toBeLessThanOrEqual(limit);
    }
  });
});

function explain(operationId: string, sent: readonly SentStatement[]): string {
  const list = sent.map(({ name, text }) => (name ?? text).slice(0, 200)).join('\n');
  return `${operationId} sent ${sent.length} (raise its number if more are meant):\n${list}\n`;
}

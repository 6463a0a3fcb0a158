import * as commands from '../../../matrix/codes/commands.ts';
import { account, done, payee, payout, set, type Place } from '../../../matrix/codes/place.ts';
import { newId } from '../../../../src/values/ids.ts';
import { newUlid } from '../../../../src/values/ulid.ts';
import { profile } from './payees.ts';
import type { Refusal } from './further-refusals.ts';

type Request = commands.Command['rest'];

async function send({ harness, tenant }: Place, { method, path, body }: Request) {
  const answer = await harness.rest(method, path, { key: tenant.key, body });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  return answer.body;
}

const endpoint = { url: 'https://127.0.0.1:9/never', enabled_events: ['payout.settled'] };
const base = '/v1/webhook-subscriptions';

/** An endpoint that is switched off. */
async function disabled(place: Place): Promise<void> {
  await send(place, { method: 'POST', path: base, body: endpoint });
  await send(place, { method: 'PATCH', path: base, body: { enabled: false } });
}

/** An export in a state in which its file is not there. */
async function endedExport(place: Place, status: string): Promise<Request> {
  const id = newId('export');
  await place.harness.database.pool.query(
    `INSERT INTO export (tenant_id, id, kind, filename, status, generation, row_count, byte_count,
       requested_by, started_at, completed_at, expires_at, error)
     VALUES ($1, $2, 'beneficiaries', 'beneficiaries.csv', $3, 1, 0, 3, '{}', now(), now(),
       now() - interval '1 second', CASE $3 WHEN 'failed' THEN 'the database was away' END)`,
    [place.tenant.tenantId, id, status],
  );
  return { method: 'GET', path: `/v1/exports/${id}` };
}

const windowOfADay = {
  created_since: '2026-11-20T00:00:00Z',
  created_before: '2026-11-21T00:00:00Z',
};

export const businessRefusals: readonly Refusal[] = [
  {
    operation: 'updateBusinessProfile',
    code: 'conflict',
    summary: 'A field of an accepted profile that is cleared',
    make: async (place) => {
      const path = '/v1/business/profile';
      await send(place, { method: 'PUT', path, body: profile });
      await set(place, 'business', place.tenant.businessId, `profile_status = 'accepted'`);
      return { method: 'PUT', path, body: { industry: null } };
    },
  },
  {
    operation: 'getFundingAccount',
    code: 'FUNDING_DEDICATED_ACCOUNT_NOT_PROVISIONED',
    summary: 'A business whose profile is not submitted',
    tenant: { funded: false },
    make: async () => ({ method: 'GET', path: '/v1/funding/account' }),
  },
  {
    operation: 'setSandboxBalance',
    code: 'SANDBOX_ONLY',
    summary: 'A production key',
    tenant: { environment: 'production' },
    make: async () => commands.setBalance({ available_balance_minor: 1, currency: 'USD' }).rest,
  },
  {
    operation: 'setSandboxBalance',
    code: 'INVALID_MONEY',
    summary: 'A fraction of a minor unit',
    make: async () => commands.setBalance({ available_balance_minor: 0.5, currency: 'USD' }).rest,
  },
  {
    operation: 'testWebhookSubscription',
    code: 'conflict',
    summary: 'An endpoint that is disabled',
    make: async (place) => {
      await disabled(place);
      return { method: 'POST', path: `${base}/test` };
    },
  },
  {
    operation: 'redeliverWebhook',
    code: 'conflict',
    summary: 'An endpoint that is disabled',
    make: async (place) => {
      await send(place, { method: 'POST', path: base, body: endpoint });
      const { delivery } = await send(place, { method: 'POST', path: `${base}/test` });
      await disabled(place);
      return { method: 'POST', path: `${base}/deliveries/${delivery.id}/redeliver` };
    },
  },
  {
    operation: 'redeliverWebhooks',
    code: 'conflict',
    summary: 'A business without an endpoint',
    make: async () => ({
      method: 'POST',
      path: `${base}/deliveries/redeliver`,
      body: windowOfADay,
    }),
  },
  {
    operation: 'downloadExport',
    code: 'EXPORT_EXPIRED',
    summary: 'An export whose time is over',
    make: (place) => endedExport(place, 'expired'),
  },
  {
    operation: 'downloadExport',
    code: 'EXPORT_FAILED',
    summary: 'An export that failed',
    make: (place) => endedExport(place, 'failed'),
  },
  {
    operation: 'cancelCollectionRequest',
    code: 'conflict',
    summary: 'A request whose form was submitted',
    make: async (place) => {
      const { beneficiaryId } = await payee(place);
      const { results } = await send(place, {
        method: 'POST',
        path: '/v1/beneficiaries/collection-invites',
        body: { invites: [{ beneficiary_id: beneficiaryId, scope: 'bank_details' }] },
      });
      const { id } = results[0].collection_request;
      await set(place, 'collection_request', id, `status = 'submitted', closed_at = now()`);
      return {
        method: 'DELETE',
        path: `/v1/beneficiaries/${beneficiaryId}/collection-requests/${id}`,
      };
    },
  },
  {
    operation: 'enrollBeneficiary',
    code: 'unprocessable_entity',
    summary: 'An environment without a provider',
    tenant: { environment: 'production' },
    make: async (place) => commands.enroll((await payee(place)).beneficiaryId).rest,
  },
  {
    operation: 'createDecision',
    code: 'conflict',
    summary: 'A payout with as many reviews as there may be',
    make: async (place) => {
      const { id } = await payout(place);
      const review = () => ({
        method: 'POST',
        path: `/v1/payouts/${id}/decisions`,
        body: { decision_id: newUlid(), status: 'pending_review' },
      });
      for (let i = 0; i < 100; i += 1) await send(place, review());
      return review();
    },
  },
];

/** Of a service without jobs and with the lowest limits. */
export const limitRefusals: readonly Refusal[] = [
  {
    operation: 'registerBankAccount',
    code: 'unprocessable_entity',
    summary: 'One account more than a beneficiary may have',
    make: async (place) =>
      commands.registerAccount(
        (await payee(place)).beneficiaryId,
        account({ account_number: '000123456780' }),
      ).rest,
  },
  {
    operation: 'enrollBeneficiary',
    code: 'conflict',
    summary: 'A second account while the first is being enrolled',
    make: async (place) => {
      const { beneficiaryId, bankAccountId } = await payee(place);
      await send(place, commands.enroll(beneficiaryId, bankAccountId).rest);
      const changed = account({ account_number: '000999999999' });
      await done(place, commands.updateAccount(beneficiaryId, bankAccountId, changed));
      return commands.enroll(beneficiaryId, bankAccountId).rest;
    },
  },
];

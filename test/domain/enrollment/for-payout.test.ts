import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { jobScope } from '../../../src/access/system.ts';
import { enrollByJob } from '../../../src/domain/enrollment/run.ts';
import { enrollForPayout, recipientFor } from '../../../src/domain/enrollment/for-payout.ts';
import { ProviderError } from '../../../src/providers/port.ts';
import type { Call } from '../../../src/process/services.ts';
import { makePayee } from '../../support/factory.ts';
import { useHarness, useTenant } from '../../support/use-harness.ts';

let call: Call;

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

beforeAll(async () => {
  const { services } = harness;
  const scope = await jobScope(services.pool, tenant.tenantId, { type: 'system', name: 'test' });
  call = { services, scope };
});
afterEach(() => vi.restoreAllMocks());

function spyOnEnroll() {
  const provider = harness.services.providers.forEnvironment('sandbox');
  if (provider === null) throw new Error('the sandbox has a provider');
  return vi.spyOn(provider, 'enroll');
}

async function destination(accountNumber?: string) {
  const payee = await makePayee(
    harness,
    tenant.key,
    accountNumber === undefined ? {} : { accountNumber },
  );
  return { ...payee, version: 1, provider: 'simulator' };
}

async function rowsOf(beneficiaryId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await harness.database.pool.query(
    `SELECT e.id, e.status, b.enrollment_status, a.rail_rejection_reason,
       (SELECT count(*)::int FROM graphile_worker._private_jobs j WHERE j.payload ->> 'enrollmentId' = e.id) AS jobs
     FROM enrollment e
     JOIN beneficiary b ON b.tenant_id = e.tenant_id AND b.id = e.beneficiary_id
     JOIN bank_account a ON a.tenant_id = e.tenant_id AND a.id = e.bank_account_id
     WHERE e.beneficiary_id = $1 ORDER BY e.requested_at`,
    [beneficiaryId],
  );
  return rows as Record<string, unknown>[];
}

it('enrolls a destination once and knows its recipient from then on', async () => {
  const target = await destination();
  const calls = spyOnEnroll();
  expect(await recipientFor(call, target, 'simulator')).toBeNull();
  const enrolled = await enrollForPayout(call, target);
  expect(enrolled).toEqual({ kind: 'verified', recipientId: expect.stringMatching(/^rcp_/) });
  expect(await enrollForPayout(call, target)).toEqual(enrolled);
  expect(await recipientFor(call, target, 'simulator')).toEqual({
    recipientId: enrolled.kind === 'verified' ? enrolled.recipientId : '',
  });
  expect(await recipientFor(call, { ...target, version: 2 }, 'simulator')).toBeNull();
  expect(calls).toHaveBeenCalledTimes(1);
  expect(await rowsOf(target.beneficiaryId)).toMatchObject([
    { status: 'verified', enrollment_status: 'verified', rail_rejection_reason: null },
  ]);
});

it('enrolls a destination once for all who want it at the same time', async () => {
  const [target, other] = [await destination(), await destination()];
  const calls = spyOnEnroll();
  const answers = await Promise.all(
    [target, target, other, target].map((one) => enrollForPayout(call, one)),
  );
  expect(answers).toEqual(
    answers.map(() => ({ kind: 'verified', recipientId: expect.any(String) })),
  );
  expect(new Set(answers).size).toBe(2);
  expect(calls).toHaveBeenCalledTimes(2);
});

it('fails for all who want it at that time, and is tried again for the next', async () => {
  const target = await destination();
  const lost = vi.spyOn(call.services.pool, 'connect');
  lost.mockImplementationOnce(() => Promise.reject(new Error('away')));
  const answers = await Promise.allSettled([
    enrollForPayout(call, target),
    enrollForPayout(call, target),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await enrollForPayout(call, target)).toMatchObject({ kind: 'verified' });
});

it('answers a rejection with its reason, and does not ask again', async () => {
  const target = await destination('777770004');
  const calls = spyOnEnroll();
  const rejected = await enrollForPayout(call, target);
  expect(rejected).toEqual({ kind: 'rejected', message: expect.any(String) });
  expect(await enrollForPayout(call, target)).toEqual(rejected);
  expect(calls).toHaveBeenCalledTimes(1);
  expect(await rowsOf(target.beneficiaryId)).toMatchObject([
    {
      status: 'rejected',
      enrollment_status: 'rejected',
      rail_rejection_reason: rejected.kind === 'rejected' ? rejected.message : '',
    },
  ]);
});

it.each(['retry', 'unknown', 'held'] as const)(
  'stays pending on the verdict %s, with a job to look after it, and goes on under its key',
  async (verdict) => {
    const target = await destination();
    const calls = spyOnEnroll();
    calls.mockRejectedValueOnce(new ProviderError(verdict, 'other', 'not now'));
    expect(await enrollForPayout(call, target)).toEqual({ kind: 'unclear' });
    const [pending] = await rowsOf(target.beneficiaryId);
    expect(pending).toMatchObject({ status: 'pending', enrollment_status: 'pending', jobs: 1 });
    expect((await enrollForPayout(call, target)).kind).toBe('verified');
    expect(new Set(calls.mock.calls.map(([request]) => request.idempotencyKey))).toEqual(
      new Set([pending?.['id']]),
    );
    expect(await rowsOf(target.beneficiaryId)).toHaveLength(1);
  },
);

it('records one outcome when the job and a disbursement run at once', async () => {
  const target = await destination();
  const calls = spyOnEnroll();
  calls.mockRejectedValueOnce(new ProviderError('retry', 'other', 'not now'));
  await enrollForPayout(call, target);
  const [pending] = await rowsOf(target.beneficiaryId);
  const [enrolled] = await Promise.all([
    enrollForPayout(call, target),
    enrollByJob(call, pending?.['id'] as string),
  ]);
  // The simulator may ask the slower of two calls with one key to come again.
  expect(['verified', 'unclear']).toContain(enrolled.kind);
  expect(await rowsOf(target.beneficiaryId)).toMatchObject([{ status: 'verified' }]);
});

it('waits while another account of the beneficiary is being enrolled', async () => {
  const first = await destination();
  const { body } = await harness.rest(
    'POST',
    `/v1/beneficiaries/${first.beneficiaryId}/bank-accounts`,
    {
      key: tenant.key,
      body: {
        account_holder_name: 'Ada',
        country: 'DE',
        currency: 'EUR',
        iban: 'DE89370400440532013000',
      },
    },
  );
  const second = { ...first, bankAccountId: body.bank_account.id as string };
  const calls = spyOnEnroll();
  calls.mockRejectedValueOnce(new ProviderError('unknown', 'other', 'not now'));
  await enrollForPayout(call, first);
  expect(await enrollForPayout(call, second)).toEqual({ kind: 'unclear' });
  expect(calls).toHaveBeenCalledTimes(1);
  await enrollForPayout(call, first);
  expect((await enrollForPayout(call, second)).kind).toBe('verified');
});

it('tries refused details again after a PUT of them, and once only', async () => {
  const target = await destination('777780004');
  const calls = spyOnEnroll();
  await enrollForPayout(call, target);
  const path = `/v1/beneficiaries/${target.beneficiaryId}/bank-accounts/${target.bankAccountId}`;
  const { body } = await harness.rest('PUT', path, {
    key: tenant.key,
    body: {
      account_holder_name: 'Ada Lovelace',
      country: 'US',
      currency: 'USD',
      routing_code: '021000021',
      account_number: '777780004',
    },
  });
  expect(body.bank_account.rail_rejection_reason).toBeNull();
  calls.mockImplementationOnce(({ reference }) =>
    Promise.resolve({ recipientId: 'rcp_after_all', reference }),
  );
  expect(await enrollForPayout(call, target)).toEqual({
    kind: 'verified',
    recipientId: 'rcp_after_all',
  });
  await enrollForPayout(call, target);
  expect(calls).toHaveBeenCalledTimes(2);
  expect((await rowsOf(target.beneficiaryId)).map(({ status }) => status)).toEqual([
    'rejected',
    'verified',
  ]);
});

it('keeps no rejection on details that were corrected meanwhile', async () => {
  const target = await destination('777770004');
  const calls = spyOnEnroll();
  calls.mockImplementationOnce(async () => {
    await harness.rest(
      'PUT',
      `/v1/beneficiaries/${target.beneficiaryId}/bank-accounts/${target.bankAccountId}`,
      {
        key: tenant.key,
        body: {
          account_holder_name: 'Ada',
          country: 'DE',
          currency: 'EUR',
          iban: 'DE89370400440532013000',
        },
      },
    );
    throw new ProviderError('rejected', 'invalid_account', 'no such account');
  });
  expect((await enrollForPayout(call, target)).kind).toBe('rejected');
  expect(await rowsOf(target.beneficiaryId)).toMatchObject([
    { status: 'rejected', enrollment_status: 'rejected', rail_rejection_reason: null },
  ]);
  expect((await enrollForPayout(call, { ...target, version: 2 })).kind).toBe('verified');
});

import { afterEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
} from '../support/factory.ts';
import { conditionMs } from '../support/patience.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const harness = useHarness({
  // Whoever is to be told the end waits for it, however busy the machine is.
  env: { ENROLL_WAIT_MS: String(conditionMs), PROVIDER_RETRY_DELAYS: '0.5,1' },
});
const tenant = useTenant(harness);
afterEach(async () => {
  requestsWait(conditionMs);
  await faults({});
  vi.restoreAllMocks();
});

/** How long an enroll request of this process waits from now on. */
const requestsWait = (ms: number) =>
  void Object.assign(harness.services.config, { ENROLL_WAIT_MS: ms });

/** The faults of the simulator's `POST /recipients`; none for `{}`. */
async function faults(given: Record<string, unknown>): Promise<void> {
  const answer = await fetch(`${harness.simulatorUrl}/control/faults`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${harness.services.config.SIMULATOR_API_KEY}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ on: 'recipients', ...given }),
  });
  expect(answer.ok).toBe(true);
}

function spyOnEnroll() {
  const provider = harness.services.providers.forEnvironment('sandbox');
  if (provider === null) throw new Error('the sandbox has a provider');
  return vi.spyOn(provider, 'enroll');
}

const enroll = (id: string, body?: unknown, key = tenant.key) =>
  harness.rest('POST', `/v1/beneficiaries/${id}/enroll`, { key, body });
const read = async (id: string) =>
  (await harness.rest('GET', `/v1/beneficiaries/${id}`, { key: tenant.key })).body.beneficiary;
const accountsOf = async (id: string) =>
  (await harness.rest('GET', `/v1/beneficiaries/${id}/bank-accounts`, { key: tenant.key })).body
    .bank_accounts;

async function addAccount(id: string, more: Record<string, unknown> = {}): Promise<string> {
  const { body } = await harness.rest('POST', `/v1/beneficiaries/${id}/bank-accounts`, {
    key: tenant.key,
    body: {
      account_holder_name: 'Ada Lovelace',
      country: 'US',
      currency: 'USD',
      routing_code: '021000021',
      account_number: '999988887777',
      ...more,
    },
  });
  return body.bank_account.id as string;
}

async function enrollments(payee: TestPayee): Promise<{ status: string; payee: boolean }[]> {
  const { rows } = await harness.database.pool.query<{ status: string; payee: boolean }>(
    `SELECT status, payee_ciphertext IS NOT NULL AS payee FROM enrollment
     WHERE beneficiary_id = $1 ORDER BY requested_at`,
    [payee.beneficiaryId],
  );
  return rows;
}

describe('POST /v1/beneficiaries/{id}/enroll', () => {
  it('answers 200 when the provider took the account, and again without asking it', async () => {
    const payee = await makePayee(harness, tenant.key);
    const calls = spyOnEnroll();
    const { status, body } = await enroll(payee.beneficiaryId);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['beneficiary', 'bank_account']);
    expect(body).toMatchObject({
      beneficiary: { id: payee.beneficiaryId, enrollment_status: 'verified', status: 'ready' },
      bank_account: { id: payee.bankAccountId, payout_usable: true },
    });
    expect((await enroll(payee.beneficiaryId, {})).body).toEqual(body);
    expect(calls).toHaveBeenCalledTimes(1);
    const [request] = calls.mock.calls[0] ?? [];
    expect(request).toMatchObject({
      reference: `${tenant.tenantId}.${request?.idempotencyKey ?? ''}`,
      payee: { type: 'person', firstName: 'Ada', dateOfBirth: '1990-04-01', country: 'US' },
      destination: {
        accountNumber: '000123456789',
        routingCode: '021000021',
        accountType: 'checking',
      },
    });
    expect(await enrollments(payee)).toEqual([{ status: 'verified', payee: false }]);
  });

  it('makes one enrollment of concurrent requests', async () => {
    const payee = await makePayee(harness, tenant.key);
    const calls = spyOnEnroll();
    const answers = await Promise.all([1, 2, 3].map(() => enroll(payee.beneficiaryId)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(calls).toHaveBeenCalledTimes(1);
    expect(await enrollments(payee)).toHaveLength(1);
  });

  it("answers 422 with the rail's reason, marks the account, and takes the corrected one", async () => {
    const payee = await makePayee(harness, tenant.key, { accountNumber: '123456780004' });
    const id = payee.beneficiaryId;
    const refused = await enroll(id);
    expect([refused.status, refused.body.error.code]).toEqual([
      422,
      'BENEFICIARY_ENROLLMENT_FAILED',
    ]);
    const [account] = await accountsOf(id);
    expect(account.payout_usable).toBe(false);
    expect(refused.body.error.message).toContain(account.rail_rejection_reason);
    expect(await read(id)).toMatchObject({
      compliance_status: 'compliant',
      enrollment_status: 'rejected',
      status: 'action_required',
    });
    // The same details may be tried again by name, or as the only account there is.
    expect((await enroll(id)).status).toBe(422);
    expect((await enroll(id, { bank_account_id: payee.bankAccountId })).status).toBe(422);
    await harness.rest('PUT', `/v1/beneficiaries/${id}/bank-accounts/${payee.bankAccountId}`, {
      key: tenant.key,
      body: {
        account_holder_name: 'Ada Lovelace',
        country: 'US',
        currency: 'USD',
        routing_code: '021000021',
        account_number: '123456789999',
      },
    });
    expect((await read(id)).enrollment_status).toBe('rejected');
    const { status, body } = await enroll(id);
    expect(status).toBe(200);
    expect(body.beneficiary.enrollment_status).toBe('verified');
    expect(body.bank_account).toMatchObject({ last4: '9999', rail_rejection_reason: null });
    expect((await enrollments(payee)).map((row) => row.status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
      'verified',
    ]);
  });

  it('answers 202 while the provider is down, and ends when it is back', async () => {
    const payee = await makePayee(harness, tenant.key);
    await faults({ error_before_accept: 1_000_000 });
    const calls = spyOnEnroll();
    requestsWait(1);
    const { status, body } = await enroll(payee.beneficiaryId);
    expect(status).toBe(202);
    expect(body.beneficiary.enrollment_status).toBe('pending');
    expect(body.bank_account.id).toBe(payee.bankAccountId);
    // What is changed meanwhile does not change the request: its key stands for its content.
    await harness.rest('PUT', `/v1/beneficiaries/${payee.beneficiaryId}`, {
      key: tenant.key,
      body: { phone: '+1 202 555 0199' },
    });
    await eventually(() => Promise.resolve(calls.mock.calls.length > 1));
    await faults({ drop_after_accept: 1 });
    await eventually(
      async () => (await read(payee.beneficiaryId)).enrollment_status === 'verified',
    );
    const keys = new Set(calls.mock.calls.map(([request]) => request.idempotencyKey));
    expect(keys.size).toBe(1);
    expect(await enrollments(payee)).toEqual([{ status: 'verified', payee: false }]);
  });

  it('refuses another account while one is being enrolled', async () => {
    const payee = await makePayee(harness, tenant.key);
    const second = await addAccount(payee.beneficiaryId);
    await faults({ error_before_accept: 1_000_000 });
    const first = enroll(payee.beneficiaryId, { bank_account_id: payee.bankAccountId });
    await eventually(async () => (await enrollments(payee)).length === 1);
    const answer = await enroll(payee.beneficiaryId, { bank_account_id: second });
    expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict']);
    await faults({});
    await first;
    await eventually(
      async () => (await read(payee.beneficiaryId)).enrollment_status === 'verified',
    );
    const turn = await enroll(payee.beneficiaryId, { bank_account_id: second });
    expect(turn.status).toBe(200);
  });

  it('tells of the account that was enrolled last', async () => {
    const payee = await makePayee(harness, tenant.key);
    await enroll(payee.beneficiaryId);
    const bad = await addAccount(payee.beneficiaryId, { account_number: '555550004' });
    expect((await enroll(payee.beneficiaryId, { bank_account_id: bad })).status).toBe(422);
    expect((await read(payee.beneficiaryId)).enrollment_status).toBe('rejected');
    const calls = spyOnEnroll();
    // The refused account is no longer usable, so the other is the only one.
    const { status, body } = await enroll(payee.beneficiaryId);
    expect(status).toBe(200);
    expect(body.beneficiary.enrollment_status).toBe('verified');
    expect(calls).not.toHaveBeenCalled();
  });
});

describe('production without a provider', () => {
  it('is said, over REST and GraphQL, before anything is written', async () => {
    const production = await makeTenant(harness, { environment: 'production' });
    const payee = await makePayee(harness, production.key);
    const message = 'No payout provider is configured for production.';
    const answer = await enroll(payee.beneficiaryId, {}, production.key);
    expect([answer.status, answer.body.error.code]).toEqual([422, 'unprocessable_entity']);
    expect(answer.body.error.message).toBe(message);
    const mutation = 'mutation ($id: ID!) { beneficiaryEnroll(id: $id) { pending } }';
    const graphql = await harness.graphql(production.key, mutation, { id: payee.beneficiaryId });
    expect(graphql.body.errors[0]).toMatchObject({
      message,
      extensions: { code: 'unprocessable_entity' },
    });
    expect(await enrollments(payee)).toEqual([]);
    const path = `/v1/beneficiaries/${payee.beneficiaryId}`;
    const { body } = await harness.rest('GET', path, { key: production.key });
    expect(body.beneficiary.enrollment_status).toBeNull();
    const unknown = await enroll(newId('beneficiary'), {}, production.key);
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'not_found']);
  });
});

describe('refusals', () => {
  async function expectRefusal(id: string, body: unknown, status: number, code: string) {
    const answer = await enroll(id, body);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  }

  it('a beneficiary that is not compliant', async () => {
    const payee = await makePayee(harness, tenant.key, { acknowledged: false });
    await expectRefusal(payee.beneficiaryId, undefined, 422, 'BENEFICIARY_NOT_COMPLIANT');
    expect(await enrollments(payee)).toEqual([]);
  });

  it('no usable account, several, and one that is not usable', async () => {
    const { beneficiaryId: id } = await makePayee(harness, tenant.key);
    const japanese = await addAccount(id, { country: 'JP', currency: 'JPY', routing_code: null });
    await expectRefusal(id, { bank_account_id: japanese }, 422, 'BANK_ACCOUNT_NOT_PAYOUT_USABLE');
    await addAccount(id);
    await expectRefusal(id, undefined, 422, 'BANK_ACCOUNT_AMBIGUOUS');
    await harness.database.pool.query(
      `UPDATE bank_account SET validation_status = 'unvalidated' WHERE beneficiary_id = $1`,
      [id],
    );
    await expectRefusal(id, undefined, 422, 'NO_PAYOUT_USABLE_BANK_ACCOUNT');
    expect((await read(id)).enrollment_status).toBeNull();
  });

  it("an unknown account, another beneficiary's, and another tenant's", async () => {
    const payee = await makePayee(harness, tenant.key);
    const stranger = await makePayee(harness, tenant.key);
    const foreign = await makePayee(harness, (await makeTenant(harness)).key);
    const id = payee.beneficiaryId;
    await expectRefusal(
      id,
      { bank_account_id: stranger.bankAccountId },
      422,
      'BANK_ACCOUNT_BENEFICIARY_MISMATCH',
    );
    for (const bank_account_id of [newId('bankAccount'), 'nothing', foreign.bankAccountId]) {
      await expectRefusal(id, { bank_account_id }, 404, 'BANK_ACCOUNT_NOT_FOUND');
    }
    await expectRefusal(id, { account: 'x' }, 400, 'validation_failed');
  });
});

it('enrolls over GraphQL', async () => {
  const payee = await makePayee(harness, tenant.key);
  const { body } = await harness.graphql(
    tenant.key,
    `mutation ($id: ID!) {
      beneficiaryEnroll(id: $id) {
        pending beneficiary { enrollmentStatus enrolledBankAccountId } bankAccount { id }
      }
    }`,
    { id: payee.beneficiaryId },
  );
  expect(body.data.beneficiaryEnroll).toEqual({
    pending: false,
    beneficiary: { enrollmentStatus: 'verified', enrolledBankAccountId: payee.bankAccountId },
    bankAccount: { id: payee.bankAccountId },
  });
});

describe('the type of a US account', () => {
  it('is checking where it was enrolled without one, in the same version', async () => {
    const payee = await makePayee(harness, tenant.key);
    const body = payoutBody(payee);
    const created = await harness.rest('POST', '/v1/payouts', { key: tenant.key, body });
    expect((await accountsOf(payee.beneficiaryId))[0].account_type).toBeNull();
    const calls = spyOnEnroll();
    const enrolled = await enroll(payee.beneficiaryId);
    expect(enrolled.body.bank_account.account_type).toBe('checking');
    expect(calls.mock.calls[0]?.[0].destination.accountType).toBe('checking');
    const { rows } = await harness.database.pool.query(
      'SELECT version, account_type FROM bank_account_version WHERE bank_account_id = $1',
      [payee.bankAccountId],
    );
    expect(rows).toEqual([{ version: 1, account_type: 'checking' }]);
    // Nor does the account that is sent again without a type become another destination.
    const path = `/v1/beneficiaries/${payee.beneficiaryId}/bank-accounts/${payee.bankAccountId}`;
    const again = {
      account_holder_name: 'Ada Lovelace',
      country: 'US',
      currency: 'USD',
      routing_code: '021000021',
      account_number: '000123456789',
    };
    const put = await harness.rest('PUT', path, { key: tenant.key, body: again });
    expect(put.body.bank_account.account_type).toBe('checking');
    const approve = `/v1/payouts/${created.body.payout.id}/approve`;
    expect((await harness.rest('POST', approve, { key: tenant.key })).status).toBe(200);
  });

  it('stays what it was given as, and other accounts have none', async () => {
    const payee = await makePayee(harness, tenant.key);
    const savings = await addAccount(payee.beneficiaryId, { account_type: 'savings' });
    const german = await addAccount(payee.beneficiaryId, {
      country: 'DE',
      currency: 'EUR',
      iban: 'DE89370400440532013000',
      routing_code: null,
      account_number: null,
    });
    for (const [id, type] of [
      [savings, 'savings'],
      [german, null],
    ] as const) {
      const { body } = await enroll(payee.beneficiaryId, { bank_account_id: id });
      expect([body.bank_account.id, body.bank_account.account_type]).toEqual([id, type]);
    }
  });
});

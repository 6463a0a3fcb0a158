import { beforeAll, describe, expect, it } from 'vitest';
import { beneficiaryCalls, newAddress, person } from '../support/beneficiaries.ts';
import { makePayee, payoutBody } from '../support/factory.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

let api: ReturnType<typeof beneficiaryCalls>;

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

beforeAll(async () => {
  api = beneficiaryCalls(harness, tenant.key);
});

describe('PUT /v1/beneficiaries/{id}', () => {
  it('changes what is given, clears what is null, and keeps the rest', async () => {
    const id = await api.created(
      person({ nickname: 'Gigi', phone: '+1 202 555 0100', tax_id: '1' }),
    );
    const { status, body } = await api.put(id, { nickname: null, phone: '020 7946 0123' });
    expect(status).toBe(200);
    expect(body.beneficiary).toMatchObject({
      nickname: null,
      display_name: 'Grace Hopper',
      phone: '020 7946 0123',
      tax_id: '1',
      date_of_birth: '1906-12-09',
    });
    expect(await api.revisionOf(id)).toBe(2);
  });

  it('asks for acknowledgment again only when a trigger field really changed', async () => {
    const id = await api.created(
      person({
        acknowledged: true,
        tax_id: '9',
        postal_address: { line1: 'A', city: 'B', country: 'US' },
      }),
    );
    const same = await api.put(id, {
      first_name: 'Grace',
      date_of_birth: '1906-12-09',
      tax_id: '9',
      postal_address: { country: 'US', city: 'B', line1: 'A', line2: null },
      beneficiary_type: 'person',
    });
    expect(same.body.beneficiary.reacknowledgment_required).toBe(false);
    expect(await api.revisionOf(id)).toBe(1);
    const unrelated = await api.put(id, { phone: '55501', email: newAddress() });
    expect(unrelated.body.beneficiary.reacknowledgment_required).toBe(false);
    const changed = await api.put(id, { tax_id: '10' });
    expect(changed.body.beneficiary).toMatchObject({
      compliance_status: 'compliant',
      reacknowledgment_required: true,
      status: 'reacknowledgment_required',
    });
    await api.put(id, { tax_id: '11' });
    const again = await api.acknowledge(id);
    expect(again.body.beneficiary.reacknowledgment_required).toBe(false);
    expect(await api.history(id)).toEqual([
      '1 registered new compliant owner',
      '2 updated compliant compliant owner',
      '3 reacknowledgment_required compliant compliant owner',
      '4 updated compliant compliant owner',
      '5 acknowledged compliant compliant owner',
    ]);
  });

  it('blocks new payouts until it is acknowledged again', async () => {
    const payee = await makePayee(harness, tenant.key);
    await api.put(payee.beneficiaryId, { last_name: 'Byron' });
    const blocked = await harness.rest('POST', '/v1/payouts', {
      key: tenant.key,
      body: payoutBody(payee),
    });
    expect(blocked.body.error.code).toBe('BENEFICIARY_REACKNOWLEDGMENT_REQUIRED');
    await api.acknowledge(payee.beneficiaryId);
    const paid = await harness.rest('POST', '/v1/payouts', {
      key: tenant.key,
      body: payoutBody(payee),
    });
    expect(paid.status).toBe(201);
  });

  it.each([
    ['another type', { beneficiary_type: 'business' }, 400, 'validation_failed'],
    [
      'a field of the other type',
      { registration_number: '1' },
      422,
      'BENEFICIARY_IDENTITY_INVALID',
    ],
    ['a cleared name', { first_name: null }, 422, 'BENEFICIARY_IDENTITY_INCOMPLETE'],
    ['a cleared address', { email: null }, 400, 'validation_failed'],
    ['acknowledged', { acknowledged: true }, 400, 'validation_failed'],
  ])('refuses %s and changes nothing', async (_name, body, status, code) => {
    const id = await api.created(person());
    const answer = await api.put(id, body);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(await api.revisionOf(id)).toBe(1);
  });

  it('refuses an address that is taken', async () => {
    const email = newAddress();
    await api.created(person({ email }));
    const answer = await api.put(await api.created(person()), { email: email.toUpperCase() });
    expect([answer.status, answer.body.error.code]).toEqual([
      409,
      'BENEFICIARY_EMAIL_ALREADY_EXISTS',
    ]);
  });

  it('loses no change of concurrent writers', async () => {
    const id = await api.created(person());
    const answers = await Promise.all([
      api.put(id, { phone: '55501' }),
      api.put(id, { nickname: 'n' }),
      api.put(id, { tax_id: 't' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await api.get(`/${id}`)).body.beneficiary).toMatchObject({
      phone: '55501',
      nickname: 'n',
      tax_id: 't',
    });
    expect(await api.revisionOf(id)).toBe(4);
  });
});

describe('acknowledgment', () => {
  it('verifies the bank accounts that waited, also those that race with it', async () => {
    const id = await api.created(person());
    const register = (account_number: string) =>
      harness.rest('POST', `/v1/beneficiaries/${id}/bank-accounts`, {
        key: tenant.key,
        body: {
          account_holder_name: 'Grace Hopper',
          country: 'US',
          currency: 'USD',
          routing_code: '021000021',
          account_number,
        },
      });
    expect((await register('11111111')).body.bank_account.status).toBe('pending_verification');
    await Promise.all([
      register('22222222'),
      register('33333333'),
      api.acknowledge(id),
      register('4444'),
    ]);
    const { body } = await api.get(`/${id}/bank-accounts`);
    expect(body.bank_accounts.map((one: { status: string }) => one.status)).toEqual(
      Array.from({ length: 4 }, () => 'verified'),
    );
  });

  it('changes nothing of a compliant beneficiary, and happens once for racers', async () => {
    const id = await api.created(person());
    const racers = await Promise.all([
      api.acknowledge(id),
      api.acknowledge(id),
      api.acknowledge(id),
    ]);
    expect(racers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const first = racers[0]?.body.beneficiary.acknowledged_at;
    expect((await api.acknowledge(id)).body.beneficiary.acknowledged_at).toBe(first);
    expect(await api.history(id)).toEqual([
      '1 registered new pending owner',
      '2 acknowledged pending compliant owner',
    ]);
  });

  it('takes no body but {}', async () => {
    const id = await api.created(person());
    const path = `/v1/beneficiaries/${id}/compliance-acknowledgment`;
    const { key } = tenant;
    expect((await harness.rest('POST', path, { key, body: {} })).status).toBe(200);
    expect((await harness.rest('POST', path, { key, body: { a: 1 } })).status).toBe(400);
  });
});

describe('DELETE /v1/beneficiaries/{id}', () => {
  it('archives for good: off the list, readable by id, refusing every write', async () => {
    const id = await api.created(person());
    const first = await api.remove(id);
    expect(first.status).toBe(200);
    expect(first.body.beneficiary.archived_at).toMatch(/Z$/);
    expect((await api.remove(id)).body).toEqual(first.body);
    expect((await api.get(`/${id}`)).body).toEqual(first.body);
    const list = await api.get('?limit=100');
    expect(list.body.beneficiaries.map((one: { id: string }) => one.id)).not.toContain(id);
    const writes = [
      api.put(id, { phone: '55501' }),
      api.acknowledge(id),
      harness.rest('POST', `/v1/beneficiaries/${id}/enroll`, { key: tenant.key }),
      harness.rest('POST', `/v1/beneficiaries/${id}/bank-accounts`, {
        key: tenant.key,
        body: { account_holder_name: 'a', country: 'DE', currency: 'EUR', iban: 'x' },
      }),
    ];
    for (const { status, body } of await Promise.all(writes)) {
      expect([status, body.error.code]).toEqual([422, 'BENEFICIARY_ARCHIVED']);
    }
    expect(await api.history(id)).toHaveLength(2);
  });
});

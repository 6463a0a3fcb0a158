import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { beneficiaryCalls, business, newAddress, person } from '../support/beneficiaries.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

let other: TestTenant;
let api: ReturnType<typeof beneficiaryCalls>;

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

beforeAll(async () => {
  other = await makeTenant(harness);
  api = beneficiaryCalls(harness, tenant.key);
});

describe('POST /v1/beneficiaries', () => {
  it('registers a person as pending, with every field of the response', async () => {
    const body = person({
      phone: '+1 202 555 0100',
      nickname: 'Amazing Grace',
      tax_id: '123-45-6789',
      postal_address: { line1: '1 Navy Way', city: 'Arlington', country: 'US' },
    });
    const { status, body: answer, headers } = await api.post(body);
    expect(status).toBe(201);
    expect(headers.get('deprecation')).toBeNull();
    expect(answer.beneficiary).toEqual({
      ...body,
      id: expect.stringMatching(/^ben_/),
      name: 'Grace Hopper',
      display_name: 'Amazing Grace',
      business_name: null,
      country_of_incorporation: null,
      registration_number: null,
      postal_address: {
        line1: '1 Navy Way',
        line2: null,
        city: 'Arlington',
        state: null,
        postal_code: null,
        country: 'US',
      },
      bank_details: null,
      compliance_status: 'pending',
      identity_complete: true,
      acknowledged_at: null,
      reacknowledgment_required: false,
      collection_status: 'not_invited',
      details_submitted_at: null,
      status: 'pending_kyc',
      enrollment_status: null,
      pending_requests: [],
      archived_at: null,
      erased_at: null,
      external_ref: null,
      metadata: null,
      environment: 'sandbox',
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    const { id } = answer.beneficiary;
    expect(await api.history(id)).toEqual(['1 registered new pending owner']);
    expect((await api.get(`/${id}`)).body).toEqual(answer);
  });

  it('makes an acknowledged business compliant at once', async () => {
    const { body } = await api.post(business({ acknowledged: true }));
    expect(body.beneficiary).toMatchObject({
      name: 'Analytical Engines Ltd',
      display_name: 'Analytical Engines Ltd',
      compliance_status: 'compliant',
      acknowledged_at: body.beneficiary.created_at,
      status: 'action_required',
    });
    expect(await api.history(body.beneficiary.id)).toEqual(['1 registered new compliant owner']);
  });

  it('keeps birth date and tax id out of the row in plain text', async () => {
    const id = await api.created(person({ date_of_birth: '1977-07-17', tax_id: 'CANARY-4711' }));
    const { rows } = await harness.database.pool.query<{ dump: string }>(
      'SELECT row_to_json(b)::text AS dump FROM beneficiary b WHERE id = $1',
      [id],
    );
    expect(rows[0]?.dump).not.toMatch(/1977-07-17|CANARY/);
    const hex = Buffer.from('CANARY-4711').toString('hex');
    expect(rows[0]?.dump).not.toContain(hex);
  });

  it('makes a stub that is completed later and then acknowledged', async () => {
    const { body } = await api.post({
      beneficiary_type: 'person',
      email: newAddress(),
      first_name: 'Stub',
      last_name: 'Born',
      identity_pending: true,
    });
    const { id } = body.beneficiary;
    expect(body.beneficiary).toMatchObject({
      compliance_status: 'pending',
      identity_complete: false,
      status: 'pending_details',
    });
    const early = await api.acknowledge(id);
    expect([early.status, early.body.error.code]).toEqual([422, 'BENEFICIARY_IDENTITY_INCOMPLETE']);
    expect(early.body.error.message).toContain('country_of_residence, date_of_birth');
    const completed = await api.put(id, {
      country_of_residence: 'FR',
      date_of_birth: '2000-02-29',
    });
    expect(completed.body.beneficiary).toMatchObject({
      identity_complete: true,
      status: 'pending_kyc',
    });
    expect((await api.acknowledge(id)).body.beneficiary.compliance_status).toBe('compliant');
  });

  it.each([
    ['no legal name', { last_name: null }, 422, 'BENEFICIARY_IDENTITY_INCOMPLETE'],
    ['a field of the other type', { business_name: 'X' }, 422, 'BENEFICIARY_IDENTITY_INVALID'],
    [
      'acknowledged but incomplete',
      { acknowledged: true, date_of_birth: null },
      422,
      'BENEFICIARY_IDENTITY_INCOMPLETE',
    ],
    ['an impossible date', { date_of_birth: '2001-02-29' }, 400, 'validation_failed'],
    ['an unknown country', { country_of_residence: 'XX' }, 400, 'validation_failed'],
    ['a bad address', { email: 'nobody' }, 400, 'validation_failed'],
    ['an unknown field', { colour: 'red' }, 400, 'validation_failed'],
  ])('refuses %s', async (_name, more, status, code) => {
    const answer = await api.post(person(more));
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  it('refuses acknowledged together with identity_pending, on both fields', async () => {
    const { status, body } = await api.post(person({ acknowledged: true, identity_pending: true }));
    expect(status).toBe(400);
    expect(body.error.code).toBe('validation_failed');
    expect(body.error.details).toMatchObject([
      { field: 'acknowledged', code: 'mutually_exclusive' },
      { field: 'identity_pending', code: 'mutually_exclusive' },
    ]);
  });

  it('takes an address once, whatever its case, also of racers; archiving frees it', async () => {
    const email = newAddress();
    const spellings = [email, email.toUpperCase(), email, email.toUpperCase()];
    const racers = await Promise.all(spellings.map((one) => api.post(person({ email: one }))));
    const winners = racers.filter(({ status }) => status === 201);
    expect(winners).toHaveLength(1);
    for (const loser of racers.filter(({ status }) => status !== 201)) {
      expect([loser.status, loser.body.error.code]).toEqual([
        409,
        'BENEFICIARY_EMAIL_ALREADY_EXISTS',
      ]);
    }
    expect((await api.post(person({ email }), other.key)).status).toBe(201);
    await api.remove(winners[0]?.body.beneficiary.id);
    expect((await api.post(person({ email }))).status).toBe(201);
  });
});

describe('the deprecated bank_details', () => {
  const bank = { account_holder_name: 'Grace Hopper', country: 'DE', currency: 'EUR' };

  it('are registered as a bank account and answered masked, with a Deprecation header', async () => {
    const { status, body, headers } = await api.post(
      person({ bank_details: { ...bank, iban: 'DE89 3704 0044 0532 0130 00' } }),
    );
    expect(status).toBe(201);
    expect(headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(body.beneficiary.bank_details).toEqual({
      ...bank,
      iban: '****3000',
      account_number: null,
      routing_code: null,
      swift_bic: null,
      bank_name: null,
    });
    const accounts = await api.get(`/${body.beneficiary.id}/bank-accounts`);
    expect(accounts.body.bank_accounts).toMatchObject([
      { last4: '3000', status: 'pending_verification', validation_status: 'validated' },
    ]);
  });

  it('need an identifier, and leave nothing behind when they are malformed', async () => {
    const missing = await api.post(person({ bank_details: { ...bank, bank_name: 'N26' } }));
    expect(missing.status).toBe(400);
    expect(missing.body.error).toMatchObject({
      code: 'validation_failed',
      details: [{ field: 'bank_details', code: 'missing_account_identifier' }],
    });
    const email = newAddress();
    const malformed = await api.post(
      person({ email, bank_details: { ...bank, iban: 'DE88370400440532013000' } }),
    );
    expect(malformed.status).toBe(422);
    expect(malformed.body.error).toMatchObject({
      code: 'BANK_ACCOUNT_VALIDATION_FAILED',
      details: [{ field: 'bank_details.iban', code: 'iban_checksum_failed' }],
    });
    expect((await api.get(`?email=${encodeURIComponent(email)}`)).body.beneficiaries).toEqual([]);
  });
});

describe('GET /v1/beneficiaries', () => {
  it('pages newest first, filters, and asks the database twice at most', async () => {
    const lister = await makeTenant(harness);
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      const body = index % 2 === 0 ? person({ acknowledged: true }) : business();
      ids.unshift((await api.post(body, lister.key)).body.beneficiary.id);
    }
    const idsOf = (answer: { body: { beneficiaries: { id: string }[] } }) =>
      answer.body.beneficiaries.map(({ id }) => id);
    const first = await api.get('?limit=4', lister.key);
    const second = await api.get(`?limit=4&cursor=${first.body.next_cursor}`, lister.key);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
    expect(second.body.next_cursor).toBeNull();
    const persons = await api.get('?beneficiary_type=person', lister.key);
    expect(idsOf(persons)).toEqual(ids.filter((_, index) => index % 2 === 0));
    expect(idsOf(await api.get('?compliance_status=compliant', lister.key))).toEqual(
      idsOf(persons),
    );
    expect(idsOf(await api.get('?enrollment_status=verified', lister.key))).toEqual([]);
    const email: string = persons.body.beneficiaries[0].email;
    expect(idsOf(await api.get(`?email=${email.toUpperCase()}`, lister.key))).toEqual([ids[0]]);

    const misused = await api.get(
      `?limit=4&cursor=${first.body.next_cursor}&compliance_status=pending`,
      lister.key,
    );
    expect([misused.status, misused.body.error.details[0].code]).toEqual([400, 'invalid_cursor']);
    expect((await api.get('?limit=101', lister.key)).status).toBe(400);
    expect((await api.get('?colour=red', lister.key)).status).toBe(400);

    const { pool } = harness.services;
    const original = pool.query;
    let statements = 0;
    Object.assign(pool, {
      query: (...given: Parameters<typeof original>) => {
        statements += 1;
        return original.apply(pool, given);
      },
    });
    expect((await api.get('', lister.key)).body.beneficiaries).toHaveLength(7);
    Object.assign(pool, { query: original });
    expect(statements).toBeLessThanOrEqual(2);
  });
});

describe('who may', () => {
  it.each(['approver', 'developer', 'viewer'] as const)(
    '%s reads and writes nothing',
    async (role) => {
      const key = await tenant.keyWithRole(role);
      const id = await api.created(person());
      expect((await api.get(`/${id}`, key)).status).toBe(200);
      for (const answer of [
        await api.post(person(), key),
        await api.put(id, { phone: '55501' }, key),
        await api.acknowledge(id, key),
        await api.remove(id, key),
        await harness.rest('POST', `/v1/beneficiaries/${id}/enroll`, { key }),
      ]) {
        expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
      }
    },
  );

  it('preparer writes', async () => {
    expect((await api.post(person(), await tenant.keyWithRole('preparer'))).status).toBe(201);
  });

  it('answers for another tenant as for an id that does not exist', async () => {
    const id = await api.created(person());
    const tell = ({
      status,
      body,
    }: {
      status: number;
      body: { error: Record<string, unknown> };
    }) => {
      const { request_id: _id, occurred_at: _time, ...error } = body.error;
      return { status, error };
    };
    const attempts = (target: string) => [
      api.get(`/${target}`, other.key),
      api.put(target, { phone: '55501' }, other.key),
      api.acknowledge(target, other.key),
      api.remove(target, other.key),
      api.get(`/${target}/bank-accounts`, other.key),
      harness.rest('POST', `/v1/beneficiaries/${target}/enroll`, { key: other.key }),
    ];
    const foreign = (await Promise.all(attempts(id))).map(tell);
    const unknown = (await Promise.all(attempts(newId('beneficiary')))).map(tell);
    const malformed = (await Promise.all(attempts('nothing'))).map(tell);
    expect(foreign).toEqual(unknown);
    expect(malformed).toEqual(unknown);
    for (const { status, error } of unknown) {
      expect([status, error['code']]).toEqual([404, 'not_found']);
    }
  });
});

describe('GraphQL', () => {
  it('creates, updates, acknowledges and archives with history', async () => {
    const ask = async (query: string, variables: Record<string, unknown>) => {
      const { body } = await harness.graphql(tenant.key, query, variables);
      expect(body.errors).toBeUndefined();
      return body.data;
    };
    const { made } = await ask(
      `mutation ($input: BeneficiaryCreateInput!) {
        made: beneficiaryCreate(input: $input) { id name status identityComplete }
      }`,
      {
        input: {
          beneficiaryType: 'business',
          email: newAddress(),
          businessName: 'Difference Engines',
          registrationNumber: '7',
        },
      },
    );
    expect(made).toMatchObject({ status: 'pending_details', identityComplete: false });
    const { id } = made;
    await ask(
      `mutation ($id: ID!, $input: BeneficiaryUpdateInput!) {
        beneficiaryUpdate(id: $id, input: $input) { id }
      }`,
      { id, input: { countryOfIncorporation: 'GB' } },
    );
    await ask('mutation ($id: ID!) { beneficiaryAcknowledge(id: $id) { id } }', { id });
    await ask('mutation ($id: ID!) { beneficiaryArchive(id: $id) { id } }', { id });
    const { node } = await ask(
      `query ($id: ID!) {
        node(id: $id) {
          ... on Beneficiary {
            complianceStatus archivedAt bankAccounts { id } history { kind fromStatus toStatus }
          }
        }
      }`,
      { id },
    );
    expect(node).toMatchObject({
      complianceStatus: 'compliant',
      archivedAt: expect.any(String),
      bankAccounts: [],
      history: [
        { kind: 'registered', fromStatus: 'new', toStatus: 'pending' },
        { kind: 'updated', fromStatus: 'pending', toStatus: 'pending' },
        { kind: 'acknowledged', fromStatus: 'pending', toStatus: 'compliant' },
        { kind: 'archived', fromStatus: 'compliant', toStatus: 'archived' },
      ],
    });
    const { body } = await harness.graphql(
      other.key,
      'query ($id: ID!) { node(id: $id) { id } beneficiary(id: $id) { id } }',
      { id },
    );
    expect(body.data).toEqual({ node: null, beneficiary: null });
  });

  it('refuses with the code of the catalogue', async () => {
    const { body } = await harness.graphql(
      tenant.key,
      'mutation ($input: BeneficiaryCreateInput!) { beneficiaryCreate(input: $input) { id } }',
      { input: { beneficiaryType: 'person', email: 'x at y', firstName: 'A', lastName: 'B' } },
    );
    expect(body.errors[0].extensions).toMatchObject({
      code: 'validation_failed',
      details: [{ field: 'email', code: 'invalid_format' }],
    });
  });
});

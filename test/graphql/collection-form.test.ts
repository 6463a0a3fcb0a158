import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  bankAccount,
  files,
  formCalls,
  identity,
  inviteOne,
  refusalOf,
  type TestInvite,
} from '../support/collection.ts';
import { beneficiaryCalls, business, newAddress, person } from '../support/beneficiaries.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

let form: ReturnType<typeof formCalls>;
let calls: ReturnType<typeof beneficiaryCalls>;

const harness = useHarness();
const tenant = useTenant(harness);

beforeAll(async () => {
  form = formCalls(harness);
  calls = beneficiaryCalls(harness, tenant.key);
});

const invite = (more: Record<string, unknown> = {}): Promise<TestInvite> =>
  inviteOne(harness, tenant, {
    email: newAddress(),
    beneficiary_type: 'person',
    first_name: 'Augusta',
    last_name: 'King',
    ...more,
  });

async function beneficiary(id: string) {
  return (await calls.get(`/${id}`)).body.beneficiary;
}

async function accounts(id: string) {
  return (await calls.get(`/${id}/bank-accounts`)).body.bank_accounts;
}

const account = { ...bankAccount };
const unknownToken = randomBytes(32).toString('base64url');

describe('opening a link', () => {
  it('shows who asks for what, and nothing of the payee; an unknown token shows nothing', async () => {
    const { token } = await invite({ nickname: 'CANARY-NICKNAME' });
    const opened = await form.open(token);
    expect(opened.body.data.form).toEqual({
      state: 'live',
      scope: 'full_onboarding',
      businessName: 'Test Business',
      environment: 'sandbox',
      beneficiaryType: 'person',
      expiresAt: expect.stringMatching(/^\d{4}-/),
      given: [],
    });
    expect(opened.text).not.toMatch(/Augusta|King|CANARY|@/);
    for (const token of [unknownToken, '', 'x', `${unknownToken}x`, '../../etc']) {
      expect((await form.open(token)).body).toEqual({ data: { form: null } });
    }
  });

  it('uses nothing up', async () => {
    const { token } = await invite();
    for (let times = 0; times < 5; times += 1) await form.open(token);
    expect((await form.open(token)).body.data.form.state).toBe('live');
    await form.save(token, { identity, bankAccount: account });
    expect((await form.submit(token)).body.data.form.state).toBe('submitted');
  });
});

describe('saving', () => {
  it('merges the identity by field, and tells which parts are whole', async () => {
    const { token } = await invite();
    const { postalAddress, ...names } = identity;
    const given = async (input: unknown) =>
      (await form.save(token, input)).body.data?.form?.given as string[];
    expect(await given({ identity: { postalAddress } })).toEqual(['address']);
    expect(await given({ identity: { firstName: 'Ada' } })).toEqual(['address']);
    expect(await given({ identity: names })).toEqual(['identity', 'address']);
    expect(await given({ bankAccount: account })).toEqual(['identity', 'address', 'bank_account']);
    expect(await given({ identity: { phone: '+44 20 7946 0000' } })).toHaveLength(3);
    expect(await given({ identity: { phone: '' } })).toHaveLength(3);
    const { rows } = await harness.database.pool.query(
      'SELECT draft_ciphertext IS NOT NULL AS kept FROM collection_request ORDER BY created_at DESC LIMIT 1',
    );
    expect(rows).toEqual([{ kept: true }]);
    expect((await form.open(token)).text).not.toMatch(/Lovelace|000123456789|7946/);
  });

  it('keeps what several saves at once give', async () => {
    const { token } = await invite();
    const { postalAddress, ...names } = identity;
    const parts = [{ identity: { postalAddress } }, { identity: names }, { bankAccount: account }];
    for (const answer of await Promise.all(parts.map((part) => form.save(token, part)))) {
      expect(refusalOf(answer)).toBeNull();
    }
    expect((await form.open(token)).body.data.form.given).toHaveLength(3);
  });

  it('names every field that is wrong', async () => {
    const { token } = await invite();
    const answer = await form.save(token, {
      identity: {
        firstName: ' ',
        dateOfBirth: '1990-13-41',
        countryOfResidence: 'Germany',
        postalAddress: { line1: '', city: null, country: 'ZZ' },
      },
      bankAccount: { accountHolderName: '', country: 'DE', currency: 'EUR' },
    });
    expect(refusalOf(answer)).toEqual({
      code: 'validation_failed',
      details: [
        'identity.countryOfResidence invalid_value',
        'identity.dateOfBirth invalid_format',
        'identity.postalAddress.line1 required',
        'identity.postalAddress.city required',
        'identity.postalAddress.country invalid_value',
        'bankAccount.accountHolderName required',
      ],
    });
    const faults = async (input: unknown) => refusalOf(await form.save(token, input))?.details;
    expect(await faults({ identity: { firstName: '', lastName: null } })).toEqual([
      'identity.firstName required',
      'identity.lastName required',
    ]);
    expect(await faults({ identity: { businessName: 'Engines Ltd' } })).toEqual([
      'identity.businessName not_of_type',
    ]);
    expect(await faults({ identity: { postalAddress: null } })).toContain(
      'identity.postalAddress.line1 required',
    );
    const european = { accountHolderName: 'Ada', country: 'DE', currency: 'EUR' };
    expect(await faults({ bankAccount: european })).toEqual(['bankAccount.iban required']);
    expect(await faults({ bankAccount: { ...european, iban: 'DE00370400440532013000' } })).toEqual([
      'bankAccount.iban iban_checksum_failed',
    ]);
    const british = { accountHolderName: 'A', country: 'GB', currency: 'GBP' };
    const numbers = { routingCode: '200000', accountNumber: '55779911' };
    expect(await faults({ bankAccount: { ...british, ...numbers } })).toEqual([
      'bankAccount.iban iban_required',
    ]);
    expect(await faults({ bankAccount: { ...account, routingCode: '021000022' } })).toEqual([
      'bankAccount.routingCode aba_checksum_failed',
    ]);
    expect(await faults({ taxDocument: { taxId: '1' } })).toEqual(['taxDocument not_asked']);
    expect((await form.open(token)).body.data.form.given).toEqual([]);
  });

  it('refuses an unknown token, and a tax document half-way', async () => {
    expect(refusalOf(await form.save(unknownToken, { identity }))?.code).toBe('not_found');
    expect(refusalOf(await form.submit(unknownToken))?.code).toBe('not_found');
    const { token } = await invite({ scope: 'tax_documents' });
    const taxDocument = { taxId: '1', formType: 'w9', file: files.pdf.toString('base64') };
    expect(refusalOf(await form.save(token, { taxDocument }))).toEqual({
      code: 'validation_failed',
      details: ['taxDocument not_saved'],
    });
  });
});

describe('submitting a full onboarding', () => {
  it('changes the beneficiary, registers the account, and uses the link up', async () => {
    const { beneficiaryId, requestId, token } = await invite();
    expect(await beneficiary(beneficiaryId)).toMatchObject({
      collection_status: 'invited',
      identity_complete: false,
      pending_requests: [{ id: requestId, scope: 'full_onboarding' }],
    });
    await form.save(token, { identity, bankAccount: account });
    const submitted = await form.submit(token, { identity: { lastName: 'Byron' } });
    expect(submitted.body.data.form).toMatchObject({ state: 'submitted', given: [] });
    expect(await beneficiary(beneficiaryId)).toMatchObject({
      first_name: 'Ada',
      last_name: 'Byron',
      date_of_birth: '1990-12-10',
      country_of_residence: 'GB',
      postal_address: { line1: '12 St James Square', city: 'London', country: 'GB' },
      identity_complete: true,
      compliance_status: 'pending',
      reacknowledgment_required: false,
      collection_status: 'details_submitted',
      details_submitted_at: expect.any(String),
      pending_requests: [],
    });
    expect(await accounts(beneficiaryId)).toMatchObject([
      { status: 'pending_verification', validation_status: 'validated', last4: '6789' },
    ]);
    const { rows } = await harness.database.pool.query(
      'SELECT status, draft_ciphertext, closed_at IS NOT NULL AS closed FROM collection_request WHERE id = $1',
      [requestId],
    );
    expect(rows).toEqual([{ status: 'submitted', draft_ciphertext: null, closed: true }]);
    expect((await form.open(token)).body.data.form.state).toBe('submitted');
    for (const again of [form.submit(token), form.save(token, { identity })]) {
      expect(refusalOf(await again)).toEqual({ code: 'conflict', details: [] });
    }
  });

  it('is in the history, with the payee as the actor', async () => {
    const { beneficiaryId, requestId, token } = await invite();
    await form.submit(token, { identity, bankAccount: account });
    const answer = await harness.graphql(
      tenant.key,
      `query ($id: ID!) { beneficiary(id: $id) {
        history { kind fromStatus toStatus actor } collectionRequests { id state mailStatus }
      } }`,
      { id: beneficiaryId },
    );
    const { history, collectionRequests } = answer.body.data.beneficiary;
    expect(history).toMatchObject([
      { kind: 'registered', actor: { type: 'member' } },
      { kind: 'invited', fromStatus: 'pending', toStatus: 'pending', actor: { type: 'member' } },
      ...['updated', 'details_submitted'].map((kind) => ({
        kind,
        actor: { type: 'payee', collection_request_id: requestId },
      })),
    ]);
    expect(collectionRequests).toEqual([
      { id: requestId, state: 'submitted', mailStatus: 'pending' },
    ]);
  });

  it('asks for another acknowledgment where a trigger field changed, and verifies the account at once', async () => {
    const id = await calls.created(person({ acknowledged: true }));
    const { token } = await inviteOne(harness, tenant, { beneficiary_id: id });
    expect((await form.submit(token, { identity, bankAccount: account })).status).toBe(200);
    expect(await beneficiary(id)).toMatchObject({
      compliance_status: 'compliant',
      reacknowledgment_required: true,
      collection_status: 'details_submitted',
    });
    expect(await accounts(id)).toMatchObject([{ status: 'verified' }]);
    expect(await calls.history(id)).toEqual([
      '1 registered new compliant owner',
      '2 invited compliant compliant owner',
      '3 reacknowledgment_required compliant compliant',
      '4 details_submitted compliant compliant',
    ]);
  });

  it('names what is missing, and stores nothing', async () => {
    const { beneficiaryId, token } = await invite();
    await form.save(token, { identity: { firstName: 'Ada' } });
    expect(refusalOf(await form.submit(token))).toEqual({
      code: 'validation_failed',
      details: [
        'identity.lastName required',
        'identity.countryOfResidence required',
        'identity.dateOfBirth required',
        'identity.postalAddress.line1 required',
        'identity.postalAddress.city required',
        'identity.postalAddress.country required',
        'bankAccount required',
      ],
    });
    expect((await form.open(token)).body.data.form.state).toBe('live');
    expect(await beneficiary(beneficiaryId)).toMatchObject({ first_name: 'Augusta' });
  });

  it('takes a business too', async () => {
    const id = await calls.created(business({ registration_number: undefined }));
    const { token } = await inviteOne(harness, tenant, { beneficiary_id: id });
    const company = {
      businessName: 'Engines GmbH',
      countryOfIncorporation: 'DE',
      registrationNumber: 'HRB 1',
      taxId: 'DE123',
      postalAddress: identity.postalAddress,
    };
    const answer = await form.submit(token, { identity: company, bankAccount: account });
    expect(refusalOf(answer)).toBeNull();
    expect(await beneficiary(id)).toMatchObject({ name: 'Engines GmbH', tax_id: 'DE123' });
  });
});

describe('the other scopes', () => {
  it('bank_details registers an account and never touches the beneficiary', async () => {
    const id = await calls.created(person());
    const row = async () => {
      const { rows } = await harness.database.pool.query(
        'SELECT * FROM beneficiary WHERE id = $1',
        [id],
      );
      return rows[0] as unknown;
    };
    const before = await row();
    const { token } = await inviteOne(harness, tenant, {
      beneficiary_id: id,
      scope: 'bank_details',
    });
    expect(refusalOf(await form.submit(token))?.details).toEqual(['bankAccount required']);
    expect(refusalOf(await form.submit(token, { identity }))?.details).toEqual([
      'identity not_asked',
    ]);
    expect((await form.submit(token, { bankAccount: account })).body.data.form.state).toBe(
      'submitted',
    );
    expect(await row()).toEqual(before);
    expect(await accounts(id)).toHaveLength(1);
  });

  it.each(Object.entries(files))('tax_documents takes a %s by its content', async (type, file) => {
    const id = await calls.created(person());
    const { token, requestId } = await inviteOne(harness, tenant, {
      beneficiary_id: id,
      scope: 'tax_documents',
    });
    const taxDocument = { taxId: '123-45-6789', formType: 'w9', file: file.toString('base64') };
    expect((await form.submit(token, { taxDocument })).body.data?.form.state).toBe('submitted');
    expect(await beneficiary(id)).toMatchObject({
      tax_id: '123-45-6789',
      collection_status: 'not_invited',
      details_submitted_at: null,
    });
    const list = await calls.get(`/${id}/tax-documents`);
    expect(list.body.tax_documents).toEqual([
      {
        id: expect.stringMatching(/^txd_/),
        collection_request_id: requestId,
        form_type: 'w9',
        content_type: type === 'pdf' ? 'application/pdf' : `image/${type}`,
        size_bytes: file.length,
        created_at: expect.any(String),
      },
    ]);
    const documentId = list.body.tax_documents[0].id as string;
    const content = await fetch(
      `${harness.baseUrl}/v1/beneficiaries/${id}/tax-documents/${documentId}/content`,
      { headers: { authorization: `Bearer ${tenant.key}` } },
    );
    expect(Buffer.from(await content.arrayBuffer())).toEqual(file);
    expect(content.headers.get('content-disposition')).toMatch(
      /^attachment; filename="w9-txd_\w+\.(pdf|png|jpg)"$/,
    );
    expect(content.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('tax_documents refuses what is missing, too large or no document', async () => {
    const { token } = await invite({ scope: 'tax_documents' });
    const details = async (taxDocument: unknown) =>
      refusalOf(await form.submit(token, { taxDocument }))?.details;
    expect(refusalOf(await form.submit(token))?.details).toEqual(['taxDocument required']);
    expect(await details({})).toEqual([
      'taxDocument.taxId required',
      'taxDocument.formType required',
      'taxDocument.file required',
    ]);
    const whole = { taxId: '1', formType: 'other' };
    for (const content of ['GIF89a', '<svg/>', '%PDF-1.7 without an end', '\u00ff\u00d8\u00ff']) {
      const file = Buffer.from(content, 'latin1').toString('base64');
      expect(await details({ ...whole, file })).toEqual(['taxDocument.file file_type_unsupported']);
    }
    expect(await details({ ...whole, file: '' })).toEqual(['taxDocument.file required']);
    expect(
      refusalOf(await form.submit(token, { taxDocument: { ...whole, file: '*' } }))?.code,
    ).toBe('validation_failed');
    expect((await form.open(token)).body.data.form.state).toBe('live');
  });
});

import { addTaxDocument } from '../../../support/matrix/world.ts';
import { eventually } from '../../../support/factory.ts';
import type { Harness } from '../../../support/harness.ts';
import type { Recorder } from './recorder.ts';

/** What the examples go on with. */
export interface Cast {
  readonly key: string;
  /** A person with a verified account in the US. */
  readonly beneficiaryId: string;
  readonly bankAccountId: string;
}

const usAccount = {
  account_holder_name: 'Ada Lovelace',
  country: 'US',
  currency: 'USD',
  routing_code: '021000021',
  account_number: '000123456789',
  account_type: 'checking',
  bank_name: 'First Example Bank',
};

export const profile = {
  legal_name: 'Analytical Engines Inc.',
  registration_number: 'C1234567',
  country: 'US',
  address: {
    line1: '1 Main St',
    city: 'Springfield',
    state: 'IL',
    postal_code: '62701',
    country: 'US',
  },
  website: 'https://engines.example',
  industry: 'software',
  contact_phone: '+1 202 555 0100',
};

const ada = {
  beneficiary_type: 'person',
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  country_of_residence: 'US',
  date_of_birth: '1990-04-01',
  acknowledged: true,
  external_ref: 'vendor-4711',
  metadata: { team: 'difference' },
  idempotency_key: 'onboarding-4711',
};

/** A business from its registration to a sandbox wallet with test money; gives its key. */
export async function recordBusiness(record: Recorder): Promise<string> {
  const registered = await record.success('business', 'A business and its owner', {
    method: 'POST',
    path: '/v1/registration',
    body: {
      email: 'grace@engines.example',
      company_name: 'Analytical Engines',
      first_name: 'Grace',
      last_name: 'Hopper',
      country: 'US',
    },
  });
  const key: string = registered.body.api_key.key;
  const get = (path: string, summary: string) =>
    record.success('found', summary, { method: 'GET', path, key });
  const put = (path: string, summary: string, body: object) =>
    record.success('changed', summary, { method: 'PUT', path, key, body });
  await put('/v1/business/profile', 'A complete profile, which is submitted by that', profile);
  await get('/v1/business/profile', 'A submitted profile');
  await put('/v1/business/collection-branding', 'Colour, contact and language', {
    color: '#0f5b57',
    support_contact: 'help@engines.example',
    privacy_url: 'https://engines.example/privacy',
    language: 'en',
  });
  await get('/v1/business/collection-branding', 'Branding without a logo');
  await get('/v1/reference/purposes', 'All purposes');
  await get('/v1/reference/providers', 'Who can pay');
  await get('/v1/reference/corridors/US', 'Accounts in the US');
  return key;
}

/** The wallet, once the job has funded it. */
export async function recordFunding(
  harness: Harness,
  record: Recorder,
  key: string,
): Promise<void> {
  const path = '/v1/funding/account';
  await eventually(async () => (await harness.rest('GET', path, { key })).status === 200);
  await record.success('balance', 'An amount of test money', {
    method: 'POST',
    path: '/v1/business/funding-account/sandbox-balance',
    key,
    body: { available_balance_minor: 50_000_000, currency: 'USD' },
  });
  await record.success('found', 'The sandbox wallet', { method: 'GET', path, key });
}

async function recordBeneficiaries(record: Recorder, key: string) {
  const create = async (name: string, summary: string, body: object): Promise<string> => {
    const path = '/v1/beneficiaries';
    const answer = await record.success(name, summary, { method: 'POST', path, key, body });
    return answer.body.beneficiary.id;
  };
  const beneficiaryId = await create('person', 'A person, compliant at once', ada);
  await create('replay', 'The same request again, under its key', ada);
  const businessId = await create('business', 'A business, to be acknowledged later', {
    beneficiary_type: 'business',
    email: 'accounts@difference.example',
    business_name: 'Difference Engines GmbH',
    country_of_incorporation: 'DE',
    registration_number: 'HRB 12345',
    nickname: 'Difference',
  });
  const stubId = await create('stub', 'A person whose details come later', {
    beneficiary_type: 'person',
    email: 'charles@example.com',
    first_name: 'Charles',
    last_name: 'Babbage',
    identity_pending: true,
  });
  return { beneficiaryId, businessId, stubId };
}

/** Payees and their accounts, each operation once. */
export async function recordPayees(record: Recorder, harness: Harness, key: string): Promise<Cast> {
  const { beneficiaryId, businessId, stubId } = await recordBeneficiaries(record, key);
  const path = `/v1/beneficiaries/${beneficiaryId}`;
  const ofBusiness = `/v1/beneficiaries/${businessId}`;
  const ask = (method: string, to: string, name: string, summary: string, body?: object) =>
    record.success(name, summary, { method, path: to, key, body });
  await ask(
    'POST',
    `${ofBusiness}/compliance-acknowledgment`,
    'compliant',
    'Compliant from now on',
  );
  await ask('PUT', path, 'nickname', 'Another display name', { nickname: 'Countess' });
  const iban = { iban: 'DE89370400440532013000', swift_bic: 'COBADEFFXXX' };
  const sepa = { account_holder_name: 'Difference Engines GmbH', country: 'DE', currency: 'EUR' };
  const accounts = `${path}/bank-accounts`;
  const us = await ask('POST', accounts, 'us', 'An account in the US', usAccount);
  await ask('POST', accounts, 'again', 'The same account again', usAccount);
  await ask('POST', `${ofBusiness}/bank-accounts`, 'sepa', 'An account in the SEPA area', {
    ...sepa,
    ...iban,
  });
  const british = { account_holder_name: 'Difference Engines Ltd', country: 'GB', currency: 'GBP' };
  await ask('POST', `${ofBusiness}/bank-accounts`, 'uk', 'A UK account that lacks its IBAN', {
    ...british,
    routing_code: '200000',
    account_number: '55779911',
  });
  await ask('GET', accounts, 'found', 'One account, its number masked');
  await ask('GET', '/v1/bank-accounts?limit=2', 'page', 'The first page');
  const bankAccountId: string = us.body.bank_account.id;
  await ask('PUT', `${accounts}/${bankAccountId}`, 'corrected', 'A corrected holder', {
    ...usAccount,
    account_holder_name: 'Augusta Ada Lovelace',
  });
  // An account waits although its owner is compliant only if a verification was interrupted.
  await harness.database.pool.query(
    `UPDATE bank_account SET status = 'pending_verification' WHERE id = $1`,
    [bankAccountId],
  );
  await ask('POST', `${accounts}/${bankAccountId}/verify`, 'verified', 'Verified');
  await ask('POST', `${path}/enroll`, 'verified', 'Accepted by the provider', {
    bank_account_id: bankAccountId,
  });
  await ask('GET', path, 'found', 'A person who can be paid');
  await ask('GET', '/v1/beneficiaries?limit=2', 'page', 'The first page');
  const stub = `/v1/beneficiaries/${stubId}`;
  await ask('POST', `${stub}/personal-data`, 'all', 'All that is held about a new payee');
  await ask('POST', `${stub}/erase`, 'deleted', 'Nothing is left of a payee without payouts', {
    ground: 'entered_in_error',
  });
  return { key, beneficiaryId, bankAccountId };
}

/** Invites, and what came of them. */
export async function recordCollection(
  record: Recorder,
  harness: Harness,
  { key, beneficiaryId }: Cast,
): Promise<void> {
  const base = '/v1/beneficiaries';
  const invited = await record.success(
    'invites',
    'A known payee, a newcomer, and one without a name',
    {
      method: 'POST',
      path: `${base}/collection-invites`,
      key,
      body: {
        invites: [
          { beneficiary_id: beneficiaryId, scope: 'tax_documents' },
          {
            email: 'mary@example.com',
            beneficiary_type: 'person',
            first_name: 'Mary',
            last_name: 'Somerville',
            language: 'en',
          },
          { email: 'nobody@example.com', beneficiary_type: 'person' },
        ],
      },
    },
  );
  const [known, newcomer] = invited.body.results;
  await record.success('rows', 'One row of JSON', {
    method: 'POST',
    path: `${base}/bulk-invites`,
    key,
    body: {
      rows: [
        { email: 'info@looms.example', beneficiary_type: 'business', business_name: 'Looms Ltd' },
      ],
    },
  });
  await record.success('csv', 'One row of a CSV file', {
    method: 'POST',
    path: `${base}/bulk-invites`,
    key,
    headers: { 'content-type': 'text/csv' },
    body: 'email,beneficiary_type,business_name\r\ninfo@cards.example,business,Cards Ltd\r\n',
  });
  await record.success('canceled', 'A canceled request', {
    method: 'DELETE',
    path: `${base}/${newcomer.beneficiary_id}/collection-requests/${newcomer.collection_request.id}`,
    key,
  });
  const documentId = await addTaxDocument(harness, beneficiaryId, known.collection_request.id);
  const documents = `${base}/${beneficiaryId}/tax-documents`;
  await record.success('found', 'One form', { method: 'GET', path: documents, key });
  await record.success('file', 'The file of the form', {
    method: 'GET',
    path: `${documents}/${documentId}/content`,
    key,
  });
}

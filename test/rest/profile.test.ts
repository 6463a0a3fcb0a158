import { expect, test } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { roles } from '../../src/access/roles.ts';
import { eventually, makeTenant, type TestTenant } from '../support/factory.ts';
import type { RestAnswer } from '../support/harness.ts';
import { giveProductionKey } from '../support/production-key.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness();

const complete = {
  legal_name: 'Analytical Engines Ltd',
  registration_number: '12-3456789',
  country: 'GB',
  address: { line1: '1 Market Street', city: 'London', postal_code: 'EC1A 1BB', country: 'GB' },
  website: 'https://www.example.com',
  industry: 'software',
  contact_phone: '+442071234567',
};

const path = '/v1/business/profile';
const put = (key: string, body: unknown): Promise<RestAnswer> =>
  harness.rest('PUT', path, { key, body });
const unfunded = (): Promise<TestTenant> => makeTenant(harness, { funded: false });

async function setStatus(tenant: TestTenant, status: string): Promise<void> {
  const values = [tenant.businessId, status];
  await harness.database.pool.query(
    'UPDATE business SET profile_status = $2 WHERE id = $1',
    values,
  );
}

async function wallets(tenant: TestTenant) {
  const { rows } = await harness.database.pool.query(
    `SELECT t.environment, f.currency, f.available_balance_minor::text AS balance
     FROM funding_account f JOIN tenant t ON t.id = f.tenant_id WHERE t.business_id = $1`,
    [tenant.businessId],
  );
  return rows;
}

test('a fresh profile is empty and incomplete', async () => {
  const { key } = await unfunded();
  const answer = await harness.rest('GET', path, { key });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    business_profile: {
      ...Object.fromEntries(Object.keys(complete).map((field) => [field, null])),
      profile_status: 'incomplete',
      profile_submitted_at: null,
      distinct_approver: false,
    },
  });
});

test('absent is unchanged, null clears, and each subset is taken', async () => {
  const { key } = await unfunded();
  await put(key, { legal_name: 'First', industry: 'mining', address: complete.address });
  await put(key, { industry: null, website: 'https://example.org' });
  const answer = await put(key, {});
  expect(answer.status).toBe(200);
  expect(answer.body.business_profile).toMatchObject({
    legal_name: 'First',
    industry: null,
    website: 'https://example.org',
    address: { ...complete.address, line2: null, state: null },
    country: null,
    profile_status: 'incomplete',
  });
  const cleared = await put(key, { address: null });
  expect(cleared.body.business_profile.address).toBeNull();
  expect((await harness.rest('GET', path, { key })).body).toEqual(cleared.body);
});

test('a complete profile is submitted and funds the sandbox once, however often it is sent', async () => {
  const tenant = await unfunded();
  const { key } = tenant;
  const answer = await put(key, complete);
  expect(answer.status).toBe(200);
  const { profile_status, profile_submitted_at } = answer.body.business_profile;
  expect(profile_status).toBe('submitted');
  expect(profile_submitted_at).toEqual(expect.any(String));

  const account = await eventually(async () => {
    const polled = await harness.rest('GET', '/v1/funding/account', { key });
    expect([200, 404]).toContain(polled.status);
    return polled.status === 200 ? polled.body.funding_account : null;
  });
  expect(account).toMatchObject({ currency: 'USD', available_balance_minor: 100_000_000 });

  await harness.rest('POST', '/v1/business/funding-account/sandbox-balance', {
    key,
    body: { available_balance_minor: 7, currency: 'USD' },
  });
  const repeats = await Promise.all([1, 2, 3].map(() => put(key, complete)));
  for (const repeat of repeats) {
    expect(repeat.body.business_profile).toMatchObject({ profile_status, profile_submitted_at });
  }
  await eventually(async () => {
    const { rows } = await harness.database.pool.query(
      "SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'fund_sandbox_wallet'",
    );
    return rows.length === 0;
  });
  expect(await wallets(tenant)).toEqual([
    { environment: 'sandbox', currency: 'USD', balance: '7' },
  ]);
});

test('submitted with a production key, it is still the sandbox that is funded', async () => {
  const tenant = await makeTenant(harness, { environment: 'production', funded: false });
  expect((await put(tenant.key, complete)).status).toBe(200);
  const funded = await eventually(async () => {
    const rows = await wallets(tenant);
    return rows.length > 0 ? rows : null;
  });
  expect(funded).toEqual([{ environment: 'sandbox', currency: 'USD', balance: '100000000' }]);
});

test('writers of different fields lose nothing', async () => {
  const { key } = await unfunded();
  const answers = await Promise.all(
    Object.entries(complete).map(([field, value]) => put(key, { [field]: value })),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const { body } = await harness.rest('GET', path, { key });
  expect(body.business_profile).toMatchObject({ ...complete, profile_status: 'submitted' });
});

test('an operator accepts the legal identity that they saw, and none that came after it', async () => {
  const { key, businessId } = await unfunded();
  const operator = await issueOperatorKey(harness.database.pool, 'ada');
  const seen = (await put(key, complete)).body.business_profile.profile_submitted_at;
  const accept = (submittedAt: string) =>
    harness.graphql(
      operator.key,
      `mutation ($businessId: ID!, $submittedAt: DateTime) {
        operatorProfileAccept(businessId: $businessId, submittedAt: $submittedAt, reason: "seen") { profileStatus }
      }`,
      { businessId, submittedAt },
    );
  await eventually(() => Promise.resolve(Date.now() > Date.parse(seen)));
  const other = await put(key, { legal_name: 'Another Company Ltd' });
  const { profile_status, profile_submitted_at } = other.body.business_profile;
  expect(profile_status).toBe('submitted');
  expect(Date.parse(profile_submitted_at)).toBeGreaterThan(Date.parse(seen));
  const [refused] = (await accept(seen)).body.errors;
  expect(refused).toMatchObject({
    message: 'The business has submitted another profile since. Look at that one first.',
    extensions: { code: 'conflict' },
  });
  // What is no part of the legal identity may change meanwhile.
  await put(key, { website: 'https://other.example.com' });
  expect((await accept(profile_submitted_at)).body.data).toEqual({
    operatorProfileAccept: { profileStatus: 'accepted' },
  });
});

test('a submitted profile that loses a field is incomplete; an accepted one may not lose any', async () => {
  const tenant = await unfunded();
  await put(tenant.key, complete);
  const lost = await put(tenant.key, { website: null });
  expect(lost.body.business_profile).toMatchObject({
    profile_status: 'incomplete',
    profile_submitted_at: null,
  });
  await put(tenant.key, complete);
  await setStatus(tenant, 'accepted');
  const refused = await put(tenant.key, { website: null, industry: 'mining' });
  expect(refused.status).toBe(409);
  expect(refused.body.error.code).toBe('conflict');
  const changed = await put(tenant.key, { ...complete, website: 'https://example.net' });
  expect(changed.body.business_profile).toMatchObject({
    website: 'https://example.net',
    industry: 'software',
    profile_status: 'accepted',
  });
});

test.each([
  ['legal_name', 'Somebody Else Ltd'],
  ['registration_number', '99-9999999'],
  ['country', 'IE'],
  ['address', { ...complete.address, line1: '2 Market Street' }],
])('another %s of an accepted profile submits it again', async (field, value) => {
  const tenant = await unfunded();
  const first = (await put(tenant.key, complete)).body.business_profile;
  await setStatus(tenant, 'accepted');
  const same = await put(tenant.key, { [field]: complete[field as keyof typeof complete] });
  expect(same.body.business_profile.profile_status).toBe('accepted');
  const production = await giveProductionKey(harness, tenant);
  const refused = await put(tenant.key, { [field]: value, industry: 'mining' });
  expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden']);
  expect(refused.body.error.message).toContain('in production only');
  const contact = await put(tenant.key, { ...complete, contact_phone: '+44 20 7946 0000' });
  expect(contact.body.business_profile).toMatchObject({
    [field]: first[field],
    industry: 'software',
    contact_phone: '+44 20 7946 0000',
    profile_status: 'accepted',
    profile_submitted_at: first.profile_submitted_at,
  });
  const changed = (await put(production, { [field]: value })).body.business_profile;
  expect(changed).toMatchObject({ profile_status: 'submitted' });
  expect(Date.parse(changed.profile_submitted_at)).toBeGreaterThanOrEqual(
    Date.parse(first.profile_submitted_at),
  );
  // The keys that there are keep working; new ones wait for an operator.
  const key = 'mutation { apiKeyCreate(input: { role: viewer }) { key } }';
  const more = await harness.graphql(production, key);
  expect(more.body.errors[0].extensions.code).toBe('forbidden');
  await setStatus(tenant, 'accepted');
  expect((await harness.graphql(production, key)).body.errors).toBeUndefined();
});

test('parts of an address that are absent or null are no change', async () => {
  const tenant = await unfunded();
  await put(tenant.key, complete);
  await setStatus(tenant, 'accepted');
  const address = { ...complete.address, line2: null, state: null };
  const { body } = await put(tenant.key, { address });
  expect(body.business_profile.profile_status).toBe('accepted');
});

test('rejects malformed and unknown fields, each by its path', async () => {
  const { key } = await unfunded();
  const answer = await put(key, {
    country: 'ZZ',
    website: 'ftp://example.com',
    contact_phone: '1'.repeat(33),
    address: { line1: 'x', country: 'DE' },
    profile_status: 'accepted',
  });
  expect(answer.status).toBe(400);
  const details = answer.body.error.details as { field: string; code: string }[];
  expect(details.map(({ field, code }) => `${field} ${code}`).toSorted()).toEqual([
    'address.city required',
    'contact_phone too_long',
    'country invalid_value',
    'profile_status unknown_field',
    'website invalid_format',
  ]);
  for (const contact_phone of ['xx', '1234', '+', 'tel:5550100']) {
    const { body } = await put(key, { contact_phone });
    expect(body.error.details).toMatchObject([{ field: 'contact_phone', code: 'invalid_format' }]);
  }
  expect((await put(key, 'not json')).body.error.code).toBe('bad_request');
});

const updateMutation = `
  mutation ($input: BusinessProfileInput!) {
    businessProfileUpdate(input: $input) { legalName address { city postalCode } profileStatus }
  }`;

test('GraphQL changes and reads the same profile', async () => {
  const { key } = await unfunded();
  const input = { legalName: 'Graph Ltd', address: { line1: '1', city: 'Berlin', country: 'DE' } };
  const updated = await harness.graphql(key, updateMutation, { input });
  const expected = {
    legalName: 'Graph Ltd',
    address: { city: 'Berlin', postalCode: null },
    profileStatus: 'incomplete',
  };
  expect(updated.body.data.businessProfileUpdate).toEqual(expected);
  const query = '{ businessProfile { legalName address { city postalCode } profileStatus } }';
  expect((await harness.graphql(key, query)).body.data.businessProfile).toEqual(expected);
  const wrong = await harness.graphql(key, updateMutation, { input: { country: 'ZZ' } });
  expect(wrong.body.errors[0].extensions.code).toBe('validation_failed');
});

test.each(roles)('a key of role %s reads, and writes only if its role may', async (role) => {
  const tenant = await unfunded();
  const key = await tenant.keyWithRole(role);
  const mayWrite = ['owner', 'admin', 'developer'].includes(role);
  expect((await harness.rest('GET', path, { key })).status).toBe(200);
  // The permission is judged before the body.
  const answer = await put(key, mayWrite ? { industry: 'x' } : { unknown: 1 });
  expect(answer.status).toBe(mayWrite ? 200 : 403);
  if (!mayWrite) expect(answer.body.error).toMatchObject({ code: 'forbidden', actor: { role } });
  const graphql = await harness.graphql(key, updateMutation, { input: { legalName: 'x' } });
  expect(graphql.body.errors?.[0].extensions.code ?? null).toBe(mayWrite ? null : 'forbidden');
});

test('no key, or a wrong one, reads and writes nothing', async () => {
  for (const key of [undefined, 'pos_sandbox_x']) {
    expect((await harness.rest('GET', path, { key })).status).toBe(401);
    expect((await harness.rest('PUT', path, { key, body: {} })).status).toBe(401);
    for (const query of ['{ businessProfile { country } }', '{ me { userId } }']) {
      const answer = await harness.graphql(key, query);
      expect(answer.body.errors[0].extensions.code).toBe('unauthorized');
    }
  }
});

test("another business's profile is neither read nor written", async () => {
  const [mine, other] = [await unfunded(), await unfunded()];
  await put(other.key, { legal_name: 'Other' });
  await put(mine.key, { legal_name: 'Mine' });
  const { body } = await harness.rest('GET', path, { key: other.key });
  expect(body.business_profile.legal_name).toBe('Other');
  const query = 'query ($id: ID!) { node(id: $id) { id ... on Business { companyName } } }';
  const foreign = await harness.graphql(mine.key, query, { id: other.businessId });
  expect(foreign.body.data).toEqual({ node: null });
  const own = await harness.graphql(mine.key, query, { id: mine.businessId });
  expect(own.body.data.node).toEqual({ id: mine.businessId, companyName: 'Test Business' });
});

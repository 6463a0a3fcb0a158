import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RestAnswer } from '../support/harness.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });

const freshEmail = () => `ada-${randomUUID()}@example.com`;
const freshDomain = () => `company-${randomUUID()}.com`;

function register(body: Record<string, unknown>): Promise<RestAnswer> {
  return harness.rest('POST', '/v1/registration', { body });
}

/** What a registration writes, the job of its mail included. A refused one may add a mail that offers a proof. */
async function counts(): Promise<Record<string, number>> {
  const { rows } = await harness.database.pool.query(`
    SELECT (SELECT count(*)::int FROM business) AS businesses,
      (SELECT count(*)::int FROM tenant) AS tenants,
      (SELECT count(*)::int FROM app_user) AS users,
      (SELECT count(*)::int FROM membership) AS memberships,
      (SELECT count(*)::int FROM api_key) AS keys,
      (SELECT count(*)::int FROM graphile_worker.jobs WHERE task_identifier <> 'send_proof_mail') AS jobs`);
  return rows[0];
}

const grownBy = (before: Record<string, number>, registrations: number) => ({
  businesses: (before['businesses'] ?? 0) + registrations,
  tenants: (before['tenants'] ?? 0) + 2 * registrations,
  users: (before['users'] ?? 0) + registrations,
  memberships: (before['memberships'] ?? 0) + registrations,
  keys: (before['keys'] ?? 0) + registrations,
  jobs: (before['jobs'] ?? 0) + registrations,
});

const registerMutation = `
  mutation ($input: BusinessRegisterInput!) {
    businessRegister(input: $input) {
      business { id companyName emailDomain profileStatus createdAt }
      user { id email firstName lastName createdAt }
      membership { id businessId userId role createdAt }
      apiKey { id environment role key }
    }
  }`;

test('registers a business, its owner and a sandbox key that works at once', async () => {
  const domain = freshDomain();
  const email = `Ada.Lovelace@${domain}`;
  const answer = await register({
    email: `  ${email} `,
    company_name: 'Analytical Engines',
    first_name: 'Ada',
    last_name: null,
    country: 'GB',
  });
  expect(answer.status).toBe(201);
  const { business, user, membership, api_key } = answer.body;
  expect(answer.body).toEqual({
    business: {
      id: expect.stringMatching(/^biz_/),
      company_name: 'Analytical Engines',
      email_domain: domain,
      profile_status: 'incomplete',
      created_at: expect.any(String),
    },
    user: {
      id: expect.stringMatching(/^usr_/),
      email,
      first_name: 'Ada',
      last_name: null,
      created_at: business.created_at,
    },
    membership: {
      id: expect.stringMatching(/^mem_/),
      business_id: business.id,
      user_id: user.id,
      role: 'owner',
      created_at: business.created_at,
    },
    api_key: {
      id: expect.stringMatching(/^key_/),
      environment: 'sandbox',
      role: 'owner',
      key: expect.stringMatching(/^pos_sandbox_/),
    },
  });

  const me = await harness.graphql(
    api_key.key,
    '{ me { businessId environment role membershipId userId keyId } businessProfile { country } }',
  );
  expect(me.body.data).toEqual({
    me: {
      businessId: business.id,
      environment: 'sandbox',
      role: 'owner',
      membershipId: membership.id,
      userId: user.id,
      keyId: api_key.id,
    },
    businessProfile: { country: 'GB' },
  });
  const account = await harness.rest('GET', '/v1/funding/account', { key: api_key.key });
  expect(account.status).toBe(404);
});

test('GraphQL registers without a key and shows the key once', async () => {
  const input = { email: freshEmail(), companyName: 'Graph Company' };
  const answer = await harness.graphql(undefined, registerMutation, { input });
  const { business, user, membership, apiKey } = answer.body.data.businessRegister;
  expect(business).toMatchObject({ companyName: 'Graph Company', emailDomain: null });
  expect(user).toMatchObject({ email: input.email, firstName: null });
  expect(membership).toMatchObject({ businessId: business.id, userId: user.id, role: 'owner' });
  const profile = await harness.rest('GET', '/v1/business/profile', { key: apiKey.key });
  expect(profile.status).toBe(200);
  expect(profile.text).not.toContain(apiKey.key);

  const again = await harness.graphql(undefined, registerMutation, { input });
  expect(again.body.errors[0].extensions.code).toBe('EMAIL_ALREADY_REGISTERED');
});

test('the key is stored only as a hash, and the job holds ids alone', async () => {
  const email = freshEmail();
  const { body } = await register({ email, company_name: 'Canary Company' });
  const { rows } = await harness.database.pool.query(
    `SELECT row_to_json(k)::text AS key, (
       SELECT string_agg(j.payload::text, ' ') FROM graphile_worker._private_jobs j
     ) AS payloads FROM api_key k WHERE k.id = $1`,
    [body.api_key.id],
  );
  const [, , , secret] = body.api_key.key.split('_');
  expect(secret.length).toBeGreaterThan(40);
  expect(rows[0].key).not.toContain(secret);
  expect(rows[0].payloads).toContain(body.business.id);
  expect(rows[0].payloads).not.toMatch(/@|Canary/);
});

test('an address is registered once, whatever its case, and a refusal leaves nothing', async () => {
  const email = freshEmail();
  expect((await register({ email, company_name: 'First' })).status).toBe(201);
  const before = await counts();
  for (const again of [email, email.toUpperCase()]) {
    const answer = await register({ email: again, company_name: 'Second' });
    expect(answer.status).toBe(409);
    expect(answer.body.error).toMatchObject({ code: 'EMAIL_ALREADY_REGISTERED', actor: null });
  }
  expect(await counts()).toEqual(before);
});

test('a corporate domain is claimed by its first registrant, free mail claims nothing', async () => {
  const domain = `bücher-${randomUUID()}.de`;
  expect((await register({ email: `a@${domain}`, company_name: 'First' })).status).toBe(201);
  const before = await counts();
  for (const email of [`b@${domain}`, `c@${domain.toUpperCase()}`]) {
    const answer = await register({ email, company_name: 'Second' });
    expect(answer.status).toBe(409);
    expect(answer.body.error.code).toBe('COMPANY_DOMAIN_ALREADY_CLAIMED');
  }
  // The address is named first: it tells the registrant more than the domain.
  const same = await register({ email: `A@${domain}`, company_name: 'First again' });
  expect(same.body.error.code).toBe('EMAIL_ALREADY_REGISTERED');
  expect(await counts()).toEqual(before);

  for (let i = 0; i < 2; i += 1) {
    const email = `${randomUUID()}@gmail.com`;
    const free = await register({ email, company_name: 'Freelance' });
    expect(free.status).toBe(201);
    expect(free.body.business.email_domain).toBeNull();
  }
});

const invite = 'mutation ($email: String!) { memberInvite(email: $email, role: viewer) { id } }';

test('who was only invited may register, and neither their account nor its name changes by it', async () => {
  const inviter = (await register({ email: freshEmail(), company_name: 'Inviter' })).body;
  const address = `grace-${randomUUID()}@example.com`;
  const invited = await harness.graphql(inviter.api_key.key, invite, { email: address });
  const email = address.replace('grace', 'Grace');
  const before = await counts();
  const answer = await register({ email, company_name: 'Own', first_name: 'Grace' });
  expect(answer.status).toBe(201);
  const { business, user, membership, api_key } = answer.body;
  expect(user).toMatchObject({ email, first_name: 'Grace', created_at: business.created_at });
  expect(membership).toMatchObject({ business_id: business.id, user_id: user.id, role: 'owner' });
  const me = '{ me { businessId userId } }';
  expect((await harness.graphql(api_key.key, me)).body.data.me).toEqual({
    businessId: business.id,
    userId: user.id,
  });
  expect(await counts()).toEqual(grownBy(before, 1));
  const { rows } = await harness.database.pool.query(
    `SELECT m.user_id, u.email, u.first_name FROM membership m JOIN app_user u ON u.id = m.user_id
     WHERE m.id = $1 AND m.removed_at IS NULL`,
    [invited.body.data.memberInvite.id],
  );
  expect(rows).toEqual([{ user_id: expect.any(String), email: address, first_name: null }]);
  expect(rows[0].user_id).not.toBe(user.id);

  const again = await register({ email: address, company_name: 'Again' });
  expect(again.body.error.code).toBe('EMAIL_ALREADY_REGISTERED');
  const invitedAgain = await harness.graphql(inviter.api_key.key, invite, { email });
  expect(invitedAgain.body.errors[0].extensions.code).toBe('conflict');
  // Who registered is a member already, also before the address is proven.
  const itself = await harness.graphql(api_key.key, invite, { email: address });
  expect(itself.body.errors[0].extensions.code).toBe('conflict');
});

test('of racers who register an invited address one wins, whoever invites it meanwhile', async () => {
  const inviters = await Promise.all(
    [1, 2].map(() => register({ email: freshEmail(), company_name: 'Inviter' })),
  );
  const email = `ada@${freshDomain()}`;
  const invitation = ({ body }: RestAnswer) => harness.graphql(body.api_key.key, invite, { email });
  const [first, second] = inviters;
  if (first === undefined || second === undefined) throw new Error('two inviters');
  await invitation(first);
  const before = await counts();
  const [late, ...answers] = await Promise.all([
    invitation(second),
    ...Array.from({ length: 6 }, () => register({ email, company_name: 'Racer' })),
  ]);
  expect(late?.body.errors).toBeUndefined();
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    201, 409, 409, 409, 409, 409,
  ]);
  const grown = grownBy(before, 1);
  const memberships = (grown['memberships'] ?? 0) + 1;
  const jobs = (grown['jobs'] ?? 0) + 1; // the mail of the late invitation
  expect(await counts()).toEqual({ ...grown, memberships, jobs });
});

test.each([
  ['one address', (domain: string) => () => `ada@${domain}`, 'EMAIL_ALREADY_REGISTERED'],
  [
    'one domain',
    (domain: string) => (racer: number) => `ada-${racer}@${domain}`,
    'COMPANY_DOMAIN_ALREADY_CLAIMED',
  ],
])('of racers with %s one wins', async (_name, emails, code) => {
  const before = await counts();
  const emailOf = emails(freshDomain());
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, racer) =>
      register({ email: emailOf(racer), company_name: 'Racer' }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  const losers = answers.filter(({ status }) => status !== 201);
  expect(losers.map(({ status, body }) => [status, body.error.code])).toEqual(
    losers.map(() => [409, code]),
  );
  expect(await counts()).toEqual(grownBy(before, 1));
});

test('rejects what is missing, malformed or unknown, naming each field', async () => {
  const before = await counts();
  const empty = await register({});
  expect(empty.status).toBe(400);
  expect(
    empty.body.error.details.map((e: { field: string; code: string }) => [e.field, e.code]),
  ).toEqual([
    ['email', 'required'],
    ['company_name', 'required'],
  ]);
  const wrong = await register({
    email: 'nobody@localhost',
    company_name: ' ',
    country: 'ZZ',
    role: 'owner',
  });
  expect(wrong.body.error.code).toBe('validation_failed');
  expect(wrong.body.error.details.map((e: { field: string }) => e.field).toSorted()).toEqual([
    'company_name',
    'country',
    'email',
    'role',
  ]);
  const graphql = await harness.graphql(undefined, registerMutation, {
    input: { email: 'nobody', companyName: 'x' },
  });
  expect(graphql.body.errors[0].extensions).toMatchObject({
    code: 'validation_failed',
    details: [{ field: 'email' }],
  });
  expect(await counts()).toEqual(before);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, makePayee, makeTenant, type TestTenant } from '../../support/factory.ts';
import { asKey } from '../../support/credential.ts';
import { openEvents } from '../../support/event-stream.ts';
import { acceptedKey } from '../../support/member-link.ts';
import { giveProductionKey } from '../../support/production-key.ts';
import { startSecondApi, type SecondApi } from '../../support/second-api.ts';
import {
  cookieOf,
  holderOf,
  linkToken,
  sessionLike,
  sessionOf,
  signInRequest,
} from '../../support/sessions.ts';
import { useHarness, useTenant } from '../../support/use-harness.ts';

const harness = useHarness();
const tenant = useTenant(harness);
let second: SecondApi;
beforeAll(async () => {
  second = await startSecondApi(harness.services.config);
});
afterAll(() => second.close());

const origin = () => harness.services.config.PUBLIC_URL;
const viewerQuery =
  '{ viewer { businessId environment role memberships { businessId environments } } }';
const switchMutation = `mutation ($businessId: ID!, $environment: Environment!) {
  sessionSwitch(businessId: $businessId, environment: $environment)
}`;

type Headers = Record<string, string>;

/** Asks a process for the viewer, with the cookie and these headers. */
async function ask(token: string, headers: Headers, url = harness.baseUrl) {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: `a=b; __Host-payouts_session=${token}`,
      ...headers,
    },
    body: JSON.stringify({ query: viewerQuery }),
  });
  // oxlint-disable-next-line typescript/no-explicit-any
  const body: any = await answer.json();
  return {
    status: answer.status,
    viewer: body.data?.viewer,
    code: body.errors?.[0].extensions.code,
  };
}

const ownPage = (): Headers => ({ origin: origin(), 'x-payouts-console': '1' });
const both = async (token: string) =>
  Promise.all([ask(token, ownPage()), ask(token, ownPage(), second.url)]);

async function signedIn(key = tenant.key) {
  const person = await holderOf(harness, key);
  return { ...person, ...(await sessionOf(harness, person, person.membershipId)) };
}

describe('a cookie counts only in a request of our own page', () => {
  it('is not looked at without our header', async () => {
    const { token } = await signedIn();
    expect(await ask(token, { origin: origin() })).toMatchObject({ code: 'unauthorized' });
    expect(await ask(token, ownPage())).toMatchObject({ status: 200, viewer: { role: 'owner' } });
  });

  it.each<[string, () => Headers]>([
    ['without an Origin', () => ({})],
    ['of another site', () => ({ origin: 'https://evil.example' })],
    ['of an origin that is kept secret', () => ({ origin: 'null' })],
    ['of another port', () => ({ origin: 'http://localhost:1' })],
    [
      'that says it is of the same site',
      () => ({ origin: 'https://evil.example', 'sec-fetch-site': 'same-site' }),
    ],
    [
      'with a host that is not ours',
      () => ({ origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }),
    ],
  ])('refuses one %s', async (_what, headers) => {
    const { token } = await signedIn();
    const refused = await ask(token, { 'x-payouts-console': '1', ...headers() });
    expect([refused.status, refused.code]).toEqual([403, 'forbidden']);
  });

  it('takes the host that was asked, where the browser says that the page is of the same origin', async () => {
    const { token } = await signedIn();
    const headers = { origin: harness.baseUrl, 'sec-fetch-site': 'same-origin' };
    expect(await ask(token, { 'x-payouts-console': '1', ...headers })).toMatchObject({
      viewer: { role: 'owner' },
    });
  });

  it('opens no REST, but the file of an export to a link of our own page', async () => {
    const { token } = await signedIn();
    const headers = { cookie: `__Host-payouts_session=${token}`, ...ownPage() };
    expect((await harness.rest('GET', '/v1/payouts', { headers })).status).toBe(401);
    const { body } = await harness.graphql(
      tenant.key,
      'mutation { exportCreate(input: {kind: beneficiaries}) { id } }',
    );
    const path = `/v1/exports/${body.data.exportCreate.id}`;
    const load = (site: string) =>
      harness.rest('GET', path, { headers: { ...headers, 'sec-fetch-site': site } });
    expect((await load('cross-site')).status).toBe(401);
    expect((await load('none')).status).toBe(401);
    await eventually(async () => (await load('same-origin')).status === 200);
    const statement = (site: string) =>
      harness.rest('GET', '/v1/funding/entries/export', {
        headers: { ...headers, 'sec-fetch-site': site },
      });
    expect((await statement('cross-site')).status).toBe(401);
    expect((await statement('same-origin')).status).toBe(200);
  });

  it('signs nobody in or out from another page', async () => {
    const { userId, token } = await signedIn();
    const link = await linkToken(harness, { userId });
    const foreign = { origin: 'https://evil.example' };
    const consume = await signInRequest(harness, '/auth/link/consume', { token: link }, foreign);
    expect([consume.status, cookieOf(consume)]).toEqual([403, null]);
    const cookie = `__Host-payouts_session=${token}`;
    const out = await signInRequest(harness, '/auth/sign-out', undefined, { ...foreign, cookie });
    expect(out.status).toBe(403);
    expect((await ask(token, ownPage())).status).toBe(200);
    expect((await signInRequest(harness, '/auth/link/consume', { token: link })).status).toBe(200);
  });
});

describe('a session ends at once, on every process', () => {
  it('when its person signs out', async () => {
    const { token } = await signedIn();
    expect((await both(token)).map(({ status }) => status)).toEqual([200, 200]);
    const cookie = `__Host-payouts_session=${token}`;
    const out = await signInRequest(harness, '/auth/sign-out', undefined, { cookie });
    expect(out.status).toBe(204);
    expect(out.headers.get('set-cookie')).toMatch(/^__Host-payouts_session=; Path=\/; Max-Age=0/);
    expect((await both(token)).map(({ code }) => code)).toEqual(['unauthorized', 'unauthorized']);
  });

  it('when its member is removed', async () => {
    const key = await tenant.keyWithRole('approver');
    const { token, membershipId } = await signedIn(key);
    expect((await both(token)).map(({ status }) => status)).toEqual([200, 200]);
    const remove = 'mutation ($id: ID!) { memberRemove(id: $id) { id } }';
    await harness.graphql(tenant.key, remove, { id: membershipId });
    expect((await both(token)).map(({ code }) => code)).toEqual(['unauthorized', 'unauthorized']);
  });

  it('when it was idle too long, or is too old', async () => {
    const { pool } = harness.database;
    for (const aged of ['last_seen_at', 'expires_at']) {
      const { token, id } = await signedIn();
      await pool.query(
        `UPDATE user_session SET ${aged} = now() - interval '61 minutes' WHERE id = $1`,
        [id],
      );
      expect(await ask(token, ownPage()), aged).toMatchObject({ code: 'unauthorized' });
    }
  });

  it('has the rights of the role that its member has at the moment', async () => {
    const key = await tenant.keyWithRole('admin');
    const { token, membershipId } = await signedIn(key);
    const change = 'mutation ($id: ID!) { memberRoleChange(id: $id, role: viewer) { id } }';
    await harness.graphql(tenant.key, change, { id: membershipId });
    expect((await both(token)).map(({ viewer }) => viewer.role)).toEqual(['viewer', 'viewer']);
    const create = 'mutation { apiKeyCreate(input: {role: viewer}) { key } }';
    const refused = await harness.graphql(asKey(token), create);
    expect(refused.body.errors[0].extensions.code).toBe('forbidden');
  });

  it('when it is revoked: by its person, who sees each of theirs, and by nobody else', async () => {
    const first = await signedIn();
    const other = await sessionOf(harness, first);
    const stranger = await signedIn((await makeTenant(harness)).key);
    const list = async (key: string) =>
      (await harness.graphql(key, '{ sessions { id current } }')).body.data.sessions;
    expect(await list(first.key)).toEqual(
      expect.arrayContaining([
        { id: first.id, current: true },
        { id: other.id, current: false },
      ]),
    );
    expect(await list(stranger.key)).toEqual([{ id: stranger.id, current: true }]);
    const revoke = (key: string, id: string) =>
      harness.graphql(key, 'mutation ($id: ID!) { sessionRevoke(id: $id) }', { id });
    for (const id of [other.id, 'ses_1', '']) {
      const refused = await revoke(stranger.key, id);
      expect(refused.body.errors[0].extensions.code).toBe('not_found');
    }
    expect((await ask(other.token, ownPage())).status).toBe(200);
    expect((await revoke(first.key, other.id)).body.data.sessionRevoke).toBe(other.id);
    expect((await revoke(first.key, other.id)).body.data.sessionRevoke).toBe(other.id);
    expect((await both(other.token)).map(({ code }) => code)).toEqual([
      'unauthorized',
      'unauthorized',
    ]);
  });

  it('when who manages members ends it, which is recorded', async () => {
    const theirs = await signedIn(await tenant.keyWithRole('viewer'));
    const stranger = await makeTenant(harness);
    const sessions = '($id: ID!) { memberSessions(memberId: $id) { id } }';
    const list = async (key: string) =>
      (await harness.graphql(key, `query ${sessions}`, { id: theirs.membershipId })).body;
    const end = async (key: string) =>
      (
        await harness.graphql(key, 'mutation ($id: ID!) { memberSessionsRevoke(memberId: $id) }', {
          id: theirs.membershipId,
        })
      ).body;
    expect((await list(tenant.key)).data.memberSessions).toEqual([{ id: theirs.id }]);
    expect((await list(stranger.key)).data.memberSessions).toEqual([]);
    expect((await end(stranger.key)).errors[0].extensions.code).toBe('not_found');
    expect((await list(theirs.key)).errors[0].extensions.code).toBe('forbidden');
    expect((await end(tenant.key)).data.memberSessionsRevoke).toBe(1);
    expect((await end(tenant.key)).data.memberSessionsRevoke).toBe(0);
    expect(await ask(theirs.token, ownPage())).toMatchObject({ code: 'unauthorized' });
    const { rows } = await harness.database.pool.query(
      `SELECT after FROM access_change WHERE kind = 'member_sessions_revoked' AND subject_id = $1`,
      [theirs.membershipId],
    );
    expect(rows).toEqual([{ after: { sessions: 1 } }]);
  });

  it('streams no longer, nor after a switch', async () => {
    const query = 'subscription { payoutTransitions { toState } }';
    const open = async (token: string) => {
      const cookie = `__Host-payouts_session=${token}`;
      return openEvents(harness.baseUrl, {
        key: undefined,
        query,
        headers: { cookie, ...ownPage() },
      });
    };
    const { token, id } = await signedIn();
    const reader = await open(token);
    expect(reader.status).toBe(200);
    await harness.database.pool.query('UPDATE user_session SET revoked_at = now() WHERE id = $1', [
      id,
    ]);
    await reader.ended();
    expect(reader.seen.at(-1)?.event).toBe('complete');
  });
});

describe('a session works in one environment of one business at a time', () => {
  const go = async (key: string, businessId: string, environment: string) => {
    const { body } = await harness.graphql(key, switchMutation, { businessId, environment });
    return body.errors?.[0].extensions.code ?? body.data.sessionSwitch;
  };
  async function production(business: TestTenant): Promise<string> {
    await harness.database.pool.query(
      "UPDATE business SET profile_status = 'accepted' WHERE id = $1",
      [business.businessId],
    );
    return giveProductionKey(harness, business);
  }

  it('never opens production from the sandbox', async () => {
    const business = await makeTenant(harness);
    const owner = await signedIn(business.key);
    expect(await go(owner.key, business.businessId, 'production')).toBe('forbidden');
    // Invited by a sandbox key, before there was anything to protect.
    const invited = await signedIn(await business.keyWithRole('owner'));
    const productionKey = await production(business);
    expect(await go(invited.key, business.businessId, 'production')).toBe('forbidden');
    expect(await go(owner.key, business.businessId, 'production')).toBe(true);
    expect(await ask(owner.token, ownPage())).toMatchObject({
      viewer: { environment: 'production' },
    });
    // An invitation of production lets them in.
    const send = 'mutation ($id: ID!) { memberInvitationSend(id: $id) { id } }';
    await harness.graphql(productionKey, send, { id: invited.membershipId });
    await acceptedKey(harness, invited.membershipId);
    expect(await go(invited.key, business.businessId, 'production')).toBe(true);
    // Without a production key that works, the sandbox governs the business again.
    await harness.database.pool.query(
      `UPDATE api_key SET revoked_at = now() FROM tenant t
       WHERE t.id = tenant_id AND t.environment = 'production' AND t.business_id = $1`,
      [business.businessId],
    );
    expect(await ask(owner.token, ownPage())).toMatchObject({ code: 'unauthorized' });
  });

  it('opens no business of which its person is no member', async () => {
    const stranger = await makeTenant(harness);
    const mine = await signedIn();
    for (const id of [stranger.businessId, 'biz_1', '']) {
      expect(await go(mine.key, id, 'sandbox')).toBe('not_found');
    }
    const theirs = await signedIn(stranger.key);
    await harness.database.pool.query(
      `INSERT INTO membership (id, business_id, user_id, role, accepted_at)
       VALUES ('mem_' || right($1, 26), $2, $1, 'viewer', now())`,
      [mine.userId, stranger.businessId],
    );
    expect(await go(mine.key, stranger.businessId, 'sandbox')).toBe(true);
    expect((await ask(mine.token, ownPage())).viewer).toMatchObject({
      businessId: stranger.businessId,
      role: 'viewer',
      memberships: expect.arrayContaining([
        { businessId: tenant.businessId, environments: ['sandbox'] },
        { businessId: stranger.businessId, environments: ['sandbox'] },
      ]),
    });
    expect((await ask(theirs.token, ownPage())).viewer.businessId).toBe(stranger.businessId);
  });

  it('refuses the request of a page that was loaded before a switch', async () => {
    const { token } = await signedIn();
    const at = (acting: string) => ask(token, { ...ownPage(), 'x-payouts-acting-for': acting });
    expect(await at(`${tenant.businessId}/sandbox`)).toMatchObject({ status: 200 });
    expect(await at(`${tenant.businessId}/production`)).toMatchObject({
      status: 409,
      code: 'conflict',
    });
  });
});

it('is named by what its member does, and is one person with their keys for the four eyes', async () => {
  const business = await makeTenant(harness);
  await harness.graphql(
    business.key,
    'mutation { businessSettingsUpdate(distinctApprover: true) { distinctApprover } }',
  );
  const payee = await makePayee(harness, business.key);
  const { userId, membershipId, id, key } = await signedIn(business.key);
  const create = `mutation ($input: PayoutCreateInput!) { payoutCreate(input: $input) { payout { id } } }`;
  const { body, text } = await harness.graphql(key, create, {
    input: {
      beneficiaryId: payee.beneficiaryId,
      bankAccountId: payee.bankAccountId,
      amountMinor: 1_000,
      currency: 'USD',
      purposeOfPayment: 'contractor_payment',
      idempotencyKey: randomUUID(),
    },
  });
  const payoutId = body.data?.payoutCreate?.payout.id;
  expect(payoutId, text).toBeDefined();
  const { rows } = await harness.database.pool.query(
    'SELECT actor FROM payout_transition WHERE payout_id = $1 AND seq = 1',
    [payoutId],
  );
  expect(rows[0].actor).toEqual({
    type: 'member',
    user_id: userId,
    membership_id: membershipId,
    session_id: id,
    role: 'owner',
  });
  const approve = await harness.rest('POST', `/v1/payouts/${payoutId}/approve`, {
    key: business.key,
  });
  expect(approve.status, approve.text).toBe(403);
});

it('counts what the page asks by itself as nothing that its person does', async () => {
  const { token, id } = await signedIn();
  const { pool } = harness.database;
  const seen = async () =>
    (await pool.query('SELECT last_seen_at FROM user_session WHERE id = $1', [id])).rows[0]
      .last_seen_at;
  await pool.query(
    "UPDATE user_session SET last_seen_at = now() - interval '30 minutes' WHERE id = $1",
    [id],
  );
  const before = await seen();
  const headers = { origin: origin(), 'x-payouts-console': 'background' };
  expect((await ask(token, headers)).status).toBe(200);
  expect(await seen()).toEqual(before);
  expect((await ask(token, ownPage())).status).toBe(200);
  expect((await seen()) > before).toBe(true);
});

it('needs a person: a key has no viewer and no sessions', async () => {
  for (const query of ['{ viewer { id } }', '{ sessions { id } }']) {
    const { body } = await harness.graphql(tenant.key, query);
    expect(body.errors[0].extensions.code).toBe('forbidden');
  }
  const { userId } = await signedIn();
  const { body } = await harness.graphql(
    await sessionLike(harness, tenant.key),
    '{ me { userId keyId sessionId } }',
  );
  expect(body.data.me).toEqual({ userId, keyId: null, sessionId: expect.stringMatching(/^ses_/) });
});

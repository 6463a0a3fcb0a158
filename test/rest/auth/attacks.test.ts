import { expect, it } from 'vitest';
import { addOperatorUser, revokeOperatorUser } from '../../../src/access/operator-user.ts';
import { mostPasskeys, insertPasskey, listPasskeys } from '../../../src/access/passkey/store.ts';
import { inTransaction } from '../../../src/db/pool.ts';
import { asKey } from '../../support/credential.ts';
import { eventually, makeTenant } from '../../support/factory.ts';
import { startHarness } from '../../support/harness.ts';
import { memberToken } from '../../support/member-link.ts';
import { cookieOf, holderOf, linkToken, sessionOf, signInRequest } from '../../support/sessions.ts';
import { useHarness, useTenant } from '../../support/use-harness.ts';

const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent' } });
const tenant = useTenant(harness);

const meQuery = '{ me { role sessionId keyId } }';
const codeOf = async (key: string, query = '{ viewer { id } }') =>
  (await harness.graphql(key, query)).body.errors?.[0].extensions.code;

async function signedIn(key = tenant.key) {
  const person = await holderOf(harness, key);
  return { ...person, ...(await sessionOf(harness, person, person.membershipId)) };
}

const passkey = (n: number) => ({
  credentialId: Buffer.from(`credential ${n} ${Math.random()}`),
  publicKey: Buffer.from('key'),
  counter: 0,
  transports: [],
  synced: false,
  name: `Phone ${n}`,
});

it('a removed member who is invited again is in no browser of before', async () => {
  const { membershipId, email, key } = await signedIn(await tenant.keyWithRole('admin'));
  const change = (text: string, variables: object) =>
    harness.graphql(tenant.key, text, { ...variables });
  await change('mutation ($id: ID!) { memberRemove(id: $id) { id } }', { id: membershipId });
  const invite = 'mutation ($email: String!) { memberInvite(email: $email, role: admin) { id } }';
  const invited = await change(invite, { email });
  expect(invited.body.data.memberInvite.id).toBe(membershipId);
  const token = (await memberToken(harness, membershipId)) ?? '';
  const joined = await signInRequest(harness, '/auth/link/consume', { token });
  expect(await codeOf(asKey(cookieOf(joined) ?? ''))).toBeUndefined();
  expect(await codeOf(key)).toBe('unauthorized');
});

it('an operator who is let in again has no session, passkey or link of before', async () => {
  const { pool } = harness.services;
  const ada = { email: 'lost-laptop@example.com', name: 'Ada' };
  const person = { operatorUserId: await addOperatorUser(harness.database.pool, ada) };
  const { key } = await sessionOf(harness, person);
  await inTransaction(pool, (client) => insertPasskey(client, person, passkey(1)));
  const token = await linkToken(harness, person);
  await revokeOperatorUser(harness.database.pool, ada.email);
  await addOperatorUser(harness.database.pool, ada);
  expect(await codeOf(key)).toBe('unauthorized');
  expect(await listPasskeys(pool, person)).toEqual([]);
  expect((await signInRequest(harness, '/auth/link/consume', { token })).status).toBe(409);
});

it('a session that opens while its operator is revoked ends with the others', async () => {
  const ada = { email: 'meanwhile@example.com', name: 'Ada' };
  const operatorUserId = await addOperatorUser(harness.database.pool, ada);
  const token = await linkToken(harness, { operatorUserId });
  const held = await harness.database.pool.connect();
  try {
    await held.query('BEGIN');
    await held.query('UPDATE operator_user SET revoked_at = now() WHERE id = $1', [operatorUserId]);
    const answer = signInRequest(harness, '/auth/link/consume', { token });
    await eventually(async () => {
      const { rows } = await harness.database.pool.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
      );
      return rows.length === 1;
    });
    await held.query('COMMIT');
    expect((await answer).status).toBe(403);
  } finally {
    held.release();
  }
});

it('nobody has more passkeys than they see, however many browsers add one at a time', async () => {
  const person = await holderOf(harness, (await makeTenant(harness)).key);
  const add = (n: number) =>
    inTransaction(harness.services.pool, (client) => insertPasskey(client, person, passkey(n)));
  for (let n = 1; n < mostPasskeys; n += 1) expect(await add(n)).not.toBeNull();
  const held = await harness.database.pool.connect();
  try {
    await held.query('BEGIN');
    await held.query('SELECT 1 FROM app_user WHERE id = $1 FOR UPDATE', [person.userId]);
    const both = Promise.all([add(100), add(101)]);
    await eventually(async () => {
      const { rows } = await harness.database.pool.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
      );
      return rows.length === 2;
    });
    await held.query('COMMIT');
    expect((await both).filter((made) => made === null)).toHaveLength(1);
  } finally {
    held.release();
  }
  expect(await listPasskeys(harness.services.pool, person)).toHaveLength(mostPasskeys);
});

it("a session that a company's group limits adds no passkey, which would pass by the limit", async () => {
  const { id, key } = await signedIn();
  const options = 'mutation { passkeyRegistrationOptions }';
  expect(await codeOf(key, options)).toBeUndefined();
  await harness.database.pool.query("UPDATE user_session SET role_limit = 'viewer' WHERE id = $1", [
    id,
  ]);
  expect(await codeOf(key, options)).toBe('forbidden');
});

it('a browser that signs in again leaves no session behind that still works', async () => {
  const before = await signedIn();
  const token = await linkToken(harness, before);
  const cookie = `__Host-payouts_session=${before.token}`;
  const answer = await signInRequest(harness, '/auth/link/consume', { token }, { cookie });
  expect(answer.status).toBe(200);
  expect(await codeOf(asKey(cookieOf(answer) ?? ''))).toBeUndefined();
  expect(await codeOf(before.key)).toBe('unauthorized');
});

it('beside a key the cookie is not looked at, be the key good or bad', async () => {
  const { token } = await signedIn();
  const viewer = await tenant.keyWithRole('viewer');
  const ask = async (key: string) => {
    const answer = await fetch(`${harness.baseUrl}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${key}`,
        cookie: `__Host-payouts_session=${token}`,
        origin: harness.services.config.PUBLIC_URL,
        'x-payouts-console': '1',
      },
      body: JSON.stringify({ query: meQuery }),
    });
    return answer.json();
  };
  expect((await ask(viewer)).data.me).toMatchObject({ role: 'viewer', sessionId: null });
  expect((await ask(`${viewer}x`)).errors[0].extensions.code).toBe('unauthorized');
});

it('a cookie changes nothing by GET, by a form or by a plain text', async () => {
  const { token } = await signedIn();
  const mutation =
    'mutation { businessSettingsUpdate(distinctApprover: true) { distinctApprover } }';
  const headers = {
    cookie: `__Host-payouts_session=${token}`,
    origin: harness.services.config.PUBLIC_URL,
    'x-payouts-console': '1',
  };
  const sent = [
    fetch(`${harness.baseUrl}/graphql?query=${encodeURIComponent(mutation)}`, { headers }),
    ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'].map((type) =>
      fetch(`${harness.baseUrl}/graphql`, {
        method: 'POST',
        headers: { ...headers, 'content-type': type },
        body: JSON.stringify({ query: mutation }),
      }),
    ),
  ];
  for (const answer of await Promise.all(sent)) {
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await answer.text()).not.toContain('"data":{"businessSettingsUpdate"');
  }
  const { rows } = await harness.database.pool.query(
    'SELECT distinct_approver AS on FROM business WHERE id = $1',
    [tenant.businessId],
  );
  expect(rows).toEqual([{ on: false }]);
});

it('no answer to a page of another site lets that page send or read with the cookie', async () => {
  for (const path of ['/graphql', '/auth/link', '/auth/sign-out']) {
    const answer = await harness.rest('OPTIONS', path, {
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-payouts-console,content-type',
      },
    });
    expect(answer.headers.get('access-control-allow-origin'), path).toBeNull();
    expect(answer.headers.get('access-control-allow-credentials'), path).toBeNull();
  }
});

it('no answer of sign-in is kept by a cache, and the console is shown in no frame', async () => {
  for (const path of ['/auth/ways', '/auth/link', '/auth/oidc/callback?code=x&state=y']) {
    const answer = await harness.rest('GET', path);
    expect(answer.headers.get('cache-control'), path).toBe('no-store');
  }
  const page = await harness.rest('GET', '/console/sign-in');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe-inline');
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
});

it('a client address has so many tries to sign in a minute, in whatever way', async () => {
  const own = await startHarness({
    worker: false,
    env: { LOG_LEVEL: 'silent', SIGN_IN_RATE_LIMIT: '3' },
  });
  try {
    const { userId } = await holderOf(own, (await makeTenant(own)).key);
    const token = await linkToken(own, { userId });
    const tries = [
      ['/auth/link', { email: 'nobody@example.com' }],
      ['/auth/passkey/options', {}],
      ['/auth/link/consume', { token: 'x'.repeat(43) }],
    ] as const;
    for (const [path, body] of tries) {
      expect((await signInRequest(own, path, body)).status, path).not.toBe(429);
    }
    for (const [path, body] of [...tries, ['/auth/link/consume', { token }] as const]) {
      const refused = await signInRequest(own, path, body);
      expect([refused.status, refused.body.error.code], path).toEqual([429, 'too_many_requests']);
      expect(Number(refused.headers.get('retry-after')), path).toBeGreaterThan(0);
      expect(refused.headers.get('ratelimit-policy')).toContain('"sign-in";q=3');
    }
    // Whoever is signed in can still leave.
    expect((await signInRequest(own, '/auth/sign-out', undefined)).status).toBe(204);
  } finally {
    await own.close();
  }
});

it('a page that stays open after its session ended keeps nobody of its office out', async () => {
  const own = await startHarness({
    worker: false,
    env: { LOG_LEVEL: 'silent', FAILED_AUTHENTICATION_LIMIT: '3' },
  });
  try {
    const person = await holderOf(own, (await makeTenant(own)).key);
    const ended = await sessionOf(own, person);
    await own.database.pool.query('UPDATE user_session SET revoked_at = now() WHERE id = $1', [
      ended.id,
    ]);
    const ask = async (key: string) => (await own.graphql(key, meQuery)).body;
    for (let poll = 0; poll < 5; poll += 1) {
      expect((await ask(ended.key)).errors[0].extensions.code).toBe('unauthorized');
    }
    const colleague = await sessionOf(own, person);
    expect((await ask(colleague.key)).data.me.sessionId).toBe(colleague.id);
    // A token that never was is a guess.
    for (let guess = 0; guess < 3; guess += 1) await ask(asKey('x'.repeat(43)));
    expect((await ask(asKey('y'.repeat(43)))).errors[0].extensions.code).toBe('too_many_requests');
    expect((await ask(colleague.key)).data.me.sessionId).toBe(colleague.id);
  } finally {
    await own.close();
  }
});

it('a page that asks by itself keeps no session alive', async () => {
  const { id, token } = await signedIn();
  const idle = harness.services.config.SESSION_IDLE_MINUTES;
  const poll = async () => {
    const answer = await fetch(`${harness.baseUrl}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: `__Host-payouts_session=${token}`,
        origin: harness.services.config.PUBLIC_URL,
        'x-payouts-console': 'background',
      },
      body: JSON.stringify({ query: meQuery }),
    });
    const { errors } = await answer.json();
    return errors?.[0].extensions.code;
  };
  const age = (minutes: number) =>
    harness.database.pool.query(
      'UPDATE user_session SET last_seen_at = last_seen_at - make_interval(mins => $2) WHERE id = $1',
      [id, minutes],
    );
  await age(idle - 1);
  expect(await poll()).toBeUndefined();
  await age(2);
  expect(await poll()).toBe('unauthorized');
});

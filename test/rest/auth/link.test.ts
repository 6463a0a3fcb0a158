import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addOperatorUser } from '../../../src/access/operator-user.ts';
import { makeRequest, makeToken, prepareSignInMail } from '../../../src/access/session/link.ts';
import { eventually, makeTenant } from '../../support/factory.ts';
import { memberToken } from '../../support/member-link.ts';
import { asKey } from '../../support/credential.ts';
import { cookieOf, holderOf, linkToken, signInRequest } from '../../support/sessions.ts';
import { useHarness } from '../../support/use-harness.ts';

const harness = useHarness();

const viewerQuery = `{ viewer { id email businessId environment role permissions actingFor
  memberships { businessId environments } session { id current signedInBy network } } }`;
const viewer = (token: string) => harness.graphql(asKey(token), viewerQuery);

async function member() {
  const tenant = await makeTenant(harness);
  return { tenant, ...(await holderOf(harness, tenant.key)) };
}

const consume = (token: string, headers: Record<string, string> = {}) =>
  signInRequest(harness, '/auth/link/consume', { token }, headers);

const nameOf = (token: string) => signInRequest(harness, '/auth/link/name', { token });

describe('a link', () => {
  it('names its account before it is used, and is not used up by that', async () => {
    const { tenant, userId, email } = await member();
    const token = await linkToken(harness, { userId });
    const { rows } = await harness.database.pool.query(
      'SELECT coalesce(legal_name, company_name) AS name FROM business WHERE id = $1',
      [tenant.businessId],
    );
    const link = {
      email,
      operator: false,
      invitation: false,
      businesses: [rows[0].name],
      role: null,
      invitedBy: null,
    };
    for (const answer of [await nameOf(token), await nameOf(token)]) {
      expect([answer.status, answer.body]).toEqual([200, { link }]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(cookieOf(answer)).toBeNull();
    }
    expect((await consume(token)).status).toBe(200);
    expect((await nameOf(token)).body.error.code).toBe('conflict');
    const old = await linkToken(harness, { userId });
    await harness.database.pool.query('UPDATE sign_in_request SET expires_at = now()');
    expect((await nameOf(old)).status).toBe(409);
    const unknown = [createHash('sha256').update(old).digest('base64url'), 'x'];
    for (const text of unknown) expect((await nameOf(text)).status).toBe(404);
  });

  it('of an operator says that it is one', async () => {
    const email = 'named@platform.example';
    const operatorUserId = await addOperatorUser(harness.database.pool, { email, name: 'Ada' });
    const { body } = await nameOf(await linkToken(harness, { operatorUserId }));
    expect(body.link).toEqual({
      email,
      operator: true,
      invitation: false,
      businesses: [],
      role: null,
      invitedBy: null,
    });
  });

  it('of an invitation names who invites whom, until it was accepted', async () => {
    const { tenant } = await member();
    const email = `invited-${randomUUID()}@example.com`;
    const invite = `mutation { memberInvite(email: "${email}", role: viewer) { id } }`;
    const invited = await harness.graphql(tenant.key, invite);
    const token = (await memberToken(harness, invited.body.data.memberInvite.id)) ?? '';
    const named = await nameOf(token);
    expect(named.body.link).toMatchObject({ email, operator: false, invitation: true });
    expect(named.body.link.businesses).toHaveLength(1);
    expect((await consume(token)).status).toBe(200);
    expect((await nameOf(token)).status).toBe(409);
  });

  it('signs its person in, once, with a cookie that no script reads', async () => {
    const { tenant, userId, email } = await member();
    const token = await linkToken(harness, { userId });
    const answer = await consume(token);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-payouts_session=[\w-]{43}; Path=\/; Max-Age=\d+; Secure; HttpOnly; SameSite=Lax$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const session = cookieOf(answer) ?? '';
    const seen = await viewer(session);
    expect(seen.body.data.viewer, seen.text).toEqual({
      id: userId,
      email,
      businessId: tenant.businessId,
      environment: 'sandbox',
      role: 'owner',
      permissions: expect.arrayContaining(['payouts:decide', 'access:write']),
      actingFor: `${tenant.businessId}/sandbox`,
      memberships: [{ businessId: tenant.businessId, environments: ['sandbox'] }],
      session: {
        id: answer.body.session.id,
        current: true,
        signedInBy: 'link',
        network: '127.0.0.0/24',
      },
    });
    const again = await consume(token);
    expect([again.status, again.body.error.code]).toEqual([409, 'conflict']);
    expect(cookieOf(again)).toBeNull();
  });

  it('is mailed no more once it was used', async () => {
    const { pool, config } = harness.services;
    const requestId = await makeRequest(pool, config, { userId: (await member()).userId });
    const mailed = await prepareSignInMail(pool, requestId);
    expect((await consume(mailed?.token ?? '')).status).toBe(200);
    expect(await prepareSignInMail(pool, requestId)).toBeNull();
  });

  it('is stored as a hash, and so is the session', async () => {
    const { userId } = await member();
    const token = await linkToken(harness, { userId });
    const session = cookieOf(await consume(token)) ?? '';
    const { rows } = await harness.database.pool.query(
      `SELECT to_jsonb(s)::text || to_jsonb(l)::text AS text, s.token_hash, l.token_hash AS link
       FROM user_session s JOIN sign_in_request r ON r.user_id = s.user_id
       JOIN sign_in_link l ON l.request_id = r.id WHERE s.user_id = $1`,
      [userId],
    );
    expect(rows[0].token_hash).toEqual(createHash('sha256').update(session).digest());
    expect(rows[0].link).toEqual(createHash('sha256').update(token).digest());
    expect(rows[0].text).not.toContain(session);
    expect(rows[0].text).not.toContain(token);
  });

  it('lets one of two browsers in that open it at the same time', async () => {
    const { userId } = await member();
    const token = await linkToken(harness, { userId });
    const held = await harness.database.pool.connect();
    try {
      await held.query('BEGIN');
      await held.query('SELECT 1 FROM sign_in_request WHERE user_id = $1 FOR UPDATE', [userId]);
      const both = Promise.all([consume(token), consume(token)]);
      // Both have read the request as unused and wait: the second for the first.
      await eventually(async () => {
        const { rows } = await harness.database.pool.query(
          `SELECT 1 FROM pg_stat_activity
           WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
        );
        return rows.length === 2;
      });
      await held.query('COMMIT');
      const statuses = (await both).map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409]);
    } finally {
      held.release();
    }
    const { rows } = await harness.database.pool.query(
      'SELECT 1 FROM user_session WHERE user_id = $1',
      [userId],
    );
    expect(rows).toHaveLength(1);
  });
});

describe('a link that opens nothing', () => {
  it('is unknown, malformed, or too old', async () => {
    const { userId } = await member();
    for (const token of ['x'.repeat(43), '', 'x']) {
      const answer = await consume(token);
      expect([answer.status, answer.body.error.code], token).toEqual([404, 'not_found']);
    }
    const token = await linkToken(harness, { userId });
    await harness.database.pool.query(
      "UPDATE sign_in_request SET expires_at = now() - interval '1 second' WHERE user_id = $1",
      [userId],
    );
    expect((await consume(token)).status).toBe(409);
  });

  it('is that of a member who was removed meanwhile', async () => {
    const { userId, membershipId } = await member();
    const token = await linkToken(harness, { userId });
    await harness.database.pool.query('UPDATE membership SET removed_at = now() WHERE id = $1', [
      membershipId,
    ]);
    const answer = await consume(token);
    expect([answer.status, cookieOf(answer)]).toEqual([403, null]);
  });
});

describe('who asks for a link', () => {
  const askFor = (email: unknown, more: object = {}) =>
    signInRequest(harness, '/auth/link', { email, ...more });
  const requests = async (userId: string) =>
    (
      await harness.database.pool.query('SELECT 1 FROM sign_in_request WHERE user_id = $1', [
        userId,
      ])
    ).rows.length;

  it('learns nothing of who is a member', async () => {
    const { email, userId, tenant } = await member();
    const known = await askFor(email.toUpperCase());
    expect(await requests(userId)).toBe(1);
    const unknown = await askFor(`nobody-${userId}@example.com`);
    expect([known.status, known.text]).toEqual([202, '{}']);
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    // An invited person is no member yet.
    const invited = `invited-${userId.slice(-8)}@example.com`;
    const invite =
      'mutation ($email: String!) { memberInvite(email: $email, role: viewer) { id } }';
    const { body } = await harness.graphql(tenant.key, invite, { email: invited });
    expect((await askFor(invited)).text).toBe('{}');
    const { rows } = await harness.database.pool.query(
      `SELECT 1 FROM sign_in_request r JOIN membership m USING (user_id) WHERE m.id = $1`,
      [body.data.memberInvite.id],
    );
    expect(rows).toEqual([]);
  });

  it('gets five in an hour, then one when the earlier ones no longer serve, and is never refused', async () => {
    const { email, userId } = await member();
    const { pool } = harness.database;
    for (const address of [email, `nobody-${userId}@example.com`]) {
      for (let asked = 0; asked < 8; asked += 1) expect((await askFor(address)).text).toBe('{}');
    }
    expect(await requests(userId)).toBe(5);
    // Whoever asked, its person signs in with a link of theirs, and the next browser gets its own.
    const used = 'UPDATE sign_in_request SET used_at = now() WHERE user_id = $1';
    const { rows } = await pool.query(
      'SELECT id FROM sign_in_request WHERE user_id = $1 ORDER BY id LIMIT 1',
      [userId],
    );
    expect((await consume(await makeToken(harness.services.pool, rows[0].id))).status).toBe(200);
    await pool.query(used, [userId]);
    await askFor(email);
    await askFor(email);
    expect(await requests(userId)).toBe(6);
    // One that is about to end is no reason to wait for its end.
    await pool.query(
      `UPDATE sign_in_request SET expires_at = now() + interval '7 minutes'
       WHERE user_id = $1 AND used_at IS NULL`,
      [userId],
    );
    await askFor(email);
    await askFor(email);
    expect(await requests(userId)).toBe(7);
  });

  it('gets one for two requests at once where none is left in the hour', async () => {
    const { email, userId } = await member();
    for (let asked = 0; asked < 5; asked += 1) await askFor(email);
    const { pool } = harness.database;
    await pool.query('UPDATE sign_in_request SET used_at = now() WHERE user_id = $1', [userId]);
    const held = await pool.connect();
    try {
      await held.query('BEGIN');
      await held.query('SELECT 1 FROM app_user WHERE id = $1 FOR UPDATE', [userId]);
      const both = Promise.all([askFor(email), askFor(email)]);
      await eventually(async () => {
        const { rows } = await pool.query(
          `SELECT 1 FROM pg_stat_activity
           WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
        );
        return rows.length === 2;
      });
      await held.query('COMMIT');
      expect((await both).map(({ status }) => status)).toEqual([202, 202]);
    } finally {
      held.release();
    }
    expect(await requests(userId)).toBe(6);
  });

  it('is told what is wrong with the request', async () => {
    for (const body of [{ email: 'x' }, {}, { email: 'a@example.com', more: 1 }]) {
      const answer = await signInRequest(harness, '/auth/link', body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_failed']);
    }
    const get = await harness.rest('GET', '/auth/link');
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await harness.rest('POST', '/auth/nothing')).status).toBe(404);
  });
});

it('of an invitation signs in to the business that invites, wherever its person worked last', async () => {
  const guest = await member();
  await consume(await linkToken(harness, guest));
  const { tenant } = await member();
  const invite = 'mutation ($email: String!) { memberInvite(email: $email, role: viewer) { id } }';
  const invited = await harness.graphql(tenant.key, invite, { email: guest.email });
  const token = (await memberToken(harness, invited.body.data.memberInvite.id)) ?? '';
  const session = cookieOf(await consume(token)) ?? '';
  expect((await viewer(session)).body.data.viewer.businessId).toBe(tenant.businessId);
});

it('of an invitation accepts it and signs in', async () => {
  const { tenant } = await member();
  const email = `${randomUUID()}@example.com`;
  const invite =
    'mutation ($email: String!) { memberInvite(email: $email, role: approver) { id } }';
  const invited = await harness.graphql(tenant.key, invite, { email });
  const token = (await memberToken(harness, invited.body.data.memberInvite.id)) ?? '';
  const answer = await signInRequest(harness, '/auth/link/consume', { token });
  expect(answer.status, answer.text).toBe(200);
  expect((await viewer(cookieOf(answer) ?? '')).body.data.viewer).toMatchObject({
    businessId: tenant.businessId,
    role: 'approver',
  });
  const again = await signInRequest(harness, '/auth/link/consume', { token });
  expect([again.status, again.body.error.code, cookieOf(again)]).toEqual([409, 'conflict', null]);
});

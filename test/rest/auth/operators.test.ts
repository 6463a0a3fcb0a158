import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { addOperatorUser, revokeOperatorUser } from '../../../src/access/operator-user.ts';
import { personOf } from '../../../src/access/session/link.ts';
import { openSession } from '../../../src/access/session/open.ts';
import { issueOperatorKey } from '../../../src/access/operator-key.ts';
import { asKey } from '../../support/credential.ts';
import { eventually, makeTenant } from '../../support/factory.ts';
import { cookieOf, holderOf, linkToken, sessionOf, signInRequest } from '../../support/sessions.ts';
import { useHarness } from '../../support/use-harness.ts';

const harness = useHarness();

async function operator(name = 'Ada') {
  const email = `${randomUUID()}@example.com`;
  const operatorUserId = await addOperatorUser(harness.database.pool, { email, name });
  return { email, operatorUserId };
}

const viewerQuery =
  '{ viewer { id name isOperator businessId actingFor memberships { id } } me { operatorName keyId } }';

it('signs in by a link and acts under their own name, which the log keeps', async () => {
  const { operatorUserId } = await operator();
  const token = await linkToken(harness, { operatorUserId });
  const answer = await signInRequest(harness, '/auth/link/consume', { token });
  const key = asKey(cookieOf(answer) ?? '');
  const { body } = await harness.graphql(key, viewerQuery);
  expect(body.data).toEqual({
    viewer: {
      id: operatorUserId,
      name: 'Ada',
      isOperator: true,
      businessId: null,
      actingFor: 'operator',
      memberships: [],
    },
    me: { operatorName: 'Ada', keyId: null },
  });
  const { businessId } = await makeTenant(harness);
  await harness.database.pool.query(
    "UPDATE business SET profile_status = 'submitted' WHERE id = $1",
    [businessId],
  );
  const accept = `mutation ($id: ID!) {
    operatorProfileAccept(businessId: $id, reason: "in order") { profileStatus }
  }`;
  const accepted = await harness.graphql(key, accept, { id: businessId });
  expect(accepted.body.errors, accepted.text).toBeUndefined();
  const recorded = await harness.database.pool.query(
    `SELECT a.operator_key_id, a.operator_user_id, l.who
     FROM operator_action a JOIN ops.action_log l ON l.subject_id = a.subject_id
     WHERE a.business_id = $1`,
    [businessId],
  );
  expect(recorded.rows).toEqual([
    { operator_key_id: null, operator_user_id: operatorUserId, who: operatorUserId },
  ]);
  // Of a business they see nothing as a member would.
  const refused = await harness.graphql(key, '{ businessProfile { country } }');
  expect(refused.body.errors[0].extensions.code).toBe('forbidden');
});

it('is the same person with a key of the same name, for what two persons have to agree on', async () => {
  const { operatorUserId } = await operator('Grace');
  const { pool } = harness.database;
  const { id } = await issueOperatorKey(pool, ' grace ');
  const same = async (one: string, other: string) =>
    (await pool.query('SELECT ops.person_of($1) = ops.person_of($2) AS same', [one, other])).rows;
  expect(await same(operatorUserId, id)).toEqual([{ same: true }]);
  // However the name is spaced, and however its letters are composed.
  const { operatorUserId: user } = await operator('José Núñez');
  for (const name of ['JOSÉ  NÚÑEZ', 'Jose\u0301 Nu\u0301n\u0303ez', 'José\u00a0\t Núñez']) {
    const { id: key } = await issueOperatorKey(pool, name);
    expect(await same(user, key), name).toEqual([{ same: true }]);
  }
  expect(await same(user, id)).toEqual([{ same: false }]);
  // A small letter may have two capitals.
  const { operatorUserId: eszett } = await operator('Ada Groß');
  const { id: capitals } = await issueOperatorKey(pool, 'ADA GROSS');
  expect(await same(eszett, capitals)).toEqual([{ same: true }]);
});

it('is let in no longer once they are revoked, in any browser', async () => {
  const { email, operatorUserId } = await operator();
  const { key } = await sessionOf(harness, { operatorUserId });
  const token = await linkToken(harness, { operatorUserId });
  expect((await harness.graphql(key, viewerQuery)).status).toBe(200);
  await revokeOperatorUser(harness.database.pool, email.toUpperCase());
  const { body } = await harness.graphql(key, viewerQuery);
  expect(body.errors[0].extensions.code).toBe('unauthorized');
  const refused = await signInRequest(harness, '/auth/link/consume', { token });
  expect([refused.status, cookieOf(refused)]).toEqual([409, null]);
  expect(await personOf(harness.services.pool, email)).toBeNull();
  // Whoever is let in again is the same person in the records.
  const again = await addOperatorUser(harness.database.pool, { email, name: 'Ada' });
  expect(again).toBe(operatorUserId);
});

it('is let in no longer by a session that the statement of their revocation left out', async () => {
  const { operatorUserId } = await operator();
  const { key } = await sessionOf(harness, { operatorUserId });
  await harness.database.pool.query('UPDATE operator_user SET revoked_at = now() WHERE id = $1', [
    operatorUserId,
  ]);
  const { body } = await harness.graphql(key, viewerQuery);
  expect(body.errors[0].extensions.code).toBe('unauthorized');
});

it('signs in as what they ask for, where they are a member too', async () => {
  const tenant = await makeTenant(harness);
  const { userId, email } = await holderOf(harness, tenant.key);
  const { services } = harness;
  expect(await personOf(services.pool, email, 'operator')).toBeNull();
  const operatorUserId = await addOperatorUser(harness.database.pool, { email, name: 'Ada' });
  expect(await personOf(services.pool, email)).toEqual({ userId });
  expect(await personOf(services.pool, email, 'operator')).toEqual({ operatorUserId });
});

it('cannot be made to speak for somebody by who has the login of the service', async () => {
  const insert = `INSERT INTO ops.action_log (who, action, subject_id, reason, detail, affected)
    VALUES ($1, 'x', 'x', 'x', '{}', 1)`;
  await expect(harness.services.pool.query(insert, ['postgres'])).rejects.toThrow(
    'row-level security',
  );
});

it('lets no session outlive the revocation that was being made at that moment', async () => {
  const { email, operatorUserId } = await operator();
  const { pool, config } = harness.services;
  const client = await pool.connect();
  let key: string;
  try {
    await client.query('BEGIN');
    const opened = await openSession(
      client,
      config,
      { operatorUserId },
      { by: 'oidc', browser: { clientAddress: '192.0.2.7', userAgent: null } },
    );
    key = asKey(opened.token);
    const revoked = revokeOperatorUser(harness.database.pool, email);
    await eventually(async () => {
      const { rows } = await harness.database.pool.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
      );
      return rows.length === 1;
    });
    await client.query('COMMIT');
    expect(await revoked).not.toBeNull();
  } finally {
    client.release();
  }
  // Let in again, they sign in again.
  await addOperatorUser(harness.database.pool, { email, name: 'Ada' });
  const { body } = await harness.graphql(key, '{ viewer { id } }');
  expect(body.errors[0].extensions.code).toBe('unauthorized');
});

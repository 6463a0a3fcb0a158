import { describe, expect, it } from 'vitest';
import { eventually, makeTenant, type TestTenant } from '../../support/factory.ts';
import { sessionsWait } from '../../support/sessions-wait.ts';
import {
  holderOf,
  linkToken,
  sessionLike,
  sessionOf,
  signInRequest,
} from '../../support/sessions.ts';
import { useHarness } from '../../support/use-harness.ts';

const harness = useHarness();

const switchMutation = `mutation ($businessId: ID!, $environment: Environment!) {
  sessionSwitch(businessId: $businessId, environment: $environment)
}`;
const codeOf = async (key: string) =>
  (await harness.graphql(key, '{ viewer { id } }')).body.errors?.[0].extensions.code;

async function signedIn(key: string) {
  const person = await holderOf(harness, key);
  return { ...person, ...(await sessionOf(harness, person, person.membershipId)) };
}

describe('a session ends when its member is locked out while it comes over from another business', () => {
  const ended = 'mutation ($id: ID!) { memberSessionsRevoke(memberId: $id) }';
  const removed = 'mutation ($id: ID!) { memberRemove(id: $id) { id } }';

  /** A session at work in a business of its own, of a person who is a viewer of `business` too. */
  async function elsewhere(business: TestTenant) {
    const theirs = await signedIn((await makeTenant(harness)).key);
    const { rows } = await harness.database.pool.query<{ id: string }>(
      `INSERT INTO membership (id, business_id, user_id, role, accepted_at)
       VALUES ('mem_' || right($1, 26), $2, $1, 'viewer', now()) RETURNING id`,
      [theirs.userId, business.businessId],
    );
    return { ...theirs, place: rows[0]?.id ?? '' };
  }
  const comeOver = async (key: string, { businessId }: TestTenant) =>
    (await harness.graphql(key, switchMutation, { businessId, environment: 'sandbox' })).body;
  const placesOf = async (key: string): Promise<string[]> => {
    const { body } = await harness.graphql(key, '{ viewer { memberships { businessId } } }');
    return body.data.viewer.memberships.map((place: { businessId: string }) => place.businessId);
  };
  const waiting = async () =>
    (
      await harness.database.pool.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
      )
    ).rows.length;

  it.each([
    ['their sessions are ended', ended],
    ['they are removed', removed],
  ])('%s', async (_what, mutation) => {
    const business = await makeTenant(harness);
    const theirs = await elsewhere(business);
    const held = await harness.database.pool.connect();
    try {
      await held.query('BEGIN');
      await held.query('SELECT 1 FROM user_session WHERE id = $1 FOR UPDATE', [theirs.id]);
      const over = comeOver(theirs.key, business);
      await eventually(async () => (await waiting()) === 1);
      let isOut = false;
      const out = harness.graphql(business.key, mutation, { id: theirs.place }).then((answer) => {
        isOut = true;
        return answer;
      });
      // It waits for the switch, or is over.
      await eventually(async () => isOut || (await waiting()) === 2);
      await held.query('COMMIT');
      expect((await over).data.sessionSwitch).toBe(true);
      expect((await out).body.errors).toBeUndefined();
    } finally {
      held.release();
    }
    const { rows } = await harness.database.pool.query(
      'SELECT revoked_at IS NOT NULL AS revoked FROM user_session WHERE id = $1',
      [theirs.id],
    );
    expect(rows).toEqual([{ revoked: true }]);
    expect(await codeOf(theirs.key)).toBe('unauthorized');
  });

  it('and it does not come over later: its person signs in again', async () => {
    const business = await makeTenant(harness);
    const theirs = await elsewhere(business);
    const { body } = await harness.graphql(business.key, ended, { id: theirs.place });
    expect(body.data.memberSessionsRevoke).toBe(0);
    // A place that would refuse it is none of those that it is offered.
    expect(await placesOf(theirs.key)).not.toContain(business.businessId);
    const refused = await comeOver(theirs.key, business);
    expect(refused.errors[0].extensions.code).toBe('forbidden');
    expect(refused.errors[0].message).toContain('sign in again');
    expect(await codeOf(theirs.key)).toBeUndefined();
    const { key } = await sessionOf(harness, { userId: theirs.userId });
    expect(await placesOf(key)).toContain(business.businessId);
    expect((await comeOver(key, business)).data.sessionSwitch).toBe(true);
  });
});

it('a person who is left a member of no business loses their passkeys, and one of two businesses keeps them', async () => {
  const { pool } = harness.database;
  const [first, second] = [await makeTenant(harness), await makeTenant(harness)];
  const person = await holderOf(harness, await first.keyWithRole('viewer'));
  await pool.query(
    `INSERT INTO membership (id, business_id, user_id, role, accepted_at)
     VALUES ('mem_' || right($1, 26), $2, $1, 'viewer', now())`,
    [person.userId, second.businessId],
  );
  await pool.query(
    `INSERT INTO passkey (id, user_id, credential_id, public_key, counter, transports, synced, name)
     VALUES ('psk_' || right($1, 26), $1, sha256($1::bytea), '\\x00', 0, '{}', false, 'Laptop')`,
    [person.userId],
  );
  const remove = async (key: string, id: string) => {
    const { body } = await harness.graphql(
      key,
      'mutation ($id: ID!) { memberRemove(id: $id) { id } }',
      { id },
    );
    expect(body.errors).toBeUndefined();
    const { rows } = await pool.query(
      'SELECT removed_at IS NULL AS works FROM passkey WHERE user_id = $1',
      [person.userId],
    );
    return rows;
  };
  expect(await remove(first.key, person.membershipId)).toEqual([{ works: true }]);
  // An invitation that they have not accepted keeps nothing.
  const third = await makeTenant(harness);
  const invite = 'mutation ($email: String!) { memberInvite(email: $email, role: viewer) { id } }';
  const invited = await harness.graphql(third.key, invite, { email: person.email });
  expect(invited.body.errors).toBeUndefined();
  expect(await remove(second.key, `mem_${person.userId.slice(-26)}`)).toEqual([{ works: false }]);
});

it('nobody signs in to a business from which they are being removed', async () => {
  const business = await makeTenant(harness);
  const person = await holderOf(harness, await business.keyWithRole('viewer'));
  const token = await linkToken(harness, person);
  const held = await harness.database.pool.connect();
  try {
    await held.query('BEGIN');
    await held.query('UPDATE membership SET removed_at = now() WHERE id = $1', [
      person.membershipId,
    ]);
    const answer = signInRequest(harness, '/auth/link/consume', { token });
    await sessionsWait(harness.database.pool, 1);
    await held.query('COMMIT');
    expect((await answer).status).toBe(403);
  } finally {
    held.release();
  }
});

it('whose way into production was a key is out of it with the key', async () => {
  const business = await makeTenant(harness, { environment: 'production' });
  await harness.database.pool.query(
    `UPDATE business SET profile_status = 'accepted' WHERE id = $1`,
    [business.businessId],
  );
  const key = await business.keyWithRole('viewer');
  const session = await sessionLike(harness, key);
  expect(await codeOf(session)).toBeUndefined();
  const revoke = 'mutation ($id: ID!) { apiKeyRevoke(id: $id) { id } }';
  const { keyId } = (await harness.graphql(key, '{ me { keyId } }')).body.data.me;
  expect((await harness.graphql(business.key, revoke, { id: keyId })).body.errors).toBeUndefined();
  expect(await codeOf(session)).toBe('unauthorized');
});

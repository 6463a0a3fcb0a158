import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { addOperatorUser } from '../../../src/access/operator-user.ts';
import { eventually, makeTenant } from '../../support/factory.ts';
import { holderOf, sessionOf } from '../../support/sessions.ts';
import { useHarness, useTenant } from '../../support/use-harness.ts';

const harness = useHarness();
const tenant = useTenant(harness);

const endOthers = async (key: string): Promise<number | string> => {
  const { body } = await harness.graphql(key, 'mutation { otherSessionsRevoke }');
  return body.errors?.[0].extensions.code ?? body.data.otherSessionsRevoke;
};
const codeOf = async (key: string): Promise<string | undefined> =>
  (await harness.graphql(key, '{ viewer { id } }')).body.errors?.[0].extensions.code;
const query = (text: string, values: unknown[]) => harness.database.pool.query(text, values);

async function member(key = tenant.key) {
  const { userId, membershipId } = await holderOf(harness, key);
  return { userId, signIn: (place = membershipId) => sessionOf(harness, { userId }, place) };
}

it('ends all sessions of the person but the one that asks, in all their businesses, and no passkey', async () => {
  const person = await member(await tenant.keyWithRole('viewer'));
  const elsewhere = await makeTenant(harness);
  const { rows } = await query(
    `INSERT INTO membership (id, business_id, user_id, role, accepted_at)
     VALUES ('mem_' || right($1, 26), $2, $1, 'viewer', now()) RETURNING id`,
    [person.userId, elsewhere.businessId],
  );
  await query(
    `INSERT INTO passkey (id, user_id, credential_id, public_key, counter, transports, synced, name)
     VALUES ('psk_' || right($1, 26), $1, sha256($1::bytea), '\\x00', 0, '{}', false, 'Laptop')`,
    [person.userId],
  );
  const [own, here, there] = [
    await person.signIn(),
    await person.signIn(),
    await person.signIn(rows[0].id),
  ];
  const colleague = await (await member()).signIn();
  expect(await endOthers(own.key)).toBe(2);
  expect([await codeOf(here.key), await codeOf(there.key)]).toEqual([
    'unauthorized',
    'unauthorized',
  ]);
  expect([await codeOf(own.key), await codeOf(colleague.key)]).toEqual([undefined, undefined]);
  expect(await endOthers(own.key)).toBe(0);
  const { body } = await harness.graphql(own.key, '{ sessions { id } passkeys { name } }');
  expect(body.data).toEqual({ sessions: [{ id: own.id }], passkeys: [{ name: 'Laptop' }] });
});

it('ends one that was idle too long for good, and does not count it', async () => {
  const person = await member(await tenant.keyWithRole('viewer'));
  const [own, idle] = [await person.signIn(), await person.signIn()];
  await query(
    "UPDATE user_session SET last_seen_at = now() - interval '61 minutes' WHERE id = $1",
    [idle.id],
  );
  expect(await endOthers(own.key)).toBe(0);
  await query('UPDATE user_session SET last_seen_at = now() WHERE id = $1', [idle.id]);
  expect(await codeOf(idle.key)).toBe('unauthorized');
});

it('ends those of an operator in the same way', async () => {
  const email = `${randomUUID()}@example.com`;
  const person = {
    operatorUserId: await addOperatorUser(harness.database.pool, { email, name: 'Ada' }),
  };
  const [own, other] = [await sessionOf(harness, person), await sessionOf(harness, person)];
  expect(await endOthers(own.key)).toBe(1);
  expect([await codeOf(own.key), await codeOf(other.key)]).toEqual([undefined, 'unauthorized']);
});

it('leaves one of two sessions that end each other at the same time', async () => {
  const person = await member(await tenant.keyWithRole('viewer'));
  const both = [await person.signIn(), await person.signIn()];
  const held = await harness.database.pool.connect();
  let answers: (number | string)[];
  try {
    await held.query('BEGIN');
    await held.query('SELECT 1 FROM user_session WHERE user_id = $1 FOR UPDATE', [person.userId]);
    const asked = Promise.all(both.map(({ key }) => endOthers(key)));
    await eventually(async () => {
      const waiting = await query(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
        [],
      );
      return waiting.rows.length === 2;
    });
    await held.query('COMMIT');
    answers = await asked;
  } finally {
    held.release();
  }
  const codes = await Promise.all(both.map(({ key }) => codeOf(key)));
  const winner = answers.indexOf(1);
  expect([answers[winner], answers[1 - winner]]).toEqual([1, 'unauthorized']);
  expect([codes[winner], codes[1 - winner]]).toEqual([undefined, 'unauthorized']);
});

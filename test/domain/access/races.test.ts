import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuthenticate } from '../../../src/access/authenticate.ts';
import { isOperator, type Scope } from '../../../src/access/scope.ts';
import { jobScope } from '../../../src/access/system.ts';
import { loadConfig } from '../../../src/process/config.ts';
import { acceptInvitation } from '../../../src/domain/access/accept-invitation.ts';
import { removeMember } from '../../../src/domain/access/change-member.ts';
import { changeMemberRole } from '../../../src/domain/approval-policy/role-changes.ts';
import { inTransaction } from '../../../src/db/pool.ts';
import { createKey, storeNewKey } from '../../../src/domain/access/create-key.ts';
import { inviteMember } from '../../../src/domain/access/invite-member.ts';
import { updateSettings } from '../../../src/domain/access/settings.ts';
import { updateProfile } from '../../../src/domain/business/profile.ts';
import { DomainError } from '../../../src/errors/domain-error.ts';
import {
  closeServices,
  createServices,
  type Call,
  type Services,
} from '../../../src/process/services.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually, makeTenant } from '../../support/factory.ts';
import { memberToken } from '../../support/member-link.ts';

let database: TestDatabase;
let services: Services;
beforeAll(async () => {
  database = await testDatabase();
  const env = { NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: database.url };
  services = createServices(loadConfig(env), 'api');
});
afterAll(async () => {
  await closeServices(services);
  await database.drop();
});

const rounds = 15;

async function callOf(key: string): Promise<Call> {
  const found = await createAuthenticate(services.pool)(`Bearer ${key}`);
  if (found === null || isOperator(found.caller)) throw new Error('the key does not work');
  return { services, scope: found.caller };
}

function memberId(scope: Scope): string {
  if (scope.actor.type !== 'member') throw new Error('not a member');
  return scope.actor.membership_id;
}

/** What each promise came to: `done`, or the code of its error. */
async function outcomes(work: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(work);
  return settled.map((one) => {
    if (one.status === 'fulfilled') return 'done';
    if (one.reason instanceof DomainError) return one.reason.code;
    throw one.reason;
  });
}

async function count(text: string, values: unknown[]): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n ${text}`,
    values,
  );
  return rows[0]?.n ?? 0;
}

const owners = (businessId: string): Promise<number> =>
  count(`FROM membership WHERE business_id = $1 AND role = 'owner' AND removed_at IS NULL`, [
    businessId,
  ]);

/** Statements that wait for a lock. */
const waiting = `FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

test('of owners who remove or demote each other at once, one is left', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const tenant = await makeTenant({ database });
    const keys = [tenant.key, await tenant.keyWithRole('owner'), await tenant.keyWithRole('owner')];
    const calls = await Promise.all(keys.map(callOf));
    const ids = calls.map((call) => memberId(call.scope));
    const results = await outcomes(
      calls.map((call, index) => {
        const id = ids[(index + 1) % ids.length] ?? '';
        return (round + index) % 2 === 0
          ? removeMember(call, id)
          : changeMemberRole(call, { id, role: 'viewer' });
      }),
    );
    const [last, ...others] = results.toSorted(
      (a, b) => Number(a === 'done') - Number(b === 'done'),
    );
    expect(others).toEqual(['done', 'done']);
    // The last owner stays, unless the key that would end them was ended by one of the others.
    expect(['conflict', 'unauthorized']).toContain(last);
    expect(await owners(tenant.businessId)).toBe(1);
  }
});

test('a key made while its member is removed or demoted does not outlive that', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const tenant = await makeTenant({ database });
    const owner = await callOf(tenant.key);
    const admin = await callOf(await tenant.keyWithRole('admin'));
    const membershipId = memberId(admin.scope);
    const end = (): Promise<unknown> =>
      round % 2 === 0
        ? removeMember(owner, membershipId)
        : changeMemberRole(owner, { id: membershipId, role: 'viewer' });
    const make = (): Promise<unknown> => createKey(admin, { role: 'developer' });
    const results = await outcomes([make(), make(), end(), make(), make()]);
    expect(results[2]).toBe('done');
    for (const result of results) {
      expect(['done', 'not_found', 'unprocessable_entity', 'conflict']).toContain(result);
    }
    const live = await count(
      `FROM api_key WHERE membership_id = $1 AND revoked_at IS NULL AND role <> 'viewer'`,
      [membershipId],
    );
    expect(live).toBe(0);
  }
});

test.each(['removal', 'smaller role'])(
  'a key that is just being made is revoked by a %s that waits for it',
  async (change) => {
    const tenant = await makeTenant({ database });
    const owner = await callOf(tenant.key);
    const admin = await callOf(await tenant.keyWithRole('admin'));
    const membershipId = memberId(admin.scope);
    const order = { membershipId, role: 'developer', name: null } as const;
    const ended = await inTransaction(services.pool, async (client) => {
      await storeNewKey(client, admin.scope, order);
      const ending =
        change === 'removal'
          ? removeMember(owner, membershipId)
          : changeMemberRole(owner, { id: membershipId, role: 'viewer' });
      await eventually(async () => (await count(waiting, [])) > 0);
      return { ending };
    });
    await ended.ending;
    const live = 'FROM api_key WHERE membership_id = $1 AND revoked_at IS NULL';
    expect(await count(live, [membershipId])).toBe(0);
  },
);

test('a key waits for the removal of its member and is refused', async () => {
  const tenant = await makeTenant({ database });
  const admin = await callOf(await tenant.keyWithRole('admin'));
  const membershipId = memberId(admin.scope);
  const client = await database.pool.connect();
  await client.query('BEGIN');
  await client.query('UPDATE membership SET removed_at = now() WHERE id = $1', [membershipId]);
  const made = outcomes([createKey(admin, { role: 'viewer' })]);
  await client.query('COMMIT');
  client.release();
  expect(await made).toEqual(['not_found']);
});

/** A business whose profile is accepted, and the scope in which its production keys are issued. */
async function accepted() {
  const tenant = await makeTenant({ database });
  await database.pool.query(`UPDATE business SET profile_status = 'accepted' WHERE id = $1`, [
    tenant.businessId,
  ]);
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT id FROM tenant WHERE business_id = $1 AND environment = 'production'`,
    [tenant.businessId],
  );
  const actor = { type: 'system', name: 'test' } as const;
  const production = await jobScope(services.pool, rows[0]?.id ?? '', actor);
  const call = await callOf(tenant.key);
  const order = { membershipId: memberId(call.scope), role: 'owner', name: null } as const;
  return { tenant, call, production, order };
}

test.each([
  ['settings', (call: Call) => updateSettings(call, true)],
  ['invitation', (call: Call) => inviteMember(call, { email: 'late@example.com', role: 'viewer' })],
  ['removal', (call: Call, id: string) => removeMember(call, id)],
  ['new role', (call: Call, id: string) => changeMemberRole(call, { id, role: 'viewer' })],
  ['legal identity', (call: Call) => updateProfile(call, { legalName: 'Late Ltd' })],
])('a sandbox key’s %s waits for the first production key and is refused', async (_name, run) => {
  const { tenant, call, production, order } = await accepted();
  await database.pool.query(
    `UPDATE business SET legal_name = 'A', registration_number = '1', country = 'GB',
       address = '{}', website = 'https://a.example', industry = 'x', contact_phone = '55501'
     WHERE id = $1`,
    [tenant.businessId],
  );
  const other = memberId((await callOf(await tenant.keyWithRole('preparer'))).scope);
  const begun = await inTransaction(services.pool, async (client) => {
    await storeNewKey(client, production, order);
    const running = outcomes([run(call, other)]);
    await eventually(async () => (await count(waiting, [])) > 0);
    return { running };
  });
  expect(await begun.running).toEqual(['forbidden']);
  expect(await count('FROM app_user WHERE email_key = $1', ['late@example.com'])).toBe(0);
});

test('a production key waits for a change of the profile and is refused', async () => {
  const { tenant, production, order } = await accepted();
  const begun = await inTransaction(services.pool, async (client) => {
    await client.query(`UPDATE business SET profile_status = 'submitted' WHERE id = $1`, [
      tenant.businessId,
    ]);
    const storing = inTransaction(services.pool, (other) => storeNewKey(other, production, order));
    const running = outcomes([storing]);
    await eventually(async () => (await count(waiting, [])) > 0);
    return { running };
  });
  expect(await begun.running).toEqual(['forbidden']);
});

test('one of many equal invitations makes the member, and businesses do not disturb each other', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const tenants = [await makeTenant({ database }), await makeTenant({ database })];
    const calls = await Promise.all(tenants.map((tenant) => callOf(tenant.key)));
    const email = `guest-${round}@example.com`;
    const results = await outcomes(
      [...calls, ...calls, ...calls].map((call) => inviteMember(call, { email, role: 'viewer' })),
    );
    expect(results.filter((result) => result === 'done')).toHaveLength(2);
    expect(results.filter((result) => result === 'conflict')).toHaveLength(4);
    expect(await count('FROM app_user WHERE email_key = $1', [email])).toBe(1);
  }
});

/** An invited member with the token of their mail, and a call of the owner who invited them. */
async function invitee() {
  const owner = await callOf((await makeTenant({ database })).key);
  const email = `invitee-${Date.now()}-${Math.random()}@example.com`;
  const { id } = await inviteMember(owner, { email, role: 'approver' });
  const token = (await memberToken({ services }, id)) ?? '';
  const client = { services, clientAddress: null, reportLimit: () => undefined };
  return { owner, id, accept: () => acceptInvitation(client, token) };
}

const liveKeys = (id: string): Promise<number> =>
  count('FROM api_key WHERE membership_id = $1 AND revoked_at IS NULL', [id]);

test('of two acceptances of one invitation the second waits for the first and gets no key', async () => {
  const { owner, id, accept } = await invitee();
  const begun = await inTransaction(services.pool, async (client) => {
    await client.query('SELECT FROM business WHERE id = $1 FOR UPDATE', [owner.scope.businessId]);
    const running = outcomes([accept(), accept()]);
    await eventually(async () => (await count(waiting, [])) === 2);
    return { running };
  });
  expect((await begun.running).toSorted()).toEqual(['conflict', 'done']);
  expect(await liveKeys(id)).toBe(1);
});

test('an acceptance waits for the removal of its member and gets no key', async () => {
  const { owner, id, accept } = await invitee();
  const client = await database.pool.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM membership WHERE id = $1 FOR UPDATE', [id]);
  const removal = outcomes([removeMember(owner, id)]);
  await eventually(async () => (await count(waiting, [])) === 1);
  const acceptance = outcomes([accept()]);
  await eventually(async () => (await count(waiting, [])) === 2);
  await client.query('COMMIT');
  client.release();
  expect([await removal, await acceptance]).toEqual([['done'], ['conflict']]);
  expect(await liveKeys(id)).toBe(0);
});

test('a removal that waits for an acceptance revokes the key that it gave', async () => {
  const { owner, id, accept } = await invitee();
  const client = await database.pool.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM member_invitation WHERE membership_id = $1 FOR UPDATE', [id]);
  const acceptance = outcomes([accept()]);
  await eventually(async () => (await count(waiting, [])) === 1);
  const removal = outcomes([removeMember(owner, id)]);
  await eventually(async () => (await count(waiting, [])) === 2);
  await client.query('COMMIT');
  client.release();
  expect([await acceptance, await removal]).toEqual([['done'], ['done']]);
  expect(await liveKeys(id)).toBe(0);
});

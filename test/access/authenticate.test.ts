import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAuthenticate, type Authenticate } from '../../src/access/authenticate.ts';
import { makeKey } from '../../src/access/key.ts';
import { issueOperatorKey, revokeOperatorKey } from '../../src/access/operator-key.ts';
import { newId } from '../../src/values/ids.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { makeTenant } from '../support/factory.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const idOf = (key: string): string => `key_${key.split('_')[2] ?? ''}`;
const bearer = (key: string): string => `Bearer ${key}`;

/** Two processes with one clock that the test moves. */
function twoProcesses() {
  const clock = { now: 1_000_000 };
  const make = (): Authenticate => createAuthenticate(database.pool, () => clock.now);
  return { clock, processes: [make(), make()] as const };
}

async function revoke(key: string): Promise<void> {
  const values = [idOf(key)];
  await database.pool.query('UPDATE api_key SET revoked_at = now() WHERE id = $1', values);
}

test('a key stands for its member, tenant and environment', async () => {
  const tenant = await makeTenant({ database });
  const [authenticate] = twoProcesses().processes;
  const found = await authenticate(bearer(tenant.key));
  expect(found?.caller).toMatchObject({
    tenantId: tenant.tenantId,
    businessId: tenant.businessId,
    environment: 'sandbox',
    actor: { type: 'member', key_id: idOf(tenant.key), role: 'owner' },
  });
});

test('a revoked key stops within a second on every process', async () => {
  const { key } = await makeTenant({ database });
  const { clock, processes } = twoProcesses();
  for (const authenticate of processes) expect(await authenticate(bearer(key))).not.toBeNull();
  await revoke(key);
  clock.now += 1_000;
  for (const authenticate of processes) expect(await authenticate(bearer(key))).toBeNull();
});

test('the second begins before the key is read', async () => {
  const { key } = await makeTenant({ database });
  const clock = { now: 1_000_000 };
  const slow = new Pool({ connectionString: database.url, max: 1 });
  const query = slow.query.bind(slow) as (...given: unknown[]) => unknown;
  vi.spyOn(slow, 'query').mockImplementation(async (...given: unknown[]) => {
    const result = await query(...given);
    clock.now += 700; // the answer was on its way for so long
    return result;
  });
  const authenticate = createAuthenticate(slow, () => clock.now);
  expect(await authenticate(bearer(key))).not.toBeNull();
  await revoke(key);
  clock.now += 300;
  expect(await authenticate(bearer(key))).toBeNull();
  await slow.end();
});

test('a mistyped key is refused without a look into the database', async () => {
  const { key } = await makeTenant({ database });
  const unreachable = new Pool({ connectionString: 'postgresql://127.0.0.1:9/none' });
  const authenticate = createAuthenticate(unreachable);
  const mistyped = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
  for (const header of [bearer(mistyped), bearer('x'), `Basic ${key}`, key, '', undefined]) {
    expect(await authenticate(header)).toBeNull();
  }
  await unreachable.end();
});

test('a known id with another secret is refused, disturbs nobody and counts as no use', async () => {
  const { key } = await makeTenant({ database });
  const [authenticate] = twoProcesses().processes;
  const forged = makeKey('sandbox', idOf(key)).key;
  const otherEnvironment = makeKey('production', idOf(key)).key;
  for (const wrong of [forged, otherEnvironment, makeKey('sandbox', newId('apiKey')).key]) {
    expect(await authenticate(bearer(wrong))).toBeNull();
  }
  const lastUsed = async (): Promise<Date | null> => {
    const text = 'SELECT last_used_at FROM api_key WHERE id = $1';
    return (await database.pool.query(text, [idOf(key)])).rows[0].last_used_at;
  };
  expect(await lastUsed()).toBeNull();
  expect(await authenticate(bearer(key))).not.toBeNull();
  expect(await authenticate(bearer(forged))).toBeNull();
  expect(await authenticate(bearer(key))).not.toBeNull();
  expect(await lastUsed()).not.toBeNull();
});

test('an operator key with another secret counts as no use', async () => {
  const { id, key } = await issueOperatorKey(database.pool, 'Ada');
  const [authenticate] = twoProcesses().processes;
  const text = 'SELECT last_used_at AS at FROM operator_key WHERE id = $1';
  expect(await authenticate(bearer(makeKey('operator', id).key))).toBeNull();
  expect((await database.pool.query(text, [id])).rows).toEqual([{ at: null }]);
  expect(await authenticate(bearer(key))).not.toBeNull();
  expect((await database.pool.query(text, [id])).rows).toEqual([{ at: expect.any(Date) }]);
});

test('the environment in the text must be that of the key', async () => {
  const { businessId, tenantId, key } = await makeTenant({ database });
  const swap = 'UPDATE tenant SET environment = $3 WHERE business_id = $1 AND id = $2';
  await database.pool.query('DELETE FROM tenant WHERE business_id = $1 AND id <> $2', [
    businessId,
    tenantId,
  ]);
  await database.pool.query(swap, [businessId, tenantId, 'production']);
  const [authenticate] = twoProcesses().processes;
  expect(await authenticate(bearer(key))).toBeNull();
});

test('a removed member has no key, whatever the key says', async () => {
  const { key, businessId } = await makeTenant({ database });
  const text = 'UPDATE membership SET removed_at = now() WHERE business_id = $1';
  await database.pool.query(text, [businessId]);
  const [authenticate] = twoProcesses().processes;
  expect(await authenticate(bearer(key))).toBeNull();
});

test('an operator key stands for the operator and opens no tenant', async () => {
  const { clock, processes } = twoProcesses();
  const { id, key } = await issueOperatorKey(database.pool, 'On call');
  for (const authenticate of processes) {
    const found = await authenticate(bearer(key));
    expect(found?.caller).toEqual({
      operator: { type: 'operator', key_id: id },
      sessionId: null,
    });
  }
  expect(await processes[0](bearer(makeKey('operator', id).key))).toBeNull();
  expect(await processes[0](bearer(makeKey('operator', newId('operatorKey')).key))).toBeNull();
  const first = await revokeOperatorKey(database.pool, id);
  expect(first).toBeInstanceOf(Date);
  expect(await revokeOperatorKey(database.pool, id)).toEqual(first);
  expect(await revokeOperatorKey(database.pool, newId('operatorKey'))).toBeNull();
  clock.now += 1_000;
  for (const authenticate of processes) expect(await authenticate(bearer(key))).toBeNull();
});

test('only who holds the whole key learns that it was revoked', async () => {
  const { key } = await makeTenant({ database });
  const [authenticate] = twoProcesses().processes;
  const why = async (header: string | undefined) => {
    const attempt = await authenticate.attempt(header);
    return 'refused' in attempt ? attempt.refused : 'works';
  };
  const forged = bearer(makeKey('sandbox', idOf(key)).key);
  const ofOtherEnvironment = bearer(makeKey('production', idOf(key)).key);
  const nobodys = bearer(makeKey('sandbox', newId('apiKey')).key);
  expect(await why(bearer(key))).toBe('works');
  const strangers = async () => [
    await why(forged),
    await why(ofOtherEnvironment),
    await why(nobodys),
  ];
  expect(await strangers()).toEqual(['unknown', 'unknown', 'unknown']);
  await revoke(key);
  const [later] = twoProcesses().processes;
  expect(await later.attempt(bearer(key))).toEqual({ refused: 'revoked' });
  expect(later.recognises(bearer(key))).toBe(false);
  expect(await strangers()).toEqual(['unknown', 'unknown', 'unknown']);
  expect(await why(undefined)).toBe('missing');
  expect(await why(`Basic ${key}`)).toBe('missing');
  expect(await why(bearer(key.slice(0, -1)))).toBe('malformed');
});

test('the same holds for the key of an operator and of a member who left', async () => {
  const [authenticate] = twoProcesses().processes;
  const operator = await issueOperatorKey(database.pool, 'On call');
  await revokeOperatorKey(database.pool, operator.id);
  expect(await authenticate.attempt(bearer(operator.key))).toEqual({ refused: 'revoked' });
  const forged = bearer(makeKey('operator', operator.id).key);
  expect(await authenticate.attempt(forged)).toEqual({ refused: 'unknown' });
  const { key, businessId } = await makeTenant({ database });
  const leave = 'UPDATE membership SET removed_at = now() WHERE business_id = $1';
  await database.pool.query(leave, [businessId]);
  expect(await authenticate.attempt(bearer(key))).toEqual({ refused: 'revoked' });
});

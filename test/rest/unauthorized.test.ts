import { beforeAll, expect, test } from 'vitest';
import { makeKey } from '../../src/access/key.ts';
import { newId } from '../../src/values/ids.ts';
import { makeTenant } from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });
let revoked: string;
beforeAll(async () => {
  ({ key: revoked } = await makeTenant(harness));
  await harness.database.pool.query('UPDATE api_key SET revoked_at = now() WHERE id = $1', [
    idOf(revoked),
  ]);
});

const idOf = (key: string): string => `key_${key.split('_')[2] ?? ''}`;

/** What REST and GraphQL say to a header, which is the same. */
async function told(authorization: string | undefined): Promise<string> {
  const headers = authorization === undefined ? {} : { authorization };
  const rest = await harness.rest('GET', '/v1/payouts', { headers });
  expect([rest.status, rest.body.error.code]).toEqual([401, 'unauthorized']);
  expect(rest.headers.get('www-authenticate')).toBe('Bearer');
  const body = { query: '{ me { role } }' };
  const graphql = await harness.rest('POST', '/graphql', { headers, body });
  const [{ message, extensions }] = graphql.body.errors;
  expect([graphql.status, extensions.code]).toEqual([401, 'unauthorized']);
  expect(message).toBe(rest.body.error.message);
  return message;
}

test('a 401 says what is wrong with the key', async () => {
  expect(await told(undefined)).toMatch(/^There is no API key/);
  expect(await told('Basic eDp5')).toMatch(/^There is no API key/);
  expect(await told('Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc')).toMatch(/incomplete or mistyped/);
  expect(await told(`Bearer ${revoked.slice(0, -1)}`)).toMatch(/incomplete or mistyped/);
  expect(await told(`Bearer ${revoked}`)).toMatch(/was revoked/);
});

test('a page without a session is told to sign in, and hears of no key', async () => {
  const page = { origin: harness.services.config.PUBLIC_URL, 'x-payouts-console': '1' };
  const { body } = await harness.rest('POST', '/graphql', {
    headers: page,
    body: { query: '{ viewer { id } }' },
  });
  expect(body.errors[0].extensions.code).toBe('unauthorized');
  expect(body.errors[0].message).toMatch(/^You are not signed in/);
  const path = `/v1/exports/${newId('export')}`;
  const file = async (site: string) =>
    (await harness.rest('GET', path, { headers: { 'sec-fetch-site': site } })).body.error.message;
  expect(await file('same-origin')).toMatch(/^You are not signed in/);
  expect(await file('cross-site')).toMatch(/^There is no API key/);
});

test('a key that one does not hold is as unknown as one that never was', async () => {
  const guessed = await told(`Bearer ${makeKey('sandbox', idOf(revoked)).key}`);
  expect(guessed).toBe(await told(`Bearer ${makeKey('sandbox', newId('apiKey')).key}`));
  expect(guessed).toMatch(/knows no such API key/);
});

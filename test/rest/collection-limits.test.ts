import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newAddress } from '../support/beneficiaries.ts';
import { formCalls, inviteOne, refusalOf } from '../support/collection.ts';
import { makeTenant } from '../support/factory.ts';
import type { RestAnswer } from '../support/harness.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const harness = useHarness({
  worker: false,
  env: {
    COLLECTION_LINK_RATE_LIMIT: '4',
    COLLECTION_ADDRESS_RATE_LIMIT: '10',
    TRUSTED_PROXIES: '1',
    COLLECTION_MAILS_PER_DAY_THIN: '3',
    COLLECTION_MAILS_PER_DAY: '6',
  },
});
const tenant = useTenant(harness);

const query = 'query ($token: String!) { collectionForm(token: $token) { state } }';

/** Opens a link from a client address. */
const openFrom = (address: string, token: string): Promise<RestAnswer> =>
  harness.rest('POST', '/graphql', {
    body: { query, variables: { token } },
    headers: { 'x-forwarded-for': address },
  });

const invite = () =>
  inviteOne(harness, tenant, {
    email: newAddress(),
    beneficiary_type: 'business',
    business_name: 'Engines Ltd',
  });

it('one link is used so often a minute, from wherever', async () => {
  const { token } = await invite();
  for (let use = 1; use <= 4; use += 1) {
    const answer = await openFrom(`192.0.2.${use}`, token);
    expect(answer.body.data.collectionForm.state).toBe('live');
    expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"collection";r=${4 - use};t=`));
  }
  const refused = await openFrom('192.0.2.5', token);
  expect(refusalOf(refused)).toEqual({ code: 'too_many_requests', details: [] });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // Saving and submitting count too, and another link does not.
  expect(refusalOf(await formCalls(harness).submit(token))?.code).toBe('too_many_requests');
  expect(refusalOf(await formCalls(harness).save(token, {}))?.code).toBe('too_many_requests');
  expect((await openFrom('192.0.2.6', (await invite()).token)).body.errors).toBeUndefined();
});

it('one address opens so many a minute, guesses included, which leave no rows', async () => {
  const rows = async (): Promise<number> => {
    const { rows } = await harness.database.pool.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM rate_limit`,
    );
    return rows[0]?.count ?? 0;
  };
  const before = await rows();
  for (let guess = 1; guess <= 10; guess += 1) {
    const answer = await openFrom('198.51.100.7', randomBytes(32).toString('base64url'));
    expect(answer.body).toEqual({ data: { collectionForm: null } });
  }
  expect(await rows()).toBe(before + 1);
  const { token } = await invite();
  const refused = await openFrom('198.51.100.7', token);
  expect(refusalOf(refused)?.code).toBe('too_many_requests');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await openFrom('198.51.100.8', token)).body.data.collectionForm.state).toBe('live');
});

describe('mails of a day', () => {
  const row = (email: string) => ({
    email,
    beneficiary_type: 'business',
    business_name: 'Engines Ltd',
  });
  const post = async (key: string, emails: readonly string[]): Promise<(string | null)[]> => {
    const answer = await harness.rest('POST', '/v1/beneficiaries/collection-invites', {
      key,
      body: { invites: emails.map(row) },
    });
    return answer.body.results.map((one: { error: { code: string } | null }) =>
      one.error === null ? null : one.error.code,
    );
  };

  it('are bounded for each tenant: the rows beyond fail and register nobody', async () => {
    const own = await makeTenant(harness);
    const emails = Array.from({ length: 5 }, () => newAddress());
    const beyond = 'too_many_requests';
    expect(await post(own.key, emails)).toEqual([null, null, null, beyond, beyond]);
    const { rows } = await harness.database.pool.query(
      'SELECT 1 FROM beneficiary WHERE tenant_id = $1',
      [own.tenantId],
    );
    expect(rows).toHaveLength(3);
    // A repetition mails nothing, and so costs nothing.
    expect(await post(own.key, emails.slice(1, 4))).toEqual([null, null, beyond]);
    expect(await post((await makeTenant(harness)).key, emails)).toContain(null);
  });

  it('are more once the profile is accepted, and in production', async () => {
    const own = await makeTenant(harness);
    const emails = Array.from({ length: 7 }, () => newAddress());
    const profile = (status: string) =>
      harness.database.pool.query(`UPDATE business SET profile_status = $2 WHERE id = $1`, [
        own.businessId,
        status,
      ]);
    const last = ['too_many_requests'];
    // Whoever registers can submit a profile, so that alone is worth nothing.
    await profile('submitted');
    expect((await post(own.key, emails.slice(0, 4))).filter((one) => one !== null)).toEqual(last);
    await profile('accepted');
    await harness.database.pool.query('DELETE FROM rate_limit WHERE scope = $1', [
      `collection-mail:${own.tenantId}`,
    ]);
    await harness.database.pool.query('DELETE FROM collection_link');
    await harness.database.pool.query('DELETE FROM collection_request WHERE tenant_id = $1', [
      own.tenantId,
    ]);
    expect((await post(own.key, emails)).filter((one) => one !== null)).toEqual(last);
    const production = await makeTenant(harness, { environment: 'production' });
    expect((await post(production.key, emails)).filter((one) => one !== null)).toEqual(last);
  });
});

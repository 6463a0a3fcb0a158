import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addOperatorUser, revokeOperatorUser } from '../../../src/access/operator-user.ts';
import { startCompanyPage, type CompanyPage } from '../../support/company-page.ts';
import { asKey } from '../../support/credential.ts';
import { makeTenant } from '../../support/factory.ts';
import { startHarness, type Harness } from '../../support/harness.ts';
import { claimsOf, register } from '../../support/registration-proof.ts';
import { holderOf } from '../../support/sessions.ts';

let company: CompanyPage;
let harness: Harness;

beforeAll(async () => {
  company = await startCompanyPage();
  harness = await startHarness({
    worker: false,
    env: {
      LOG_LEVEL: 'silent',
      ...company.env,
      OIDC_DOMAINS: 'example.com, Company.example',
      OIDC_ROLES: 'finance-leads=approver,everybody=viewer',
    },
  });
  company.open(harness.services.config.PUBLIC_URL);
});
afterAll(async () => {
  await harness.close();
  await company.close();
});

/** The cookies of one browser, which follows redirects by hand. */
class Jar {
  readonly #cookies = new Map<string, string>();

  async get(url: string): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const text of answer.headers.getSetCookie()) {
      const [pair = ''] = text.split(';');
      const at = pair.indexOf('=');
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }

  set(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  value(name: string): string | undefined {
    return this.#cookies.get(name);
  }
}

const locationOf = (answer: Response): string => answer.headers.get('location') ?? '';
const startPath = '/auth/oidc/start';

/** Signs in at the company's page; the address to which it then sends the browser back. */
async function wayBack(jar: Jar, query = ''): Promise<string> {
  const started = await jar.get(harness.baseUrl + startPath + query);
  expect(started.status).toBe(303);
  let at = locationOf(started);
  for (let step = 0; step < 6 && !at.includes('/auth/oidc/callback'); step += 1) {
    at = new URL(locationOf(await jar.get(at)), at).href;
  }
  const { search, pathname } = new URL(at);
  return harness.baseUrl + pathname + search;
}

async function signIn(query = ''): Promise<{ jar: Jar; answer: Response }> {
  const jar = new Jar();
  return { jar, answer: await jar.get(await wayBack(jar, query)) };
}

const viewerOf = async (jar: Jar) => {
  const session = jar.value('__Host-payouts_session') ?? '';
  const query = '{ viewer { id role isOperator session { signedInBy } } }';
  return (await harness.graphql(asKey(session), query)).body.data?.viewer;
};

async function member(role: 'owner' | 'preparer' | 'viewer' = 'owner') {
  const tenant = await makeTenant(harness);
  return holderOf(harness, role === 'owner' ? tenant.key : await tenant.keyWithRole(role));
}

const problemOf = (answer: Response) =>
  new URL(locationOf(answer)).searchParams.get('error') ?? new URL(locationOf(answer)).pathname;

describe("a company's page signs in", () => {
  it('a member, with no more rights than the group has', async () => {
    const { userId, email } = await member('owner');
    company.claims = { email, email_verified: true, groups: ['everybody', 'finance-leads'] };
    const { jar, answer } = await signIn();
    expect([answer.status, problemOf(answer)]).toEqual([303, '/console/']);
    expect(await viewerOf(jar)).toEqual({
      id: userId,
      role: 'approver',
      isOperator: false,
      session: { signedInBy: 'oidc' },
    });
    expect(jar.value('__Host-payouts_oidc')).toBe('');
  });

  it('a member, with no more rights than the member has', async () => {
    const viewer = await member('viewer');
    company.claims = { email: viewer.email, email_verified: true, groups: ['finance-leads'] };
    expect(await viewerOf((await signIn()).jar)).toMatchObject({ role: 'viewer' });
    // Each has a right that the other lacks.
    const preparer = await member('preparer');
    company.claims = { email: preparer.email, email_verified: 'true', groups: ['finance-leads'] };
    expect(await viewerOf((await signIn()).jar)).toMatchObject({ role: 'viewer' });
  });

  it('who registered with the address, which is proven by it, as the person whom others invited', async () => {
    const email = `ada-${randomUUID()}@example.com`;
    const inviter = await makeTenant(harness);
    await harness.graphql(
      inviter.key,
      'mutation ($email: String!) { memberInvite(email: $email, role: viewer) { id } }',
      { email },
    );
    const registered = await register(harness, email);
    company.claims = { email, email_verified: true, groups: ['finance-leads'] };
    const first = await viewerOf((await signIn()).jar);
    expect(first).toMatchObject({ role: 'approver' });
    expect(first.id).not.toBe(registered.userId);
    expect(await claimsOf(harness, registered.businessId)).toMatchObject({ proven: true });
    expect(await viewerOf((await signIn()).jar)).toMatchObject({ id: first.id });
    const answer = await harness.rest('GET', '/v1/business/profile', { key: registered.key });
    expect(answer.status).toBe(401);
  });

  it('an operator, and not the business that a stranger registered with their address', async () => {
    const email = `ops-${randomUUID()}@example.com`;
    await addOperatorUser(harness.database.pool, { email, name: 'Grace' });
    const registered = await register(harness, email);
    company.claims = { email, email_verified: true, groups: ['everybody'] };
    expect(await viewerOf((await signIn()).jar)).toMatchObject({ isOperator: true });
    expect(await claimsOf(harness, registered.businessId)).toMatchObject({ proven: false });
  });

  it('an operator', async () => {
    const id = await addOperatorUser(harness.database.pool, {
      email: 'on-call@company.example',
      name: 'Ada',
    });
    company.claims = {
      email: 'On-Call@Company.example',
      email_verified: true,
      groups: ['everybody'],
    };
    expect(await viewerOf((await signIn('?as=operator')).jar)).toMatchObject({
      id,
      isOperator: true,
      role: null,
    });
  });
});

describe("a company's page does not sign in", () => {
  it.each([
    ['who is of another domain', { email: 'a@elsewhere.example' }, 'other_domain'],
    ['whose address it did not check', { email_verified: false }, 'other_domain'],
    ['of whose address it does not say that', { email_verified: undefined }, 'other_domain'],
    ['whose address it did not check, as a text', { email_verified: 'false' }, 'other_domain'],
    ['of a domain that only ends like theirs', { email: 'a@notexample.com' }, 'other_domain'],
    [
      'of a domain that only begins like theirs',
      { email: 'a@example.com.evil.example' },
      'other_domain',
    ],
    ['with a second address in the first', { email: 'a@example.com@evil.example' }, 'other_domain'],
    ['who has no address', { email: undefined }, 'other_domain'],
    ['who is of no group that may do anything', { groups: ['visitors'] }, 'no_role'],
    ['who is in no group', { groups: undefined }, 'no_role'],
    ['who is no member', { email: 'nobody@example.com' }, 'no_member'],
  ])('%s', async (_who, changed, problem) => {
    const { email } = await member();
    company.claims = { email, email_verified: true, groups: ['everybody'], ...changed };
    const { jar, answer } = await signIn();
    expect(problemOf(answer)).toBe(problem);
    expect(jar.value('__Host-payouts_session')).toBeUndefined();
  });

  it('a browser that did not begin, twice, or with another state or code', async () => {
    const { email } = await member();
    company.claims = { email, email_verified: true, groups: ['everybody'] };
    const begun = new Jar();
    const back = await wayBack(begun);
    expect(problemOf(await new Jar().get(back))).toBe('not_begun');
    const other = new Jar();
    await wayBack(other);
    // The code of one browser is of no use in another.
    expect(problemOf(await other.get(back))).toBe('not_confirmed');
    const changed = (name: string) => {
      const url = new URL(back);
      url.searchParams.set(name, 'x');
      return url.href;
    };
    for (const name of ['state', 'code', 'iss']) {
      const jar = new Jar();
      await wayBack(jar);
      expect(problemOf(await jar.get(changed(name))), name).toBe('not_confirmed');
    }
    expect(problemOf(await begun.get(back))).toBe('/console/');
    expect(problemOf(await begun.get(back))).toBe('not_begun');
  });
});

describe('what the browser kept', () => {
  const place = { tenantId: '', row: 'sign-in', field: 'oidc' };
  const cookie = '__Host-payouts_oidc';

  /** Comes back with one part of what the browser kept changed, and the rest in order. */
  async function backWith(change: Record<string, unknown>): Promise<string> {
    const { email } = await member();
    company.claims = { email, email_verified: true, groups: ['everybody'] };
    const jar = new Jar();
    const back = await wayBack(jar);
    const { keyring } = harness.services;
    const kept = keyring.decrypt(Buffer.from(jar.value(cookie) ?? '', 'base64url'), place);
    const text = JSON.stringify({ ...JSON.parse(kept), ...change });
    jar.set(cookie, keyring.encrypt(text, place).toString('base64url'));
    return problemOf(await jar.get(back));
  }

  it.each([
    ['state', 'another', 'not_confirmed'],
    ['nonce', 'another', 'not_confirmed'],
    ['verifier', 'another'.repeat(8), 'not_confirmed'],
    ['until', 0, 'not_begun'],
  ])('keeps out with another %s alone', async (part, value, problem) => {
    expect(await backWith({})).toBe('/console/');
    expect(await backWith({ [part]: value })).toBe(problem);
  });
});

describe('a browser is led back to the sign-in page', () => {
  it('when its address tries too often', async () => {
    const { pool, config } = harness.services;
    const jar = new Jar();
    const setUsed = (used: number) =>
      pool.query(`UPDATE rate_limit SET used = $1 WHERE scope LIKE 'sign-in:%'`, [used]);
    await setUsed(config.SIGN_IN_RATE_LIMIT);
    for (const path of [startPath, '/auth/oidc/callback?code=x&state=y']) {
      const answer = await jar.get(harness.baseUrl + path);
      expect([answer.status, problemOf(answer)]).toEqual([303, 'too_many']);
      expect(answer.headers.get('retry-after')).not.toBeNull();
    }
    await setUsed(0);
  });
});

describe('an identity of a company', () => {
  const come = async (email: string, sub: string, query = '') => {
    company.claims = { sub, email, email_verified: true, groups: ['finance-leads'] };
    const { jar, answer } = await signIn(query);
    return { problem: problemOf(answer), id: (await viewerOf(jar))?.id };
  };
  const refused = (problem: string) => ({ problem, id: undefined });

  it('stays the person whom it was bound to, whatever becomes of the address', async () => {
    const [ada, grace] = [await member(), await member()];
    expect(await come(ada.email, `${ada.userId}-a`)).toMatchObject({ id: ada.userId });
    // The company gave the address to somebody else.
    expect(await come(ada.email, `${ada.userId}-b`)).toEqual(refused('other_identity'));
    // Ada has a new one, even one that a member has here.
    const renamed = `renamed-${ada.userId.slice(-8)}@example.com`;
    for (const address of [renamed, grace.email]) {
      expect(await come(address, `${ada.userId}-a`)).toMatchObject({ id: ada.userId });
    }
    expect(await come('ada@elsewhere.example', `${ada.userId}-a`)).toEqual(refused('other_domain'));
    expect(await come(grace.email, `${grace.userId}-a`)).toMatchObject({ id: grace.userId });
  });

  it('is of one issuer: another one may give the same subject to somebody else', async () => {
    const [ada, grace] = [await member(), await member()];
    await harness.database.pool.query(
      `INSERT INTO oidc_identity (issuer, subject, user_id) VALUES ('https://other.example', $1, $2)`,
      [`${grace.userId}-a`, ada.userId],
    );
    expect(await come(grace.email, `${grace.userId}-a`)).toMatchObject({ id: grace.userId });
  });

  it('ends with the last membership, so that the address can be invited again', async () => {
    const tenant = await makeTenant(harness);
    const theirs = await holderOf(harness, await tenant.keyWithRole('approver'));
    expect(await come(theirs.email, `${theirs.userId}-a`)).toMatchObject({ id: theirs.userId });
    const remove = 'mutation ($id: ID!) { memberRemove(id: $id) { id } }';
    const { body } = await harness.graphql(tenant.key, remove, { id: theirs.membershipId });
    expect(body.errors).toBeUndefined();
    expect(await come(theirs.email, `${theirs.userId}-a`)).toEqual(refused('no_member'));
    await harness.database.pool.query('UPDATE membership SET removed_at = NULL WHERE id = $1', [
      theirs.membershipId,
    ]);
    expect(await come(theirs.email, `${theirs.userId}-b`)).toMatchObject({ id: theirs.userId });
    expect(await come(theirs.email, `${theirs.userId}-a`)).toEqual(refused('other_identity'));
  });

  it('is that of an operator until they are revoked, beside that of a member', async () => {
    const { pool } = harness.database;
    const { email, userId } = await member();
    const operatorId = await addOperatorUser(pool, { email, name: 'Ada' });
    expect(await come(email, `${userId}-a`)).toMatchObject({ id: userId });
    expect(await come(email, `${userId}-a`, '?as=operator')).toMatchObject({ id: operatorId });
    expect(await come(email, `${userId}-b`, '?as=operator')).toEqual(refused('other_identity'));
    await revokeOperatorUser(pool, email);
    expect(await come(email, `${userId}-a`, '?as=operator')).toEqual(refused('no_member'));
    await addOperatorUser(pool, { email, name: 'Ada' });
    expect(await come(email, `${userId}-b`, '?as=operator')).toMatchObject({ id: operatorId });
  });
});

describe('an ID token', () => {
  const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const decoded = (part = ''): Record<string, unknown> =>
    JSON.parse(Buffer.from(part, 'base64url').toString());
  /** The token as the page made it, with another header or other claims, and what its signature is made of. */
  const changed = (token: string, header: object, claims: object): string => {
    const [first, second] = token.split('.');
    return `${encoded({ ...decoded(first), ...header })}.${encoded({ ...decoded(second), ...claims })}`;
  };
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  afterEach(() => {
    company.forge = (token) => token;
  });

  it.each<[string, (token: string, claims: object) => string]>([
    [
      'with claims that were changed',
      (token, claims) => {
        return `${changed(token, {}, claims)}.${token.split('.')[2] ?? ''}`;
      },
    ],
    ['without a signature', (token, claims) => `${changed(token, { alg: 'none' }, claims)}.`],
    [
      'signed by somebody else',
      (token, claims) => {
        const text = changed(token, {}, claims);
        return `${text}.${sign('sha256', Buffer.from(text), own).toString('base64url')}`;
      },
    ],
    [
      "signed with the client's secret",
      (token, claims) => {
        const text = changed(token, { alg: 'HS256' }, claims);
        const secret = company.env['OIDC_CLIENT_SECRET'] ?? '';
        return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
      },
    ],
  ])('%s signs nobody in', async (_what, forge) => {
    const { email } = await member();
    company.claims = {
      email: 'somebody-else@example.com',
      email_verified: true,
      groups: ['everybody'],
    };
    company.forge = (token) => forge(token, { email, sub: email });
    const { jar, answer } = await signIn();
    expect(problemOf(answer)).toBe('not_confirmed');
    expect(jar.value('__Host-payouts_session')).toBeUndefined();
  });
});

it('asks with PKCE, a state and a nonce, and tells that it is there', async () => {
  const started = await new Jar().get(harness.baseUrl + startPath);
  const asked = new URL(locationOf(started)).searchParams;
  expect(asked.get('code_challenge_method')).toBe('S256');
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(asked.get(name)?.length, name).toBeGreaterThan(40);
  }
  expect((await harness.rest('GET', '/auth/ways')).body).toMatchObject({ oidc: true });
  const post = await harness.rest('POST', startPath);
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET']);
});

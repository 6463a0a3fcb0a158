import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeRequest, makeToken } from '../../src/access/session/link.ts';
import { expireRequests } from '../../src/domain/collection/expire.ts';
import { inviteOne } from '../support/collection.ts';
import { asKey } from '../support/credential.ts';
import { makeTenant } from '../support/factory.ts';
import type { RestAnswer } from '../support/harness.ts';
import {
  claimsOf,
  codeOf,
  company,
  keyWorks,
  openProofPage,
  pressProof,
  proofToken,
  register,
  tokenOf,
  tryRegister,
} from '../support/registration-proof.ts';
import { sessionsWait } from '../support/sessions-wait.ts';
import { cookieOf, sessionOf, signInRequest } from '../support/sessions.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({ worker: false, env: { REGISTRATION_RATE_LIMIT: '1000' } });

const viewerQuery = '{ viewer { id name memberships { businessId } } }';
describe('signing in', () => {
  it('proves the mailbox too, and the keys of before wait', async () => {
    const email = `ada@${company()}`;
    const { key, businessId, userId } = await register(harness, email);
    const asked = await signInRequest(harness, '/auth/link', { email });
    expect(asked.status).toBe(202);
    const { rows } = await harness.database.pool.query<{ id: string }>(
      'SELECT id FROM sign_in_request WHERE user_id = $1',
      [userId],
    );
    expect(rows).toHaveLength(1);
    const session = await sessionOf(harness, { userId });
    expect(await claimsOf(harness, businessId)).toMatchObject({ proven: true, address: email });
    const seen = await harness.graphql(session.key, '{ viewer { businessId role } }');
    expect(seen.body.data.viewer).toEqual({ businessId, role: 'owner' });
    expect(await keyWorks(harness, key)).toBe(false);
    expect(
      (await openProofPage(harness, (await proofToken(harness, email)) ?? 'none')).status,
    ).toBe(404);
  });

  it('by a link of an address that was only invited elsewhere joins that person', async () => {
    const tenant = await makeTenant(harness);
    const email = `ada-${randomUUID()}@example.com`;
    await harness.graphql(
      tenant.key,
      'mutation ($email: String!) { memberInvite(email: $email, role: viewer) { id } }',
      { email },
    );
    const { userId, businessId } = await register(harness, email);
    const requestId = await makeRequest(harness.services.pool, harness.services.config, { userId });
    const token = await makeToken(harness.services.pool, requestId);
    const answer = await signInRequest(harness, '/auth/link/consume', { token });
    expect(answer.status, answer.text).toBe(200);
    const seen = await harness.graphql(asKey(cookieOf(answer) ?? ''), viewerQuery);
    const { rows } = await harness.database.pool.query(
      'SELECT id FROM app_user WHERE email_key = $1',
      [email],
    );
    expect(seen.body.data.viewer).toEqual({
      id: rows[0].id,
      name: null,
      memberships: [{ businessId }],
    });
    expect(rows[0].id).not.toBe(userId);
  });
});

describe('a refused registrant', () => {
  it('takes the address over from a registration that nobody proved, with a business of their own', async () => {
    const email = `ada@${company()}`;
    const domain = email.split('@')[1];
    const squatted = await register(harness, email, 'Squatter Ltd');
    const earlier = await tokenOf(harness, email);
    const refused = await tryRegister(harness, email, 'Own Ltd');
    expect([refused.status, codeOf(refused)]).toEqual([409, 'EMAIL_ALREADY_REGISTERED']);
    expect((await openProofPage(harness, earlier)).text).toContain('<form');
    const token = await tokenOf(harness, email);
    const page = await openProofPage(harness, token);
    expect(page.text).toContain('Squatter Ltd');
    expect(page.text).toContain('Own Ltd');
    const taken = await pressProof(harness, token, { choice: 'take' });
    expect(taken.status, taken.text).toBe(200);
    const key = /pos_sandbox_[A-Za-z0-9_]+/.exec(taken.text)?.[0] ?? '';
    const profile = await harness.rest('GET', '/v1/business/profile', { key });
    expect(profile.status, profile.text).toBe(200);
    expect(await claimsOf(harness, squatted.businessId)).toEqual({
      domain: null,
      address: null,
      proven: false,
    });
    expect(await keyWorks(harness, squatted.key)).toBe(false);
    const me = await harness.graphql(key, '{ me { businessId userId } }');
    expect(await claimsOf(harness, me.body.data.me.businessId)).toEqual({
      domain,
      address: email,
      proven: true,
    });
    expect(me.body.data.me.userId).not.toBe(squatted.userId);
    // The link of the business that went offers nothing that its button would refuse.
    expect((await openProofPage(harness, earlier)).text).not.toContain('<form');
    expect(codeOf(await tryRegister(harness, email))).toBe('EMAIL_ALREADY_REGISTERED');
  });

  it('ends the webhooks and the links of payees of the business that was in the way', async () => {
    const email = `ada@${company()}`;
    const { key, businessId } = await register(harness, email);
    const { pool } = harness.database;
    const { rows } = await pool.query<{ id: string }>(
      `SELECT id FROM tenant WHERE business_id = $1 AND environment = 'sandbox'`,
      [businessId],
    );
    const tenantId = rows[0]?.id ?? '';
    const invite = {
      email: 'payee@example.com',
      beneficiary_type: 'person',
      first_name: 'Ada',
      last_name: 'L',
    };
    const link = await inviteOne(
      harness,
      { tenantId, key },
      { ...invite, scope: 'full_onboarding' },
    );
    const hook = { url: 'https://hooks.example.com/x', enabled_events: ['payout.settled'] };
    const made = await harness.rest('POST', '/v1/webhook-subscriptions', { key, body: hook });
    expect(made.status, made.text).toBe(201);
    const open = async () => (await fetch(`${harness.baseUrl}/collect/${link.token}`)).status;
    expect(await open()).toBe(200);
    await tryRegister(harness, email, 'Own Ltd');
    const taken = await pressProof(harness, await tokenOf(harness, email), { choice: 'take' });
    expect(taken.status, taken.text).toBe(200);
    expect(await open()).toBe(410);
    expect(await expireRequests(harness.services)).toBe(1);
    const left = await pool.query(
      `SELECT s.enabled, r.status FROM webhook_subscription s
       JOIN collection_request r ON r.tenant_id = s.tenant_id WHERE s.tenant_id = $1`,
      [tenantId],
    );
    expect(left.rows).toEqual([{ enabled: false, status: 'expired' }]);
  });

  it('keeps the business instead, where it was their own', async () => {
    const email = `ada@${company()}`;
    const first = await register(harness, email);
    await tryRegister(harness, email, 'Again Ltd');
    const answer = await pressProof(harness, await tokenOf(harness, email), {
      choice: 'keep',
      [`key.${first.keyId}`]: 'yes',
    });
    expect(answer.status).toBe(200);
    expect(await keyWorks(harness, first.key)).toBe(true);
    expect(await claimsOf(harness, first.businessId)).toMatchObject({ proven: true });
  });

  it('takes the domain over, and the other business stays without it', async () => {
    const domain = company();
    const first = await register(harness, `bob@${domain}`, 'First Ltd');
    const email = `alice@${domain}`;
    expect(codeOf(await tryRegister(harness, email, 'Alice Ltd'))).toBe(
      'COMPANY_DOMAIN_ALREADY_CLAIMED',
    );
    const token = await tokenOf(harness, email);
    const page = await openProofPage(harness, token);
    expect(page.text).toContain('Alice Ltd');
    // Whom a colleague registered is not told to whoever has an address of the domain.
    expect(page.text).not.toContain('First Ltd');
    const taken = await pressProof(harness, token, { choice: 'take' });
    expect(taken.status, taken.text).toBe(200);
    expect(await claimsOf(harness, first.businessId)).toEqual({
      domain: null,
      address: `bob@${domain}`,
      proven: false,
    });
    expect(await keyWorks(harness, first.key)).toBe(true);
    // Whoever is proven keeps it.
    expect(codeOf(await tryRegister(harness, `carol@${domain}`))).toBe(
      'COMPANY_DOMAIN_ALREADY_CLAIMED',
    );
    expect(await proofToken(harness, `carol@${domain}`)).toBeNull();
  });

  it('is told nothing untrue of a domain that was proven meanwhile', async () => {
    const domain = company();
    const first = `bob@${domain}`;
    await register(harness, first, 'First Ltd');
    const email = `alice@${domain}`;
    await tryRegister(harness, email, 'Alice Ltd');
    const token = await tokenOf(harness, email);
    expect((await openProofPage(harness, token)).text).toContain('was not proven');
    await pressProof(harness, await tokenOf(harness, first), { choice: 'keep' });
    expect(await proofToken(harness, email)).toBeNull();
    const page = await openProofPage(harness, token);
    expect(page.status).toBe(410);
    expect(page.text).toContain('Somebody else has proven an address of the domain');
    expect(page.text).not.toContain('was not proven');
    expect((await pressProof(harness, token, { choice: 'take' })).status).toBe(409);
  });

  it('of two who take one domain over at once, one is told that it is claimed', async () => {
    const domain = company();
    const first = await register(harness, `bob@${domain}`);
    const emails = [`alice@${domain}`, `carol@${domain}`];
    const tokens = [];
    for (const email of emails) {
      await tryRegister(harness, email);
      tokens.push(await tokenOf(harness, email));
    }
    const holder = await harness.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM business WHERE id = $1 FOR UPDATE', [first.businessId]);
    const presses = tokens.map((token) => pressProof(harness, token, { choice: 'take' }));
    await sessionsWait(harness.database.pool, 2);
    await holder.query('COMMIT');
    holder.release();
    const answers = await Promise.all(presses);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const { rows } = await harness.database.pool.query(
      'SELECT registration_proven_at IS NOT NULL AS proven FROM business WHERE email_domain = $1',
      [domain],
    );
    expect(rows).toEqual([{ proven: true }]);
  });

  it('gets the same answer and no mail, where the claim is proven', async () => {
    const domain = company();
    const email = `ada@${domain}`;
    await register(harness, email);
    const waiting = await tryRegister(harness, email);
    await pressProof(harness, await tokenOf(harness, email), { choice: 'keep' });
    const before = await harness.database.pool.query('SELECT count(*) FROM registration_proof');
    const firm = await tryRegister(harness, email);
    const comparable = ({ status, body: { error } }: RestAnswer) => ({
      status,
      error: { ...error, request_id: '', occurred_at: '' },
    });
    expect(comparable(firm)).toEqual(comparable(waiting));
    expect(codeOf(await tryRegister(harness, `bob@${domain}`))).toBe(
      'COMPANY_DOMAIN_ALREADY_CLAIMED',
    );
    const after = await harness.database.pool.query('SELECT count(*) FROM registration_proof');
    expect(after.rows).toEqual(before.rows);
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eventually, makeTenant } from '../support/factory.ts';
import { acceptedKey } from '../support/member-link.ts';
import {
  claimsOf,
  codeOf,
  company,
  keyWorks,
  openProofPage,
  pressProof,
  register,
  tokenOf,
  tryRegister,
} from '../support/registration-proof.ts';
import { sessionsWait } from '../support/sessions-wait.ts';
import { holderOf, sessionOf } from '../support/sessions.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({ worker: false, env: { REGISTRATION_RATE_LIMIT: '1000' } });

const viewerQuery = '{ viewer { id name memberships { businessId } } }';
const members = '{ members { edges { node { id email role acceptedAt } } } }';

describe('a registration with the address of somebody else', () => {
  it('neither acts as them nor changes their name, and joins them by their consent alone', async () => {
    const tenant = await makeTenant(harness);
    const invite = await harness.graphql(
      tenant.key,
      'mutation ($email: String!) { memberInvite(email: $email, role: viewer) { id } }',
      { email: `victim-${randomUUID()}@example.com` },
    );
    const membershipId: string = invite.body.data.memberInvite.id;
    const victim = await holderOf(harness, await acceptedKey(harness, membershipId));
    const session = await sessionOf(harness, { userId: victim.userId });

    const squatted = await register(harness, victim.email, 'Squatter Ltd');
    expect(squatted.userId).not.toBe(victim.userId);
    expect(await keyWorks(harness, squatted.key)).toBe(true);
    const before = (await harness.graphql(session.key, viewerQuery)).body.data.viewer;
    expect(before).toEqual({
      id: victim.userId,
      name: null,
      memberships: [{ businessId: tenant.businessId }],
    });

    // Signing in to the business of which they are a member is no consent to another one.
    await sessionOf(harness, { userId: victim.userId });
    expect(await claimsOf(harness, squatted.businessId)).toMatchObject({ proven: false });

    const answer = await pressProof(harness, await tokenOf(harness, victim.email), {
      choice: 'keep',
    });
    expect(answer.status, answer.text).toBe(200);
    const after = (await harness.graphql(session.key, viewerQuery)).body.data.viewer;
    expect(after.name).toBeNull();
    expect(after.memberships.map(({ businessId }: { businessId: string }) => businessId)).toEqual([
      tenant.businessId,
      squatted.businessId,
    ]);
    expect(await keyWorks(harness, squatted.key)).toBe(false);
  });

  it('tells nobody whether the address was known', async () => {
    const tenant = await makeTenant(harness);
    const known = `known-${randomUUID()}@example.com`;
    const mutation =
      'mutation ($email: String!) { memberInvite(email: $email, role: viewer) { id } }';
    await harness.graphql(tenant.key, mutation, { email: known });
    const shapes = [];
    for (const email of [known, `fresh-${randomUUID()}@example.com`]) {
      const { body } = await tryRegister(harness, email);
      expect(body.user.created_at).toBe(body.business.created_at);
      shapes.push(Object.keys(body.user));
    }
    expect(shapes[0]).toEqual(shapes[1]);
  });
});

describe('the link of a registration', () => {
  it('shows a page that names account and business, and changes nothing until its button', async () => {
    const email = `Ada.${randomUUID()}@bücher-${randomUUID()}.de`;
    const { businessId, keyId } = await register(harness, email, 'Analytical <Engines>');
    const token = await tokenOf(harness, email);
    for (let i = 0; i < 3; i += 1) {
      const page = await openProofPage(harness, token);
      expect(page.status).toBe(200);
      expect(page.text).toContain('Analytical &lt;Engines&gt;');
      expect(page.text).toContain(email.toLowerCase().split('@')[0]);
      // The domain is shown in ASCII, so that it looks like no other.
      expect(page.text).toContain('@xn--bcher-');
      expect(page.text).toContain(`key.${keyId}`);
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
    }
    const head = await fetch(`${harness.baseUrl}/registration/${token}`, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await claimsOf(harness, businessId)).toMatchObject({ proven: false });
    const foreign = await pressProof(
      harness,
      token,
      { choice: 'keep' },
      { 'sec-fetch-site': 'cross-site' },
    );
    expect(foreign.status).toBe(403);
    expect(
      (await fetch(`${harness.baseUrl}/registration/${token}`, { method: 'PUT' })).status,
    ).toBe(405);
    expect(await claimsOf(harness, businessId)).toMatchObject({ proven: false });
    expect((await pressProof(harness, token, { choice: 'keep' })).status).toBe(200);
    expect(await claimsOf(harness, businessId)).toMatchObject({ proven: true });
  });

  it('keeps the keys that are named and holds the others until a member confirms them', async () => {
    const email = `ada@${company()}`;
    const owner = await register(harness, email);
    const made = await harness.graphql(
      owner.key,
      'mutation { apiKeyCreate(input: { role: viewer, name: "Reports" }) { key apiKey { id } } }',
    );
    const { key, apiKey } = made.body.data.apiKeyCreate;
    const token = await tokenOf(harness, email);
    const page = await openProofPage(harness, token);
    expect(page.text).toContain(`Reports (${apiKey.id})`);
    await pressProof(harness, token, { choice: 'keep', [`key.${owner.keyId}`]: 'yes' });
    expect(await keyWorks(harness, owner.key)).toBe(true);
    const refused = await harness.rest('GET', '/v1/business/profile', { key });
    expect(refused.status).toBe(401);
    expect(refused.body.error.message).toContain('apiKeyConfirm');

    const confirm = (id: string) =>
      harness.graphql(owner.key, 'mutation ($id: ID!) { apiKeyConfirm(id: $id) { id heldAt } }', {
        id,
      });
    const listed = await harness.graphql(owner.key, '{ apiKeys { edges { node { id heldAt } } } }');
    expect(listed.body.data.apiKeys.edges.map((edge: { node: unknown }) => edge.node)).toEqual([
      { id: apiKey.id, heldAt: expect.any(String) },
      { id: owner.keyId, heldAt: null },
    ]);
    expect((await confirm(apiKey.id)).body.data.apiKeyConfirm).toEqual({
      id: apiKey.id,
      heldAt: null,
    });
    expect((await confirm(apiKey.id)).body.data.apiKeyConfirm).toEqual({
      id: apiKey.id,
      heldAt: null,
    });
    expect(await keyWorks(harness, key)).toBe(true);
    const { rows } = await harness.database.pool.query(
      `SELECT kind FROM access_change WHERE business_id = $1 ORDER BY id`,
      [owner.businessId],
    );
    expect(rows.map(({ kind }) => kind)).toEqual([
      'business_registered',
      'key_created',
      'registration_proven',
      'key_confirmed',
    ]);
    const other = await makeTenant(harness);
    const foreign = await harness.graphql(
      other.key,
      'mutation ($id: ID!) { apiKeyConfirm(id: $id) { id } }',
      { id: apiKey.id },
    );
    expect(codeOf(foreign)).toBe('not_found');
    expect(
      codeOf(
        await harness.graphql(key, 'mutation ($id: ID!) { apiKeyConfirm(id: $id) { id } }', {
          id: owner.keyId,
        }),
      ),
    ).toBe('forbidden');
    await harness.graphql(owner.key, 'mutation ($id: ID!) { apiKeyRevoke(id: $id) { id } }', {
      id: apiKey.id,
    });
    expect(codeOf(await confirm(apiKey.id))).toBe('conflict');
  });

  it('works once, and not after its time', async () => {
    const email = `ada@${company()}`;
    const { businessId } = await register(harness, email);
    const token = await tokenOf(harness, email);
    const late = await tokenOf(harness, email);
    await harness.database.pool.query(
      `UPDATE registration_proof SET expires_at = now() - interval '1 s' WHERE business_id = $1`,
      [businessId],
    );
    expect((await openProofPage(harness, token)).status).toBe(410);
    expect((await pressProof(harness, token, { choice: 'keep' })).status).toBe(409);
    await harness.database.pool.query(
      `UPDATE registration_proof SET expires_at = now() + interval '1 h' WHERE business_id = $1`,
      [businessId],
    );
    expect((await pressProof(harness, token, { choice: 'keep' })).status).toBe(200);
    // Each try to mail it has a token of its own, and all of them are one link.
    for (const used of [token, late]) {
      expect((await pressProof(harness, used, { choice: 'keep' })).status).toBe(409);
      expect((await openProofPage(harness, used)).status).toBe(410);
    }
    for (const unknown of ['A'.repeat(43), 'short']) {
      expect((await openProofPage(harness, unknown)).status).toBe(404);
      expect((await pressProof(harness, unknown, { choice: 'keep' })).status).toBe(404);
    }
    const taken = await harness.graphql(
      undefined,
      'mutation ($token: String!) { registrationProve(token: $token, takeOver: true) { businessId } }',
      { token },
    );
    expect(codeOf(taken)).toBe('conflict');
  });

  it('proves nothing where the form names neither choice', async () => {
    const email = `ada@${company()}`;
    const { businessId } = await register(harness, email);
    const token = await tokenOf(harness, email);
    for (const fields of [{}, { choice: '' }, { choice: 'Take' }]) {
      expect((await pressProof(harness, token, fields)).status).toBe(400);
    }
    expect(await claimsOf(harness, businessId)).toMatchObject({ proven: false });
    expect((await openProofPage(harness, token)).status).toBe(200);
  });

  it('of two who press at once, one is told that it was used', async () => {
    const email = `ada@${company()}`;
    const { businessId } = await register(harness, email);
    const token = await tokenOf(harness, email);
    const holder = await harness.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM business WHERE id = $1 FOR UPDATE', [businessId]);
    const presses = [1, 2].map(() => pressProof(harness, token, { choice: 'keep' }));
    await sessionsWait(harness.database.pool, 2);
    await holder.query('COMMIT');
    holder.release();
    const statuses = (await Promise.all(presses)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it('gives the business to the person whom somebody invites at this moment', async () => {
    const email = `ada-${randomUUID()}@example.com`;
    const { businessId, membershipId } = await register(harness, email);
    const token = await tokenOf(harness, email);
    const invited = `usr_${randomUUID()}`;
    const holder = await harness.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('INSERT INTO app_user (id, email, email_key) VALUES ($1, $2, $2)', [
      invited,
      email,
    ]);
    const press = pressProof(harness, token, { choice: 'keep' });
    await sessionsWait(harness.database.pool, 1);
    await holder.query('COMMIT');
    holder.release();
    expect((await press).status).toBe(200);
    const { rows } = await harness.database.pool.query(
      `SELECT m.user_id, u.registered_business_id FROM membership m JOIN app_user u ON u.id = m.user_id
       WHERE m.id = $1`,
      [membershipId],
    );
    expect(rows).toEqual([{ user_id: invited, registered_business_id: businessId }]);
  });

  it('makes the registrant the owner again, whatever others made of them', async () => {
    const email = `ada@${company()}`;
    const squatter = await register(harness, email);
    const invite = await harness.graphql(
      squatter.key,
      'mutation ($email: String!) { memberInvite(email: $email, role: owner) { id } }',
      { email: `evil-${randomUUID()}@example.com` },
    );
    const evilKey = await acceptedKey(harness, invite.body.data.memberInvite.id);
    const evil = await sessionOf(harness, { userId: (await holderOf(harness, evilKey)).userId });
    const removed = await harness.graphql(
      evilKey,
      `mutation ($id: ID!) {
        memberRoleChange(id: $id, role: viewer) { id }
        memberRemove(id: $id) { id }
      }`,
      { id: squatter.membershipId },
    );
    expect(removed.body.errors).toBeUndefined();
    await pressProof(harness, await tokenOf(harness, email), { choice: 'keep' });
    expect(await keyWorks(harness, evilKey)).toBe(false);
    expect(codeOf(await harness.graphql(evil.key, members))).toBe('unauthorized');
    const session = await sessionOf(harness, { userId: squatter.userId });
    const shown = await harness.graphql(session.key, members);
    expect(shown.body.data.members.edges.map((edge: { node: unknown }) => edge.node)).toEqual([
      expect.objectContaining({ role: 'owner', acceptedAt: null }),
      expect.objectContaining({
        id: squatter.membershipId,
        role: 'owner',
        acceptedAt: expect.any(String),
      }),
    ]);
  });

  it('lets members stay who are named', async () => {
    const email = `ada@${company()}`;
    const owner = await register(harness, email);
    const colleague = `bob-${randomUUID()}@example.com`;
    const invite = await harness.graphql(
      owner.key,
      'mutation ($email: String!) { memberInvite(email: $email, role: admin) { id } }',
      { email: colleague },
    );
    const membershipId: string = invite.body.data.memberInvite.id;
    const key = await acceptedKey(harness, membershipId);
    const { rows } = await harness.database.pool.query(
      'SELECT id FROM api_key WHERE membership_id = $1',
      [membershipId],
    );
    const token = await tokenOf(harness, email);
    const page = await openProofPage(harness, token);
    expect(page.text).toContain(colleague);
    const named = { [`key.${rows[0].id}`]: 'yes', [`member.${membershipId}`]: 'yes' };
    await pressProof(harness, token, { choice: 'keep', ...named });
    expect(await keyWorks(harness, key)).toBe(true);
  });

  it('a key that it ends makes no other key and invites nobody in the second that it still serves', async () => {
    const email = `ada@${company()}`;
    const { key, businessId } = await register(harness, email);
    const token = await tokenOf(harness, email);
    expect((await harness.rest('GET', '/v1/business/profile', { key })).status).toBe(200);
    await pressProof(harness, token, { choice: 'keep' });
    await Promise.all([
      harness.graphql(key, 'mutation { apiKeyCreate(input: { role: owner }) { key } }'),
      harness.graphql(key, 'mutation { memberInvite(email: "x@example.com", role: owner) { id } }'),
    ]);
    const { rows } = await harness.database.pool.query(
      `SELECT (SELECT count(*)::int FROM api_key WHERE business_id = $1) AS keys,
         (SELECT count(*)::int FROM membership WHERE business_id = $1) AS members`,
      [businessId],
    );
    expect(rows[0]).toEqual({ keys: 1, members: 1 });
  });
});

it('a mail is a job of the transaction of its registration', async () => {
  const email = `ada@${company()}`;
  const { businessId } = await register(harness, email);
  await tryRegister(harness, email);
  const jobs = await eventually(async () => {
    const { rows } = await harness.database.pool.query(
      `SELECT j.task_identifier AS task FROM graphile_worker._private_jobs p
       JOIN graphile_worker.jobs j USING (id)
       WHERE p.payload ->> 'businessId' = $1
         OR p.payload ->> 'requestId' IN (SELECT id::text FROM registration_proof WHERE business_id = $1)
       ORDER BY 1`,
      [businessId],
    );
    return rows.length === 2 ? rows : null;
  });
  expect(jobs.map(({ task }) => task)).toEqual(['send_proof_mail', 'send_registration_mail']);
});

import { describe, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { newId } from '../../src/values/ids.ts';
import { codeOf, company, pressProof, register, tokenOf } from '../support/registration-proof.ts';
import { useHarness } from '../support/use-harness.ts';

/* What was set up before a mailbox was proven: webhooks, and a profile that was submitted. */

const harness = useHarness({ worker: false, env: { REGISTRATION_RATE_LIMIT: '1000' } });

it('sends no webhook to an address that was given before, until a member enables it', async () => {
  const email = `ada@${company()}`;
  const { key, keyId, businessId } = await register(harness, email);
  const path = '/v1/webhook-subscriptions';
  const body = { url: 'https://hooks.example.com/x', enabled_events: ['payout.settled'] };
  const made = await harness.rest('POST', path, { key, body });
  expect(made.status, made.text).toBe(201);
  const { pool } = harness.database;
  await pool.query(
    `INSERT INTO proposed_change (tenant_id, id, kind, subject_id, shown, digest, payload_ciphertext, proposed_by, expires_at)
     SELECT t.id, $2, 'webhook_address', 'x', '{}', sha256('x'), 'x', 'x', now() + interval '1 day'
     FROM tenant t WHERE t.business_id = $1 AND t.environment = 'production'`,
    [businessId, newId('proposedChange')],
  );
  await pressProof(harness, await tokenOf(harness, email), {
    choice: 'keep',
    [`key.${keyId}`]: 'yes',
  });
  expect((await harness.rest('GET', path, { key })).body.subscription.enabled).toBe(false);
  const { rows } = await pool.query(
    `SELECT c.status, c.payload_ciphertext FROM proposed_change c JOIN tenant t ON t.id = c.tenant_id
     WHERE t.business_id = $1`,
    [businessId],
  );
  expect(rows).toEqual([{ status: 'declined', payload_ciphertext: null }]);
  const enabled = await harness.rest('PATCH', path, { key, body: { enabled: true } });
  expect(enabled.body.subscription.enabled).toBe(true);
});

it('sends no webhook for a key that waits, in the second for which a process still takes it', async () => {
  const email = `ada@${company()}`;
  const { key, businessId } = await register(harness, email);
  const path = '/v1/webhook-subscriptions';
  const body = { url: 'https://hooks.example.com/x', enabled_events: ['payout.settled'] };
  expect((await harness.rest('POST', path, { key, body })).status).toBe(201);
  await pressProof(harness, await tokenOf(harness, email), { choice: 'keep' });
  const enabled = await harness.rest('PATCH', path, { key, body: { enabled: true } });
  expect(enabled.status).toBe(401);
  expect((await harness.rest('POST', path, { key, body })).status).toBe(401);
  const { rows } = await harness.database.pool.query(
    `SELECT s.enabled FROM webhook_subscription s JOIN tenant t ON t.id = s.tenant_id
     WHERE t.business_id = $1`,
    [businessId],
  );
  expect(rows).toEqual([{ enabled: false }]);
});

describe('operators', () => {
  it('see what is proven, and cannot accept what is not', async () => {
    const operator = await issueOperatorKey(harness.database.pool, 'Ada');
    const email = `ada@${company()}`;
    const { businessId, key, keyId } = await register(harness, email);
    const profile = {
      legal_name: 'Engines Ltd',
      registration_number: '1',
      country: 'GB',
      address: { line1: '1 Road', city: 'London', country: 'GB' },
      website: 'https://example.com',
      industry: 'software',
      contact_phone: '+44 20 7946 0000',
    };
    const submitted = await harness.rest('PUT', '/v1/business/profile', { key, body: profile });
    expect(submitted.status, submitted.text).toBe(200);
    const accept = () =>
      harness.graphql(
        operator.key,
        `mutation ($id: ID!) { operatorProfileAccept(businessId: $id, reason: "looked") { profileStatus } }`,
        { id: businessId },
      );
    const shown = async () =>
      (
        await harness.graphql(
          operator.key,
          'query ($id: String!) { operatorBusinesses(find: $id) { edges { node { registrationProvenAt } } } }',
          { id: businessId },
        )
      ).body.data.operatorBusinesses.edges[0].node.registrationProvenAt;
    const refused = await accept();
    expect(codeOf(refused)).toBe('conflict');
    expect(refused.body.errors[0].message).toContain('proven');
    expect(await shown()).toBeNull();
    await pressProof(harness, await tokenOf(harness, email), {
      choice: 'keep',
      [`key.${keyId}`]: 'yes',
    });
    expect(await shown()).toEqual(expect.any(String));
    // A stranger can have submitted the profile.
    expect(codeOf(await accept())).toBe('conflict');
    const returned = await harness.rest('GET', '/v1/business/profile', { key });
    expect(returned.body.business_profile).toMatchObject({
      legal_name: 'Engines Ltd',
      profile_status: 'incomplete',
    });
    const again = await harness.rest('PUT', '/v1/business/profile', { key, body: {} });
    expect(again.body.business_profile.profile_status).toBe('submitted');
    expect((await accept()).body.data.operatorProfileAccept).toEqual({ profileStatus: 'accepted' });
    const { rows } = await harness.database.pool.query(
      'SELECT registration_proven_at IS NOT NULL AS proven FROM ops.tenants WHERE business_id = $1',
      [businessId],
    );
    expect(rows).toEqual([{ proven: true }, { proven: true }]);
  });
});

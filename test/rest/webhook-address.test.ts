import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/pool.ts';
import { openSecret } from '../../src/domain/webhook/subscription/secret.ts';
import { jobScope } from '../../src/access/system.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { sessionsWait } from '../support/sessions-wait.ts';
import { useHarness } from '../support/use-harness.ts';

/* Where production's webhooks go is decided by two people, where the business has two. */

const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent' } });

const path = '/v1/webhook-subscriptions';
const one = 'https://localhost/one';
const two = 'https://localhost:8443/two?token=hidden';
const enabledEvents = ['payout.settled'];

const register = (key: string, url: string, events = enabledEvents) =>
  harness.rest('POST', path, { key, body: { url, enabled_events: events } });
const change = (key: string, body: object) => harness.rest('PATCH', path, { key, body });
const shown = async (key: string) => {
  const { subscription } = (await harness.rest('GET', path, { key })).body;
  return { url: subscription.url, pending_url: subscription.pending_url };
};

/** The secret that signs now. */
async function secretOf({ tenantId }: TestTenant): Promise<string> {
  const { rows } = await harness.database.pool.query<{ id: string; sealed: Buffer }>(
    'SELECT id, secret_ciphertext AS sealed FROM webhook_subscription WHERE tenant_id = $1',
    [tenantId],
  );
  const { pool, keyring } = harness.services;
  const scope = await jobScope(pool, tenantId, { type: 'system', name: 'test' });
  const [row] = rows;
  if (row === undefined) throw new Error('there is no subscription');
  return openSecret(keyring, scope, row.id, row.sealed);
}

const told = async ({ businessId }: TestTenant) => {
  const { rows } = await harness.database.pool.query<Record<string, unknown>>(
    `SELECT kind, before ->> 'host' AS before, after ->> 'host' AS after, before::text || after::text AS text
     FROM access_change WHERE business_id = $1 ORDER BY id`,
    [businessId],
  );
  expect(JSON.stringify(rows)).not.toContain('hidden');
  return rows.map(({ kind, before, after }) => [kind, before, after]);
};

/** A business in production with two owners, and webhooks that go to the first address. */
async function ofTwo() {
  const tenant = await makeTenant(harness, { environment: 'production' });
  const second = await tenant.keyWithRole('admin');
  const first = await register(tenant.key, one);
  expect(first.status).toBe(201);
  expect(first.body.subscription).toMatchObject({ url: one, pending_url: null });
  return { tenant, second, secret: first.body.secret as string };
}

/** Runs a mutation with the key. */
async function run(key: string, mutation: string, variables: Record<string, unknown> = {}) {
  const answer = await harness.graphql(key, mutation, variables);
  if (answer.body.errors !== undefined) throw new Error(answer.text);
  return answer.body.data;
}
const memberOf = async (key: string): Promise<string> =>
  (await run(key, '{ me { membershipId } }')).me.membershipId;
const giveRole = (key: string, id: string, role: string) =>
  run(key, `mutation ($id: ID!, $role: Role!) { memberRoleChange(id: $id, role: $role) { id } }`, {
    id,
    role,
  });
const removal = `mutation ($id: ID!) { memberRemove(id: $id) { id } }`;

/** As if the latest changes of the business and revocations of its keys were eight days old. */
async function ageChanges({ businessId }: TestTenant): Promise<void> {
  const { pool } = harness.database;
  await pool.query(
    `UPDATE api_key SET revoked_at = revoked_at - interval '8 days' WHERE business_id = $1`,
    [businessId],
  );
  // Nothing may change a record, so this one stands in for what would be older.
  await inTransaction(pool, async (client) => {
    await client.query('ALTER TABLE access_change DISABLE RULE access_change_no_update');
    await client.query(
      `UPDATE access_change SET id = uuidv7(interval '-8 days') WHERE business_id = $1`,
      [businessId],
    );
    await client.query('ALTER TABLE access_change ENABLE RULE access_change_no_update');
  });
}

describe('the address of the webhooks', () => {
  it.each(['demoted', 'removed', 'removed and invited anew', 'without a key'] as const)(
    'waits where the other manager was just %s',
    async (how) => {
      const { tenant, second } = await ofTwo();
      const id = await memberOf(second);
      await change(tenant.key, { url: two });
      if (how === 'demoted') await giveRole(tenant.key, id, 'developer');
      else if (how === 'without a key') {
        const { keyId } = (await run(second, '{ me { keyId } }')).me;
        await run(tenant.key, `mutation ($id: ID!) { apiKeyRevoke(id: $id) { id } }`, {
          id: keyId,
        });
      } else await run(tenant.key, removal, { id });
      if (how === 'removed and invited anew') {
        await harness.database.pool.query(
          'UPDATE membership SET accepted_at = NULL, removed_at = NULL WHERE id = $1',
          [id],
        );
      }
      expect((await change(tenant.key, { url: two })).body.subscription.url).toBe(one);
      // Nor does it help to take the proposal back and to ask anew.
      await change(tenant.key, { url: one });
      await change(tenant.key, { url: two });
      expect(await shown(tenant.key)).toEqual({ url: one, pending_url: two });
      await change(tenant.key, { url: one });
      await ageChanges(tenant);
      expect((await change(tenant.key, { url: two })).body.subscription.url).toBe(two);
    },
  );

  it('does not wait for a manager who has no way into production', async () => {
    const tenant = await makeTenant(harness, { environment: 'production' });
    const sandbox = await tenant.keyWithRole('admin');
    await harness.database.pool.query(
      `UPDATE api_key SET revoked_at = now() - interval '8 days' WHERE business_id = $1 AND role = 'admin'`,
      [tenant.businessId],
    );
    expect(sandbox).toBeTypeOf('string');
    await register(tenant.key, one);
    expect((await change(tenant.key, { url: two })).body.subscription.url).toBe(two);
  });

  it('waits until a second owner or admin sends it; until then events go where they went', async () => {
    const { tenant, second } = await ofTwo();
    const asked = await change(tenant.key, { url: two, enabled_events: ['payout.failed'] });
    expect(asked.status).toBe(200);
    expect(asked.body.subscription).toMatchObject({
      url: one,
      pending_url: two,
      enabled_events: ['payout.failed'],
    });
    const sent = await harness.rest('POST', `${path}/test`, { key: tenant.key });
    expect(sent.status).toBe(200);
    // The same person says nothing new, with whichever key.
    expect((await change(tenant.key, { url: two })).body.subscription.url).toBe(one);
    const confirmed = await change(second, { url: two });
    expect(confirmed.body.subscription).toMatchObject({ url: two, pending_url: null });
    expect(await told(tenant)).toEqual([
      ['webhook_address_changed', null, 'localhost'],
      ['webhook_address_proposed', 'localhost', 'localhost:8443'],
      ['webhook_address_changed', 'localhost', 'localhost:8443'],
    ]);
    const { rows } = await harness.database.pool.query(
      `SELECT count(*)::integer AS mails FROM job_outbox WHERE tenant_id = $1 AND task = 'send_access_mail'`,
      [tenant.tenantId],
    );
    expect(rows).toEqual([{ mails: 6 }]);
  });

  it('is not confirmed by a developer, who may ask for one', async () => {
    const { tenant, second } = await ofTwo();
    const developer = await tenant.keyWithRole('developer');
    await change(tenant.key, { url: two });
    expect((await change(developer, { url: two })).body.subscription).toMatchObject({
      url: one,
      pending_url: two,
    });
    await change(developer, { url: 'https://localhost/three' });
    expect(await shown(second)).toEqual({ url: one, pending_url: 'https://localhost/three' });
    await change(second, { url: 'https://localhost/three' });
    expect(await shown(second)).toEqual({ url: 'https://localhost/three', pending_url: null });
  });

  it('that waits is taken back by the present one, and ends in time', async () => {
    const { tenant, second } = await ofTwo();
    await change(tenant.key, { url: two });
    await change(second, { url: one });
    expect(await shown(second)).toEqual({ url: one, pending_url: null });
    await change(second, { url: two });
    expect(await shown(second)).toEqual({ url: one, pending_url: two });
    await harness.database.pool.query(
      `UPDATE proposed_change SET expires_at = now() WHERE tenant_id = $1 AND status = 'waiting'`,
      [tenant.tenantId],
    );
    expect(await shown(second)).toEqual({ url: one, pending_url: null });
    // So the other one's is a proposal of its own.
    await change(tenant.key, { url: two });
    expect(await shown(second)).toEqual({ url: one, pending_url: two });
  });

  it('of a registration brings its secret with the confirmation, and its events at once', async () => {
    const { tenant, second, secret } = await ofTwo();
    const asked = await register(tenant.key, two, ['payout.failed']);
    expect(asked.status).toBe(200);
    expect(asked.body.subscription).toMatchObject({
      url: one,
      pending_url: two,
      enabled_events: ['payout.failed'],
    });
    expect(await secretOf(tenant)).toBe(secret);
    // Sent again it has another secret, and the one before is void.
    const again = await register(tenant.key, two, ['payout.settled', 'payout.failed']);
    // What the second person chose since stays as they see it.
    await change(second, { enabled_events: ['payout.returned'] });
    const confirmed = await change(second, { url: two });
    expect(confirmed.body.subscription).toMatchObject({
      url: two,
      pending_url: null,
      enabled_events: ['payout.returned'],
    });
    expect(await secretOf(tenant)).toBe(again.body.secret);
    // The same address rotates the secret at once.
    const rotated = await register(second, two);
    expect(await secretOf(tenant)).toBe(rotated.body.secret);
  });

  it('is confirmed by a registration, too, whose secret counts', async () => {
    const { tenant, second } = await ofTwo();
    await register(tenant.key, two);
    const confirmed = await register(second, two);
    expect(confirmed.body.subscription).toMatchObject({ url: two, pending_url: null });
    expect(await secretOf(tenant)).toBe(confirmed.body.secret);
  });

  it('is not changed by deleting the subscription and registering another', async () => {
    const { tenant, second } = await ofTwo();
    await change(tenant.key, { url: two });
    expect((await harness.rest('DELETE', path, { key: tenant.key })).status).toBe(204);
    const asked = await register(tenant.key, two);
    expect(asked.status).toBe(201);
    expect(asked.body.subscription).toMatchObject({
      url: one,
      pending_url: two,
      enabled: false,
    });
    const confirmed = await change(second, { url: two });
    expect(confirmed.body.subscription).toMatchObject({
      url: two,
      pending_url: null,
      enabled: true,
    });
    expect(await secretOf(tenant)).toBe(asked.body.secret);
    await harness.rest('DELETE', path, { key: tenant.key });
    const same = await register(tenant.key, two);
    expect(same.body.subscription).toMatchObject({ url: two, pending_url: null, enabled: true });
  });

  it('is changed at once by a business of one person, and in the sandbox', async () => {
    for (const environment of ['production', 'sandbox'] as const) {
      const tenant = await makeTenant(harness, { environment });
      if (environment === 'sandbox') await tenant.keyWithRole('admin');
      else await tenant.keyWithRole('developer');
      await register(tenant.key, one);
      expect((await change(tenant.key, { url: two })).body.subscription.url).toBe(two);
      const replaced = await register(tenant.key, one);
      expect(replaced.body.subscription).toMatchObject({ url: one, pending_url: null });
      expect(await secretOf(tenant)).toBe(replaced.body.secret);
      expect(await told(tenant)).toHaveLength(environment === 'sandbox' ? 0 : 3);
    }
  });

  it('that two confirm at once is changed once', async () => {
    const { tenant, second } = await ofTwo();
    const third = await tenant.keyWithRole('owner');
    await change(tenant.key, { url: two });
    const { pending } = await inTransaction(harness.database.pool, async (client) => {
      await client.query('SELECT 1 FROM webhook_subscription WHERE tenant_id = $1 FOR UPDATE', [
        tenant.tenantId,
      ]);
      const asked = [second, third].map((key) => change(key, { url: two }));
      await sessionsWait(harness.database.pool, 2);
      return { pending: asked };
    });
    for (const answer of await Promise.all(pending))
      expect(answer.body.subscription).toMatchObject({ url: two, pending_url: null });
    expect((await told(tenant)).map(([kind]) => kind)).toEqual([
      'webhook_address_changed',
      'webhook_address_proposed',
      'webhook_address_changed',
    ]);
  });

  it('is neither seen nor answered by operators', async () => {
    const { tenant } = await ofTwo();
    await change(tenant.key, { url: two });
    const { rows } = await harness.database.pool.query(
      'SELECT 1 FROM ops.changes_to_confirm WHERE tenant_id = $1',
      [tenant.tenantId],
    );
    expect(rows).toEqual([]);
  });

  it('is mailed a few times an hour while it is proposed, and always when it changes', async () => {
    const { tenant, second } = await ofTwo();
    const developer = await tenant.keyWithRole('developer');
    for (let number = 0; number < 8; number += 1)
      await change(developer, { url: `https://localhost/${number}` });
    await change(second, { url: 'https://localhost/7' });
    const mailed = async (kind: string) => {
      const { rows } = await harness.database.pool.query<{ mails: number; records: number }>(
        `SELECT count(j.*)::integer AS mails, count(DISTINCT c.id)::integer AS records
         FROM access_change c LEFT JOIN job_outbox j ON j.payload ->> 'changeId' = c.id::text
         WHERE c.business_id = $1 AND c.kind = $2`,
        [tenant.businessId, kind],
      );
      return rows[0] ?? { mails: 0, records: 0 };
    };
    const proposed = await mailed('webhook_address_proposed');
    expect(proposed.records).toBe(8);
    expect(proposed.mails).toBeGreaterThanOrEqual(3 * 2);
    // The clock may strike the hour in between.
    expect(proposed.mails).toBeLessThanOrEqual(2 * 3 * 2);
    expect(await mailed('webhook_address_changed')).toEqual({ mails: 4, records: 2 });
  });

  it('that waits is shown to operators by its host alone', async () => {
    const { tenant, second } = await ofTwo();
    await change(tenant.key, { url: two });
    await change(second, { url: two });
    await change(second, { url: 'https://localhost/three?token=hidden' });
    const { rows } = await harness.database.pool.query<Record<string, unknown>>(
      'SELECT before, after, status FROM ops.proposed_changes WHERE tenant_id = $1 ORDER BY change_id',
      [tenant.tenantId],
    );
    expect(rows).toEqual([
      { before: { host: 'localhost' }, after: { host: 'localhost:8443' }, status: 'confirmed' },
      { before: { host: 'localhost:8443' }, after: { host: 'localhost' }, status: 'waiting' },
    ]);
  });

  it('still waits where the registration that confirms it comes second', async () => {
    const { tenant, second } = await ofTwo();
    await change(tenant.key, { url: two });
    const { pool } = harness.database;
    const { rows } = await pool.query<{ row: object }>(
      'DELETE FROM webhook_subscription s WHERE s.tenant_id = $1 RETURNING to_jsonb(s) AS row',
      [tenant.tenantId],
    );
    const { pending } = await inTransaction(pool, async (client) => {
      await client.query(
        'INSERT INTO webhook_subscription SELECT (jsonb_populate_record(NULL::webhook_subscription, $1)).*',
        [JSON.stringify(rows[0]?.row)],
      );
      const asked = register(second, two);
      await sessionsWait(pool, 1);
      return { pending: asked };
    });
    const confirmed = await pending;
    expect(confirmed.status).toBe(200);
    expect(confirmed.body.subscription).toMatchObject({ url: two, pending_url: null });
  });
});

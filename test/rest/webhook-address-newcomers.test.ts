import { expect, it } from 'vitest';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { giveProductionKey } from '../support/production-key.ts';
import { holderOf } from '../support/sessions.ts';
import { useHarness } from '../support/use-harness.ts';

/*
 * The two people who decide where production's webhooks go could be one with two mailboxes, where a manager invites the
 * second one. The colleague whom that passes by has a day to object.
 */

const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent' } });

const path = '/v1/webhook-subscriptions';
const one = 'https://localhost/one';
const two = 'https://localhost:8443/two';
const waits = { url: one, pending_url: two };
const decided = { url: two, pending_url: null };

const register = (key: string, url: string) =>
  harness.rest('POST', path, { key, body: { url, enabled_events: ['payout.settled'] } });

/** Has a member send an address; where events go then, and what waits. */
async function send(key: string, url = two) {
  const answer = await harness.rest('PATCH', path, { key, body: { url } });
  const { subscription } = answer.body;
  return { url: subscription.url, pending_url: subscription.pending_url };
}

/** Another member, as if they had joined so long ago. */
async function joined(tenant: TestTenant, role: 'admin' | 'developer' | 'viewer', ago: string) {
  const key = await tenant.keyWithRole(role);
  await age(key, ago);
  return key;
}

async function age(key: string, ago: string): Promise<void> {
  const { membershipId } = await holderOf(harness, key);
  await harness.database.pool.query(
    'UPDATE membership SET accepted_at = now() - $2::interval WHERE id = $1',
    [membershipId, ago],
  );
}

/** A business in production whose owner is there for long, and webhooks that go to the first address. */
async function ofOwner() {
  const tenant = await makeTenant(harness, { environment: 'production' });
  await age(tenant.key, '25 hours');
  expect((await register(tenant.key, one)).status).toBe(201);
  return tenant;
}

async function giveRole(key: string, of: string, role: string): Promise<void> {
  const change =
    'mutation ($id: ID!, $role: Role!) { memberRoleChange(id: $id, role: $role) { id } }';
  const { membershipId: id } = await holderOf(harness, of);
  expect((await harness.graphql(key, change, { id, role })).body.errors).toBeUndefined();
}

it('a newcomer confirms nothing where a colleague of longer standing can', async () => {
  const tenant = await ofOwner();
  const colleague = await joined(tenant, 'admin', '25 hours');
  const newcomer = await joined(tenant, 'admin', '23 hours');
  expect(await send(tenant.key)).toEqual(waits);
  expect(await send(newcomer)).toEqual(waits);
  expect(await send(colleague)).toEqual(decided);
});

it('what a newcomer proposes takes two others', async () => {
  const tenant = await ofOwner();
  const colleague = await joined(tenant, 'admin', '25 hours');
  const newcomer = await joined(tenant, 'developer', '1 hour');
  expect(await send(newcomer)).toEqual(waits);
  expect(await send(tenant.key)).toEqual(waits);
  expect(await send(tenant.key)).toEqual(waits);
  expect(await send(newcomer)).toEqual(waits);
  expect(await send(colleague)).toEqual(decided);
});

it('who was just made an admin is a newcomer', async () => {
  const tenant = await ofOwner();
  const colleague = await joined(tenant, 'admin', '25 hours');
  const raised = await joined(tenant, 'developer', '30 days');
  await giveRole(tenant.key, raised, 'admin');
  const { membershipId } = await holderOf(harness, raised);
  await harness.database.pool.query(`UPDATE api_key SET role = 'admin' WHERE membership_id = $1`, [
    membershipId,
  ]);
  expect(await send(tenant.key)).toEqual(waits);
  expect(await send(raised)).toEqual(waits);
  expect(await send(colleague)).toEqual(decided);
});

it('a newcomer confirms where nobody else could, and a day later as everybody', async () => {
  const tenant = await ofOwner();
  const newcomer = await joined(tenant, 'admin', '1 minute');
  expect(await send(tenant.key)).toEqual(waits);
  expect(await send(newcomer)).toEqual(decided);
  await joined(tenant, 'admin', '25 hours');
  expect(await send(tenant.key, one)).toEqual({ url: two, pending_url: one });
  expect(await send(newcomer, one)).toEqual({ url: two, pending_url: one });
  await age(newcomer, '25 hours');
  expect(await send(newcomer, one)).toEqual({ url: one, pending_url: null });
});

it('of two newcomers neither stands in the way of the other', async () => {
  const tenant = await ofOwner();
  await joined(tenant, 'admin', '1 hour');
  const newcomer = await joined(tenant, 'admin', '1 minute');
  expect(await send(tenant.key)).toEqual(waits);
  expect(await send(newcomer)).toEqual(decided);
});

it('a colleague who was demoted just now still stands in the way of a newcomer', async () => {
  const tenant = await ofOwner();
  const colleague = await joined(tenant, 'admin', '25 hours');
  const newcomer = await joined(tenant, 'admin', '1 hour');
  await giveRole(tenant.key, colleague, 'viewer');
  expect(await send(tenant.key)).toEqual(waits);
  expect(await send(newcomer)).toEqual(waits);
});

it('a registration that is sent twice is enabled by its confirmation', async () => {
  const tenant = await ofOwner();
  const colleague = await joined(tenant, 'admin', '25 hours');
  await harness.rest('DELETE', path, { key: tenant.key });
  await register(tenant.key, two);
  const again = await register(tenant.key, two);
  expect(again.body.subscription).toMatchObject({ ...waits, enabled: false });
  const confirmed = await harness.rest('PATCH', path, { key: colleague, body: { url: two } });
  expect(confirmed.body.subscription).toMatchObject({ ...decided, enabled: true });
});

it('a member who was removed and never managed anything is no second person', async () => {
  const tenant = await ofOwner();
  const developer = await joined(tenant, 'developer', '25 hours');
  const { membershipId: id } = await holderOf(harness, developer);
  const remove = 'mutation ($id: ID!) { memberRemove(id: $id) { id } }';
  expect((await harness.graphql(tenant.key, remove, { id })).body.errors).toBeUndefined();
  expect(await send(tenant.key)).toEqual(decided);
});

it('the sandbox does not learn where events of production go', async () => {
  const tenant = await makeTenant(harness);
  const production = await giveProductionKey(harness, tenant);
  await register(production, one);
  const kinds = async (key: string): Promise<string[]> => {
    const { body } = await harness.graphql(key, '{ accessChanges { edges { node { kind } } } }');
    return body.data.accessChanges.edges.map((edge: { node: { kind: string } }) => edge.node.kind);
  };
  expect(await kinds(production)).toEqual(['webhook_address_changed']);
  expect(await kinds(tenant.key)).toEqual([]);
});

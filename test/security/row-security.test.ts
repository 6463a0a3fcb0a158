import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../support/database.ts';

/*
 * Row security keeps a statement that forgets its tenant from another tenant's rows. Each table without it is here with
 * the reason why not: a new table gets the wall, or a sentence.
 */
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** A cluster of Citus has no policies (src/db/policies.ts). */
const isDistributed = () => inject('citusNodes').length > 0;

/** Of a business, which has two tenants: `tenant_id` says where a row counts, not who may see it. */
const ofBusinesses = {
  'public.api_key':
    'It is read by its id before anybody knows the tenant, and the members of a business see its keys of both tenants. The service may change only when one was used and that it is revoked.',
  'public.member_invitation':
    'A link leads to it before anybody knows the tenant, and an invitation of production counts for the session in both. The service may change only its state.',
  'public.membership': 'A person is a member of a business, in both of its tenants.',
  'public.access_change':
    'It records what was changed for a business as a whole. The service may only add to it.',
  'public.business': 'It is what two tenants belong to.',
  'public.tenant': 'It is the table of the tenants, and each request begins with it.',
  'public.app_user': 'A person is a member of several businesses.',
  'public.member_link': 'It has a hash and an invitation, and is found by the hash alone.',
};

/** Stored before, or without, a tenant. */
const ofNoTenant = {
  'public.provider_event':
    'A provider names a reference, and an event is stored before anybody looked whose it is; many of several tenants are applied in one statement. It is read by the ids of the provider.',
  'public.job_run':
    'Jobs of all tenants end together and are written in one statement, and some belong to no tenant. The service adds rows and deletes old ones; operators read them.',
  'ops.action_log':
    'Operators act for all tenants and none. Policies of its own say in whose name.',
  'ops.order_confirmation': 'It belongs to an order of the log, whoever it is about.',
  'ops.taken': 'It says which operator has taken what.',
  'ops.task': 'It is the table of the tasks.',
  'public.operator_action':
    'Operators act for all businesses and none. The service may only add to it.',
  'public.operator_key': 'Operators belong to no business.',
  'public.operator_user': 'Operators belong to no business.',
  'public.encryption_key': 'A key of the ring serves all tenants.',
  'public.installation': 'It says of the whole installation whether it has two operators.',
  'public.payout_outcome': 'It has counts over all tenants, and no id of a payout.',
  'public.payout_outcome_mark': 'It says up to when the outcomes of all tenants are counted.',
  'public.write_probe': 'It is written to find out whether the disk has room.',
  'public.lookup_key': 'One key finds an address in every tenant.',
  'public.paused_task': 'A task is paused for all tenants.',
  'public.rate_limit': 'A scope may be a tenant, a link or the address of a client.',
  'public.relayed_job': 'It has ids of jobs that have left the outboxes of their tenants.',
  'public.worker_heartbeat': 'Workers work for all tenants.',
  'public.watchlist_version': 'A list of sanctions is the same for all tenants.',
  'public.watchlist_entry': 'A list of sanctions is the same for all tenants.',
  'public.watchlist_name': 'A list of sanctions is the same for all tenants.',
  'public.watchlist_posting': 'A list of sanctions is the same for all tenants.',
  'public.payout_permitted_transition': 'It is the state machine.',
  'public.schema_migration': 'It says which migrations ran.',
  'public.schema_repeatable': 'It says which repeatable files ran.',
  'public.schema_repeatable_set': 'It says which sets of repeatable files ran.',
  'graphile_worker.migrations': 'It says which migrations of graphile-worker ran.',
};

/** Of a person who signs in: read by a hash or an id before a tenant is chosen. */
const ofPersons = {
  'public.user_session': 'A session goes from one tenant to another.',
  'public.passkey': 'A passkey belongs to a person.',
  'public.passkey_challenge': 'It is given out before anybody knows who signs in.',
  'public.oidc_identity': 'It belongs to a person.',
  'public.registration_link': 'It is found by its hash.',
  'public.registration_proof':
    'It is for whoever has a mailbox, before anybody knows of which business.',
  'public.sign_in_link': 'It is found by its hash.',
  'public.sign_in_request': 'It belongs to a person.',
};

/** graphile-worker has row security of its own, with one policy by which the service sees all jobs. */
const ofTheQueue = [
  'graphile_worker._private_job_queues',
  'graphile_worker._private_jobs',
  'graphile_worker._private_known_crontabs',
  'graphile_worker._private_tasks',
];

const withoutWall = { ...ofBusinesses, ...ofNoTenant, ...ofPersons };

it('stands on every table but those that are named here, each with its reason', async () => {
  if (isDistributed()) return;
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT n.nspname || '.' || c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
       AND NOT (c.relrowsecurity AND EXISTS (
         SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'tenant' AND p.polcmd = '*'
       ))`,
  );
  const found = rows.map(({ name }) => name);
  expect(found.toSorted()).toEqual([...Object.keys(withoutWall), ...ofTheQueue].toSorted());
  for (const [name, reason] of Object.entries(withoutWall))
    expect(reason, name).toMatch(/^[A-Z].*\.$/);
});

it('is lacking on a table with a tenant only where docs/tenants.md says why', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT n.nspname || '.' || c.relname AS name FROM pg_attribute a
     JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE a.attname = 'tenant_id' AND a.attnum > 0 AND c.relkind IN ('r', 'p') AND n.nspname IN ('public', 'ops')`,
  );
  const unwalled = rows.map(({ name }) => name).filter((name) => Object.hasOwn(withoutWall, name));
  const page = readFileSync(join(import.meta.dirname, '../../docs/tenants.md'), 'utf8');
  const [, paragraph = ''] =
    /^(Five tables have a `tenant_id` and no such policy.*)$/m.exec(page) ?? [];
  const told = [...paragraph.matchAll(/`([a-z_.]+)`/g)].map(([, name = '']) => name);
  const names = told.filter((name) => name !== 'tenant_id');
  expect(names.toSorted()).toEqual(unwalled.map((name) => name.replace('public.', '')).toSorted());
});

it('is made up for by rights on the four: nobody gives a key, an invitation or a record another tenant', async () => {
  const { rows } = await database.pool.query<{ name: string; may: boolean }>(
    `SELECT t.name, has_column_privilege('payouts_service', t.name, 'tenant_id', 'UPDATE') AS may
     FROM unnest(ARRAY['public.api_key', 'public.member_invitation']) AS t (name)`,
  );
  expect(rows.map(({ may }) => may)).toEqual([false, false]);
});

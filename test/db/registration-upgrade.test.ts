import { readdirSync, readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testMs } from '../support/patience.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

/** The migration that decides what counts as proven of the businesses that are there. */
const name = '20261126224000_registration_proof';
const migrations = new URL('../../prisma/migrations/', import.meta.url);

let database: TestDatabase;
let client: Client;

const apply = (migration: string) =>
  client.query(readFileSync(new URL(`${migration}/migration.sql`, migrations), 'utf8'));

beforeAll(async () => {
  database = await testDatabase({ migrated: false });
  client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  const earlier = readdirSync(migrations).filter((one) => /^\d/.test(one) && one < name);
  for (const migration of earlier.toSorted()) await apply(migration);
}, testMs);
afterAll(async () => {
  await client.end();
  await database.drop();
});

const query = (text: string, values: unknown[] = []) => client.query(text, values);

/** A business as an earlier version left it, with what else is true of its registrant. */
async function business(id: string, status: string, more: readonly string[] = []): Promise<void> {
  await query('INSERT INTO business (id, company_name, profile_status) VALUES ($1, $1, $2)', [
    id,
    status,
  ]);
  await query(
    `INSERT INTO app_user (id, email, email_key, registered_business_id)
     VALUES ('u-' || $1, $1 || '@example.com', $1 || '@example.com', $1)`,
    [id],
  );
  await query(
    `INSERT INTO tenant (id, business_id, environment)
     VALUES ($1 || '-s', $1, 'sandbox'), ($1 || '-p', $1, 'production')`,
    [id],
  );
  await query(
    `INSERT INTO membership (id, business_id, user_id, role, accepted_at)
     VALUES ('m-' || $1, $1, 'u-' || $1, 'owner', now())`,
    [id],
  );
  await query(
    `INSERT INTO api_key (id, tenant_id, business_id, membership_id, role, secret_hash)
     VALUES ('k-' || $1, $1 || '-s', $1, 'm-' || $1, 'owner', '\\x00')`,
    [id],
  );
  for (const text of more) await query(text);
}

const usedLink = (id: string) =>
  `INSERT INTO sign_in_request (user_id, expires_at, used_at) VALUES ('u-${id}', now(), now())`;
const elsewhere = (id: string) =>
  `INSERT INTO membership (id, business_id, user_id, role, accepted_at)
   VALUES ('m2-${id}', 'accepted', 'u-${id}', 'viewer', now())`;
const session = (id: string, membership: string) =>
  `INSERT INTO user_session (id, token_hash, user_id, membership_id, environment, signed_in_by, expires_at)
   VALUES ('s-${id}', '\\x${Buffer.from(id).toString('hex')}', 'u-${id}', '${membership}', 'sandbox', 'link', now())`;

test('takes as proven who signed in, was accepted, or has a production key, and holds no key', async () => {
  await business('accepted', 'accepted');
  await business('silent', 'submitted');
  await business('signed-in', 'incomplete', [usedLink('signed-in')]);
  await business('keyed', 'submitted', [
    `INSERT INTO api_key (id, tenant_id, business_id, membership_id, role, secret_hash)
     VALUES ('k2', 'keyed-p', 'keyed', 'm-keyed', 'owner', '\\x01')`,
  ]);
  // A stranger may have registered these with the address of a member of another business.
  await business('taken', 'submitted', [elsewhere('taken'), usedLink('taken')]);
  await business('taken-out', 'submitted', [
    elsewhere('taken-out'),
    session('taken-out', 'm2-taken-out'),
  ]);
  await business('own', 'submitted', [elsewhere('own'), session('own', 'm-own')]);

  await apply(name);

  const { rows } = await query(
    `SELECT id, registrant_email_key AS address, registration_proven_at IS NOT NULL AS proven
     FROM business ORDER BY id`,
  );
  const provenIds = ['accepted', 'keyed', 'own', 'signed-in'];
  const all = [...provenIds, 'silent', 'taken', 'taken-out'].toSorted();
  expect(rows).toEqual(
    all.map((id) => ({ id, address: `${id}@example.com`, proven: provenIds.includes(id) })),
  );
  const held = await query('SELECT count(*)::int AS n FROM api_key WHERE held_at IS NOT NULL');
  expect(held.rows).toEqual([{ n: 0 }]);
  // The record takes the new kinds beside the old ones.
  for (const kind of ['key_revoked', 'registration_proven', 'key_confirmed']) {
    await query(
      `INSERT INTO access_change (business_id, environment, kind, subject_id, actor)
       VALUES ('own', 'sandbox', $1, 'own', '{}')`,
      [kind],
    );
  }
  const unknown = query(
    `INSERT INTO access_change (business_id, environment, kind, subject_id, actor)
     VALUES ('own', 'sandbox', 'made_up', 'own', '{}')`,
  );
  await expect(unknown).rejects.toThrow('access_change_kind_check');
});

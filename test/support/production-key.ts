import type { Pool } from 'pg';
import { makeKey } from '../../src/access/key.ts';
import type { Role } from '../../src/access/roles.ts';
import { newId } from '../../src/values/ids.ts';
import type { TestTenant } from './factory.ts';

/** A production key of the first owner of a business, with the right of `role`, in the database. */
export async function giveProductionKey(
  { database: { pool } }: { database: { pool: Pool } },
  { businessId }: TestTenant,
  role: Role = 'owner',
): Promise<string> {
  const id = newId('apiKey');
  const { key, hash } = makeKey('production', id);
  const { rowCount } = await pool.query(
    `INSERT INTO api_key (id, tenant_id, business_id, membership_id, role, secret_hash)
     SELECT $1, t.id, t.business_id, m.id, $3, $4
     FROM tenant t JOIN membership m USING (business_id)
     WHERE t.business_id = $2 AND t.environment = 'production' AND m.role = 'owner'
     ORDER BY m.id LIMIT 1`,
    [id, businessId, role, hash],
  );
  if (rowCount !== 1) throw new Error('the business has no owner');
  return key;
}

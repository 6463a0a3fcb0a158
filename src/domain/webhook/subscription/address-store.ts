import type { PoolClient } from 'pg';
import type { Scope } from '../../../access/scope.ts';
import { named } from '../../../db/named.ts';
import { firstRow, rows } from '../../../db/pool.ts';

const otherManager = named(
  'other_manager_of_business',
  ['business', 'user'],
  `
    SELECT 1 AS one FROM membership m
    WHERE m.business_id = @business AND m.user_id <> @user AND m.role IN ('owner', 'admin')
      AND m.accepted_at IS NOT NULL AND m.removed_at IS NULL
    LIMIT 1`,
);

/** Whether the business has an owner or admin besides this person. */
export async function hasOtherManager(
  client: PoolClient,
  { businessId: business }: Scope,
  user: string,
): Promise<boolean> {
  return (await firstRow(client, otherManager, otherManager.of({ business, user }))) !== null;
}

const known = named(
  'webhook_address',
  ['tenant'],
  'SELECT a.url FROM webhook_address a WHERE a.tenant_id = @tenant',
);

/** The address that the tenant's webhooks had last, whether or not there is a subscription; null before the first. */
export async function findAddress(
  client: PoolClient,
  { tenantId: tenant }: Scope,
): Promise<string | null> {
  const row = await firstRow<{ url: string }>(client, known, known.of({ tenant }));
  return row?.url ?? null;
}

const remember = named(
  'remember_webhook_address',
  ['tenant', 'url'],
  `
    INSERT INTO webhook_address AS a (tenant_id, url) VALUES (@tenant, @url)
    ON CONFLICT (tenant_id) DO UPDATE SET url = excluded.url, confirmed_at = now()`,
);

/** Notes the address to which the tenant's webhooks may go from here on. */
export async function rememberAddress(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  url: string,
): Promise<void> {
  await rows(client, remember, remember.of({ tenant, url }));
}

import type { PoolClient } from 'pg';
import type { Scope } from '../../../access/scope.ts';
import { named, namedOfPlatform } from '../../../db/named.ts';
import { firstRow, rows } from '../../../db/pool.ts';

const proposals = namedOfPlatform(
  'webhook_addresses_proposed_this_hour',
  ['business', 'environment', 'most'],
  `
    SELECT count(*)::integer AS count FROM (
      SELECT FROM access_change c
      WHERE c.business_id = @business AND c.id >= uuidv7(interval '-61 minutes')
        AND c.kind = 'webhook_address_proposed' AND c.environment = @environment
        AND c.occurred_at >= date_trunc('hour', now())
      LIMIT @most
    ) c`,
);

/** How many addresses were proposed since the clock struck the hour, counted up to `most`. */
export async function countProposals(
  client: PoolClient,
  { businessId: business, environment }: Scope,
  most: number,
): Promise<number> {
  const values = proposals.of({ business, environment, most });
  return (await firstRow<{ count: number }>(client, proposals, values))?.count ?? 0;
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

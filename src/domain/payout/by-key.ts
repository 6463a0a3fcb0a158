import { Prisma, type Payout } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { inAskedOrder } from '../children.ts';

const latestByKeys = named(
  'latest_payouts_by_keys',
  ['tenant', 'keys'],
  `
    SELECT g.asked::integer AS asked, ${columns(Prisma.PayoutScalarFieldEnum, 'p')}
    FROM unnest(@keys::text[]) WITH ORDINALITY AS g(key, asked)
    CROSS JOIN LATERAL (
      SELECT k.* FROM payout k WHERE k.tenant_id = @tenant AND k.idempotency_key = g.key
      ORDER BY k.idempotency_key DESC, k.id DESC LIMIT 1
    ) p`,
);

/** The latest payout that was created with each key, also where the key's time is over; null where there is none. */
export async function readLatestByKeys(
  { scope, services }: Call,
  keys: readonly string[],
): Promise<(Payout | null)[]> {
  const values = latestByKeys.of({ tenant: scope.tenantId, keys });
  type Row = Payout & { readonly asked: number };
  const found = await rows<Row>(services.pool, latestByKeys, values);
  return inAskedOrder(found, keys).map(([payout]) => payout ?? null);
}

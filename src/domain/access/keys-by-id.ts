import { Prisma, type ApiKey } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { rows, type Statement } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';

const keysById: Statement = {
  name: 'api_keys_by_id',
  text: `
    SELECT ${columns(Prisma.ApiKeyScalarFieldEnum, 'k')}
    FROM api_key k WHERE k.tenant_id = $1 AND k.id = ANY ($2::text[])`,
};

/** API keys of the scope's tenant, revoked ones included, in the order of the ids; null for every other id. */
export async function readKeysById(
  { scope, services }: Call,
  ids: readonly string[],
): Promise<(ApiKey | null)[]> {
  const found = await rows<ApiKey>(services.pool, keysById, [scope.tenantId, ids]);
  const byId = new Map(found.map((key) => [key.id, key]));
  return ids.map((id) => byId.get(id) ?? null);
}

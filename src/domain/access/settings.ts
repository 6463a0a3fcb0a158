import { Prisma, type Business } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { firstRow, inTransaction, type Statement } from '../../db/pool.ts';
import type { Call } from '../../services.ts';
import { requireManager } from './authority.ts';
import { lockGoverned, mayGovern } from './governance.ts';

const setDistinctApprover: Statement = {
  name: 'set_distinct_approver',
  text: `
    UPDATE business b SET distinct_approver = $2, updated_at = now()
    WHERE b.id = $1 AND ${mayGovern('b.id', '$3')}
    RETURNING ${columns(Prisma.BusinessScalarFieldEnum, 'b')}`,
};

/**
 * Says whether the actor that created a payout may not approve it, in both environments (decisions
 * 2). It is a rule about people, so it is for those who manage members; throws forbidden for others,
 * and for a sandbox key once the business has a production key.
 */
export async function updateSettings(call: Call, distinctApprover: boolean): Promise<Business> {
  const { scope, services } = call;
  requireManager(scope);
  return inTransaction(services.pool, async (client) => {
    await lockGoverned(client, scope, 'its settings');
    const values = [scope.businessId, distinctApprover, scope.environment];
    const business = await firstRow<Business>(client, setDistinctApprover, values);
    if (business === null) throw new Error('a locked and governed business is always updated');
    return business;
  });
}

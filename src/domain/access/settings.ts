import { Prisma, type Business } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { firstRow, inTransaction, type Statement } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { requireManager } from './authority.ts';
import { recordChange } from './change-store.ts';
import { lockGoverned, mayGovern } from './governance.ts';

const setDistinctApprover: Statement = {
  name: 'set_distinct_approver',
  text: `
    WITH changed AS (
      UPDATE business b SET distinct_approver = $2, updated_at = now()
      WHERE b.id = $1 AND ${mayGovern('b.id', '$3')}
      RETURNING new.*, old.distinct_approver AS before
    ),
    recorded AS (
      ${recordChange({
        from: 'changed b WHERE b.before <> b.distinct_approver',
        kind: 'settings_changed',
        business: 'b.id',
        environment: '$3',
        actor: '$4',
        subject: 'b.id',
        before: "jsonb_build_object('distinct_approver', b.before)",
        after: "jsonb_build_object('distinct_approver', b.distinct_approver)",
      })}
    )
    SELECT ${columns(Prisma.BusinessScalarFieldEnum, 'b')} FROM changed b`,
};

/**
 * Says whether the person who created a payout may not approve it, in both environments. A payout
 * that is created while it is on stays bound to it. It is a rule about people, so it is for those who
 * manage members; throws forbidden for others, and for a sandbox key once the business has a
 * production key.
 */
export async function updateSettings(call: Call, distinctApprover: boolean): Promise<Business> {
  const { scope, services } = call;
  requireManager(scope);
  return inTransaction(services.pool, async (client) => {
    await lockGoverned(client, scope, 'its settings');
    const { businessId, environment, actor } = scope;
    const values = [businessId, distinctApprover, environment, JSON.stringify(actor)];
    const business = await firstRow<Business>(client, setDistinctApprover, values);
    if (business === null) throw new Error('a locked and governed business is always updated');
    return business;
  });
}

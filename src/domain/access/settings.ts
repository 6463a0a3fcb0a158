import type { PoolClient } from 'pg';
import { Prisma, type Business } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import type { Scope } from '../../access/scope.ts';
import {
  firstRow,
  inTransaction,
  platformStatement,
  rows,
  type Queryable,
  type Statement,
} from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { requireManager } from './authority.ts';
import { recordChange } from './change-store.ts';
import { lockGoverned } from './governance.ts';

const setDistinctApprover = platformStatement({
  name: 'set_distinct_approver',
  text: `
    UPDATE business b SET distinct_approver = $2, updated_at = now() WHERE b.id = $1
    RETURNING ${columns(Prisma.BusinessScalarFieldEnum, 'new')}, old.distinct_approver AS before`,
});

/** A statement of its own: on Citus the table of businesses has copies, and this one has not. */
const recordSetting = platformStatement({
  name: 'record_settings_change',
  text: `
    ${recordChange({
      from: '(SELECT 1) AS once',
      kind: 'settings_changed',
      business: '$1',
      environment: '$2',
      actor: '$3',
      subject: '$1',
      before: "jsonb_build_object('distinct_approver', $4::boolean)",
      after: "jsonb_build_object('distinct_approver', $5::boolean)",
    })}`,
});

const tenants = platformStatement({
  name: 'tenants_of_business',
  text: 'SELECT t.id FROM tenant t WHERE t.business_id = $1 ORDER BY t.id',
});

/** The tenants of the scope's business: one for each environment. */
export async function tenantsOfBusiness(
  client: Queryable,
  { businessId }: Scope,
): Promise<string[]> {
  const found = await rows<{ id: string }>(client, tenants, [businessId]);
  return found.map(({ id }) => id);
}

const policyHolds: Statement = {
  name: 'approval_policy_holds',
  text: `
    SELECT p.rules IS NOT NULL AS holds FROM approval_policy p
    WHERE p.tenant_id = $1 ORDER BY p.version DESC LIMIT 1`,
};

/** Throws `conflict` where a policy holds in either environment: nobody weakens its rules alone. */
async function requireNoPolicy(client: PoolClient, scope: Scope): Promise<void> {
  for (const id of await tenantsOfBusiness(client, scope)) {
    const row = await firstRow<{ holds: boolean }>(client, policyHolds, [id]);
    if (row?.holds !== true) continue;
    throw new DomainError('conflict', {
      message:
        'An approval policy holds, and distinct_approver is its first rule. End the policy first, which a second person confirms.',
    });
  }
}

/**
 * Says whether the person who created a payout may not approve it, in both environments. A payout
 * that is created while it is on stays bound to it. It is a rule about people, so it is for those who
 * manage members; throws forbidden for others, and for a sandbox key once the business has a production key. Throws
 * conflict where it is turned off while an approval policy holds.
 */
export async function updateSettings(call: Call, distinctApprover: boolean): Promise<Business> {
  const { scope, services } = call;
  requireManager(scope);
  return inTransaction(services.pool, async (client) => {
    await lockGoverned(client, scope, 'its settings');
    if (!distinctApprover) await requireNoPolicy(client, scope);
    const { businessId, environment, actor } = scope;
    const changed = await firstRow<Business & { before: boolean }>(client, setDistinctApprover, [
      businessId,
      distinctApprover,
    ]);
    if (changed === null) throw new Error('a locked business is always updated');
    const { before, ...business } = changed;
    if (before !== distinctApprover) {
      const values = [businessId, environment, JSON.stringify(actor), before, distinctApprover];
      await rows(client, recordSetting, values);
    }
    return business;
  });
}

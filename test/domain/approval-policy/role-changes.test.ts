import { expect, it } from 'vitest';
import { changeMemberRole } from '../../../src/domain/approval-policy/role-changes.ts';
import { members } from '../../support/approval-world.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld({ fresh: true });
const { sql } = world;

it('asks for a second person by the policy of the other environment, too', async () => {
  const [owner, other] = [
    ...(await members(world, 'owner', 1)),
    ...(await members(world, 'viewer', 1)),
  ];
  if (other?.scope.actor.type !== 'member') throw new Error('a member');
  const { membership_id: id } = other.scope.actor;
  const role = async () =>
    (await sql<{ role: string }>('SELECT role FROM membership WHERE id = $1', [id]))[0]?.role;
  const policy = (version: number, rules: string | null) =>
    sql(
      `INSERT INTO approval_policy (tenant_id, version, rules, sums, proposed_by, proposed_at, confirmed_by)
       SELECT t.id, $2, $3, '[]', 'usr_1', now(), 'usr_2' FROM tenant t
       WHERE t.business_id = $1 AND t.id <> $4 RETURNING tenant_id`,
      [world.tenant.businessId, version, rules, world.tenant.tenantId],
    );
  expect(await policy(1, '[]')).toHaveLength(1);
  await changeMemberRole(owner, { id, role: 'approver' });
  expect(await role()).toBe('viewer');
  expect(await sql(`SELECT FROM proposed_change WHERE status = 'waiting'`)).toHaveLength(1);
  await policy(2, null);
  await changeMemberRole(owner, { id, role: 'approver' });
  expect(await role()).toBe('approver');
});

import type { Role } from '../../src/access/roles.ts';
import { userOf } from '../../src/access/scope.ts';
import { rulesInput, sumsOf, type RulesInput } from '../../src/domain/approval-policy/rules.ts';
import type { Call } from '../../src/process/services.ts';
import { newId } from '../../src/values/ids.ts';
import { memberCall } from './payout-command.ts';
import type { usePayoutWorld } from './payout-world.ts';

type World = ReturnType<typeof usePayoutWorld>;

/** A policy that holds from here on, written straight into the database as a confirmation writes it. */
export async function givePolicy(world: World, given: RulesInput | null): Promise<number> {
  const rules = given === null ? null : rulesInput.parse(given);
  const [row] = await world.sql<{ version: number }>(
    `INSERT INTO approval_policy (tenant_id, version, rules, sums, proposed_by, proposed_at, confirmed_by)
     SELECT $1, coalesce(max(version), 0) + 1, $2, $3, 'usr_1', now(), 'usr_2' FROM approval_policy WHERE tenant_id = $1
     RETURNING version`,
    [
      world.tenant.tenantId,
      rules === null ? null : JSON.stringify(rules),
      JSON.stringify(rules === null ? [] : sumsOf(rules)),
    ],
  );
  if (row === undefined) throw new Error('an insert returns its row');
  return row.version;
}

/** A group of these members. */
export async function giveGroup(world: World, members: readonly Call[]): Promise<string> {
  const id = newId('approvalGroup');
  await world.sql(
    'INSERT INTO approval_group (tenant_id, id, name, members) VALUES ($1, $2, $2, $3)',
    [world.tenant.tenantId, id, members.map(({ scope }) => userOf(scope))],
  );
  return id;
}

interface Some {
  1: [Call];
  2: [Call, Call];
  3: [Call, Call, Call];
  10: Call[];
}

/** New members of the tenant's business with this role. */
export async function members<Count extends keyof Some>(
  world: World,
  role: Role,
  count: Count,
): Promise<Some[Count]> {
  const made = Array.from({ length: count }, () =>
    memberCall(world.call.services, world.tenant, role),
  );
  return (await Promise.all(made)) as Some[Count]; // as many as were asked for
}

/** A rule that demands these steps of every payout. */
export const always = (
  ...steps: Extract<RulesInput[number], { effect: 'require' }>['steps']
): RulesInput[number] => ({ name: 'always', when: {}, effect: 'require', steps });

import { userOf, type Scope } from '../../access/scope.ts';
import { named, namedOfPlatform } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { decidingRoles, type Distinct } from './rules.ts';

/** Why the approval of a caller does not count for a demand, the first in this order where several apply. */
export const demandObstacles = [
  'creator',
  'payee_editor',
  'account_changer',
  'earlier_approver',
  'already_approved',
  'not_in_group',
  'not_open',
] as const;
export type DemandObstacle = (typeof demandObstacles)[number];

/** One demand of the approval policy on a payout, and where it stands for the caller. */
export interface Demand {
  /** The number of the rule; 0 for distinct_approver, null for the demand that is made where no rule holds. */
  readonly rule: number | null;
  readonly step: number;
  readonly approvals: number;
  /** The approvals that count at this moment. */
  readonly counted: number;
  /** Any member of one of them may approve: roles, and ids of groups. */
  readonly groups: readonly string[];
  readonly distinctFrom: readonly Distinct[];
  /** An approval for it takes the signature of a passkey. */
  readonly stepUp: boolean;
  /** It is of the step that is open, and lacks approvals. */
  readonly isOpen: boolean;
  /** Null where the caller's approval would count for it. */
  readonly obstacle: DemandObstacle | null;
  /** Nobody who is left may give what it lacks. */
  readonly nobody: boolean;
  /** Which writing down of the demands it is of, from 1. */
  readonly round: number;
  readonly policyVersion: number;
  /** Of a step that is open: when the payout goes back to the first step; null where it does not. */
  readonly expiresAt: Date | null;
  /** For whom the caller's approval would count, by their user; null for the caller. */
  readonly onBehalfOf: string | null;
}

type StandingRow = Omit<Demand, 'nobody'> & {
  readonly asked: number;
  readonly excluded: readonly string[];
};

const standings = named(
  'approval_standings',
  ['tenant', 'payouts', 'business', 'user', 'role'],
  `
    SELECT g.asked::integer AS asked, s.rule, s.step, s.approvals, s.counted, s.groups, s.distinct_from AS "distinctFrom",
      s.excluded, s.is_open AS "isOpen", s.obstacle, s.round, s.policy_version AS "policyVersion",
      s.expires_at AS "expiresAt", s.on_behalf_of AS "onBehalfOf",
      coalesce((r.demands -> s.place ->> 'stepUp')::boolean, false) AS "stepUp"
    FROM unnest(@payouts::text[]) WITH ORDINALITY AS g(id, asked)
    CROSS JOIN LATERAL command.payout_standing(
      _tenant => @tenant, _payout => g.id, _business => @business, _user => @user, _role => @role
    ) s
    JOIN payout_requirement r ON r.tenant_id = @tenant AND r.payout_id = g.id AND r.round = s.round
    ORDER BY g.asked, s.step, s.place`,
);

const deciders = namedOfPlatform(
  'deciders_of_business',
  ['business', 'roles'],
  `
    SELECT m.user_id AS id, m.role FROM membership m
    WHERE m.business_id = @business AND m.accepted_at IS NOT NULL AND m.removed_at IS NULL
      AND m.role = ANY (@roles::text[])`,
);

const groupMembers = named(
  'members_of_approval_groups',
  ['tenant', 'groups'],
  'SELECT g.id, g.members FROM approval_group g WHERE g.tenant_id = @tenant AND g.id = ANY (@groups::text[])',
);

/** Who decides on payouts at this moment, by the groups that are named: roles, and ids of groups. */
export async function decidersBy(
  { scope, services }: Call,
  groups: ReadonlySet<string>,
): Promise<(group: string) => readonly string[]> {
  const { tenantId: tenant, businessId: business } = scope;
  const [people, found] = await Promise.all([
    rows<{ id: string; role: string }>(
      services.pool,
      deciders,
      deciders.of({ business, roles: decidingRoles }),
    ),
    rows<{ id: string; members: string[] }>(
      services.pool,
      groupMembers,
      groupMembers.of({ tenant, groups: [...groups] }),
    ),
  ]);
  const ids = new Set(people.map(({ id }) => id));
  const byGroup = new Map(found.map(({ id, members }) => [id, members.filter((m) => ids.has(m))]));
  return (group) =>
    byGroup.get(group) ?? people.flatMap(({ id, role }) => (role === group ? [id] : []));
}

const roleOf = ({ actor }: Scope): string | null => (actor.type === 'member' ? actor.role : null);

/**
 * Where the approval of payouts stands for the caller, in the order given; empty for a payout of which no policy demands
 * anything. It is what the approval itself asks (payout-standing.sql), and who could still approve.
 */
export async function readStandings(call: Call, payouts: readonly string[]): Promise<Demand[][]> {
  const { scope, services } = call;
  const found = await rows<StandingRow>(
    services.pool,
    standings,
    standings.of({
      tenant: scope.tenantId,
      payouts,
      business: scope.businessId,
      user: userOf(scope),
      role: roleOf(scope),
    }),
  );
  const results: Demand[][] = payouts.map(() => []);
  if (found.length === 0) return results;
  const peopleOf = await decidersBy(call, new Set(found.flatMap(({ groups }) => groups)));
  for (const { asked, excluded, ...demand } of found) {
    const left = new Set(demand.groups.flatMap(peopleOf));
    for (const person of excluded) left.delete(person);
    const nobody = left.size < demand.approvals - demand.counted;
    results[asked - 1]?.push({ ...demand, nobody });
  }
  return results;
}

/** Why the caller's approval counts for nothing at this moment; null where it counts, and where nothing is demanded. */
export function obstacleOf(demands: readonly Demand[]): DemandObstacle | null {
  const open = demands.filter(({ isOpen }) => isOpen);
  if (open.length === 0 || open.some(({ obstacle }) => obstacle === null)) return null;
  return demandObstacles.find((one) => open.some(({ obstacle }) => obstacle === one)) ?? null;
}

/** Whether the caller's approval would count at this moment, with the signature of a passkey alone. */
export const needsStepUp = (demands: readonly Demand[]): boolean =>
  demands.some(({ isOpen, obstacle, stepUp }) => isOpen && obstacle === null && stepUp);

/** Whether a step of the payout can be fulfilled by nobody who is left. */
export const isStuck = (demands: readonly Demand[]): boolean =>
  demands.some(
    ({ nobody, isOpen, counted, approvals }) => nobody && (isOpen || counted < approvals),
  );

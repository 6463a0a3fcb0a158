import type { Payout } from '../../../../generated/prisma/client.ts';
import { may } from '../../../access/scope.ts';
import { rows, type Statement } from '../../../db/pool.ts';
import type { Call } from '../../../process/services.ts';
import { isStuck, obstacleOf, type Demand } from '../../approval-policy/standing.ts';
import { isCreator } from '../approval-obstacle.ts';
import type { NameObstacle } from '../gates.ts';
import { statesBefore, type PayoutState } from '../machine.ts';

/** Why a caller cannot approve a payout, each of which is enough, as the write would find it. */
export const approvalObstacles = [
  'not_waiting',
  'role',
  'four_eyes',
  'payee_editor',
  'account_changer',
  'earlier_approver',
  'already_approved',
  'not_in_group',
  'nobody_can_approve',
  'account_changed',
  'name_check_pending',
  'name_check_unconfirmed',
  'name_check_blocked',
  'predecessor_examined',
] as const;
export type ApprovalObstacle = (typeof approvalObstacles)[number];

/** Where the demand for another approver comes from. */
export type FourEyesGround = 'created_under' | 'business_setting';

export interface ApprovalFacts {
  /** `distinct_approver` of the business at this moment. */
  readonly demanded: boolean;
  readonly accountChanged: boolean;
  /** What the bank says of the holder's name, where that stops an approval. */
  readonly nameObstacle: NameObstacle | null;
  /** It is examined whether what the payout replaces was paid after all. */
  readonly predecessorContradicted: boolean;
  /** What the approval policy demands of it; empty where it demands nothing. */
  readonly demands: readonly Demand[];
}

/** Why a second person has to approve the payout; null where its creator may. */
export function fourEyesGround(payout: Payout, demanded: boolean): FourEyesGround | null {
  if (payout.distinctApprover) return 'created_under';
  return demanded ? 'business_setting' : null;
}

/** All that keeps the caller from approving, the surest first; empty where they may. */
export function obstaclesOf(
  { scope }: Call,
  payout: Payout,
  { demanded, accountChanged, nameObstacle, predecessorContradicted, demands }: ApprovalFacts,
): ApprovalObstacle[] {
  const waits = statesBefore('approve').includes(payout.state as PayoutState);
  const obstacle = waits ? obstacleOf(demands) : null;
  const holds: Record<ApprovalObstacle, boolean> = {
    not_waiting: !waits,
    role: !may(scope, 'payouts:decide'),
    four_eyes:
      obstacle === 'creator' ||
      (isCreator(scope, payout) && fourEyesGround(payout, demanded) !== null),
    payee_editor: obstacle === 'payee_editor',
    account_changer: obstacle === 'account_changer',
    earlier_approver: obstacle === 'earlier_approver',
    already_approved: obstacle === 'already_approved',
    not_in_group: obstacle === 'not_in_group',
    nobody_can_approve: waits && isStuck(demands),
    account_changed: waits && accountChanged,
    name_check_pending: waits && nameObstacle === 'name_check_pending',
    name_check_unconfirmed: waits && nameObstacle === 'name_check_unconfirmed',
    name_check_blocked: waits && nameObstacle === 'name_check_blocked',
    predecessor_examined: waits && predecessorContradicted,
  };
  return approvalObstacles.filter((obstacle) => holds[obstacle]);
}

/** A function with statements of its own is called from no statement on a tenant's table. */
const contradicted: Statement = {
  name: 'predecessors_contradicted',
  text: `
    SELECT g.id, ops.is_contradicted($1, g.id) AS contradicted
    FROM unnest($2::text[]) AS g(id)`,
};

/** Of which predecessors it is examined whether they were paid after all, in the order asked. */
export async function readContradicted(
  { scope, services }: Call,
  predecessors: readonly string[],
): Promise<boolean[]> {
  const values = [scope.tenantId, predecessors] as const;
  type Row = { readonly id: string; readonly contradicted: boolean };
  const found = await rows<Row>(services.pool, contradicted, values);
  const byId = new Map(found.map((row) => [row.id, row.contradicted]));
  return predecessors.map((id) => byId.get(id) === true);
}

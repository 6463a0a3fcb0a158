import type { Payout } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { firstRow, platformStatement, type Statement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import {
  isStuck,
  needsStepUp,
  obstacleOf,
  readStandings,
  type Demand,
  type DemandObstacle,
} from '../approval-policy/standing.ts';
import { stepUpRefused } from '../step-up/refused.ts';
import { nameObstacles, predecessorExamined, type NameObstacle } from './gates.ts';
import { statesBefore, type PayoutState } from './machine.ts';

const approvalFacts: Statement = {
  name: 'approval_facts',
  text: `
    SELECT a.version <> $3 AS "accountChanged", (
        SELECT command.name_check_obstacle(
          _check => a.name_check, _confirmed => a.name_check_confirmed_at IS NOT NULL, _close_match => s.close_match,
          _no_match => s.no_match, _not_possible => s.not_possible
        ) FROM name_check_policy s WHERE s.tenant_id = $1
      ) AS "nameObstacle", (
        SELECT coalesce(b.screening IN ('incomplete', 'hit', 'confirmed'), false) FROM beneficiary b
        WHERE b.tenant_id = $1 AND b.id = $5
      ) AS "payeeBarred",
      (SELECT b.distinct_approver FROM business b WHERE b.id = $4) AS "distinctApprover"
    FROM bank_account a WHERE a.tenant_id = $1 AND a.id = $2`,
};

type ApprovalFacts = Readonly<
  Record<'accountChanged' | 'payeeBarred' | 'distinctApprover', boolean> & {
    nameObstacle: NameObstacle | null;
  }
>;

/** By itself: a function with statements of its own is called from no statement on a tenant's table. */
const predecessorContradicted: Statement = {
  name: 'predecessor_contradicted',
  text: 'SELECT ops.is_contradicted($1, $2) AS contradicted',
};

/** Whether the caller is the person who created the payout, with whatever key. */
export function isCreator({ actor }: Scope, { createdBy }: Pick<Payout, 'createdBy'>): boolean {
  const creator = createdBy as { readonly user_id?: string };
  return actor.type === 'member' && creator.user_id === actor.user_id;
}

const approverSetting = platformStatement({
  name: 'distinct_approver_setting',
  text: 'SELECT b.distinct_approver AS demanded FROM business b WHERE b.id = $1',
});

/** Whether the caller's business demands at this moment that nobody approves what they created. */
export async function demandsDistinctApprover({ scope, services }: Call): Promise<boolean> {
  const values = [scope.businessId];
  const row = await firstRow<{ demanded: boolean }>(services.pool, approverSetting, values);
  return row?.demanded === true;
}

const toldOf: Readonly<Record<DemandObstacle, string>> = {
  creator: 'You created the payout, so another person has to approve it.',
  payee_editor: 'You changed the payee last, so another person has to approve it.',
  account_changer: 'You changed the bank account last, so another person has to approve it.',
  earlier_approver: 'You approved an earlier step, so another person has to approve this one.',
  already_approved: 'You have approved this step already; others are missing.',
  not_in_group: 'You are in none of the groups that have to approve this step.',
  not_open: 'No step of the payout waits for an approval.',
};

/** Why the approval policy does not count the caller's approval; null where it does, or demands nothing. */
async function policyObstacle(
  call: Call,
  payoutId: string,
  stepUp: string | null,
): Promise<DomainError | null> {
  const [demands = []] = await readStandings(call, [payoutId]);
  const obstacle = obstacleOf(demands);
  if (obstacle === null) {
    return stepUp === null && !needsStepUp(demands) ? null : stepUpObstacle(call, stepUp, demands);
  }
  const stuck = isStuck(demands)
    ? ' Nobody who is left can approve it (nobody_can_approve): an owner changes the groups, or asks for a new evaluation.'
    : '';
  return new DomainError('forbidden', { message: `${toldOf[obstacle]}${stuck}` });
}

/** Why an approval was not counted that the policy would count with a signature, or that had one. */
function stepUpObstacle(
  { scope: { actor } }: Call,
  stepUp: string | null,
  demands: readonly Demand[],
): DomainError | null {
  if (stepUp !== null) return demands.length === 0 ? null : stepUpRefused();
  const isKey = actor.type === 'member' && 'key_id' in actor;
  return new DomainError('STEP_UP_REQUIRED', {
    message: isKey
      ? 'The step asks for the signature of a passkey, which an API key cannot give. A person approves it in the console.'
      : 'The step asks for the signature of your passkey over what you approve.',
  });
}

/** The refusal of an approval by what the bank says of the holder's name. */
function nameNotPassed(obstacle: NameObstacle): DomainError {
  const message = nameObstacles[obstacle];
  return new DomainError('NAME_CHECK_NOT_PASSED', {
    message,
    details: [{ field: 'bank_account_id', code: obstacle, message }],
  });
}

/**
 * Why a payout that waits for a decision was not approved: the caller created it and somebody else has
 * to approve, its bank account changed after the creation, or the payout that it replaces may have been
 * paid after all. Null when its state is the reason. It is asked only after the guarded write refused.
 */
export async function approvalObstacle(
  call: Call,
  payout: Payout,
  {
    stepUp = null,
    expects = null,
  }: { readonly stepUp?: string | null; readonly expects?: string | null },
): Promise<DomainError | null> {
  const { scope, services } = call;
  if (!statesBefore('approve').includes(payout.state as PayoutState)) return null;
  const facts = await firstRow<ApprovalFacts>(services.pool, approvalFacts, [
    scope.tenantId,
    payout.bankAccountId,
    payout.bankAccountVersion,
    scope.businessId,
    payout.beneficiaryId,
  ]);
  if (isCreator(scope, payout) && (payout.distinctApprover || facts?.distinctApprover === true)) {
    return new DomainError('forbidden', {
      message: 'You created the payout, so another person has to approve it (distinct_approver).',
    });
  }
  if (facts?.accountChanged === true) {
    return new DomainError('BANK_ACCOUNT_CHANGED');
  }
  if (facts?.payeeBarred === true) {
    return new DomainError('BENEFICIARY_NOT_COMPLIANT', {
      message: 'The beneficiary may be on a list of sanctions; somebody has to decide on it first.',
    });
  }
  const name = facts?.nameObstacle ?? null;
  if (name !== null) return nameNotPassed(name);
  const { replacesPayoutId: predecessor } = payout;
  if (predecessor !== null) {
    const values = [scope.tenantId, predecessor] as const;
    const row = await firstRow<{ contradicted: boolean }>(
      services.pool,
      predecessorContradicted,
      values,
    );
    if (row?.contradicted === true) {
      return new DomainError('PREDECESSOR_NOT_REPLACEABLE', { message: predecessorExamined });
    }
  }
  const refused = await policyObstacle(call, payout.id, stepUp);
  if (refused !== null) return refused;
  if (expects !== null) {
    return new DomainError('conflict', {
      message:
        'The payout, or what the approval policy demands of it, is another one since you saw it. Look at it again.',
    });
  }
  return new DomainError('PAYOUT_CONCURRENCY_CONFLICT');
}

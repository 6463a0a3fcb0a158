import { operatorId } from '../../access/scope.ts';
import { namedOfPlatform } from '../../db/named.ts';
import type { OperatorCall } from '../../process/services.ts';
import type { ContradictionKind, ContradictionSource } from '../contradiction/contradiction.ts';
import type { PayoutState } from '../payout/machine.ts';
import { readList, tenantColumns, type OfTenant, type OperatorPage } from './list.ts';
import type { resolutions } from './resolve-payout.ts';

/** A payout that should have made progress and has not. */
export interface StuckPayout extends OfTenant {
  readonly payoutId: string;
  readonly state: PayoutState;
  readonly since: Date;
  readonly reason: string;
  readonly explanation: string;
  readonly nextStep: string;
  readonly attemptId: string | null;
  readonly provider: string | null;
  readonly lastError: string | null;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly takenBy: string | null;
}

/** The columns of `StuckPayout`, as the functions of ops name them. */
export const stuckColumns = `payout_id AS "payoutId", ${tenantColumns}, state, since, reason, explanation,
      next_step AS "nextStep", attempt_id AS "attemptId", provider, last_error AS "lastError",
      amount_minor AS "amountMinor", currency, taken_by AS "takenBy"`;

const stuckPayouts = namedOfPlatform(
  'operator_stuck_payouts',
  ['business', 'since', 'payout', 'take'],
  `
    SELECT ${stuckColumns}
    FROM ops.stuck_payouts_page(@business, @since::timestamptz, @payout, @take)`,
);

/** The payouts of ops.stuck_payouts, those first that have waited longest. */
export function listStuckPayouts(call: OperatorCall, page: OperatorPage): Promise<StuckPayout[]> {
  const [since = null, payout = null] = page.after?.split(' ') ?? [];
  return readList(call, stuckPayouts, {
    business: page.businessId,
    since,
    payout,
    take: page.take,
  });
}

export const stuckPosition = ({ since, payoutId }: StuckPayout): string =>
  `${since.toISOString()} ${payoutId}`;

/** What a provider said that disagrees with the request or an earlier answer, and nobody has examined. */
export interface OpenContradiction extends OfTenant {
  readonly contradictionId: string;
  readonly noticedAt: Date;
  /** Null for the contradiction of an enrollment. */
  readonly payoutId: string | null;
  /** Of the payout, and null with it. */
  readonly amountMinor: bigint | null;
  readonly currency: string | null;
  readonly subjectId: string;
  readonly provider: string;
  readonly kind: ContradictionKind;
  readonly said: string;
  readonly expected: string;
  readonly source: ContradictionSource;
  readonly takenBy: string | null;
}

/** The columns of `OpenContradiction`, as the functions of ops name them. */
export const contradictionColumns = `contradiction_id AS "contradictionId", noticed_at AS "noticedAt", ${tenantColumns},
      payout_id AS "payoutId", amount_minor AS "amountMinor", currency, subject_id AS "subjectId", provider, kind, said, expected, source, taken_by AS "takenBy"`;

const contradictions = namedOfPlatform(
  'operator_contradictions',
  ['business', 'before', 'take'],
  `
    SELECT ${contradictionColumns}
    FROM ops.open_contradictions_page(@business, @before::uuid, @take)`,
);

/** The contradictions that wait for a person, newest first. */
export function listOpenContradictions(
  call: OperatorCall,
  { businessId: business, after: before, take }: OperatorPage,
): Promise<OpenContradiction[]> {
  return readList(call, contradictions, { business, before, take });
}

/** An operator's resolution that waits for a second person. */
export interface WaitingResolution extends OfTenant {
  readonly orderId: string;
  readonly orderedAt: Date;
  readonly orderedBy: string;
  /** Whether the person who asks has ordered it, by whichever of their credentials. */
  readonly orderedByYou: boolean;
  readonly payoutId: string;
  readonly outcome: (typeof resolutions)[number];
  readonly providerPayoutId: string | null;
  readonly evidence: string | null;
  readonly reason: string;
  readonly takenBy: string | null;
}

/** The columns of `WaitingResolution`, as the functions of ops name them; `@who` asks. */
export const resolutionColumns = `order_id AS "orderId", ordered_at AS "orderedAt", ordered_by AS "orderedBy", ops.person_of(ordered_by) = ops.person_of(@who) AS "orderedByYou", ${tenantColumns},
      payout_id AS "payoutId", outcome, provider_payout_id AS "providerPayoutId", evidence, reason, taken_by AS "takenBy"`;

const waitingResolutions = namedOfPlatform(
  'operator_resolutions',
  ['who', 'business', 'after', 'take'],
  `
    SELECT ${resolutionColumns}
    FROM ops.resolutions_page(@business, @after::uuid, @take)`,
);

/** The resolutions of ops.resolutions_to_confirm, oldest first. */
export function listWaitingResolutions(
  call: OperatorCall,
  { businessId: business, after, take }: OperatorPage,
): Promise<WaitingResolution[]> {
  const who = operatorId(call.operator.operator);
  return readList(call, waitingResolutions, { who, business, after, take });
}

/** A beneficiary who is not paid until an operator, or the provider that suspended it, reinstates it. */
export interface SuspendedBeneficiary extends OfTenant {
  readonly beneficiaryId: string;
  readonly since: Date;
  readonly reason: string | null;
  /** Who suspended it, as the transition has it. */
  readonly actor: unknown;
}

const suspendedBeneficiaries = namedOfPlatform(
  'operator_suspended_beneficiaries',
  ['business', 'before', 'take'],
  `
    SELECT b.id AS "beneficiaryId", t.business_id AS "businessId", o.company_name AS "companyName", t.environment,
      s.occurred_at AS since, s.reason, s.actor
    FROM across.beneficiary b
    JOIN tenant t ON t.id = b.tenant_id
    JOIN business o ON o.id = t.business_id
    JOIN LATERAL (
      SELECT x.occurred_at, x.reason, x.actor FROM across.beneficiary_transition x
      WHERE x.tenant_id = b.tenant_id AND x.beneficiary_id = b.id AND x.kind = 'suspended'
      ORDER BY x.seq DESC LIMIT 1
    ) s ON true
    WHERE b.compliance_status = 'suspended'
      AND (@business::text IS NULL OR b.tenant_id IN (SELECT y.id FROM tenant y WHERE y.business_id = @business))
      AND (@before::text IS NULL OR b.id < @before)
    ORDER BY b.id DESC LIMIT @take`,
);

/** The suspended beneficiaries, those registered last first. */
export function listSuspendedBeneficiaries(
  call: OperatorCall,
  { businessId: business, after: before, take }: OperatorPage,
): Promise<SuspendedBeneficiary[]> {
  return readList(call, suspendedBeneficiaries, { business, before, take });
}

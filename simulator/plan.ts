import { payoutMoves } from './model.ts';
import type { Failure, PayoutAction, PayoutStatus } from './model.ts';

/**
 * The magic endings of a destination identifier (account number or IBAN): the last four characters
 * choose what becomes of an enrollment or a payout.
 */
export const endings = {
  invalidAccount: '0001',
  returned: '0002',
  noFunds: '0003',
  refusedAtEnrollment: '0004',
  complianceHold: '0005',
} as const;

interface Plan {
  readonly steps: readonly PayoutAction[];
  readonly failure: Failure | null;
}

const usual: Plan = { steps: ['acknowledge', 'estimate', 'disburse', 'settle'], failure: null };

const plans = new Map<string, Plan>([
  [
    endings.invalidAccount,
    {
      steps: ['acknowledge', 'fail'],
      failure: { code: 'invalid_account', message: 'The account does not exist.' },
    },
  ],
  [
    endings.returned,
    {
      steps: ['acknowledge', 'estimate', 'disburse', 'return'],
      failure: { code: 'account_closed', message: 'The account is closed.' },
    },
  ],
  [
    endings.noFunds,
    {
      steps: ['acknowledge', 'fail'],
      failure: {
        code: 'insufficient_provider_funds',
        message: 'The provider account does not hold enough funds.',
      },
    },
  ],
]);

/** What happens by itself to a payout whose destination ends in `last4`. */
export function planFor(last4: string): Plan {
  return plans.get(last4) ?? usual;
}

/** How far a plan is after `action`. The steps before it count as passed. */
export function progressAfter(plan: Plan, progress: number, action: PayoutAction): number {
  return Math.max(progress, plan.steps.indexOf(action) + 1);
}

/**
 * The next step of the plan, or null. A held payout waits for its release. A payout that a control call
 * moved has only the steps that its new status permits.
 */
export function nextStep(plan: Plan, progress: number, status: PayoutStatus): PayoutAction | null {
  const next = plan.steps
    .slice(progress)
    .find((step) => status !== 'held' && payoutMoves[step].from.includes(status));
  return next ?? null;
}

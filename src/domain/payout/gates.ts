import { replaceableStates } from './machine.ts';
import type { ErrorCode } from '../../errors/catalogue.ts';
import type { FieldError } from '../../errors/domain-error.ts';

/**
 * What a payout is judged by, with the SQL type of each: the parameters of `command.first_refusal`. The functions
 * that create payouts give them, from rows that they have locked.
 */
export const gateFacts = {
  beneficiary: 'text',
  archivedAt: 'timestamptz',
  complianceStatus: 'text',
  reacknowledgmentRequired: 'boolean',
  enrollmentStatus: 'text',
  echoDiffers: 'boolean',
  account: 'text',
  accountOwner: 'text',
  accountStatus: 'text',
  validationStatus: 'text',
  railRejectionReason: 'text',
  accountCurrency: 'text',
  currency: 'text',
  routeRefusal: 'text',
  predecessor: 'text',
  predecessorState: 'text',
  predecessorContradicted: 'boolean',
  predecessorReplaced: 'boolean',
  funded: 'boolean',
  state: 'text',
  distinctApprover: 'boolean',
  policyEffect: 'text',
  nameObstacle: 'text',
} as const;

/**
 * A condition that a payout must meet to be created. The list has the order in which a refusal is reported. It becomes
 * one CASE that the functions which create payouts call, over rows that they have locked, so the gates hold at the
 * commit and not only when they are read.
 */
export interface Gate {
  readonly code: ErrorCode;
  /** SQL of the facts that is true when the payout must be refused. */
  readonly refuseWhen: string;
  /** Replaces the code's usual message where one code has several cases. */
  readonly message?: string;
  /** The input that it is about, and a code of its own where the gate's code has several cases. */
  readonly detail?: Pick<FieldError, 'field' | 'code'>;
}

/** Why a predecessor in the right state may not be replaced, for whoever creates or approves the replacement. */
export const predecessorExamined =
  'The predecessor may have been paid after all. It can be replaced once an operator has found that it was not.';

/** Why the tenant's routes refuse a payout (route-verdict.ts), with the code of each. */
export const routeRefusals = {
  missing: 'PAYOUT_ROUTE_MISSING',
  address: 'PAYEE_ADDRESS_INCOMPLETE',
  unfit: 'PAYOUT_ROUTE_UNFIT',
} as const satisfies Record<string, ErrorCode>;
export type RouteRefusal = keyof typeof routeRefusals;

/** Why what a bank says of a holder's name stops an approval (name-check-obstacle.sql), for people. */
export const nameObstacles = {
  name_check_pending:
    "The bank of the account has not answered yet whether the holder's name is right.",
  name_check_unconfirmed:
    'The bank of the account does not have its holder by that name; somebody has to confirm the account with a reason first.',
  name_check_blocked:
    'The bank of the account does not have its holder by that name, and the business pays no such account.',
} as const;
export type NameObstacle = keyof typeof nameObstacles;

const sqlList = (values: readonly string[]): string => values.map((v) => `'${v}'`).join(', ');

export const gates: readonly Gate[] = [
  {
    code: 'not_found',
    refuseWhen: '_beneficiary IS NULL',
    message: 'The beneficiary does not exist or is outside your environment.',
  },
  { code: 'BENEFICIARY_ARCHIVED', refuseWhen: '_archived_at IS NOT NULL' },
  { code: 'BENEFICIARY_NOT_COMPLIANT', refuseWhen: `_compliance_status <> 'compliant'` },
  { code: 'BENEFICIARY_REACKNOWLEDGMENT_REQUIRED', refuseWhen: '_reacknowledgment_required' },
  { code: 'BENEFICIARY_MISMATCH', refuseWhen: '_echo_differs' },
  { code: 'BANK_ACCOUNT_NOT_FOUND', refuseWhen: '_account IS NULL' },
  { code: 'BANK_ACCOUNT_BENEFICIARY_MISMATCH', refuseWhen: '_account_owner <> _beneficiary' },
  { code: 'BANK_ACCOUNT_NOT_VERIFIED', refuseWhen: `_account_status <> 'verified'` },
  { code: 'BANK_ACCOUNT_NOT_VALIDATED', refuseWhen: `_validation_status <> 'validated'` },
  { code: 'BANK_ACCOUNT_RAIL_REJECTED', refuseWhen: '_rail_rejection_reason IS NOT NULL' },
  {
    code: 'BENEFICIARY_ENROLLMENT_FAILED',
    refuseWhen: `_enrollment_status IN ('rejected', 'suspended', 'closed')`,
  },
  {
    code: 'unprocessable_entity',
    refuseWhen: '_account_currency <> _currency',
    message: "The currency differs from the bank account's.",
    detail: { field: 'currency', code: 'currency_mismatch' },
  },
  ...Object.entries(routeRefusals).map(([refusal, code]) => ({
    code,
    refuseWhen: `_route_refusal = '${refusal}'`,
  })),
  {
    code: 'PREDECESSOR_NOT_REPLACEABLE',
    refuseWhen: `_predecessor IS NOT NULL AND (_predecessor_state IS NULL OR _predecessor_state NOT IN (${sqlList(replaceableStates)}))`,
  },
  {
    code: 'PREDECESSOR_NOT_REPLACEABLE',
    refuseWhen: '_predecessor_contradicted',
    message: predecessorExamined,
  },
  { code: 'PREDECESSOR_ALREADY_REPLACED', refuseWhen: '_predecessor_replaced' },
  { code: 'SANDBOX_WALLET_UNFUNDED', refuseWhen: 'NOT _funded' },
  {
    // With `auto` the creator would approve, and here somebody else has to.
    code: 'forbidden',
    refuseWhen: `_state = 'approved' AND _distinct_approver`,
    message: 'validator_strategy auto is not open to a business with distinct_approver.',
  },
  { code: 'PAYOUT_BLOCKED_BY_POLICY', refuseWhen: `_policy_effect = 'block'` },
  {
    code: 'forbidden',
    refuseWhen: `_state = 'approved' AND _policy_effect = 'require'`,
    message:
      'validator_strategy auto is open only to a payout that the approval policy lets pass; this one needs approvals.',
  },
  ...Object.entries(nameObstacles).map(([obstacle, message]) => ({
    code: 'NAME_CHECK_NOT_PASSED' as const,
    refuseWhen: `_state = 'approved' AND _name_obstacle = '${obstacle}'`,
    message,
    detail: { field: 'bank_account_id', code: obstacle },
  })),
];

/** The first gate that needs a verdict of the routes; what an earlier one refuses is refused without it. */
export const firstRouteGate = gates.findIndex(({ code }) => code === routeRefusals.missing);

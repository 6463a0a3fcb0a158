import { replaceableStates } from './machine.ts';
import type { ErrorCode } from '../../errors/catalogue.ts';
import type { FieldError } from '../../errors/domain-error.ts';

/**
 * A condition that a payout must meet to be created. The list has the order in which a refusal is
 * reported. It becomes one CASE inside the functions that create payouts (`create-command.ts`), over rows
 * that they have locked, so the gates hold at the commit and not only when they are read. `ben`, `acc`, `pred` and
 * `demand` are their rows, `funded` what they found of the wallet; `input` holds the caller's values.
 */
export interface Gate {
  readonly code: ErrorCode;
  /** SQL that is true when the payout must be refused. */
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

const sqlList = (values: readonly string[]): string => values.map((v) => `'${v}'`).join(', ');

export const gates: readonly Gate[] = [
  {
    code: 'not_found',
    refuseWhen: 'ben.id IS NULL',
    message: 'The beneficiary does not exist or is outside your environment.',
  },
  { code: 'BENEFICIARY_ARCHIVED', refuseWhen: 'ben.archived_at IS NOT NULL' },
  { code: 'BENEFICIARY_NOT_COMPLIANT', refuseWhen: `ben.compliance_status <> 'compliant'` },
  { code: 'BENEFICIARY_REACKNOWLEDGMENT_REQUIRED', refuseWhen: 'ben.reacknowledgment_required' },
  { code: 'BENEFICIARY_MISMATCH', refuseWhen: 'input.echo_differs' },
  { code: 'BANK_ACCOUNT_NOT_FOUND', refuseWhen: 'acc.id IS NULL' },
  { code: 'BANK_ACCOUNT_BENEFICIARY_MISMATCH', refuseWhen: 'acc.beneficiary_id <> ben.id' },
  { code: 'BANK_ACCOUNT_NOT_VERIFIED', refuseWhen: `acc.status <> 'verified'` },
  { code: 'BANK_ACCOUNT_NOT_VALIDATED', refuseWhen: `acc.validation_status <> 'validated'` },
  { code: 'BANK_ACCOUNT_RAIL_REJECTED', refuseWhen: 'acc.rail_rejection_reason IS NOT NULL' },
  {
    code: 'BENEFICIARY_ENROLLMENT_FAILED',
    refuseWhen: `ben.enrollment_status IN ('rejected', 'suspended', 'closed')`,
  },
  {
    code: 'unprocessable_entity',
    refuseWhen: 'acc.currency <> input.currency',
    message: "The currency differs from the bank account's.",
    detail: { field: 'currency', code: 'currency_mismatch' },
  },
  ...Object.entries(routeRefusals).map(([refusal, code]) => ({
    code,
    refuseWhen: `input.route_refusal = '${refusal}'`,
  })),
  {
    code: 'PREDECESSOR_NOT_REPLACEABLE',
    refuseWhen: `input.replaces_payout_id IS NOT NULL AND (pred.state IS NULL OR pred.state NOT IN (${sqlList(replaceableStates)}))`,
  },
  {
    code: 'PREDECESSOR_NOT_REPLACEABLE',
    refuseWhen: 'pred.contradicted',
    message: predecessorExamined,
  },
  { code: 'PREDECESSOR_ALREADY_REPLACED', refuseWhen: 'pred.replaced' },
  { code: 'SANDBOX_WALLET_UNFUNDED', refuseWhen: 'NOT funded' },
  {
    // With `auto` the creator would approve, and here somebody else has to.
    code: 'forbidden',
    refuseWhen: `input.state = 'approved' AND demand.distinct_approver`,
    message: 'validator_strategy auto is not open to a business with distinct_approver.',
  },
];

/** The first gate that needs a verdict of the routes; what an earlier one refuses is refused without it. */
export const firstRouteGate = gates.findIndex(({ code }) => code === routeRefusals.missing);

/** The gates as SQL: null when all are passed, otherwise the index of the first that refuses. */
export function gateCase(): string {
  const branches = gates.map((gate, index) => `WHEN ${gate.refuseWhen} THEN ${index}`);
  return `CASE ${branches.join(' ')} END`;
}

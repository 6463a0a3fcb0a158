import type { Payout } from '../../../generated/prisma/client.ts';
import { requirePermission, type Actor } from '../../access/scope.ts';
import { contentHash } from '../../crypto/canonical.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { newId } from '../../values/ids.ts';
import { emptyToNull } from '../own-fields.ts';
import { fundingOutlook, type FundingOutlook } from '../ledger/outlook.ts';
import { moneyProblem, toDecimalString } from '../../values/money.ts';
import { isPurposeOfPayment, purposesOfPayment } from '../../reference/purposes.ts';
import type { Call } from '../../process/services.ts';
import { newUlid } from '../../values/ulid.ts';
import { parseInput } from '../../values/validate.ts';
import { createRows, type PreparedPayout } from './create-rows.ts';
import type { NewDecision } from './decision-store.ts';
import { dryFundsOf } from './dry-funds.ts';
import { keptOf } from './fields.ts';
import { payoutCreateInput, type PayoutCreateInput } from './input.ts';

export interface PayoutCreated {
  /** Null for a dry run. */
  readonly payout: Payout | null;
  /** The key was used before with the same content; `payout` is the original. */
  readonly replayed: boolean;
  /** Of a dry run: whether the funds would cover the payout. Null otherwise. */
  readonly funding: FundingOutlook | null;
  /** Of a dry run: the payout as it would be made. Null otherwise. */
  readonly tried: PreparedPayout | null;
}

/**
 * Creates a payout. The same `idempotencyKey` of the tenant with the same content gives the same payout
 * for IDEMPOTENCY_HOURS. The checks run in this order, and the first that fails is the answer:
 * permission, shape, money, purpose, replay, then the gates (`gates.ts`). `amountMinor` is in minor
 * units of `currency`. Throws forbidden, validation_failed, INVALID_MONEY, INVALID_PURPOSE_OF_PAYMENT,
 * IDEMPOTENCY_KEY_REUSED, PAYOUT_CONCURRENCY_CONFLICT, and the code of each gate.
 */
export async function createPayout(call: Call, given: PayoutCreateInput): Promise<PayoutCreated> {
  requirePermission(call.scope, 'payouts:write');
  const { payout, dryRun } = preparePayout(call, given);
  const funds = dryRun ? await dryFundsOf(call) : null;
  const [result] = await createRows(call, [payout], { dryRun, atomic: false, funds });
  if (result === undefined) throw new Error('one row has one result');
  if (result.kind === 'failed') throw result.error;
  if (result.kind === 'passed' || dryRun) {
    const [funding = null] = await fundingOutlook(call, [payout]);
    return { payout: null, replayed: false, funding, tried: payout };
  }
  const replayed = result.kind === 'replayed';
  return { payout: result.payout, replayed, funding: null, tried: null };
}

/**
 * Makes the checks that need no database, and gives the payout as it would be written. Throws
 * `validation_failed`, INVALID_MONEY and INVALID_PURPOSE_OF_PAYMENT. Throws `forbidden` for the validator
 * strategy `auto` of a caller who may not decide on payouts.
 */
export function preparePayout(
  { scope, services }: Call,
  asked: PayoutCreateInput,
): {
  payout: PreparedPayout;
  dryRun: boolean;
} {
  const { dryRun, ...input } = parseInput(payoutCreateInput, asked);
  if (input.validatorStrategy === 'auto') requirePermission(scope, 'payouts:decide');
  const { amountMinor: amountGiven, currency, purposeOfPayment } = input;
  const moneyFault = moneyProblem(amountGiven, currency, services.config.PAYOUT_MAX_AMOUNT_MINOR);
  if (moneyFault !== null) throw new DomainError('INVALID_MONEY', { message: moneyFault });
  if (!isPurposeOfPayment(purposeOfPayment)) {
    const message = `purpose_of_payment must be one of ${purposesOfPayment.join(', ')}.`;
    throw new DomainError('INVALID_PURPOSE_OF_PAYMENT', { message });
  }
  const amountMinor = BigInt(amountGiven); // moneyProblem proved it an integer
  const given = { ...input, metadata: emptyToNull(input.metadata) };
  const payout = {
    ...keptOf({ ...input, purposeOfPayment }),
    id: newId('payout'),
    requestHash: contentHash({ ...given, amountMinor }),
    amountMinor,
    amount: toDecimalString(amountMinor, currency),
    metadata: given.metadata,
    decision: input.validatorStrategy === 'auto' ? autoApproval(scope.actor) : null,
    echo: input.beneficiary ?? null,
  };
  return { payout, dryRun: dryRun ?? false };
}

/** With the validator strategy `auto` the system decides when the payout is created. */
function autoApproval(submittedBy: Actor): NewDecision {
  return {
    decisionId: newUlid(),
    requestHash: contentHash('auto'),
    status: 'approved',
    reasons: [
      { code: 'AUTO_APPROVAL', message: 'Approved by validator_strategy auto.', details: {} },
    ],
    evaluatedBy: { type: 'system', name: 'auto' },
    submittedBy,
    evaluatedAt: null,
    policyVersion: null,
    agentVersion: null,
    confidence: null,
  };
}

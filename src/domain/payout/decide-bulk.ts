import type { Payout } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { DomainError, invalid } from '../../errors/domain-error.ts';
import { inBulk, type Call } from '../../process/services.ts';
import { newUlid } from '../../values/ulid.ts';
import type { DecisionInput } from './decision-input.ts';
import { decideOnPayout } from './decide.ts';

export interface BulkDecision {
  readonly payoutId: string;
  readonly payout: Payout | null;
  readonly error: DomainError | null;
}

/**
 * Decides on several payouts, each in a transaction of its own: one that cannot be moved stops no
 * other. Throws `validation_failed` for the number of payouts, `forbidden`, `RATE_LIMITED` and
 * `too_many_requests` for what they count; everything else is a result.
 * @param expected what the caller saw of payouts, by their ids; another one by now is refused
 * @param sign gives the signature with which all are made, after the checks; what it throws ends the command
 */
export async function decideInBulk(
  call: Call,
  payoutIds: readonly string[],
  decision: Pick<DecisionInput, 'reasons'> & { readonly status: 'approved' | 'rejected' },
  sign: () => Promise<string | null> = () => Promise.resolve(null),
  expected: ReadonlyMap<string, string> = new Map(),
): Promise<BulkDecision[]> {
  requirePermission(call.scope, 'payouts:decide');
  const maximumDecisions = call.services.config.DECISION_BULK_ROWS;
  if (payoutIds.length < 1 || payoutIds.length > maximumDecisions) {
    const message = `must name 1 to ${maximumDecisions} payouts`;
    throw invalid([{ field: 'payoutIds', code: 'out_of_range', message }]);
  }
  return inBulk(call, payoutIds.length, async () =>
    decideAll(call, payoutIds, decision, { stepUp: await sign(), expected }),
  );
}

async function decideAll(
  call: Call,
  payoutIds: readonly string[],
  decision: Parameters<typeof decideInBulk>[2],
  {
    stepUp,
    expected,
  }: { readonly stepUp: string | null; readonly expected: ReadonlyMap<string, string> },
): Promise<BulkDecision[]> {
  const results: BulkDecision[] = [];
  // One after another: a hundred at once would take every connection of the process.
  for (const payoutId of payoutIds) {
    try {
      const input = { ...decision, decisionId: newUlid() };
      const { payout } = await decideOnPayout(call, payoutId, input, {
        stepUp,
        expects: expected.get(payoutId) ?? null,
      });
      results.push({ payoutId, payout, error: null });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      results.push({ payoutId, payout: null, error });
    }
  }
  return results;
}

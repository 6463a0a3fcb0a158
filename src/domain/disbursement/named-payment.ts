import type { PoolClient } from 'pg';
import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { firstRow, rows, type Statement } from '../../db/pool.ts';
import { recordContradictions } from '../contradiction/contradiction-store.ts';
import { contradictionsOf, type Claim, type Source } from '../contradiction/contradiction.ts';

/** The payment of another attempt is not taken over; that is a contradiction of its own. */
const correct: Statement = {
  name: 'correct_named_payment',
  text: `
    UPDATE disbursement_attempt a SET provider_payout_id = $3, named_by = NULL
    WHERE a.tenant_id = $1 AND a.id = $2 AND a.named_by IS NOT NULL AND a.status = 'submitted'
      AND NOT EXISTS (
        SELECT 1 FROM disbursement_attempt o
        WHERE o.tenant_id = $1 AND o.provider = a.provider AND o.provider_payout_id = $3 AND o.id <> $2
      )
    RETURNING a.id`,
};

const correctOfPayout: Statement = {
  name: 'correct_named_payment_of_payout',
  text: `
    UPDATE payout p SET provider_payout_id = $3, updated_at = command.clock()
    WHERE p.tenant_id = $1 AND p.id = $4 AND p.live_attempt_id = $2`,
};

const confirmName: Statement = {
  name: 'confirm_named_payment',
  text: 'UPDATE disbursement_attempt SET named_by = NULL WHERE tenant_id = $1 AND id = $2',
};

/**
 * Compares the id by which an operator named the payment of a locked attempt (`resolve_payout`) with the
 * provider's own, the first time that the provider names it. If all else agrees and the ids differ, the
 * operator was wrong: the provider's id replaces theirs, and the contradiction is recorded, so that a person
 * confirms that the two are one payment. From then on the provider is held to its id.
 *
 * @returns the attempt as it is afterwards; unchanged if no operator named its payment
 */
export async function hearName(
  client: PoolClient,
  scope: Scope,
  attempt: DisbursementAttempt,
  claims: readonly Claim[],
  source: Source,
): Promise<DisbursementAttempt> {
  const [claim, ...more] = claims;
  if (attempt.namedBy === null || claim === undefined || more.length > 0) return attempt;
  const wrong = contradictionsOf(attempt, claims);
  const place = [scope.tenantId, attempt.id] as const;
  if (wrong.length === 0) {
    await rows(client, confirmName, place);
    return { ...attempt, namedBy: null };
  }
  if (wrong.some(({ kind }) => kind !== 'payment')) return attempt;
  const { providerPayoutId } = claim;
  const named = [...place, providerPayoutId] as const;
  if ((await firstRow(client, correct, named)) === null) return attempt;
  await rows(client, correctOfPayout, [...named, attempt.payoutId]);
  await recordContradictions(client, scope, attempt, wrong, source);
  return { ...attempt, providerPayoutId, namedBy: null, needsOperator: true };
}

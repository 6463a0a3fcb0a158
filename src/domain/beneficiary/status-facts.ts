import { rows, type Statement } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';

/** What a beneficiary's `status` and `collection_status` depend on beyond its own row. */
export interface StatusFacts {
  readonly id: string;
  /** Whether any bank account is a destination of payouts (`isPayoutUsable`). */
  readonly hasUsableAccount: boolean;
  /** The live collection request; null when there is none. A beneficiary has one at most. */
  readonly liveRequest: {
    readonly id: string;
    readonly scope: 'full_onboarding' | 'bank_details' | 'tax_documents';
    readonly expiresAt: Date;
  } | null;
}

interface StatusFactsRow {
  readonly id: string;
  readonly usable: boolean;
  readonly requestId: string | null;
  readonly scope: 'full_onboarding' | 'bank_details' | 'tax_documents' | null;
  readonly expiresAt: Date | null;
}

/**
 * Looks into two indexes for each beneficiary. Prisma's `_count` aggregates the accounts of the whole
 * tenant for each page: with 100,000 accounts that took 120 ms, and this takes 1 ms.
 */
const statusFacts: Statement = {
  name: 'status_facts_of_beneficiaries',
  text: `
    SELECT g.id, u.usable, r.id AS "requestId", r.scope, r.expires_at AS "expiresAt"
    FROM unnest($2::text[]) AS g(id)
    CROSS JOIN LATERAL (
      SELECT EXISTS (
        SELECT 1 FROM bank_account a
        WHERE a.tenant_id = $1 AND a.beneficiary_id = g.id AND a.status = 'verified'
          AND a.validation_status = 'validated' AND a.rail_rejection_reason IS NULL
      ) AS usable
    ) u
    LEFT JOIN collection_request r
      ON r.tenant_id = $1 AND r.beneficiary_id = g.id AND r.status = 'live' AND r.expires_at > now()`,
};

function toFacts({ id, usable, requestId, scope, expiresAt }: StatusFactsRow): StatusFacts {
  const live = requestId !== null && scope !== null && expiresAt !== null;
  return {
    id,
    hasUsableAccount: usable,
    liveRequest: live ? { id: requestId, scope, expiresAt } : null,
  };
}

/** The facts about some beneficiaries, in one statement, in no order. */
export async function findStatusFacts(
  { services, scope }: Call,
  beneficiaryIds: readonly string[],
): Promise<StatusFacts[]> {
  const found = await rows<StatusFactsRow & Record<string, unknown>>(services.pool, statusFacts, [
    scope.tenantId,
    beneficiaryIds,
  ]);
  return found.map(toFacts);
}

import { rows, type Statement } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';

/** What a beneficiary's standing depends on beyond its own row. */
export interface Standing {
  readonly id: string;
  /** Whether any bank account is a destination of payouts (`isPayoutUsable`). */
  readonly hasUsableAccount: boolean;
  /** The live collection request; null when there is none. One at most (specification 8). */
  readonly liveRequest: {
    readonly id: string;
    readonly scope: 'full_onboarding' | 'bank_details' | 'tax_documents';
    readonly expiresAt: Date;
  } | null;
}

interface StandingRow {
  readonly id: string;
  readonly usable: boolean;
  readonly requestId: string | null;
  readonly scope: 'full_onboarding' | 'bank_details' | 'tax_documents' | null;
  readonly expiresAt: Date | null;
}

/**
 * Looks into two indexes for each beneficiary. Not Prisma's `_count`: it aggregates the accounts of
 * the whole tenant for each page, which took more than 120 ms with 100,000 of them where this takes
 * one.
 */
const standings: Statement = {
  name: 'standings_of_beneficiaries',
  text: `
    SELECT g.id, u.usable, r.id AS "requestId", r.scope, r.expires_at AS "expiresAt"
    FROM unnest($2::text[]) AS g(id)
    CROSS JOIN LATERAL (
      SELECT EXISTS (
        SELECT FROM bank_account a
        WHERE a.tenant_id = $1 AND a.beneficiary_id = g.id AND a.status = 'verified'
          AND a.validation_status = 'validated' AND a.rail_rejection_reason IS NULL
      ) AS usable
    ) u
    LEFT JOIN collection_request r
      ON r.tenant_id = $1 AND r.beneficiary_id = g.id AND r.status = 'live' AND r.expires_at > now()`,
};

function toStanding({ id, usable, requestId, scope, expiresAt }: StandingRow): Standing {
  const live = requestId !== null && scope !== null && expiresAt !== null;
  return {
    id,
    hasUsableAccount: usable,
    liveRequest: live ? { id: requestId, scope, expiresAt } : null,
  };
}

/** The standings of some beneficiaries, in one statement, in no order. */
export async function findStandings(
  { services, scope }: Call,
  beneficiaryIds: readonly string[],
): Promise<Standing[]> {
  const found = await rows<StandingRow & Record<string, unknown>>(services.pool, standings, [
    scope.tenantId,
    beneficiaryIds,
  ]);
  return found.map(toStanding);
}

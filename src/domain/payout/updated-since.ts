import { Prisma, type Payout } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { firstRow, rows, type Statement } from '../../db/pool.ts';
import type { Call } from '../../services.ts';

/**
 * Up to when changes may be shown to pollers. `updated_at` is set before the commit, so a poller that
 * ran past a row which is not committed yet would never see it; rows younger than the oldest
 * transaction that may still write are held back (decisions 1). Exports cannot write and do not count.
 * It is a statement of its own, before the rows: with one snapshot for both, a transaction that
 * commits in between would be in neither. A transaction tells its start a moment after it has it,
 * hence the tenth of a second.
 */
const changesHorizon: Statement = {
  name: 'changes_horizon',
  text: `
    SELECT least(min(xact_start), now()) - interval '100 milliseconds' AS at
    FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
      AND (backend_xid IS NOT NULL
        OR (application_name LIKE 'payouts-%' AND application_name <> 'payouts-export'))`,
};

/** Payouts in the order of their last change, from one position to the horizon. */
const changedPayouts: Statement = {
  name: 'changed_payouts',
  text: `
    SELECT ${columns(Prisma.PayoutScalarFieldEnum, 'p')}
    FROM payout p
    WHERE p.tenant_id = $1 AND p.updated_at >= $2 AND p.updated_at < $3
      AND (p.updated_at, p.id) > ($4::timestamptz, $5::text)
      AND ($6::text[] IS NULL OR p.state = ANY ($6))
      AND ($7::text IS NULL OR p.beneficiary_id = $7)
      AND ($8::text IS NULL OR p.external_ref = $8)
      AND ($9::text IS NULL OR p.idempotency_key = $9)
    ORDER BY p.updated_at, p.id
    LIMIT $10`,
};

export interface ChangesFilter {
  /** ISO 8601. */
  readonly updatedSince: string;
  readonly state?: readonly string[] | null | undefined;
  readonly beneficiaryId?: string | null | undefined;
  readonly externalRef?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

const beginning = '-infinity';

/**
 * Up to `take` payouts that changed at or after `updatedSince`, oldest change first, after the
 * position that `changePosition` made.
 */
export async function payoutsChangedSince(
  call: Call,
  filter: ChangesFilter,
  after: string | null,
  take: number,
): Promise<Payout[]> {
  const { pool } = call.services;
  const horizon = await firstRow<{ at: Date }>(pool, changesHorizon, []);
  const [at = beginning, id = ''] = after === null ? [] : after.split(' ');
  return rows<Payout>(pool, changedPayouts, [
    call.scope.tenantId,
    filter.updatedSince,
    horizon?.at,
    at,
    id,
    filter.state ?? null,
    filter.beneficiaryId ?? null,
    filter.externalRef ?? null,
    filter.idempotencyKey ?? null,
    take,
  ]);
}

/** Where a page by change ends. */
export function changePosition({ id, updatedAt }: Pick<Payout, 'id' | 'updatedAt'>): string {
  return `${updatedAt.toISOString()} ${id}`;
}

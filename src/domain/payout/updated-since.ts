import { Prisma, type Payout } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Statement } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { horizonSql } from './horizon.ts';

const changesHorizon: Statement = {
  name: 'changes_horizon',
  text: `SELECT h.at::text AS at FROM (${horizonSql}) h`,
};

/** Payouts in the order of their last change, from one position to the horizon. */
const changedPayouts = named(
  'changed_payouts',
  [
    'tenant',
    'since',
    'horizon',
    'afterTime',
    'afterId',
    'states',
    'beneficiary',
    'externalRef',
    'key',
    'take',
  ],
  `
    SELECT ${columns(Prisma.PayoutScalarFieldEnum, 'p')}
    FROM payout p
    WHERE p.tenant_id = @tenant AND p.updated_at >= @since AND p.updated_at < @horizon
      AND (p.updated_at, p.id) > (@afterTime::timestamptz, @afterId::text)
      AND (@states::text[] IS NULL OR p.state = ANY (@states))
      AND (@beneficiary::text IS NULL OR p.beneficiary_id = @beneficiary)
      AND (@externalRef::text IS NULL OR p.external_ref = @externalRef)
      AND (@key::text IS NULL OR p.idempotency_key = @key)
    ORDER BY p.updated_at, p.id
    LIMIT @take`,
);

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
  const horizon = await firstRow<{ at: string }>(pool, changesHorizon, []);
  const [at = beginning, id = ''] = after === null ? [] : after.split(' ');
  const values = changedPayouts.of({
    tenant: call.scope.tenantId,
    since: filter.updatedSince,
    horizon: horizon?.at,
    afterTime: at,
    afterId: id,
    states: filter.state ?? null,
    beneficiary: filter.beneficiaryId ?? null,
    externalRef: filter.externalRef ?? null,
    key: filter.idempotencyKey ?? null,
    take,
  });
  return rows<Payout>(pool, changedPayouts, values);
}

/** Where a page by change ends. */
export function changePosition({ id, updatedAt }: Pick<Payout, 'id' | 'updatedAt'>): string {
  return `${updatedAt.toISOString()} ${id}`;
}

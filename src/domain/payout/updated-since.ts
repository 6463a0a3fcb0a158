import { Prisma, type Payout } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Statement } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';

/**
 * The horizon: the time before which every change is visible to a poller. A change is dated before its
 * commit and visible after it, so a poller that went past the date of an open transaction would never
 * see its changes.
 *
 * Whoever writes a row in PostgreSQL holds ROW EXCLUSIVE on its table from before the statement until the
 * transaction ends: the service, an operator's function, a migration, a person. Every writer of a payout
 * takes `updated_at` from the clock within that statement. So a session that does not hold the lock at
 * this moment dates its changes later, and a session that holds it dated none before the start of its
 * transaction. Transactions that only read do not hold the lock, however long they are open.
 *
 * pg_locks shows the lock to every role, but only the members of a role see when its transactions began.
 * If a writer hides that, nothing is shown until it has ended.
 *
 * The horizon is read before the rows, in a statement of its own. With one snapshot for both, a
 * transaction that commits in between would be in neither. A session that shows its state but no start
 * of a transaction starts it after this statement. The tenth of a second covers the rounding to
 * milliseconds and a clock that is set back a little.
 */
export const changesHorizon: Statement = {
  name: 'changes_horizon',
  text: `
    SELECT (least(now(), min(CASE
      WHEN s.xact_start IS NOT NULL THEN s.xact_start
      WHEN s.state <> 'disabled' THEN now()
      ELSE '-infinity'
    END)) - interval '100 milliseconds')::text AS at
    FROM pg_locks l LEFT JOIN pg_stat_activity s ON s.pid = l.pid
    WHERE l.locktype = 'relation' AND l.mode = 'RowExclusiveLock' AND l.granted
      AND l.relation = 'payout'::regclass
      AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())`,
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

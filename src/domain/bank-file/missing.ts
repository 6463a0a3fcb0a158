import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import type { PageRange } from '../page-range.ts';

/** A payout that was in a file and that no statement has shown in time. */
export interface MissingDebit {
  /** The payout's. */
  readonly id: string;
  readonly connectionId: string;
  readonly batchId: string;
  /** `YYYY-MM-DD`. */
  readonly executionDate: string;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  readonly currency: string;
}

/** A payout is disbursed when its debit is found, so those that wait for one are the approved ones. */
const missing = (direction: 'ASC' | 'DESC') =>
  named(
    `missing_bank_debits_${direction}`,
    ['tenant', 'low', 'high', 'take'],
    `
    SELECT p.id, bp.connection_id AS "connectionId", bp.batch_id AS "batchId",
      bb.execution_date AS "executionDate", p.amount_minor AS "amountMinor", p.currency
    FROM payout p
    JOIN bank_payment bp ON bp.tenant_id = p.tenant_id AND bp.attempt_id = p.live_attempt_id
    JOIN bank_batch bb ON bb.tenant_id = bp.tenant_id AND bb.id = bp.batch_id
    WHERE p.tenant_id = @tenant AND p.state = 'approved' AND p.id > @low AND p.id < @high
      AND ops.debit_is_late(bb.execution_date)
    ORDER BY p.id ${direction} LIMIT @take`,
  );

const pages = { ASC: missing('ASC'), DESC: missing('DESC') };

/** Payouts of the tenant that no statement has shown in time, newest first; backwards, oldest first. */
export function readMissingDebits(
  { scope, services }: Call,
  { after, before, take, backwards }: PageRange,
): Promise<MissingDebit[]> {
  const page = pages[backwards ? 'ASC' : 'DESC'];
  const values = { tenant: scope.tenantId, low: before ?? '', high: after ?? '~', take };
  return rows<MissingDebit & Record<string, unknown>>(services.pool, page, page.of(values));
}

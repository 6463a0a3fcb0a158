import { Prisma, type PayoutBatch } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { FieldError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import type { PageRange } from '../page-range.ts';
import { batchRowStatuses, type BatchRowStatus } from './names.ts';
import { findMade } from './store.ts';

type Direction = 'ASC' | 'DESC';

const batches = (direction: Direction) =>
  named(
    `payout_batches_${direction}`,
    ['tenant', 'low', 'high', 'take'],
    `
    SELECT ${columns(Prisma.PayoutBatchScalarFieldEnum, 'b')} FROM payout_batch b
    WHERE b.tenant_id = @tenant AND b.id > @low AND (@high::text IS NULL OR b.id < @high)
    ORDER BY b.id ${direction} LIMIT @take`,
  );

const pages = { ASC: batches('ASC'), DESC: batches('DESC') };

/** Reads a range of the tenant's batches, newest first; backwards, oldest first. */
export function listPayoutBatches(
  { services, scope }: Call,
  { after, before, take, backwards }: PageRange,
): Promise<PayoutBatch[]> {
  const statement = pages[backwards ? 'ASC' : 'DESC'];
  const values = statement.of({ tenant: scope.tenantId, low: before ?? '', high: after, take });
  return rows<PayoutBatch>(services.pool, statement, values);
}

/** A row with what became of it. */
export interface BatchRowShown {
  /** Its place in a list: the number, so that texts compare as numbers do. */
  readonly id: string;
  readonly row: number;
  readonly status: BatchRowStatus;
  readonly beneficiaryId: string;
  readonly bankAccountId: string;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint | null;
  readonly currency: string;
  readonly purposeOfPayment: string | null;
  readonly externalRef: string | null;
  readonly metadata: unknown;
  readonly provider: string | null;
  readonly payoutId: string | null;
  /** Why it is wrong, or no payout could be made of it; null otherwise. */
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: readonly FieldError[];
  } | null;
}

/** What became of a row `r`. */
export const statusOfRow = `CASE WHEN r.left_out THEN 'left_out' ELSE coalesce(r.status, 'unchecked') END`;

const batchRows = (direction: Direction) =>
  named(
    `payout_batch_rows_${direction}`,
    ['tenant', 'batch', 'statuses', 'low', 'high', 'take'],
    `
    SELECT lpad(r.n::text, 8, '0') AS id, r.n AS row, ${statusOfRow} AS status, r.beneficiary_id AS "beneficiaryId",
      r.bank_account_id AS "bankAccountId", r.amount_minor AS "amountMinor", r.currency,
      r.purpose_of_payment AS "purposeOfPayment", r.external_ref AS "externalRef", r.metadata, r.provider, r.error
    FROM payout_batch_row r
    WHERE r.tenant_id = @tenant AND r.batch_id = @batch AND r.n > @low::integer AND r.n < @high::integer
      AND ${statusOfRow} = ANY (@statuses::text[])
    ORDER BY r.n ${direction} LIMIT @take`,
  );

const rowPages = { ASC: batchRows('ASC'), DESC: batchRows('DESC') };

/** Above every number of a row. */
const beyondRows = 2 ** 31 - 1;

/** Reads a range of the rows of a batch in their order, those of some statuses or all. */
export async function listBatchRows(
  call: Call,
  batch: string,
  statuses: readonly BatchRowStatus[] | null,
  { after, before, take, backwards }: PageRange,
): Promise<BatchRowShown[]> {
  const { services, scope } = call;
  const statement = rowPages[backwards ? 'DESC' : 'ASC'];
  const values = statement.of({
    tenant: scope.tenantId,
    batch,
    statuses: statuses ?? batchRowStatuses,
    low: Number(after ?? 0),
    high: before === null ? beyondRows : Number(before),
    take,
  });
  type Row = Omit<BatchRowShown, 'payoutId'> & Record<string, unknown>;
  const found = await rows<Row>(services.pool, statement, values);
  const made = await findMade(
    call,
    batch,
    found.flatMap(({ status, row }) => (status === 'made' ? [row] : [])),
  );
  return found.map((row) => ({ ...row, payoutId: made.get(row.row) ?? null }));
}

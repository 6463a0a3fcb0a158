import { Prisma, type PayoutBatch, type PayoutBatchRow } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { isId } from '../../values/ids.ts';

const batchById = named(
  'payout_batch_by_id',
  ['tenant', 'batch'],
  `
    SELECT ${columns(Prisma.PayoutBatchScalarFieldEnum, 'b')} FROM payout_batch b
    WHERE b.tenant_id = @tenant AND b.id = @batch`,
);

/** One batch of the tenant; null for an id of none, however it is written. */
export async function findPayoutBatch(
  { scope, services }: Call,
  id: string,
): Promise<PayoutBatch | null> {
  if (!isId('payoutBatch', id)) return null;
  const values = batchById.of({ tenant: scope.tenantId, batch: id });
  return firstRow<PayoutBatch>(services.pool, batchById, values);
}

/** One batch of the tenant. Throws `not_found`. */
export async function readPayoutBatch(call: Call, id: string): Promise<PayoutBatch> {
  const found = await findPayoutBatch(call, id);
  if (found === null) throw new DomainError('not_found');
  return found;
}

/** Throws `not_found` for a malformed id, without a query. */
export function requireBatchId(id: string): void {
  if (!isId('payoutBatch', id)) throw new DomainError('not_found');
}

/** Refuses what only a draft permits. */
export const noDraft = ({ state }: PayoutBatch): DomainError =>
  new DomainError('conflict', { message: `The batch is ${state}, and no draft any more.` });

const rowsFrom = named(
  'payout_batch_rows_from',
  ['tenant', 'batch', 'after', 'take'],
  `
    SELECT ${columns(Prisma.PayoutBatchRowScalarFieldEnum, 'r')} FROM payout_batch_row r
    WHERE r.tenant_id = @tenant AND r.batch_id = @batch AND r.n > @after
    ORDER BY r.n LIMIT @take`,
);

/** Rows of a batch behind a number, in their order. */
export function readRowsBehind(
  { scope, services }: Call,
  batch: string,
  after: number,
  take: number,
): Promise<PayoutBatchRow[]> {
  const values = rowsFrom.of({ tenant: scope.tenantId, batch, after, take });
  return rows<PayoutBatchRow>(services.pool, rowsFrom, values);
}

const rowsToMake = named(
  'payout_batch_rows_to_make',
  ['tenant', 'batch', 'after', 'take'],
  `
    SELECT ${columns(Prisma.PayoutBatchRowScalarFieldEnum, 'r')} FROM payout_batch_row r
    WHERE r.tenant_id = @tenant AND r.batch_id = @batch AND r.n > @after AND NOT r.left_out AND r.status = 'ready'
    ORDER BY r.n LIMIT @take`,
);

/**
 * Rows of a submitted batch behind a number of which nothing is written down yet. A process that died may have made the
 * payouts of some.
 */
export function readRowsToMake(
  { scope, services }: Call,
  batch: string,
  after: number,
  take: number,
): Promise<PayoutBatchRow[]> {
  const values = rowsToMake.of({ tenant: scope.tenantId, batch, after, take });
  return rows<PayoutBatchRow>(services.pool, rowsToMake, values);
}

const rowsMade = named(
  'payout_batch_rows_made',
  ['tenant', 'batch', 'rows'],
  `
    SELECT p.id, p.batch_row AS row FROM payout p
    WHERE p.tenant_id = @tenant AND p.batch_id = @batch AND p.batch_row = ANY (@rows::integer[])`,
);

/** The ids of the payouts that were made of rows, by the numbers of the rows. */
export async function findMade(
  { scope, services }: Call,
  batch: string,
  numbers: readonly number[],
): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map();
  const values = rowsMade.of({ tenant: scope.tenantId, batch, rows: numbers });
  const found = await rows<{ id: string; row: number }>(services.pool, rowsMade, values);
  return new Map(found.map(({ id, row }) => [row, id]));
}

/** What was found out about a row. */
export interface Found {
  readonly n: number;
  readonly status: 'ready' | 'wrong' | 'failed' | 'made';
  readonly error: DomainError | null;
  readonly provider: string | null;
}

const noteFound = named(
  'note_payout_batch_rows',
  ['tenant', 'batch', 'found'],
  `
    UPDATE payout_batch_row r SET
      status = f.status, error = f.error, provider = CASE WHEN f.status = 'made' THEN r.provider ELSE f.provider END
    FROM jsonb_to_recordset(@found::jsonb) AS f (n integer, status text, error jsonb, provider text)
    WHERE r.tenant_id = @tenant AND r.batch_id = @batch AND r.n = f.n`,
);

/** Writes down what was found out about rows. */
export async function noteRows(
  { scope, services }: Call,
  batch: string,
  found: readonly Found[],
): Promise<void> {
  if (found.length === 0) return;
  const wire = found.map(({ error, ...row }) => ({
    ...row,
    error:
      error === null ? null : { code: error.code, message: error.message, details: error.details },
  }));
  const values = noteFound.of({ tenant: scope.tenantId, batch, found: JSON.stringify(wire) });
  await rows(services.pool, noteFound, values);
}
